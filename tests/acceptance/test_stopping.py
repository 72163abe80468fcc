"""A run that is stopped: at its deadline, by SIGTERM, by Ctrl-C. What it had not finished stays due."""

import signal
from datetime import date
from pathlib import Path
from threading import Event

import pytest

from tests.support.processes.command_line import end_of
from tests.support.processes.commands import unlike
from tests.support.servers.behaviours import Behaviour, Received, Sent, answering, hanging, slow
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import FourDays, build_four_days, keeping_promises, model_table


def announced(asked: Event, go_on: Event) -> Behaviour:
    """Tells that a question has come, and answers the first when told to, the others after a while."""

    def behave(request: Received) -> Sent:
        first = not asked.is_set()
        asked.set()
        go_on.wait(60)
        return answering(keeping_promises)(request) if first else slow(keeping_promises, 0.2)(request)

    return behave


def test_the_deadline(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """A model that never answers cannot hold a run beyond its job's time: exit code 124, and nobody is left running."""
    file = four_days.memory.root / "memory.toml"
    plain = file.read_text(encoding="utf-8")
    with ScriptedServer(hanging()) as server:
        file.write_text(f"{plain}[jobs.micro_sync]\ntimeout = 1\n{model_table(server)}", encoding="utf-8")
        ended = four_days.memory.memory("run")
    assert ended.code == 124
    assert "micro_sync did not end within 1 s and was stopped" in ended.shown
    assert four_days.memory.pages_with_lines().keys() == {f"memory/{four_days.days[1]}.md"}
    file.write_text(plain, encoding="utf-8")
    assert four_days.memory.memory(*four_days.backfill).code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


@pytest.mark.parametrize(("command", "number"), [("run", signal.SIGINT), ("backfill", signal.SIGTERM)])
def test_asked_to_stop(command: str, number: signal.Signals, tmp_path: Path, first_day: date) -> None:
    """It stops at the next safe point, says so, and the next run goes on where it stopped."""
    asked, go_on = Event(), Event()
    with ScriptedServer(announced(asked, go_on)) as server:
        four_days = build_four_days(tmp_path / "stopped", first_day, model_table(server))
        process = four_days.memory.start(*(("run",) if command == "run" else four_days.backfill))
        assert asked.wait(60)
        process.send_signal(number)
        go_on.set()
        ended = end_of(process)
    assert (ended.code, "Stopped as asked" in ended.shown) == (128 + number, True), ended.shown
    with ScriptedServer(answering(keeping_promises)) as server:
        other = build_four_days(tmp_path / "undisturbed", first_day, model_table(server))
        for workspace in (four_days, other):
            environment = {"MEMORY_MODEL__BASE_URL": server.base_url}
            assert workspace.memory.memory(*workspace.backfill, **environment).code == 0
    assert unlike(other.memory.pages(), four_days.memory.pages()) == []
    assert len(four_days.memory.entries()) > 0
