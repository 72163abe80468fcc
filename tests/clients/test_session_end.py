"""The end of a real session: the client's hook tells the service, which reads the session at once, and that is all."""

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

from pipeline.app.opening import open_for_reading
from pipeline.process.context import ProcessContext
from pipeline.service.socket.http_request import NOTICE, request
from pipeline.workspace.asking import ASKING
from pipeline.workspace.service_files import ServiceFolder
from tests.clients.owners import Owner
from tests.support.processes.command_line import CommandLine, bare_environment
from tests.support.processes.serving_process import ADDRESS, serving_process
from tests.support.processes.waiting import soon
from tests.support.servers.provider_server import ProviderServer

pytestmark = pytest.mark.clients

WORDS = "the heron stands in the reeds"
SETTINGS = 'timezone = "UTC"\n[embedder]\nkind = "none"\n[[sources]]\nkind = "claude_code"\npath = "{path}"\n'


@pytest.fixture
def connected(owner: Owner) -> Path:
    """A workspace that Claude Code tells of the end of a session alone; Codex has no hook for that."""
    if owner.name != "claude":
        pytest.skip("Claude Code alone is connected here")
    root = owner.folder / "w"
    root.mkdir()
    (root / "memory.toml").write_text(SETTINGS.format(path=owner.home / ".claude" / "projects"))
    alone = ("--without", "page", "--without", "prompts")
    said = CommandLine(owner.home)("agents", "connect", "claude-code", *alone, "--apply", "--yes", "--workspace", root)
    assert 0 == said.code, said.err
    return root


def talk(owner: Owner, provider: ProviderServer, **variables: str) -> None:
    """A session of one question, from its beginning to its end."""
    keys = {"ANTHROPIC_BASE_URL": provider.address, "ANTHROPIC_API_KEY": "none", "DISABLE_AUTOUPDATER": "1"}
    done = subprocess.run(
        [owner.program, "-p", WORDS],
        env=bare_environment(owner.home, **keys, **variables),
        cwd=owner.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert (0, b"fine\n") == (done.returncode, done.stdout), done.stderr


def test_the_end_of_a_session_is_one_notice(owner: Owner, connected: Path) -> None:
    """And the end of a question of ours is none, so no chain begins; the client ends well, and waits for its hook."""
    place = owner.folder / "s"
    (connected / ADDRESS).parent.mkdir(parents=True)
    (connected / ADDRESS).write_text(f"{place}\n")
    with ProviderServer(lambda _said: "fine") as provider, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.fspath(place))
        listener.listen()
        listener.setblocking(False)  # noqa: FBT003 - the library's argument
        talk(owner, provider, **{ASKING: "1"})
        with pytest.raises(BlockingIOError):
            listener.accept()
        talk(owner, provider)
        line, _ = listener.accept()
        with line, line.makefile("rb") as lines:
            assert request(NOTICE) == lines.read()
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_the_service_reads_the_session_at_once(owner: Owner, connected: Path) -> None:
    """Hours before the next tick, in one run. After --remove nothing is told any more."""
    folder = ServiceFolder(connected)
    with ProviderServer(lambda _said: "fine") as provider, serving_process(connected, owner.home):
        assert soon(lambda: json.loads(folder.state.read_bytes())["child"] is None)
        talk(owner, provider)
        assert soon(lambda: known(connected) == 1)
        assert 2 == len([*folder.logs.glob("*-micro_sync.log")])
    removed = CommandLine(owner.home)("agents", "connect", "claude-code", "--remove", "--yes", "--workspace", connected)
    assert (0, False) == (removed.code, "memory-hook" in (owner.home / ".claude" / "settings.json").read_text())


def known(root: Path) -> int:
    """How many sessions the ledger has."""
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        return len(engine.catalog.listing())
