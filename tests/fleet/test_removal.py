"""A workspace is taken out while somebody writes in it: both wait for each other in one order, and neither fails."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from pipeline.errors import PipelineError
from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.acts import MOST_TRIES
from pipeline.fleet.checkout import lock_workspace
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.fleet.slices import Worker
from pipeline.fleet.tokens import BROWSERS
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from pipeline.store.conversations import ConversationFilter
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import Preferences
from schemas.fleet_act import DeclineAct
from schemas.store_settings import StoreSettings
from tests.fleet.conftest import NOON, check_out
from tests.fleet.working import asked, drain, rows
from tests.support.builders.details import detail_of
from tests.support.processes.waiting import awaited

Write = Callable[[Machine, FleetWorkspace], Callable[[], object]]
_PAUSE = """
CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
CREATE TRIGGER a_pause BEFORE {} FOR EACH STATEMENT EXECUTE FUNCTION pause()
"""
_WAITING = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"


def store_of(machine: Machine, anna: FleetWorkspace) -> WorkspaceStore:
    """The store of the workspace, as a front has it."""
    return WorkspaceStore(Path(), StoreSettings(url=SecretStr(machine.database.url), workspace=str(anna.id)))


def adding_a_detail(machine: Machine, anna: FleetWorkspace) -> Callable[[], object]:
    """A stored text comes again that had gone."""
    with closing(store_of(machine, anna)) as store:
        kept = detail_of(store)
        store.details.retire([kept.key])

    def add() -> None:
        with closing(store_of(machine, anna)) as own:
            own.details.add(kept, [b"text"])

    return add


def retiring_a_detail(machine: Machine, anna: FleetWorkspace) -> Callable[[], object]:
    """A stored text goes."""
    with closing(store_of(machine, anna)) as store:
        kept = detail_of(store)

    def retire() -> None:
        with closing(store_of(machine, anna)) as own:
            own.details.retire([kept.key])

    return retire


def deleting_a_conversation(machine: Machine, anna: FleetWorkspace) -> Callable[[], object]:
    """A conversation is taken out."""

    def delete() -> None:
        with closing(store_of(machine, anna)) as own:
            (counted,) = own.conversations.list_conversations(ConversationFilter())
            own.conversations.delete(counted.conversation)

    return delete


def signing_in(machine: Machine, anna: FleetWorkspace) -> Callable[[], object]:
    """A browser signs in, and the oldest one has to go."""
    front = Front(machine)
    for _ in range(BROWSERS):
        front.sign_in(anna)
    return lambda: front.sign_in(anna)


def refusing_an_act(machine: Machine, anna: FleetWorkspace) -> Callable[[], object]:
    """A worker refuses an act with which others died."""
    asked(machine, anna, DeclineAct(id="x"))
    with machine.database.transaction() as connection:
        connection.execute("UPDATE act SET tried = %s", [MOST_TRIES])
    return lambda: Worker(machine).work_on(anna.id)


WRITES: dict[Write, str] = {
    adding_a_detail: "INSERT ON agent_memories",
    retiring_a_detail: "UPDATE ON agent_memories",
    deleting_a_conversation: "DELETE ON conversation_summaries",
    signing_in: "INSERT ON token",
    refusing_an_act: "DELETE ON generation",
}


@pytest.mark.parametrize("removal_first", [False, True])
@pytest.mark.parametrize("prepare", WRITES)
def test_a_removal_and_a_write(
    new_machine: Callable[[], Machine],
    database: FleetDatabase,
    spoken: FleetWorkspace,
    prepare: Write,
    *,
    removal_first: bool,
) -> None:
    """The first of both stands still in the middle until the other waits, or has ended."""
    drain(machine := new_machine())
    write = prepare(machine, spoken)
    with database.transaction() as connection:
        connection.execute(_PAUSE.format("DELETE ON manifest" if removal_first else WRITES[prepare]).encode())

    def remove() -> None:
        with database.transaction() as connection:
            remove_workspace(connection, spoken.id)

    first, second = (remove, write) if removal_first else (write, remove)
    with psycopg.connect(database.url) as holder, ThreadPoolExecutor() as pool:
        holder.execute("SELECT pg_advisory_xact_lock(4711)")
        begun = pool.submit(first)
        awaited(lambda: has_waiting(database, 1) or None)
        other = pool.submit(second)
        awaited(lambda: other.done() or has_waiting(database, 2) or None)
        holder.rollback()
    assert [] == [error for error in map(error_of, (begun, other)) if "deadlock" in error or "holds the store" in error]
    assert [] == rows(database, "SELECT * FROM workspace")


def has_waiting(database: FleetDatabase, number: int) -> bool:
    """Whether so many transactions wait for a lock."""
    return bool(rows(database, _WAITING)[0][0] >= number)


def error_of(ended: Future[object]) -> str:
    """The expected error of a call; empty without one. Any other is raised."""
    try:
        ended.result()
    except PipelineError as error:
        return str(error)
    return ""


def test_a_worker_that_begins_to_write_meanwhile(
    new_machine: Callable[[], Machine], database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """It waits for the removal, before it has a row that the removal needs, and finds that the workspace has gone."""
    machine = new_machine()
    checkout = check_out(machine, spoken)
    with closing(machine.open_store(checkout)) as store, psycopg.connect(database.url) as holder:

        def work() -> None:
            store.conversations.prefer(("anna", ""), Preferences(), NOON)
            machine.publish(checkout, lambda connection, _: lock_workspace(connection, spoken.id), store)

        def remove() -> None:
            with database.transaction() as connection:
                remove_workspace(connection, spoken.id)

        holder.execute("SELECT FROM workspace FOR KEY SHARE")
        with ThreadPoolExecutor() as pool:
            removing = pool.submit(remove)
            awaited(lambda: has_waiting(database, 1) or None)
            working = pool.submit(work)
            awaited(lambda: working.done() or has_waiting(database, 2) or None)
            holder.rollback()
        removing.result()
        with pytest.raises(CheckoutLost):
            working.result()
