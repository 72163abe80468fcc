"""The states of a block: which may follow which, and that any other step is refused."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.changes import (
    REBUILT,
    STEPS,
    Appended,
    BlockStanding,
    BlockState,
    Change,
    ChangeKind,
    KnownBlock,
    StepRefused,
)
from pipeline.markdown.blocks import digest, seal_entry
from pipeline.workspace.atomic import Landing
from tests.support.tables import table

PATH = "memory/2026-03-02.md"
BLOCK = KnownBlock("A1", PATH, "0" * 64, "identity", "r-1")
TEXT = "## Decision: x\n- id: A1\n- status: active"
S = BlockState
REFUSED = {
    # Nothing is lost, allowed or moved away that was not written and expected, or listed, before.
    *((None, state) for state in (S.LOST, S.ALLOWED, S.ADOPTED, S.UNDONE, S.DROPPED)),
    *((state, S.LOST) for state in S if state not in {S.LIVE, S.RECOVERED}),
    *((state, S.ALLOWED) for state in S if state is not S.FORGOTTEN),
    *((state, S.ADOPTED) for state in S if state not in {S.LIVE, S.RECOVERED}),
    # What is known to be ours word for word does not become a mere find.
    (S.LIVE, S.RECOVERED),
}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty one."""
    ledger = open_ledger(tmp_path / "state.db")
    yield ledger
    ledger.store.close()


def put(ledger: Ledger, state: BlockState | None, block: KnownBlock = BLOCK) -> None:
    """The block as some past left it."""
    if state:
        ledger.changes.restore([BlockStanding(block, state)])


def state_of(ledger: Ledger, block: KnownBlock = BLOCK) -> BlockState | None:
    """What the ledger says of it."""
    return next((standing.state for standing in ledger.changes.in_file(block.path)), None)


@table(("before", "after"), product([None, *BlockState], BlockState))
def test_a_block_takes_the_steps_of_the_table_and_no_other(
    ledger: Ledger, before: BlockState | None, after: BlockState
) -> None:
    """What is refused leaves everything as it was."""
    name = f"{before}-{after}"
    block = KnownBlock(name, f"memory/{name}.md", "0" * 64, name, "r-1")
    put(ledger, before, block)
    if (before, after) in REFUSED:
        assert after not in STEPS[before]
        with pytest.raises(StepRefused, match="cannot be"):
            ledger.changes.know(block, after)
        assert before == state_of(ledger, block)
    else:
        ledger.changes.know(block, after)
        assert after == state_of(ledger, block)


@table("after", BlockState)
def test_no_state_is_noted_of_an_unknown_block(ledger: Ledger, after: BlockState) -> None:
    """What we did not write has none."""
    ledger.changes.set_state(PATH, "A1", after)
    assert state_of(ledger) is None


def test_setting_a_state_takes_the_same_steps(ledger: Ledger) -> None:
    """The other way to note one is no way around the table."""
    put(ledger, S.UNDONE)
    with pytest.raises(StepRefused, match="allowed after it was undone"):
        ledger.changes.set_state(PATH, "A1", S.ALLOWED)


def test_the_names_on_the_disk_are_those_of_older_programs() -> None:
    """Their ledgers are read."""
    older = {"live", "found", "forgotten", "adopted", "allowed", "undone", "dropped"}
    assert older | {"lost"} == set(BlockState)


@pytest.mark.parametrize(("before", "after"), [(S.RECOVERED, S.RECOVERED), (S.LIVE, S.LIVE)])
def test_a_new_status_line_makes_no_text_ours(ledger: Ledger, before: BlockState, after: BlockState) -> None:
    """Of an entry that was found in its file, the rest may be anybody's."""
    known = KnownBlock("A1", PATH, digest(TEXT), "identity", REBUILT if before is S.RECOVERED else "r-1")
    ledger.changes.know(known, before)
    whole = seal_entry(TEXT.replace("active", "archived")).encode()
    change = Change("r-2", PATH, ChangeKind.REPLACE, whole, {"A1": "identity"}, before=b"")
    ledger.changes.settle(ledger.changes.intend(change), ["A1"])
    (standing,) = ledger.changes.in_file(PATH)
    assert (after, known.run_id) == (standing.state, standing.block.run_id)
    assert (after is S.LIVE) == bool(ledger.changes.own_digests())


def test_what_is_written_again_has_no_place(ledger: Ledger) -> None:
    """So it is written again once, and no more."""
    place = Appended(Landing("1:2", 3), "before", "behind")
    change = Change("r-1", PATH, ChangeKind.APPEND, seal_entry(TEXT).encode(), {"A1": "identity"})
    ledger.changes.settle(ledger.changes.intend(change), ["A1"], place)
    assert {(PATH, "A1"): place} == ledger.changes.places()
    ledger.changes.set_state(PATH, "A1", S.LOST)
    assert {} == ledger.changes.places()
    ledger.changes.settle(ledger.changes.intend(change), ["A1"], place)
    assert ({}, S.LIVE) == (ledger.changes.places(), state_of(ledger))
