"""A machine of the fleet: what one publishes another checks out, and nothing that was not published."""

import os
from collections.abc import Callable

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.errors.fleet import CheckoutLost, GenerationDamaged, TreeUnreadable, WorkspaceTakenOut
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from tests.fleet.conftest import added, begin, check_out, contents, write

NewMachine = Callable[[], Machine]
PIECE = 65_536


def test_what_is_published_is_checked_out_elsewhere(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """The files with their bytes, modes and times; from a machine that died nothing that it did not publish."""
    one, other = new_machine(), new_machine()
    checkout = begin(one, anna, day="a decision\n", large=os.urandom(3 * PIECE + 1), empty="")
    page = one.root_of(checkout) / "memory" / "day.md"
    page.chmod(0o640)
    os.utime(page, ns=(1_700_000_000_123_456_789,) * 2)
    page.write_text("a decision\nand one more\n")
    os.utime(page, ns=(1_700_000_000_123_456_789,) * 2)
    assert one.publish(checkout)
    published = contents(one.root_of(checkout))
    write(one.root_of(checkout), day="words of a run that died", more="another page")
    root = other.root_of(check_out(other, anna))
    assert published == contents(root)
    status = (root / "memory" / "day.md").stat()
    assert (0o640, 1_700_000_000_123_456_789) == (status.st_mode & 0o777, status.st_mtime_ns)


def test_a_broken_date_of_a_file(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """It is later than the database can hold, or earlier; the words of the file are published all the same."""
    one, other = new_machine(), new_machine()
    checkout = begin(one, anna, early="before\n", late="after\n")
    folder = one.root_of(checkout) / "memory"
    for name, moment in (("early", -(2**63) - 1), ("late", 2**63)):
        (folder / f"{name}.md").write_text(f"{name} words\n")
        os.utime(folder / f"{name}.md", ns=(moment, moment))
    assert one.publish(checkout)
    there = contents(other.root_of(check_out(other, anna)))
    assert [b"early words\n", b"late words\n"] == [there[f"memory/{name}.md"] for name in ("early", "late")]


def test_a_checkout_takes_back_what_was_not_published(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """On the machine that died too: changed, removed and added files, folders, links, and logs of databases."""
    machine = new_machine()
    checkout = begin(machine, anna, day="a decision\n", large=os.urandom(2 * PIECE))
    root = machine.root_of(checkout)
    before = contents(root)
    write(root, day="a devision\n", more="another page")
    (root / "memory" / "large.md").unlink()
    (root / "agents" / "main").mkdir(parents=True)
    (root / "outside").symlink_to("/")
    (root / ".memory").mkdir()
    (root / ".memory" / "state.db-wal").write_bytes(b"frames")
    (root / ".memory" / "index").mkdir()
    (root / ".memory" / "index" / "kept").write_bytes(b"derived")
    check_out(machine, anna)
    assert before | {".memory/index/kept": b"derived"} == contents(root)
    assert {"memory", "memory.toml", ".memory"} == {path.name for path in root.iterdir()}


def test_only_pieces_that_the_cache_lacks_are_fetched(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """Of a large file the changed piece; of an unchanged workspace none, also in a process that has begun anew."""
    one, other = new_machine(), new_machine()
    data = os.urandom(5 * PIECE)
    checkout = begin(one, anna, large=data)
    check_out(other, anna)
    assert 6 == other.fetched
    check_out(other, anna)
    check_out(Machine(other.database, other.cache, other.context), anna)
    assert 6 == other.fetched
    checkout = check_out(one, anna)
    write(one.root_of(checkout), large=data[:PIECE] + os.urandom(PIECE) + data[2 * PIECE :])
    published = one.publish(checkout)
    assert published
    assert (1, 0) == (published.pieces, one.fetched)
    check_out(other, anna)
    assert 7 == other.fetched


def test_a_state_that_is_known_is_not_published(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace
) -> None:
    """Neither at once nor after a look of the engine at it, on either machine; another time of a file is no change."""
    one, other = new_machine(), new_machine()
    checkout = begin(one, anna, day="a decision\n")
    assert one.publish(checkout) is None
    look(one, checkout)
    published = one.publish(checkout)
    assert published
    assert one.publish(published.checkout) is None
    for machine in (one, other):
        again = check_out(machine, anna)
        assert machine.publish(again) is None
        look(machine, again)
        (machine.root_of(again) / "memory" / "day.md").touch()
        assert machine.publish(again) is None
    with database.transaction() as connection:
        assert (2,) == connection.execute("SELECT max(number) FROM generation").fetchone()


def look(machine: Machine, checkout: Checkout) -> None:
    """Open the workspace as a run does that finds nothing."""
    engine = open_engine(machine.root_of(checkout), machine.context)
    prepare(engine)
    engine.ledger.store.close()


def test_a_frozen_machine_publishes_nothing(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """Once another has taken the workspace: before and after that has published; and what it had waits for nobody."""
    frozen, other = new_machine(), new_machine()
    checkout = begin(frozen, anna, day="a decision\n")
    write(frozen.root_of(checkout), day="words of a frozen run")
    taken = check_out(other, anna)
    with pytest.raises(CheckoutLost):
        frozen.publish(checkout)
    write(other.root_of(taken), day="a decision\nand one more\n")
    assert other.publish(taken)
    with pytest.raises(CheckoutLost):
        frozen.publish(checkout)
    check_out(frozen, anna)
    assert "a decision\nand one more\n" == (frozen.root_of(checkout) / "memory" / "day.md").read_text()


def test_two_publications_of_one_checkout_are_not_both_made(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """The second one has an earlier generation."""
    machine = new_machine()
    checkout = begin(machine, anna, day="a decision\n")
    write(machine.root_of(checkout), day="a decision\nand one more\n")
    assert machine.publish(checkout)
    write(machine.root_of(checkout), day="other words")
    with pytest.raises(CheckoutLost):
        machine.publish(checkout)


def test_a_name_that_is_given_again_is_another_workspace(
    new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace
) -> None:
    """A machine that worked on the first one changes nothing of the second."""
    one, other = new_machine(), new_machine()
    first = begin(one, anna, day="words of the first")
    with database.transaction() as connection:
        remove_workspace(connection, anna.id)
    write(one.root_of(first), day="more words of the first")
    with pytest.raises(CheckoutLost):
        one.publish(first)
    with pytest.raises(CheckoutLost):
        check_out(one, anna)
    added(database, "ben")
    with pytest.raises(WorkspaceTakenOut) as gone:  # a front says so to its reader, who shall know of nobody else
        one.fill_newest(anna)
    assert "ben" not in str(gone.value)
    second = check_out(other, added(database, "anna"))
    assert {} == contents(other.root_of(second))
    with pytest.raises(CheckoutLost):
        one.publish(first)


def test_a_damaged_piece_is_named(new_machine: NewMachine, database: FleetDatabase, anna: FleetWorkspace) -> None:
    """Nothing is made of it."""
    begin(new_machine(), anna, day="a decision\n")
    with database.transaction() as connection:
        connection.execute("UPDATE piece SET content = substring(content FROM 1 FOR 5)")
    with pytest.raises(GenerationDamaged, match="anna"):
        check_out(new_machine(), anna)


def test_a_file_that_cannot_be_read_is_not_left_out(new_machine: NewMachine, anna: FleetWorkspace) -> None:
    """A generation without it would count as one in which it was removed."""
    machine = new_machine()
    checkout = begin(machine, anna, day="a decision\n")
    page = machine.root_of(checkout) / "memory" / "day.md"
    page.unlink()
    os.mkfifo(page)
    with pytest.raises(TreeUnreadable, match=r"day\.md"):
        machine.publish(checkout)
