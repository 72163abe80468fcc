"""An act that meets one error of the machine again and again is set aside, while other work goes on."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pipeline.fleet.acts import MOST_FAILURES, read_act
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.slices import AGAIN, Worker
from pipeline.fleet.workspaces import FleetWorkspace, resume_workspace
from schemas.fleet_act import CorrectAct, ForgetAct
from tests.fleet.conftest import NOON
from tests.fleet.working import DAY, WORDS, asked, drain, entries, new_workspace, published_files, reported, rows, say
from tests.support.ports.clock import FixedClock

_NO_MASKING = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE UPDATE ON conversation_messages EXECUTE FUNCTION refuse()
"""
_STATES = "SELECT seq, state FROM act ORDER BY seq"


def test_an_act_that_meets_an_error_for_ever(
    new_machine: Callable[[], Machine],
    database: FleetDatabase,
    spoken: FleetWorkspace,
    tmp_path: Path,
    clock: FixedClock,
) -> None:
    """Later acts and windows go on without it, but for those that change its entry; an operator has it tried again."""
    ben, machine = new_workspace(database, "ben", tmp_path, NOON), new_machine()
    worker = Worker(machine)
    with closing(worker.questions_under_way):
        drain(machine, worker.work_on)
        first, second, _ = entries(database, spoken)
        with database.transaction() as connection:
            connection.execute(_NO_MASKING)
        asked(
            machine, spoken, ForgetAct(id=second), CorrectAct(id=second, title="two"), CorrectAct(id=first, title="one")
        )
        for _ in range(MOST_FAILURES - 1):
            drain(machine, worker.work_on)
            clock.move(AGAIN)
            with database.transaction() as connection:
                connection.execute("UPDATE workspace SET next_due = added WHERE id = %s", [ben.id])
        assert [(1, "waiting"), (2, "waiting"), (3, "waiting")] == rows(database, _STATES)
        say(database, spoken, ["the kiln is fired on mondays"], day=0)
        drain(machine, worker.work_on)
        asked(machine, spoken, CorrectAct(id=second, title="three"))
        drain(machine, worker.work_on)
    assert [(1, "aside"), (2, "aside"), (3, "done"), (4, "aside")] == rows(database, _STATES)
    anna = reported(database, "anna")
    assert anna.failure.startswith("Act 1 is set aside: There is no room left")
    assert anna.next_due
    assert anna.next_due > clock.now()
    with database.transaction() as connection:
        assert "aside" == (act.state if (act := read_act(connection, spoken.id, 1)) else "")
        connection.execute("DROP TRIGGER full_disk ON conversation_messages")
        resume_workspace(connection, spoken.id, clock.now())
    drain(machine)
    assert [(1, "done"), (2, "refused"), (4, "refused")] == rows(database, _STATES)
    assert ("", False) == (reported(database, "anna").failure, WORDS[1] in published_files(database, spoken)[DAY])


def test_a_workspace_that_is_alone(
    new_machine: Callable[[], Machine], database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """Its own work, done without the act, shows that the machine is well; the act is tried once more, and set aside."""
    machine = failing(new_machine(), database, spoken, clock)
    assert [(1, "waiting"), (2, "waiting"), (3, "waiting")] == rows(database, _STATES)
    with closing((worker := Worker(machine)).questions_under_way):
        worker.work_on(spoken.id)
        assert [(1, "waiting"), (2, "waiting"), (3, "done")] == rows(database, _STATES)
        worker.work_on(spoken.id)
    drain(machine)
    assert [(1, "aside"), (2, "aside"), (3, "done")] == rows(database, _STATES)
    assert reported(database, "anna").failure.startswith("Act 1 is set aside: There is no room left")


def test_a_machine_that_is_not_well(
    new_machine: Callable[[], Machine], database: FleetDatabase, spoken: FleetWorkspace, clock: FixedClock
) -> None:
    """Nothing is set aside while other work fails too; afterwards all is carried out."""
    machine = failing(new_machine(), database, spoken, clock)
    with database.transaction() as connection:
        connection.execute("CREATE TRIGGER full_disk BEFORE INSERT ON generation EXECUTE FUNCTION refuse()")
    worker = Worker(machine)
    with closing(worker.questions_under_way):
        for _ in range(MOST_FAILURES):
            drain(machine, worker.work_on)
            clock.move(AGAIN)
        assert [(1, "waiting"), (2, "waiting"), (3, "waiting")] == rows(database, _STATES)
        with database.transaction() as connection:
            for table in ("generation", "conversation_messages"):
                connection.execute(f"DROP TRIGGER full_disk ON {table}".encode())
        drain(machine, worker.work_on)
    assert [(1, "done"), (2, "refused")] == rows(database, _STATES)[:2]
    assert "" == reported(database, "anna").failure


def failing(machine: Machine, database: FleetDatabase, anna: FleetWorkspace, clock: FixedClock) -> Machine:
    """A machine on which an act has met an error as often as makes it suspect; the last one is about another entry."""
    drain(machine)
    first, second, _ = entries(database, anna)
    with database.transaction() as connection:
        connection.execute(_NO_MASKING)
    asked(machine, anna, ForgetAct(id=second), CorrectAct(id=second, title="two"), CorrectAct(id=first, title="one"))
    for _ in range(MOST_FAILURES):
        drain(machine)
        clock.move(AGAIN)
    return machine


def test_an_act_aside_about_what_is_forgotten(
    new_machine: Callable[[], Machine], database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """It is tried again, so that its words do not wait in the database for an operator."""
    machine = new_machine()
    drain(machine)
    first, second, _ = entries(database, spoken)
    asked(machine, spoken, CorrectAct(id=first, title="one"), CorrectAct(id=second, title="two"))
    with database.transaction() as connection:
        connection.execute("UPDATE act SET state = 'aside', failure = 'no room'")
    asked(machine, spoken, ForgetAct(id=first))
    drain(machine)
    assert [(1, "refused"), (2, "done")] == rows(database, _STATES)[:2]
    assert [({},)] == rows(database, "SELECT DISTINCT body FROM act")
    assert "" == reported(database, "anna").failure
