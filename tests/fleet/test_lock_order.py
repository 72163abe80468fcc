"""Transactions that change several stored texts lock them in one order, whichever way the server finds their rows."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from pydantic import SecretStr

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from pipeline.store.database import open_database
from pipeline.store.details import DetailTable
from schemas.store_settings import StoreSettings
from tests.fleet.working import rows
from tests.store.test_details import NOW, detail
from tests.support.processes.waiting import awaited

KEYS = ("text_a", "text_m", "text_z")
"""In the order of every index; their rows stand in the table the other way round."""
BY_INDEX = "-cenable_seqscan=off -cenable_bitmapscan=off"
BY_PLACE = "-cenable_indexscan=off -cenable_indexonlyscan=off -cenable_bitmapscan=off"
_WAITING = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"
Write = Callable[[str, FleetWorkspace], object]


def changing(change: Callable[[DetailTable], object]) -> Write:
    """A change of all stored texts, over a connection of its own."""

    def write(url: str, anna: FleetWorkspace) -> None:
        with closing(open_database(Path(), StoreSettings(url=SecretStr(url), workspace=str(anna.id)))) as opened:
            change(DetailTable(opened, str(anna.id)))

    return write


def keep_backwards(table: DetailTable) -> None:
    """Keep the stored texts, the last one first."""
    for place, key in reversed([*enumerate(KEYS)]):
        moment = NOW + timedelta(days=place)
        table.add(detail(key, created_at=moment, expires_at=moment), [b"text"])


def remove(url: str, anna: FleetWorkspace) -> None:
    """The workspace is taken out."""
    with FleetDatabase(url) as fleet, fleet.transaction() as connection:
        remove_workspace(connection, anna.id)


pin = changing(lambda table: table.pin(KEYS, pinned=True))
retire = changing(lambda table: table.retire(KEYS))
erase = changing(lambda table: table.erase(KEYS))


def has_waiting(database: FleetDatabase, number: int) -> bool | None:
    """Whether so many transactions wait for a lock."""
    return rows(database, _WAITING)[0][0] >= number or None


@pytest.mark.parametrize("plans", [(BY_INDEX, BY_PLACE), (BY_PLACE, BY_INDEX)], ids=["by_index", "by_place"])
@pytest.mark.parametrize(
    "writes", [(pin, erase), (retire, pin), (erase, retire), (pin, remove)], ids=["pin", "retire", "erase", "remove"]
)
def test_two_changes_of_several(
    database: FleetDatabase, anna: FleetWorkspace, writes: tuple[Write, Write], plans: tuple[str, str]
) -> None:
    """Both have begun, and wait for the row in the middle, before they go on; neither fails."""
    changing(keep_backwards)(database.url, anna)
    with psycopg.connect(database.url) as holder, ThreadPoolExecutor() as pool:
        holder.execute("SELECT FROM agent_memories WHERE memory_key = %s FOR UPDATE", [KEYS[1]])
        begun = list[Future[object]]()
        for number, (write, plan) in enumerate(zip(writes, plans, strict=True), start=1):
            begun.append(pool.submit(write, f"{database.url}%20{quote(plan)}", anna))
            awaited(partial(has_waiting, database, number))
        holder.rollback()
    assert [None, None] == [change.exception() for change in begun]
