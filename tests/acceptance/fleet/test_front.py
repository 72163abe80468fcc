"""`memory fleet serve` as a process: it answers while it runs, and stops when it is asked to."""

import json
import signal
from functools import partial
from pathlib import Path

from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import end_of
from tests.support.workspaces.served_demo import ServedWorkspace


def test_a_front_answers_until_it_is_stopped(memory: CalledCommand, fleet_url: str, filled: Path) -> None:
    """Its log says where; a second process cannot use its cache folder."""
    call = partial(memory, "fleet", MEMORY_FLEET__URL=fleet_url, MEMORY_FLEET__HTTP="127.0.0.1:0")
    assert 0 == call("init").code
    assert 0 == call("add", "anna", filled).code
    token = call("token", "add", "laptop", "--for", "anna", "--json").records[0]["token"]
    front = memory.start("fleet", "serve", MEMORY_FLEET__URL=fleet_url, MEMORY_FLEET__HTTP="127.0.0.1:0")
    assert front.stderr
    ready = json.loads(front.stderr.readline())
    assert "front.ready" == ready["event"]
    anna = ServedWorkspace(filled, f"{ready['http']}/w/anna", token, "")
    assert anna.ask("/api/v1/entries").value
    assert 401 == anna.ask("/api/v1/entries", authorization="").status
    assert 75 == call("serve").code
    front.send_signal(signal.SIGTERM)
    assert 0 == end_of(front).code
