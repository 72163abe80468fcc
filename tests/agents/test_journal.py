"""A change as a line of the journal, and back; and what the lines come to."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipeline.agents.journal import change_id, one_line, parse_change, render_change
from pipeline.agents.standing import stand
from pipeline.markdown.blocks import find_blocks, seal_item
from schemas.memory_change import ChangeWord, MemoryChange, Operation

AT = datetime(2026, 3, 4, 11, 5, tzinfo=UTC)
WORDS = st.text(max_size=80)
TARGETS = st.sampled_from(["", "j-0000000a", "j-0000000b"])


@given(
    text=WORDS,
    quote=WORDS,
    names=st.tuples(WORDS, WORDS, WORDS),
    operation=st.sampled_from(Operation),
    word=st.sampled_from(ChangeWord),
    importance=st.integers(1, 5),
    target=TARGETS,
)
def test_a_line_is_read_as_it_was_written(  # noqa: PLR0913, PLR0917 - the fields of a change
    text: str,
    quote: str,
    names: tuple[str, str, str],
    operation: Operation,
    word: ChangeWord,
    importance: int,
    target: str,
) -> None:
    """Whatever stands in the words: the page has one item, which says who, what and by whose word."""
    session_id, asked_by, over = names
    change = MemoryChange(
        id="j-12345678",
        operation=operation,
        text=text,
        at=AT,
        word=word,
        target=target,
        quote=quote,
        session_id=session_id,
        importance=importance,
        asked_by=asked_by,
        over=over,
    )
    data = seal_item(change.id, render_change(change)).encode()
    (block,) = find_blocks(data)
    read = parse_change(block.name, block.text)
    assert block.intact
    assert read is not None
    same = (read.operation, read.word, read.target, read.importance, read.at)
    assert (operation, word, target, importance, AT) == same
    assert read.text == (one_line(text) or "-")
    assert quote == "" or quote.encode(errors="replace") == read.quote.encode(errors="replace")


CHANGES = st.lists(st.tuples(st.sampled_from(Operation), st.sampled_from("abc"), TARGETS), max_size=12).map(
    lambda rows: [
        MemoryChange(
            id=f"j-0000000{'abcdef0123456789'[number]}", operation=operation, text=text, at=AT, word=ChangeWord.OWNER,
            target=target,
        )
        for number, (operation, text, target) in enumerate(rows)
    ]
)  # fmt: skip


@given(CHANGES)
def test_what_stands_is_never_more_than_what_was_written(journal: list[MemoryChange]) -> None:
    """Any journal comes to something: each line has words of a change, and no two lines say the same."""
    standings = stand(journal)
    added = {change.text for change in journal if change.operation.adds or change.operation is Operation.UPDATE}
    assert {line.text for line in standings.lines.values()} <= added
    assert all(name == line.id for name, line in standings.lines.items())


@given(CHANGES, st.integers(0, 12))
def test_further_changes_come_to_what_the_whole_journal_does(journal: list[MemoryChange], first: int) -> None:
    """Wherever the journal is parted; and the lines that stood before stay as they were."""
    before, whole = stand(journal[:first]), stand(journal)
    after = before.after(journal[first:])
    assert (list(whole.lines.items()), whole.replaced) == (list(after.lines.items()), after.replaced)
    assert [whole.saying(words) for words in "abc"] == [after.saying(words) for words in "abc"]
    again = stand(journal[:first])
    assert list(again.lines.items()) == list(before.lines.items())
    assert [again.saying(words) for words in "abc"] == [before.saying(words) for words in "abc"]


def test_an_id_gets_longer_where_it_is_taken() -> None:
    """Two changes never share one."""
    first = change_id("a", ())
    assert (first, True) == (change_id("a", {"j-other"}), change_id("a", {first}).startswith(first))
