"""A journal without some of its lines."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipeline.agents.journal import without_lines
from pipeline.agents.standing import stand
from schemas.memory_change import SECTIONS, ChangeWord, MemoryChange, Operation

MOMENT = datetime(2026, 3, 4, 10, tzinfo=UTC)


def line(name: str, text: str, operation: Operation = Operation.CORE, target: str = "") -> MemoryChange:
    """A line of a journal, in the owner's words."""
    word, quote = ChangeWord.OWNER, f"I said {text}"
    return MemoryChange(
        id=name, operation=operation, text=text, at=MOMENT, word=word, target=target, quote=quote, session_id="s1"
    )


def left(changes: list[MemoryChange], gone: set[str]) -> dict[str, str]:
    """What is believed after an erasure: the texts that stand, by id."""
    changed = without_lines(changes, gone)
    kept = [changed.get(one.id, one) for one in changes if one.id not in gone or one.id in changed]
    return {name: standing.text for name, standing in stand(kept).lines.items()}


def test_what_replaced_an_erased_line_stands() -> None:
    """It is an addition now, to the same section."""
    changes = [line("j-1", "Gdansk", Operation.PREFERENCE), line("j-2", "Gdynia", Operation.UPDATE, "j-1")]
    assert {"j-2": "Gdynia"} == left(changes, {"j-1"})
    assert Operation.PREFERENCE == without_lines(changes, {"j-1"})["j-2"].operation


def test_what_an_erased_line_replaced_does_not_come_back() -> None:
    """The replacement becomes a removal, without its words and its quote."""
    changes = [line("j-1", "Gdansk"), line("j-2", "Gdynia", Operation.UPDATE, "j-1")]
    assert {} == left(changes, {"j-2"})
    removal = without_lines(changes, {"j-2"})["j-2"]
    assert (Operation.DELETE, "Gdansk", "", "j-1") == (removal.operation, removal.text, removal.quote, removal.target)


def test_a_removal_stays_without_its_words() -> None:
    """What the owner took back stays away when the words of taking it back are erased."""
    changes = [line("j-1", "bakery"), line("j-2", "bakery", Operation.DELETE, "j-1")]
    assert {} == left(changes, {"j-2"})
    assert "" == without_lines(changes, {"j-2"})["j-2"].quote


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[MemoryChange], set[str]]:
    """A journal of additions, replacements and removals, and the words of it that are to go."""
    changes = list[MemoryChange]()
    for number in range(draw(st.integers(1, 8))):
        standing = sorted(stand(changes).lines)
        operations = [*SECTIONS, *([Operation.UPDATE, Operation.DELETE] if standing else [])]
        operation = draw(st.sampled_from(operations))
        target = draw(st.sampled_from(standing)) if operation.rewrites else ""
        text = stand(changes).lines[target].text if operation is Operation.DELETE else f"fact {number}"
        changes.append(line(f"j-{number}", text, operation, target))
    return changes, draw(st.sets(st.sampled_from([one.id for one in changes])))


@given(histories())
def test_an_erasure_changes_nothing_else(history: tuple[list[MemoryChange], set[str]]) -> None:
    """What stood and is not erased stands as before; nothing that was replaced or removed comes back."""
    changes, gone = history
    before = {name: standing.text for name, standing in stand(changes).lines.items() if name not in gone}
    assert before == left(changes, gone)
