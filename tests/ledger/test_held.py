"""What is held of the table of blocks is what stands in the table, whoever wrote it."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
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
