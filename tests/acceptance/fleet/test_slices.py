"""Slices of work: acts and windows, carried out by workers of the real queue."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pipeline.errors.fleet import ActTooLong, TooManyActs
from pipeline.events import Event
from pipeline.fleet.acts import ACTS_AT_ONCE, ANSWERS_KEPT_FOR, LONGEST_ACT, MOST_WAITING_ACTS
from pipeline.fleet.checkout import NOTED_AGAIN
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.queue import FOR_A_PERSON, offer_work
from pipeline.fleet.slices import (
    AGAIN,
    DUE_AT_ONCE,
    LONGEST_SLICE,
    LONGEST_WAIT,
    MOST_DEATHS,
    SELDOM,
    TURN,
    Worker,
    offer_due,
)
from pipeline.fleet.workspaces import (
    HEARD_AFTER,
    FleetWorkspace,
    add_workspace,
    find_workspace,
    note_words,
    resume_workspace,
)
from pipeline.process.context import ProcessContext
from schemas.agent_settings import AgentsSettings
from schemas.fleet_act import BackfillAct, CorrectAct, DeclineAct, ForgetAct
from tests.fleet.conftest import NOON, added, check_out
from tests.fleet.working import DAY, WORDS, asked, drain, entries, new_workspace, published_files, reported, rows
from tests.support.marks import at_length
from tests.support.ports.clock import FixedClock

ONE_DAY = {"first": date(2026, 3, 4), "last": date(2026, 3, 4)}
_MANY_ACTS = """
INSERT INTO act (workspace_id, seq, kind, body, asked)
SELECT %s, number, 'decline', '{"kind": "decline", "id": "x"}', %s FROM generate_series(1, %s) AS number
"""
NewMachine = Callable[[], Machine]


def test_what_is_due_is_run_once(new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace) -> None:
    """Then the workspace waits for its next window, and no worker publishes anything before."""
    drain(new_machine())
    first = reported(database, "anna")
    assert (2, "ready", 0) == (first.generation, first.state, first.deaths)
    assert first.next_due
    assert first.next_due > NOON
    text = published_files(database, spoken)[DAY]
    assert [True] * 3 == [words in text for words in WORDS]
    with database.transaction() as connection:
        offer_work(connection, spoken.id)
    drain(new_machine())
    assert 2 == reported(database, "anna").generation
    assert [] == rows(database, "SELECT * FROM procrastinate_jobs")


def test_a_conversation_that_cannot_be_read_for_a_while(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """It is tried again soon, and the list says so meanwhile."""
    with database.transaction() as connection:
        connection.execute("ALTER TABLE conversation_messages RENAME COLUMN text TO away")
    drain(new_machine())
    assert DAY not in published_files(database, spoken)
    assert "Not all conversations of store can be read; they are tried again." == reported(database, "anna").failure
    with database.transaction() as connection:
        connection.execute("ALTER TABLE conversation_messages RENAME COLUMN away TO text")
    clock.move(AGAIN)
    drain(new_machine())
    assert WORDS[0] in published_files(database, spoken)[DAY]
    assert "" == reported(database, "anna").failure


def test_all_that_is_due_is_run(new_machine: NewMachine, database: FleetDatabase, tmp_path: Path) -> None:
    """Also where it is more than the queue takes at once."""
    owners = [new_workspace(database, f"w-{number}", tmp_path, NOON, WORDS[:1]) for number in range(DUE_AT_ONCE + 2)]
    drain(new_machine())
    assert [True] * len(owners) == [WORDS[0] in published_files(database, owner)[DAY] for owner in owners]


def test_acts_are_carried_out_in_their_order(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """Each in the generation in which it is done; what is refused hinders none."""
    machine = new_machine()
    drain(machine)
    first, second, _ = entries(database, spoken)
    acts = (
        CorrectAct(id=first, words="the septic truck comes on fridays"),
        CorrectAct(id="nothing", words="no entry"),
        DeclineAct(id="nothing"),
        ForgetAct(id=second),
    )
    assert [1, 2, 3, 4] == asked(machine, spoken, *acts)
    drain(new_machine())
    answers = rows(database, "SELECT seq, state, answer FROM act ORDER BY seq")
    assert ["done", "refused", "refused", "done"] == [state for _, state, _ in answers]
    assert answers[3][2]["removed"]
    text = published_files(database, spoken)[DAY]
    assert "fridays" in text
    assert WORDS[1] not in text


def test_a_refusal_names_no_entry(new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace) -> None:
    """Ids are made of words: who asks twice to forget an entry would keep its words in the second answer."""
    machine = new_machine()
    drain(machine)
    forgotten = ForgetAct(id=entries(database, spoken)[1])
    for act in (forgotten, forgotten, CorrectAct(id=forgotten.id, words="other words"), DeclineAct(id=forgotten.id)):
        asked(machine, spoken, act)
        drain(machine)
    answers = rows(database, "SELECT state, answer ->> 'error' FROM act ORDER BY seq")
    assert ["done", *["refused"] * 3] == [state for state, _ in answers]
    assert ["There is no such entry."] * 2 + ["There is no such suggestion."] == [error for _, error in answers[1:]]


def test_an_act_of_another_version(new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace) -> None:
    """It waits for a worker that knows it, and kills none; what was asked before is done."""
    machine = new_machine()
    drain(machine)
    first, second, _ = entries(database, spoken)
    asked(machine, spoken, CorrectAct(id=first, words="on fridays"), DeclineAct(id="x"), ForgetAct(id=second))
    with database.transaction() as connection:
        connection.execute("UPDATE act SET kind = 'wish', body = '{\"kind\": \"wish\"}' WHERE seq = 2")
    for _ in range(2):
        drain(machine)
    assert [("done",), ("waiting",), ("waiting",)] == rows(database, "SELECT state FROM act ORDER BY seq")
    failed = reported(database, "anna")
    assert ("ready", 0) == (failed.state, failed.deaths)
    assert "does not know act 2" in failed.failure


@pytest.mark.parametrize("number", [8, *at_length(100)])
def test_many_acts_at_once(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, number: int
) -> None:
    """They wait behind one row of the queue; all are done, in order, once: the last words hold."""
    machine = new_machine()
    drain(machine)
    first = entries(database, spoken)[0]
    asked(machine, spoken, *(CorrectAct(id=first, title=f"title {one}") for one in range(number)))
    assert [(1, 1)] == rows(database, "SELECT count(*), max(priority) FROM procrastinate_jobs")
    drain(machine)
    assert [("done", number)] == rows(database, "SELECT state, count(*) FROM act GROUP BY state")
    text = published_files(database, spoken)[DAY]
    assert [number - 1] == [int(shown) for shown in re.findall(r"title (\d+)", text)][-1:]


def test_acts_that_are_too_many(new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace) -> None:
    """They are refused, as is an act that is too long; more are carried out than a slice reads."""
    machine = new_machine()
    with database.transaction() as connection:
        connection.execute(_MANY_ACTS, [spoken.id, NOON, MOST_WAITING_ACTS])
        connection.execute("UPDATE workspace SET acts = %s", [MOST_WAITING_ACTS])
    with pytest.raises(TooManyActs):
        asked(machine, spoken, DeclineAct(id="x"))
    with pytest.raises(ActTooLong):
        asked(machine, spoken, CorrectAct(id="x", words="x" * LONGEST_ACT))
    with database.transaction() as connection:
        connection.execute("DELETE FROM act WHERE seq > %s", [2 * ACTS_AT_ONCE + 1])
        offer_work(connection, spoken.id, FOR_A_PERSON)
    drain(machine)
    assert [("refused", 2 * ACTS_AT_ONCE + 1)] == rows(database, "SELECT state, count(*) FROM act GROUP BY state")


def test_answers_are_kept_for_a_while(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """Then they go with any slice."""
    machine = new_machine()
    for passed in (timedelta(), ANSWERS_KEPT_FOR, timedelta(seconds=1)):
        clock.move(passed)
        kept = rows(database, "SELECT seq FROM act")
        asked(machine, spoken, DeclineAct(id="x"))
        drain(machine)
    assert [(1,), (2,)] == kept
    assert [(2,), (3,)] == rows(database, "SELECT seq FROM act ORDER BY seq")


def test_an_act_that_no_database_keeps(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """Its zero characters are replaced."""
    asked(new_machine(), spoken, CorrectAct(id="a\0b", words="words\0"), BackfillAct(jobs=("\0",), **ONE_DAY))
    assert [("a\ufffdb", None), (None, "\ufffd")] == rows(
        database, "SELECT body ->> 'id', body -> 'jobs' ->> 0 FROM act ORDER BY seq"
    )


@pytest.mark.parametrize("at_once", [False, True])
def test_forgetting_keeps_no_act(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, *, at_once: bool
) -> None:
    """Neither the words of earlier acts nor their answers, also those of the same slice."""
    machine = new_machine()
    drain(machine)
    first = entries(database, spoken)[0]
    asked(machine, spoken, CorrectAct(id=first, words="the septic truck comes on fridays"))
    if not at_once:
        drain(machine)
    asked(machine, spoken, ForgetAct(id=first if at_once else entries(database, spoken)[-1]))
    drain(machine)
    kept = rows(database, "SELECT seq, kind, answer ->> 'removed' <> '' FROM act ORDER BY seq")
    assert [*([(1, "correct", None)] if at_once else []), (2, "forget", True)] == kept
    assert [(0,)] == rows(database, "SELECT count(*) FROM act WHERE act::text LIKE '%fridays%'")
    assert 1 == len(rows(database, "SELECT * FROM generation"))


class RunningClock(FixedClock):
    """A clock on which each look takes a while: half a slice."""

    step = LONGEST_SLICE / 2

    def now(self) -> datetime:
        """The next moment."""
        self.move(self.step)
        return self.moment


def test_no_workspace_keeps_a_worker(database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path) -> None:
    """A slice ends with the window under way, and the rest waits behind the others."""
    other = new_workspace(database, "ben", tmp_path, NOON)
    order = list[UUID]()
    slow = Machine(database, tmp_path / "slow", ProcessContext({}, RunningClock(NOON)))

    def work(workspace: UUID) -> None:
        order.append(workspace)
        Worker(slow).work_on(workspace)

    drain(slow, work)
    assert [spoken.id, other.id, spoken.id, other.id] == order[:4]
    assert published_files(database, spoken) == published_files(database, other)
    assert WORDS[0] in published_files(database, spoken)[DAY]


def test_a_person_waits_for_no_whole_slice(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """Of another workspace either: what is left of the windows comes after the act."""
    other = new_workspace(database, "ben", tmp_path, NOON)
    drain(new_machine())
    clock, order = RunningClock(NOON + timedelta(days=3)), list[UUID]()
    clock.step = LONGEST_WAIT / 40
    slow = Machine(database, tmp_path / "slow", ProcessContext({}, clock))
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET next_due = added WHERE id = %s", [spoken.id])

    def work(workspace: UUID) -> None:
        if not order:
            asked(slow, other, DeclineAct(id="nothing"))
        order.append(workspace)
        Worker(slow).work_on(workspace)

    drain(slow, work)
    assert [spoken.id, other.id, spoken.id] == order[:3]


def test_acts_of_one_person_are_done_together(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """Also where another person waits: those that are left would wait behind windows."""
    other = new_workspace(database, "ben", tmp_path, NOON)
    drain(new_machine())
    clock = RunningClock(NOON)
    clock.step = LONGEST_WAIT / 3
    slow = Machine(database, tmp_path / "slow", ProcessContext({}, clock))
    asked(slow, spoken, *[DeclineAct(id="nothing")] * 2)
    asked(slow, other, DeclineAct(id="nothing"))
    Worker(slow).work_on(spoken.id)
    assert [("refused", 2), ("waiting", 1)] == rows(database, "SELECT state, count(*) FROM act GROUP BY 1 ORDER BY 1")


def test_acts_come_before_windows(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """Owners who all ask at once get their answers first; then the windows of each are run, in a slice of its own."""
    owners = [spoken, *(new_workspace(database, name, tmp_path, NOON) for name in ("ben", "eva"))]
    machine, order, written = new_machine(), list[UUID](), list[int]()
    for owner in owners:
        asked(machine, owner, DeclineAct(id="x"))

    def work(workspace: UUID) -> None:
        Worker(machine).work_on(workspace)
        order.append(workspace)
        written.append(sum(DAY in published_files(database, owner) for owner in owners))

    drain(machine, work)
    assert 2 * [owner.id for owner in owners] == order
    assert [0, 0, 0, 1, 2, 3] == written


def test_who_asks_all_the_time(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path, clock: FixedClock
) -> None:
    """They keep nobody else waiting: once in a while what is due comes first."""
    other, machine, order = new_workspace(database, "ben", tmp_path, NOON), new_machine(), list[str]()
    worker = Worker(machine)

    def work(workspace: UUID) -> None:
        worker.work_on(workspace)
        order.append("ben" if workspace == other.id else "anna")
        clock.move(TURN / 2)
        if len(order) < 9:
            asked(machine, spoken, DeclineAct(id="x"))

    asked(machine, spoken, DeclineAct(id="x"))
    with closing(worker.questions_under_way):
        drain(machine, work)
    assert ["anna", "anna", "anna", "ben", "anna"] == order[:5]
    assert len(order) <= 10
    assert [True, True] == [DAY in published_files(database, owner) for owner in (spoken, other)]


def test_a_back_fill_goes_on_from_slice_to_slice(
    database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """Each publishes the windows that it has run, and what a person asks for meanwhile does not wait for its end."""
    slow = Machine(database, tmp_path / "slow", ProcessContext({}, RunningClock(NOON)))
    days = {"first": date(2026, 3, 2), "last": date(2026, 3, 4)}
    asked(slow, spoken, BackfillAct(jobs=("micro_sync",), **days), BackfillAct(jobs=("nothing",), **days))
    settled = list[Any]()

    def work(workspace: UUID) -> None:
        if reported(database, "anna").generation == 3:
            asked(slow, spoken, DeclineAct(id="nothing"))
        Worker(slow).work_on(workspace)
        settled.append(rows(database, "SELECT seq FROM act WHERE state <> 'waiting' ORDER BY settled, seq"))

    drain(slow, work)
    assert len(settled) > 3
    assert [(3,), (1,), (2,)] == settled[-1]
    answers = rows(database, "SELECT kind, state, answer ->> 'left' FROM act ORDER BY seq")
    assert [("backfill", "done", "0"), ("backfill", "refused", None), ("decline", "refused", None)] == answers
    assert WORDS[0] in published_files(database, spoken)[DAY]


def test_a_back_fill_that_is_asked_for_during_a_slice(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """The workspace stays due, also where the worker dies that had fetched the job of the act."""
    machine = new_machine()

    class Asking(Machine):
        def publish(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as of the base class
            asked(machine, spoken, BackfillAct(jobs=("micro_sync",), **ONE_DAY))
            return super().publish(*given, **named)

    Worker(Asking(database, machine.cache, machine.context)).work_on(spoken.id)
    assert NOON == reported(database, "anna").next_due


def test_words_that_arrive(new_machine: NewMachine, database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """They wake a workspace soon, and once more when it has been silent so long that an episode is over."""
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    add_folder(database, "anna", tmp_path, ProcessContext({}, clock))
    silence = AgentsSettings().idle + NOTED_AGAIN

    def arrive() -> None:
        with database.transaction() as connection:
            note_words(connection, find_workspace(connection, "anna").id, clock.now())

    class Hearing(Machine):
        def publish(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as of the base class
            arrive()
            return super().publish(*given, **named)

    machine, due = new_machine(), list[timedelta]()
    steps: list[tuple[timedelta, Callable[[], None]]] = [
        (timedelta(), lambda: drain(Hearing(database, machine.cache, machine.context))),
        (silence, lambda: drain(machine)),
        (timedelta(), arrive),
        (NOTED_AGAIN / 2, arrive),
        (HEARD_AFTER, lambda: drain(machine)),
    ]
    for passed, do in steps:
        clock.move(passed)
        do()
        due.append((reported(database, "anna").next_due or NOON) - NOON)
    assert [silence, silence + SELDOM, silence + HEARD_AFTER, silence + HEARD_AFTER, 2 * silence] == due


def test_no_job_with_a_lock_is_scheduled(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """It would hide a later one of the same workspace. There are at most two rows of each, whatever is asked."""
    machine, seen = new_machine(), list[tuple[Any, ...]]()

    def work(workspace: UUID) -> None:
        for number in range(3):
            asked(machine, spoken, CorrectAct(id=f"nothing-{number}", words="no entry"))
        seen.extend(rows(database, "SELECT status::text, lock, scheduled_at FROM procrastinate_jobs ORDER BY id"))
        with database.transaction() as connection:
            connection.execute("UPDATE procrastinate_jobs SET queueing_lock = NULL WHERE status = 'todo'")
            connection.execute("DELETE FROM procrastinate_jobs WHERE status = 'todo'")
        Worker(machine).work_on(workspace)

    drain(machine, work)
    assert [("doing", str(spoken.id), None), ("todo", str(spoken.id), None)] == seen


def test_the_oldest_is_offered_first(database: FleetDatabase) -> None:
    """As many as the queue takes beside jobs for persons; those that wait, run, are parked or not due are left out."""
    workspaces = [added(database, f"w-{number:02}") for number in range(DUE_AT_ONCE + 4)]
    with database.transaction() as connection:
        for age, workspace in enumerate(workspaces):
            due = NOON - timedelta(minutes=age)
            connection.execute("UPDATE workspace SET next_due = %s WHERE id = %s", [due, workspace.id])
        connection.execute("UPDATE workspace SET state = 'parked' WHERE name = 'w-11'")
        connection.execute("UPDATE workspace SET next_due = %s WHERE name = 'w-00'", [NOON + timedelta(seconds=1)])
        offer_work(connection, workspaces[10].id)
        for number in range(DUE_AT_ONCE):
            later = NOON + timedelta(hours=1)
            asking = add_workspace(connection, f"asking-{number}", later, later)
            offer_work(connection, asking, FOR_A_PERSON)
        oldest = [workspace.id for workspace in reversed(workspaces[3:10])]
        assert oldest == offer_due(connection, NOON)
        assert [] == offer_due(connection, NOON)


def test_a_person_does_not_wait_behind_what_is_due(database: FleetDatabase) -> None:
    """Also where the workspace is offered already: the offer that waits moves forward."""
    first, second = added(database, "anna"), added(database, "ben")
    with database.transaction() as connection:
        assert [first.id, second.id] == offer_due(connection, NOON)
        assert not offer_work(connection, second.id, FOR_A_PERSON)
    order = "SELECT lock FROM procrastinate_jobs ORDER BY priority DESC, id"
    assert [(str(second.id),), (str(first.id),)] == rows(database, order)


def test_the_log_of_a_worker(new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace) -> None:
    """It has runs, acts and failures, each with its workspace, and no words and names that forgetting would miss."""
    machine, logged = new_machine(), list[tuple[Event, dict[str, object]]]()
    machine.context = replace(machine.context, emit=lambda event, **said: logged.append((event, said)))
    drain(machine)
    first, second, _ = entries(database, spoken)
    asked(machine, spoken, ForgetAct(id=first), DeclineAct(id="nothing"))
    drain(machine)
    runs = [said["job"] for event, said in logged if event is Event.RUN_ENDED and said["ending"] == "done"]
    assert "micro_sync" in runs
    acts = [said for event, said in logged if event is Event.ACT_SETTLED]
    assert [{"workspace": "anna", "act": 1, "refused": False}, {"workspace": "anna", "act": 2, "refused": True}] == acts
    assert {"anna"} == {said["workspace"] for _, said in logged}
    assert not [said for _, said in logged if any(name in str(said) for name in (first, second, DAY, *WORDS))]
    with database.transaction() as connection:
        connection.execute("UPDATE piece SET content = '\\x00' WHERE workspace_id = %s", [spoken.id])
        offer_work(connection, spoken.id)
    machine.drop_folder(spoken.id)
    drain(machine)
    assert (Event.WORKSPACE_FAILED, {"workspace": "anna"}) == logged[-1]


def test_a_workspace_that_kills_its_workers_is_parked(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """After some tries nobody takes it any more, and the others go on. It is named."""
    new_workspace(database, "ben", tmp_path, NOON)
    machine, tries, logged = new_machine(), list[UUID](), list[tuple[Event, object]]()
    machine.context = replace(machine.context, emit=lambda event, **said: logged.append((event, said.get("workspace"))))

    def work(workspace: UUID) -> None:
        if workspace == spoken.id:
            tries.append(workspace)
            check_out(machine, spoken)
            message = "a bug"
            raise RuntimeError(message)
        Worker(machine).work_on(workspace)

    for _ in range(MOST_DEATHS + 2):
        drain(machine, work)
    assert MOST_DEATHS == len(tries)
    parked = reported(database, "anna")
    assert ("parked", MOST_DEATHS, 1) == (parked.state, parked.deaths, parked.generation)
    assert 1 == logged.count((Event.WORKSPACE_PARKED, "anna"))
    assert ("ready", 0, 2) == ((ben := reported(database, "ben")).state, ben.deaths, ben.generation)
    with database.transaction() as connection:
        resume_workspace(connection, spoken.id, NOON)
    drain(machine)
    assert ("ready", 0, 2) == ((resumed := reported(database, "anna")).state, resumed.deaths, resumed.generation)


def test_an_expected_error_is_tried_again_later(
    database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path, clock: FixedClock
) -> None:
    """It kills no worker, and nothing is published; acts wait for the next try. The list names it meanwhile."""
    wrong = ProcessContext({"MEMORY_TIMEZONE": "Nowhere/Land"}, clock)
    right = ProcessContext({}, clock)
    asked(Machine(database, tmp_path / "front", right), spoken, ForgetAct(id="nothing"))
    drain(Machine(database, tmp_path / "wrong", wrong))
    failed = reported(database, "anna")
    assert (1, 0, "ready", clock.now() + AGAIN) == (failed.generation, failed.deaths, failed.state, failed.next_due)
    assert "Nowhere/Land" in failed.failure
    assert [("waiting",)] == rows(database, "SELECT state FROM act")
    clock.move(AGAIN)
    drain(Machine(database, tmp_path / "right", right))
    assert (2, "") == ((done := reported(database, "anna")).generation, done.failure)
    assert [("refused",)] == rows(database, "SELECT state FROM act")


def test_a_piece_that_is_gone_stops_no_worker(
    new_machine: NewMachine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """The list says whose it is, and the others go on; nothing is published over what is damaged."""
    new_workspace(database, "ben", tmp_path, NOON)
    with database.transaction() as connection:
        connection.execute("UPDATE piece SET content = '\\x00' WHERE workspace_id = %s", [spoken.id])
    drain(new_machine())
    damaged, whole = reported(database, "anna"), reported(database, "ben")
    assert (1, 0, "ready", NOON + AGAIN) == (damaged.generation, damaged.deaths, damaged.state, damaged.next_due)
    assert "lacks a piece" in damaged.failure
    assert (2, "") == (whole.generation, whole.failure)
