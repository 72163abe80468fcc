"""Questions to a model, which is asked over HTTP while nobody has the workspace."""

import re
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pydantic import BaseModel

from pipeline.app.runs import run_due
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.questions import QUESTIONS_AT_ONCE
from pipeline.fleet.slices import AGAIN, Worker
from pipeline.ledger import open_ledger
from pipeline.process.context import ProcessContext
from schemas.extraction import Candidate
from schemas.fleet_act import BackfillAct, ForgetAct
from schemas.run_options import RunOptions
from schemas.session_answer import SessionAnswer
from tests.fleet.conftest import NOON
from tests.fleet.fronts import served_front
from tests.fleet.working import (
    DAY,
    MORNING,
    WORDS,
    asked,
    drain,
    entries,
    new_workspace,
    published_files,
    reported,
    rows,
    say,
)
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import awaited
from tests.support.servers.behaviours import Received, answering, failing, hanging, together
from tests.support.servers.model_server import ScriptedServer

NewMachine = Callable[[ScriptedServer], Machine]


def remembering(request: Received) -> BaseModel:
    """Remembers all that an owner says, by a title of its own."""
    shown = request.conversation
    assert shown
    new = [one for one in shown.messages if one.number >= shown.first_new and one.origin == "owner"]
    return SessionAnswer(candidates=tuple(_candidate(one.text, one.number) for one in new))


def _candidate(quote: str, number: int) -> Candidate:
    fields = {"kind": "remember", "title": f"as the model says: {quote}", "quote": quote, "quote_number": number}
    return Candidate.model_validate({**fields, "conclusion": quote, "confirmation": "stated", "confidence": 0.9})


def asking(server: ScriptedServer) -> dict[str, str]:
    """The environment of a worker that asks this server."""
    return {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "scripted", "MEMORY_MODEL__ATTEMPTS": "1"}


@pytest.fixture
def new_machine(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Callable[[ScriptedServer], Machine]:
    """Makes the machine of workers that ask a server."""
    return lambda server: Machine(database, tmp_path / "machine", ProcessContext(asking(server), clock))


def test_nobody_has_the_workspace_meanwhile(
    new_machine: NewMachine, database: FleetDatabase, clock: FixedClock, tmp_path: Path
) -> None:
    """The next slice finds the answer, and writes what a single machine does that waits for it. It is paid once."""
    anna, taken = new_workspace(database, "anna", tmp_path, NOON), list[Any]()

    def behave(request: Received) -> BaseModel:
        taken.extend(rows(database, "SELECT * FROM procrastinate_jobs WHERE status = 'doing'"))
        return remembering(request)

    with ScriptedServer(answering(behave)) as server:
        drain(new_machine(server))
        assert (1, []) == (len(server.requests), taken)
        store = {"MEMORY_STORE__URL": database.url, "MEMORY_STORE__WORKSPACE": str(anna.id)}
        folder = tmp_path / "from-anna"
        for _ in run_due(folder, ProcessContext({**asking(server), **store}, clock), RunOptions()):
            pass
    assert (folder / DAY).read_text() == published_files(database, anna)[DAY]
    assert "as the model says" in published_files(database, anna)[DAY]
    assert ([], 0) == (rows(database, "SELECT * FROM question"), reported(database, "anna").asked_again)
    ledger = open_ledger(new_machine(server).cache / str(anna.id) / ".memory" / "state.db")
    with closing(ledger.store):
        assert 1 == sum(spent.usage.asked for spent in ledger.spending.since(MORNING, NOON + timedelta(days=1)))


def test_questions_of_many_workspaces_are_asked_at_once(
    new_machine: NewMachine, database: FleetDatabase, tmp_path: Path
) -> None:
    """The model answers as soon as all are there; a worker that waited for one would never see the next."""
    owners = [new_workspace(database, name, tmp_path, NOON) for name in ("anna", "ben", "eva", "tom")]
    with ScriptedServer(together(len(owners), answering(remembering))) as server:
        drain(new_machine(server))
    assert ["as the model says"] * 4 == [
        "as the model says" if "as the model says" in published_files(database, owner)[DAY] else "" for owner in owners
    ]
    assert [(100, 20)] * 4 == rows(database, "SELECT input_tokens, output_tokens FROM workspace")


def test_a_model_that_fails(
    new_machine: NewMachine, database: FleetDatabase, clock: FixedClock, tmp_path: Path
) -> None:
    """Nothing is written, and the time stays due; it is asked again at the next try.

    The list says which run that was, without words, and the owner reads its warning, until it has ended well.
    """
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with ScriptedServer(failing(401), answering(remembering)) as server:
        drain(new_machine(server))
        assert DAY not in published_files(database, anna)
        failed = reported(database, "anna")
        assert failed.next_due
        assert clock.now() < failed.next_due
        named = re.fullmatch(r"Run (\S+) of micro_sync ended as waiting; the list of runs .*", failed.failure)
        with served_front(database, tmp_path / "front", clock) as front:
            runs = front.owner("anna").ask("/api/v1/runs").value
        assert ["401" in run["warning"] for run in runs if named and run["run_id"] == named[1]] == [True]
        clock.move(AGAIN)
        drain(new_machine(server))
        assert (2, 0) == (len(server.requests), reported(database, "anna").asked_again)
    assert "" == reported(database, "anna").failure
    assert "as the model says" in published_files(database, anna)[DAY]


def test_a_failure_that_two_of_a_slice_meet(
    new_machine: NewMachine, database: FleetDatabase, clock: FixedClock, tmp_path: Path
) -> None:
    """A window that is due, and a back-fill of the same day, whose answer says that it is left: no worker dies."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    days = {"first": date(2026, 3, 4), "last": date(2026, 3, 4)}
    with ScriptedServer(failing(401)) as server:
        machine = new_machine(server)
        asked(machine, anna, BackfillAct(jobs=("micro_sync",), **days))
        drain(machine)
        clock.move(AGAIN)
        drain(machine)
    assert 0 == reported(database, "anna").deaths
    assert [("done", "1")] == rows(database, "SELECT state, answer ->> 'left' FROM act")


def test_a_back_fill_waits_for_its_answers(new_machine: NewMachine, database: FleetDatabase, tmp_path: Path) -> None:
    """It is done when they have come, and not before."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET next_due = NULL")
    days = {"first": date(2026, 3, 4), "last": date(2026, 3, 4)}
    with ScriptedServer(answering(remembering)) as server:
        machine = new_machine(server)
        asked(machine, anna, BackfillAct(jobs=("micro_sync",), **days))
        drain(machine)
    assert [("done", "0")] == rows(database, "SELECT state, answer ->> 'left' FROM act")
    assert "as the model says" in published_files(database, anna)[DAY]


def test_nothing_is_asked_beyond_the_budget(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Neither ahead of the runs, nor again and again while their windows wait for another day."""
    clock.move(timedelta(days=1))
    anna = new_workspace(database, "anna", tmp_path, clock.now())
    say(database, anna, WORDS, day=1)
    with ScriptedServer(answering(remembering)) as server:
        environment = {**asking(server), "MEMORY_MODEL__TOKENS_PER_DAY": "1"}
        machine = Machine(database, tmp_path / "machine", ProcessContext(environment, clock))
        for _ in range(3):
            drain(machine)
            clock.move(AGAIN)
        assert 1 == len(server.requests)


def test_a_reply_is_kept_for_the_run_that_needs_it(
    new_machine: NewMachine, database: FleetDatabase, clock: FixedClock, tmp_path: Path
) -> None:
    """It is paid for: a slice that did not come to its window leaves it, for a week."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with ScriptedServer(answering(remembering)) as server:
        machine = new_machine(server)
        drain(machine)
        paid = "INSERT INTO question (workspace_id, id, asker, asked, reply) VALUES (%s, 'x', %s, %s, '{}')"
        with database.transaction() as connection:
            connection.execute(paid, [anna.id, anna.id, clock.now()])
        Worker(machine).work_on(anna.id)
        assert [("x",)] == rows(database, "SELECT id FROM question")
        clock.move(timedelta(days=8))
        drain(machine)
        assert [] == rows(database, "SELECT id FROM question WHERE id = 'x'")


def test_forgetting_drops_the_replies(new_machine: NewMachine, database: FleetDatabase, tmp_path: Path) -> None:
    """Those that no slice has taken too; and an answer that comes later is kept by nobody."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    with ScriptedServer(answering(remembering)) as server:
        machine = new_machine(server)
        drain(machine)
        waiting = "INSERT INTO question (workspace_id, id, asker, asked, reply) VALUES (%s, 'x', %s, now(), '{}')"
        with database.transaction() as connection:
            connection.execute(waiting, [anna.id, anna.id])
        asked(machine, anna, ForgetAct(id=entries(database, anna)[1]))
        Worker(machine).work_on(anna.id)
    assert WORDS[1] not in published_files(database, anna)[DAY]
    assert [] == rows(database, "SELECT * FROM question")


def test_questions_that_were_not_sent(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Another worker asks them at once, while the one that stops waits for the answers that are paid for."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    for number in range(QUESTIONS_AT_ONCE + 2):
        say(database, anna, [f"the key number {number} hangs at the door"], session=f"t-{number}")
    with ScriptedServer(*[hanging()] * QUESTIONS_AT_ONCE, answering(remembering)) as server:
        context = ProcessContext(asking(server), clock)
        stopping = Worker(Machine(database, tmp_path / "stopping", context))
        stopping.work_on(anna.id)
        awaited(lambda: len(server.requests) == QUESTIONS_AT_ONCE or None)
        closing_down = Thread(target=stopping.questions_under_way.close)
        closing_down.start()
        awaited(lambda: rows(database, "SELECT count(*) FROM question") == [(QUESTIONS_AT_ONCE,)] or None)
        assert reported(database, "anna").next_due == NOON
        drain(Machine(database, tmp_path / "other", context))
        assert [(3,)] == rows(database, "SELECT count(*) FROM question WHERE reply IS NOT NULL")
        assert 0 == reported(database, "anna").asked_again
    closing_down.join()
