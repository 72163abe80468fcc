"""Generations: which are kept, and what of them goes."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

from pipeline.fleet.check import check_generations, check_pieces
from pipeline.fleet.checkout import GENERATIONS_KEPT, Checkout, WorkEnd, end_work, fail_work
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.pieces import read_pieces
from pipeline.fleet.tree import WorkspaceTree
from pipeline.fleet.workspaces import FleetWorkspace
from tests.fleet.conftest import NOON, added, begin, write
from tests.fleet.working import reported
from tests.support.ports.clock import FixedClock

NewMachine = Callable[[], Machine]
LEASE = "INSERT INTO lease (workspace_id, holder, generation, until) VALUES (%s, 'laptop', %s, %s)"


def publish_again(machine: Machine, checkout: Checkout, times: int) -> Checkout:
    """Publish more generations, each with another page and another text of the same page."""
    for _ in range(times):
        number = checkout.generation + 1
        write(machine.root_of(checkout), day=f"the words of {number}", **{f"page-{number}": f"the page of {number}"})
        published = machine.publish(checkout)
        assert published
        checkout = published.checkout
    return checkout


def generations(database: FleetDatabase) -> list[int]:
    """The numbers of all generations."""
    with database.transaction() as connection:
        return [number for (number,) in connection.execute("SELECT number FROM generation ORDER BY number")]


def assert_whole(database: FleetDatabase) -> None:
    """Every piece can be read and is named by a file, and each file belongs to a generation."""
    with database.snapshot() as connection:
        number, damaged = check_pieces(connection)
        assert [] == [*damaged, *check_generations(connection)]
        assert (number,) == connection.execute("SELECT count(DISTINCT hash) FROM manifest_piece").fetchone()


def test_the_newest_generations_are_kept(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace, clock: FixedClock
) -> None:
    """All for an hour, then the last five. Each is as it was, whatever changed after it."""
    machine = new_machine()
    checkout = publish_again(machine, begin(machine, anna, day="the words of 1"), 7)
    assert [1, 2, 3, 4, 5, 6, 7, 8] == generations(database)
    clock.move(timedelta(minutes=61))
    publish_again(machine, checkout, 1)
    assert GENERATIONS_KEPT == len(generations(database))
    with database.snapshot() as connection:
        for number in generations(database):
            files = read_manifest(connection, anna.id, number)
            pages = {f"memory/page-{made}.md" for made in range(2, number + 1)}
            assert {"memory.toml", "memory/day.md", *pages} == files.keys()
    assert_whole(database)


def test_a_leased_generation_is_kept(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace, clock: FixedClock
) -> None:
    """As long as the lease lasts, and no longer."""
    machine = new_machine()
    checkout = begin(machine, anna)
    with database.transaction() as connection:
        connection.execute(LEASE, [anna.id, 1, NOON + timedelta(hours=3)])
    checkout = publish_again(machine, checkout, 6)
    clock.move(timedelta(hours=2))
    checkout = publish_again(machine, checkout, 1)
    assert [1, 4, 5, 6, 7, 8] == generations(database)
    assert_whole(database)
    clock.move(timedelta(hours=2))
    publish_again(machine, checkout, 1)
    assert [5, 6, 7, 8, 9] == generations(database)
    assert_whole(database)


def test_forgetting_keeps_nothing_of_before(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace
) -> None:
    """A change of the list of what is forgotten drops all earlier generations at once, leased or not."""
    machine = new_machine()
    checkout = publish_again(machine, begin(machine, anna, day="the secret words"), 2)
    with database.transaction() as connection:
        connection.execute(LEASE, [anna.id, 1, NOON + timedelta(hours=3)])
    write(machine.root_of(checkout), forgotten="- an identity\n")
    published = machine.publish(checkout)
    assert published
    assert [4] == generations(database)
    assert_whole(database)
    with database.snapshot() as connection:
        kept = {name for file in read_manifest(connection, anna.id, 4).values() for name in file.pieces}
        assert (len(kept),) == connection.execute("SELECT count(*) FROM piece").fetchone()


def test_nothing_is_shared_between_owners(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace
) -> None:
    """Equal files are pieces of each, and no manifest can name those of another."""
    machine = new_machine()
    begin(machine, anna, day="equal words")
    begin(machine, added(database, "ben"), day="equal words")
    with database.transaction() as connection:
        assert (4,) == connection.execute("SELECT count(*) FROM piece").fetchone()
        keys = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'manifest_piece'::regclass"
        with_workspace = f"{keys} AND cardinality(conkey) = 2"
        assert (2,) == connection.execute(with_workspace).fetchone() == connection.execute(keys).fetchone()


def test_an_unchanged_file_has_one_row(new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace) -> None:
    """However many generations there are."""
    machine = new_machine()
    publish_again(machine, begin(machine, anna, still="words that stay"), 3)
    with database.transaction() as connection:
        rows = "SELECT count(*) FROM manifest WHERE path = 'memory/still.md'"
        assert (1,) == connection.execute(rows).fetchone()


def test_publishing_and_cold_fronts_at_once(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace, clock: FixedClock, tmp_path: Path
) -> None:
    """A machine that reads a generation gets all of it, while others publish and forget; then every piece is whole."""
    machine = new_machine()
    checkout = begin(machine, anna, day="the words of 1")
    for _ in range(3):
        clock.move(timedelta(hours=2))
        checkout = publish_again(machine, checkout, 2)
        with database.snapshot() as connection:
            files = read_manifest(connection, anna.id, checkout.generation)
            write(machine.root_of(checkout), forgotten=f"- an identity {checkout.generation}\n", day="")
            published = machine.publish(checkout)
            assert published
            checkout = published.checkout
            tree = WorkspaceTree(tmp_path / f"cold-{checkout.generation}")
            assert len(files) == tree.match(files, partial(read_pieces, connection, anna.id))
        assert [checkout.generation] == generations(database)
    assert_whole(database)


def test_a_failure_with_signs_that_a_database_refuses(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace
) -> None:
    """An error may name a path of any bytes; the workspace is tried again all the same."""
    checkout, failure = begin(new_machine(), anna), "a\0b\udce9 cannot be read"
    end = WorkEnd(NOON, NOON, seen=0, begun=NOON, silence=timedelta(), failure=failure)
    for note in (partial(fail_work, failure=failure, next_due=NOON), partial(end_work, end=end)):
        with database.transaction() as connection:
            connection.execute("UPDATE workspace SET failure = ''")
            note(connection, checkout)
        assert "a\ufffdb\ufffd cannot be read" == reported(database, "anna").failure
