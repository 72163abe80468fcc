"""What is held of the table of blocks is what stands in the table, whoever wrote it."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.changes import BlockState, KnownBlock

DAY, NEXT = "memory/2026-03-02.md", "memory/2026-03-03.md"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger with one block."""
    ledger = open_ledger(tmp_path / "state.db")
    with closing(ledger.store):
        ledger.changes.know(_block("one", DAY))
        yield ledger


def _block(name: str, path: str) -> KnownBlock:
    return KnownBlock(name, path, f"digest of {name}", "", "run")


def _names(ledger: Ledger) -> list[str]:
    return sorted(set[str]().union(*ledger.changes.names_where(lambda _: True).values()))


def test_own_changes_are_seen(ledger: Ledger) -> None:
    """A block that is written, changed or taken out shows at the next question."""
    assert _names(ledger) == ["one"]
    ledger.changes.know(_block("two", NEXT))
    assert _names(ledger) == ["one", "two"]
    ledger.changes.set_state(DAY, "one", BlockState.DROPPED)
    assert _names(ledger) == ["two"]
    assert [("one", BlockState.DROPPED)] == [
        (standing.block.name, standing.state) for standing in ledger.changes.in_state(BlockState.DROPPED)
    ]
    ledger.changes.rewrite(NEXT, "two", "another")
    assert {("two", "another")} == ledger.changes.own_digests(["one", "two"])


def test_the_changes_of_another_process_are_seen(ledger: Ledger, tmp_path: Path) -> None:
    """What another connection writes shows at the next question."""
    assert _names(ledger) == ["one"]
    other = open_ledger(tmp_path / "state.db")
    with closing(other.store):
        other.changes.know(_block("two", DAY))
    assert _names(ledger) == ["one", "two"]
    assert [DAY] == ledger.changes.paths()


def test_what_came_to_nothing_is_not_seen(ledger: Ledger) -> None:
    """A transaction that is taken back leaves nothing, though it was asked inside."""
    with suppress(RuntimeError), ledger.store.transaction():
        ledger.changes.know(_block("two", NEXT))
        assert _names(ledger) == ["one", "two"]
        raise RuntimeError
    assert _names(ledger) == ["one"]


def test_a_forgotten_name_is_not_held(ledger: Ledger) -> None:
    """The name of an entry that is erased leads to nothing."""
    assert ledger.changes.standings_of(["one"])
    ledger.changes.erase("one", "stand-in", lambda data: data)
    assert [] == ledger.changes.standings_of(["one"])
    assert ["stand-in"] == _names(ledger)


def test_the_live_blocks_of_one_file_alone(ledger: Ledger) -> None:
    """Another text, another state, and another file with the same name are seen at the next question."""
    assert ({("one", "digest of one")}, set()) == (_alone(ledger, DAY), _alone(ledger, NEXT))
    ledger.changes.know(_block("one", NEXT))
    ledger.changes.know(_block("two", DAY))
    assert ({("two", "digest of two")}, set()) == (_alone(ledger, DAY), _alone(ledger, NEXT))
    ledger.changes.rewrite(DAY, "two", "another")
    assert {("two", "another")} == _alone(ledger, DAY)
    ledger.changes.set_state(DAY, "two", BlockState.DROPPED)
    assert set() == _alone(ledger, DAY)


def _alone(ledger: Ledger, path: str) -> AbstractSet[tuple[str, str]]:
    return ledger.changes.held.refresh().live_alone_in(path)


@dataclass
class _File:
    """A file with the blocks of these names as they were written; it counts how often they were compared."""

    path: str
    block_names: tuple[str, ...] = ("one",)
    compared: int = field(default=0, init=False)

    @property
    def names(self) -> frozenset[str]:
        """The names of its blocks."""
        return frozenset(self.block_names)

    @property
    def digests(self) -> frozenset[tuple[str, str]]:
        """Its blocks, by name and digest."""
        self.compared += 1
        return frozenset((name, f"digest of {name}") for name in self.block_names)


def _differing(ledger: Ledger, *files: _File) -> list[_File]:
    return ledger.changes.held.refresh().find_differing(files)


def test_a_file_that_differs_in_nothing_is_compared_once(ledger: Ledger) -> None:
    """Another value of the file is compared, and the file itself when a row of it changes."""
    file, again = _File(DAY), _File(DAY)
    assert [[], [], []] == [_differing(ledger, file) for _ in range(3)]
    assert [] == _differing(ledger, again)
    assert (1, 1) == (file.compared, again.compared)
    ledger.changes.rewrite(DAY, "one", "another")
    assert [again] == _differing(ledger, again)
    ledger.changes.rewrite(DAY, "one", "digest of one")
    assert [] == _differing(ledger, again)


def test_a_file_differs_as_soon_as_its_rows_do(ledger: Ledger, tmp_path: Path) -> None:
    """A block more or less, another state, the same name in another file, and a change of another process."""
    file = _File(DAY)
    assert [] == _differing(ledger, file)
    assert [(more := _File(DAY, ("one", "two")))] == _differing(ledger, more)
    ledger.changes.know(_block("two", DAY))
    assert [file] == _differing(ledger, file)
    assert [] == _differing(ledger, more)
    ledger.changes.know(_block("two", NEXT))
    assert [more] == _differing(ledger, more)
    ledger.changes.set_state(DAY, "two", BlockState.DROPPED)
    assert [] == _differing(ledger, file)
    other = open_ledger(tmp_path / "state.db")
    with closing(other.store):
        other.changes.set_state(DAY, "one", BlockState.FORGOTTEN)
    assert [file] == _differing(ledger, file)
    assert [] == _differing(ledger, _File(DAY, ()))


def test_a_file_differs_again_after_a_transaction_that_came_to_nothing(ledger: Ledger) -> None:
    """What was found inside of it does not hold behind it."""
    file = _File(NEXT, ("two",))
    with suppress(RuntimeError), ledger.store.transaction():
        ledger.changes.know(_block("two", NEXT))
        assert [] == _differing(ledger, file)
        raise RuntimeError
    assert [file] == _differing(ledger, file)
