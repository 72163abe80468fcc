"""Writes of workers in conversations: seen with the generation that they belong to, or by nobody."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import insert

from pipeline.errors.fleet import CheckoutLost
from pipeline.errors.store import StoreUnavailable
from pipeline.fleet.checkout import Checkout, Published, take_workspace
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import EndTransaction, Machine
from pipeline.fleet.slice_store import SliceStore
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from pipeline.process.context import ProcessContext
from pipeline.store.database import open_database
from pipeline.store.tables import preferences
from schemas.fleet_act import ForgetAct
from schemas.store_settings import StoreSettings
from tests.fleet.conftest import NOON, check_out
from tests.fleet.working import (
    DAY,
    WORDS,
    asked,
    drain,
    entries,
    new_workspace,
    published_files,
    reported,
    rows,
    said,
    say,
)
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import awaited, soon

A_WEEK = {"MEMORY_STORE__CONVERSATION_RETENTION": "7d"}


@pytest.fixture
def machine(new_machine: Callable[[], Machine]) -> Machine:
    """A machine of the fleet."""
    return new_machine()


class WatchedMachine(Machine):
    """A machine that notes the words of conversations, as others see them, before it publishes for the first time."""

    seen = ""

    def publish(
        self, checkout: Checkout, end: EndTransaction = lambda _, __: None, store: SliceStore | None = None
    ) -> Published | None:
        """Look, then publish."""
        self.seen = self.seen or said(self.database)
        return super().publish(checkout, end, store)


def test_what_is_masked_is_seen_with_its_generation(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """Before the publication others read the words, after it nobody does."""
    drain(machine)
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))
    watched = WatchedMachine(database, tmp_path / "watched", machine.context)
    drain(watched)
    assert [True, False] == [WORDS[1] in text for text in (watched.seen, said(database))]
    assert WORDS[0] in said(database)
    assert WORDS[1] not in published_files(database, spoken)[DAY]


def test_a_conversation_expires_with_a_generation(
    database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path, clock: FixedClock
) -> None:
    """Once no job has to read it any more, it is there until a slice has published."""
    context = ProcessContext(A_WEEK, clock)
    for _ in range(2):
        drain(Machine(database, tmp_path / "first", context))
        clock.move(timedelta(days=8))
    assert WORDS[1] in said(database)
    watched = WatchedMachine(database, tmp_path / "watched", context)
    drain(watched)
    assert [True, ""] == [WORDS[1] in watched.seen, said(database)]
    assert ("ready", 0) == ((now := reported(database, spoken.name)).state, now.deaths)


def test_who_lost_the_workspace_writes_nothing(
    machine: Machine, new_machine: Callable[[], Machine], database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """What it wrote is undone when another takes the workspace, and it cannot write more."""
    checkout = check_out(machine, spoken)
    store = machine.open_store(checkout)
    (listed,) = store.conversations.list_conversations()
    store.conversations.delete(listed.conversation)
    assert store.has_written
    check_out(new_machine(), spoken)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            store.conversations.list_conversations()
    with pytest.raises(StoreUnavailable):
        machine.publish(checkout, store=store)
    store.close()
    assert WORDS[1] in said(database)


def test_nothing_is_said_in_a_workspace_that_is_gone(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """A removal waits for who is about to say something, and takes it along; who comes later is refused."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    values = {"workspace": str(spoken.id), "user_id": "", "agent_id": "", "settings": {}, "changed_at": NOON}
    settings = StoreSettings(url=SecretStr(database.url), workspace=str(spoken.id))

    def remove() -> None:
        with database.transaction() as connection:
            remove_workspace(connection, spoken.id)

    with ThreadPoolExecutor(1) as pool, closing(open_database(machine.cache, settings)) as store:
        with store.writing() as connection:
            connection.execute(insert(preferences).values(**values))
            removing = pool.submit(remove)
            assert soon(lambda: rows(database, waiting) != [(0,)])
        removing.result()
    assert [(0, 0)] == rows(database, "SELECT (SELECT count(*) FROM user_preferences), count(*) FROM conversations")
    with pytest.raises(StoreUnavailable, match="taken out"):
        say(database, spoken, ["too late"])


def test_who_loses_the_workspace_begins_nothing(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace
) -> None:
    """A first write waits until the workspace is taken, and is none then."""
    with closing(machine.open_store(check_out(machine, spoken))) as store, ThreadPoolExecutor(1) as pool:
        (listed,) = store.conversations.list_conversations()
        with database.transaction() as taking:
            take_workspace(taking, spoken.id, spoken.name)
            deleting = pool.submit(store.conversations.delete, listed.conversation)
            awaited(lambda: rows(database, "SELECT pid FROM pg_locks WHERE NOT granted") or None)
        with pytest.raises(CheckoutLost):
            deleting.result()
        assert not store.has_written
    assert WORDS[1] in said(database)


def test_what_was_said_goes_with_the_workspace(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """And nothing of another owner does."""
    new_workspace(database, "ben", tmp_path, NOON, ["the boat is at the mill"])
    drain(machine)
    with database.transaction() as connection:
        remove_workspace(connection, spoken.id)
    assert [False, True] == [words in said(database) for words in (WORDS[1], "the boat is at the mill")]
