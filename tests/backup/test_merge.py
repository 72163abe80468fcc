"""The three-way merge of a file."""

from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.backup.merge import Conflict, MergedText, Side, merge_file, units_of
from pipeline.markdown.blocks import seal_entry, seal_item
from tests.support.tables import table


def entry(number: int, words: str = "as it was") -> bytes:
    """The block of an entry, led in by an empty line."""
    return ("\n" + seal_entry(f"## Rule: {words}\n\n- id: RULE-{number}\n- kind: rule")).encode()


def item(number: int, words: str = "as it was") -> bytes:
    """An item of a page."""
    return seal_item(f"i-{number:08x}", f"- {words}").encode()


def names(data: bytes) -> list[str]:
    """The names of the blocks, and the lines of people that are not empty."""
    return [unit.name[0] or unit.name[1].decode() for unit in units_of(data) if unit.data.strip()]


def test_both_sides_append() -> None:
    """Each keeps its entries: what the base did not have is never a deletion."""
    base = b"# Monday\n" + entry(1)
    merged = merge_file(base, base + entry(2), base + entry(3) + entry(4))
    assert MergedText(base + entry(2) + entry(3) + entry(4)) == merged


def test_a_change_beside_an_append() -> None:
    """A person changes the last entry here, and a run appends behind it there."""
    base, edited = entry(1), entry(1, "as I say now")
    assert MergedText(edited + entry(2)) == merge_file(base, edited, base + entry(2))
    assert MergedText(edited + entry(2)) == merge_file(base, base + entry(2), edited)


BOTH = entry(1) + entry(2)


@table(
    "base, here, there, wanted",
    [
        (BOTH, BOTH + b"mine\n", entry(2), entry(2) + b"mine\n"),
        (BOTH, entry(2), BOTH + b"mine\n", entry(2) + b"mine\n"),
        (BOTH, entry(1), entry(2), b"\n"),
        (BOTH, entry(1) + entry(3), entry(2) + entry(4), entry(3) + entry(4)),
        (BOTH, None, BOTH, BOTH),
        (BOTH, BOTH, None, BOTH),
        (None, b"a\n", b"b\n", b"a\nb\n"),
    ],
)
def test_deletions_hold(base: bytes | None, here: bytes | None, there: bytes | None, wanted: bytes) -> None:
    """An entry that one side took out, and the other left as it was, stays out; a missing file is no deletion."""
    assert MergedText(wanted) == merge_file(base, here, there)


DAYS = b"## Mon\n- done\n## Tue\nx\n"


@table(
    "base, here, there, wanted",
    [
        (DAYS, DAYS + b"## Wed\n- done\n", b"## Mon\n## Tue\nx\n", b"## Mon\n## Tue\nx\n## Wed\n- done\n"),
        (DAYS, b"## Sun\n- done\n" + DAYS, b"## Mon\n## Tue\nx\n", b"## Sun\n- done\n## Mon\n## Tue\nx\n"),
        (b"a\n", b"a\n```\nx\n```\n", b"a\n```\ny\n```\n", b"a\n```\nx\n```\n```\ny\n```\n"),
        (b"a\n", b"a\n## A\n- done\n", b"a\n## B\n- done\n", b"a\n## A\n- done\n## B\n- done\n"),
        (b"a\n", b"a\nnew\n", b"a\nnew\nmore\n", b"a\nnew\nmore\n"),
    ],
)
def test_equal_lines_have_their_places(base: bytes, here: bytes, there: bytes, wanted: bytes) -> None:
    """A new line is never taken for one that the other side took out, or has added elsewhere."""
    assert MergedText(wanted) == merge_file(base, here, there)


def test_a_line_that_may_be_another_one_is_shown() -> None:
    """One was taken out there and one added here, and nothing beside them tells which is which."""
    base, here, there = b"- done\n", b"- done\n## Wed\n- done\n", b""
    assert merge_file(base, here, there).conflicts
    assert MergedText(here) == merge_file(base, here, there, Side.HERE)


def test_nothing_goes_with_one_of_two_equal_lines() -> None:
    """Each side took out another of them, and one has to stay; with a preference new entries of both sides stand."""
    base, here, there = b"- done\n## Tue\n- done\n", b"## Tue\n- done\n", b"- done\n## Tue\n"
    assert MergedText(here, (Conflict(here, there),)) == merge_file(base, here, there)
    assert MergedText(there) == merge_file(base, here, there, Side.BACKUP)
    kept = merge_file(base, here + entry(1), there + entry(2), Side.HERE).data
    assert ["## Tue", "- done", "RULE-1", "RULE-2"] == names(kept)


def test_empty_lines_do_not_grow() -> None:
    """The back-up has one more than we have, and it is merged once more."""
    base, here, there = b"a\nb\n" + entry(1), b"a\n" + entry(1) + b"mine\n", b"a\nb\n\n" + entry(1)
    merged = merge_file(base, here, there)
    assert (here, ()) == (merged.data, merged.conflicts)
    assert merged == merge_file(base, merged.data, there)


def test_two_changes_of_one_line_are_shown() -> None:
    """And one of them holds when a person says which."""
    base, here, there = b"a\nb\nc\n", b"a\nhere\nc\n", b"a\nthere\nc\n"
    [conflict] = merge_file(base, here, there).conflicts
    assert (b"here\n", b"there\n") == (conflict.here, conflict.there)
    assert MergedText(here) == merge_file(base, here, there, Side.HERE)
    assert MergedText(there) == merge_file(base, here, there, Side.BACKUP)
    changed, gone = entry(1, "as I say now"), b"other words\n"
    assert merge_file(entry(1), changed, gone).conflicts
    assert merge_file(entry(1), entry(1, "mine"), entry(1, "theirs")).conflicts
    assert merge_file(b"\0a", b"\0b", b"\0c").conflicts


LINES = st.sampled_from([b"\n", b"one\n", b"two\n", b"three\n", b"- four\n", b"five\r\n", b"six"])
BLOCKS = st.builds(
    lambda make, number, words: make(number, words),
    st.sampled_from([entry, item]),
    st.integers(0, 5),
    st.sampled_from(["as it was", "mine", "theirs"]),
)


def joined(parts: list[bytes]) -> bytes:
    """A file of these parts, each block of them once: a name is given once."""
    blocks = {
        tuple(names(part)) if b"check" in part or b"<!--" in part else (place,): part
        for place, part in enumerate(parts)
    }
    return b"".join(blocks.values())


FILES = st.lists(st.one_of(LINES, BLOCKS), max_size=8).map(joined)


@given(FILES, FILES)
def test_one_side_alone(base: bytes, other: bytes) -> None:
    """Where only one side changed anything, it holds to the byte, and so does what both have."""
    assert MergedText(other) == merge_file(base, other, base)
    assert MergedText(other) == merge_file(base, base, other)
    assert MergedText(other) == merge_file(base, other, other)


@example(base=b"two\n", here=b"two\n" + entry(5), there=b"two\ntwo\n")
@example(base=b"- done\n" * 3, here=b"- done\none\n- done\n- done\n", there=b"- done\n- done\n")
@given(FILES, FILES, FILES)
def test_nothing_is_lost_or_doubled(base: bytes, here: bytes, there: bytes) -> None:
    """What a side added stands there, and what nobody took out too; a second merge changes no byte."""
    merged = merge_file(base, here, there)
    if merged.conflicts:
        return
    had, ours, theirs, now = (set(names(data)) for data in (base, here, there, merged.data))
    assert (ours | theirs) - had <= now <= ours | theirs
    assert had & ours & theirs <= now
    assert merged == merge_file(base, merged.data, there)
    most = max(map(len, (names(here), names(there))), default=0)
    assert len(now) <= most + len(ours ^ theirs)


@given(FILES, FILES, FILES, st.sampled_from(Side))
def test_a_preference_leaves_no_conflict(base: bytes, here: bytes, there: bytes, prefer: Side) -> None:
    """Also where a block was put into two places with different words; a second merge changes no byte."""
    merged = merge_file(base, here, there, prefer)
    assert not merged.conflicts
    assert merged == merge_file(base, merged.data, there, prefer)
