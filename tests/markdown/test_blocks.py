"""Blocks: found whatever stands around them, known again by their check, and never forged by free text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.markdown.blocks import (
    Block,
    digest,
    find_blocks,
    is_intact,
    marked_names,
    seal_entry,
    seal_item,
    split_lines,
    without_marks,
)
from tests.support.tables import table

ENTRY = seal_entry("## Decision: one queue\n- id: DECISION-20260302-one-queue\n- kind: decision\n- why: not stated")
ITEM = seal_item("rules", "- one queue\nno server")
OURS = ENTRY + "\n" + ITEM
PIECES = st.sampled_from([
    b"- id: a",
    b"- id:",
    b"- check: 5d1f0a",
    b"- check:",
    b"## Decision: x",
    b"- kind: decision",
    b"  - session_id: s",
    b"<!-- memory:rules check:5d1f0a -->",
    b"<!--m:9b25f8be f09700-->",
    b"check: 5d1f0a",
    b"---",
    b"\n",
    b"\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff",
    ENTRY.encode(),
    ITEM.encode(),
])  # fmt: skip
ANY_BYTES = st.binary(max_size=60) | st.lists(PIECES | st.binary(max_size=4), max_size=14).map(b"".join)


def only(data: bytes) -> Block:
    """The one block of a file."""
    (block,) = find_blocks(data)
    return block


@given(ANY_BYTES)
def test_any_bytes_have_blocks_or_none(data: bytes) -> None:
    """Whatever the bytes, the search ends, and what it finds lies inside the file and is named."""
    for block in find_blocks(data):
        assert 0 <= block.start < block.end <= len(data)
        assert data[: block.start].count(b"\n") + 1 == block.line
        assert block.name or not block.intact


@given(ANY_BYTES)
def test_lines_are_the_whole_file(data: bytes) -> None:
    """The lines, each with its end, are the file again."""
    assert data == b"".join(data[line.start : line.end] for line in split_lines(data))


@given(ANY_BYTES, ANY_BYTES)
@example(b"```\n", b"")
@example(b"---\n", b"\n---\n")
def test_a_block_is_detected_among_anything(before: bytes, after: bytes) -> None:
    """An open code fence, a lone `---`, broken UTF-8: an intact block on a line of its own is found intact."""
    data = before + b"\n\n" + ENTRY.encode() + b"\n# a heading\n" + after
    blocks = [block for block in find_blocks(data) if block.start == len(before) + 2 and not block.item]
    assert [True] == [block.intact for block in blocks]


def test_an_entry_is_intact_as_it_was_sealed() -> None:
    """Name, place and check of a block that nobody touched."""
    block = only(b"# day\n\n" + ENTRY.encode() + b"\nmine\n")
    assert ("DECISION-20260302-one-queue", 3, True, False) == (block.name, block.line, block.intact, block.item)


def test_an_item_is_intact_as_it_was_sealed() -> None:
    """A page's item is found by its name, with the lines indented under its first."""
    block = only(b"# MEMORY\n\n" + ITEM.encode())
    assert ("rules", True, True, "- one queue\n  no server") == (block.name, block.intact, block.item, block.text)


@table("sealed", [ENTRY, ITEM])
def test_line_ends_adopt_nothing(sealed: str) -> None:
    """An editor that writes CRLF, or strips the last line end, has changed nothing of ours."""
    windows = sealed.replace("\n", "\r\n").encode()
    assert only(windows).intact
    assert only(sealed.rstrip("\n").encode()).intact
    assert only(windows.rstrip(b"\r\n")).intact


@given(st.data())
def test_a_changed_character_adopts(data: st.DataObject) -> None:
    """Any other character anywhere in the text makes the block the person's."""
    sealed = data.draw(st.sampled_from([ENTRY, ITEM]))
    length = sealed.rstrip("\n").rindex("\n")
    place = data.draw(st.integers(0, length - 1))
    other = data.draw(st.characters(exclude_characters=sealed[place] + "\r\n", exclude_categories=["Cs"]))
    changed = sealed[:place] + other + sealed[place + 1 :]
    assert not any(block.intact for block in find_blocks(changed.encode()))


def test_a_line_of_a_person_adopts_and_stays_inside() -> None:
    """A person's own line between the fields belongs to the block, which is theirs then."""
    mine = ENTRY.replace("- kind:", "I still doubt this.\n- kind:")
    block = only(mine.encode())
    assert not block.intact
    assert "I still doubt this." in block.text


def test_an_entry_without_its_check_is_adopted() -> None:
    """Who deletes the check line owns the block; a heading ends it."""
    cut = ENTRY[: ENTRY.index("- check:")]
    block = only((cut + "\n## Another heading\n- point\n").encode())
    assert not block.intact
    assert cut.encode() == (cut + "\n## Another heading\n").encode()[block.start : block.end]


def test_an_item_cannot_be_ended_by_its_text() -> None:
    """Marks inside a text are written so that they show as text and mean nothing."""
    forged = "- a <!-- memory:other check:000000 -->\n## b\n- id: c <!-- memory:rules check:111111 -->"
    assert [("rules", True)] == [
        (block.name, block.intact) for block in find_blocks(seal_item("rules", forged).encode())
    ]


@table("name", ["m-9b25f8be", "s-9b25f8be", "m-9b25f8be00112233"])
def test_a_name_of_a_letter_and_a_hash_has_a_short_mark(name: str) -> None:
    """And the long one, which earlier versions wrote, says the same: also in what tells a person's change."""
    sealed = seal_item(name, "- one queue")
    check = digest("- one queue")[:6]
    long = f"- one queue <!-- memory:{name} check:{check} -->\n"

    assert f"- one queue <!--{name.replace('-', ':')} {check}-->\n" == sealed
    for text in (sealed, long):
        block = only(text.encode())
        assert (name, True, "- one queue", [name]) == (block.name, block.intact, block.text, marked_names(text))
        assert ("- one queue\n", True) == (without_marks(text), is_intact(text.rstrip("\n")))
        assert not only(text.replace("queue", "Queue").encode()).intact


@table("comment", ["<!--m:9b25f8b f09700-->", "<!-- m:9b25f8be f09700 -->", "<!--todo: x-->", "<!--"])
def test_a_comment_of_a_person_is_no_mark(comment: str) -> None:
    """However short ours is."""
    assert ([], []) == (find_blocks(f"- x {comment}\n".encode()), marked_names(comment))


def test_a_short_mark_cannot_be_forged_by_a_text() -> None:
    """It would end the item."""
    block = only(seal_item("m-9b25f8be", "- a <!--m:00000000 f09700--> b").encode())
    assert ("m-9b25f8be", True) == (block.name, block.intact)


def test_an_item_that_begins_like_an_entry_is_none() -> None:
    """`- id:` at the beginning of a line belongs to entries alone."""
    (block,) = find_blocks(seal_item("rules", "- id: the column is a UUID").encode())
    assert (True, "- id\\: the column is a UUID") == (block.item, block.text)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["", "- ", "## ", "  - "]))
def test_any_item_is_recovered(text: str, lead: str) -> None:
    """Whatever a job writes into an item, the item is one intact block, and sealing it again gives the same."""
    sealed = seal_item("a-1", lead + text)
    items = find_blocks(sealed.encode())
    assert [("a-1", True, True)] == [(block.name, block.intact, block.item) for block in items]
    assert sealed == seal_item("a-1", items[0].text)
    assert len(sealed.encode()) == items[0].end - items[0].start


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_front_matter_is_recovered(text: str) -> None:
    """The item called front-matter stands between two rules at the top, with its check."""
    sealed = seal_item("front-matter", f"date: {text.replace('-', '_')}")
    items = find_blocks(sealed.encode() + b"\n# Page\n")
    assert [("front-matter", True, 0)] == [(block.name, block.intact, block.start) for block in items]


def test_front_matter_of_others_is_no_block() -> None:
    """Without our check it is the person's, and so is a rule."""
    assert [] == find_blocks(b"---\ntitle: x\n---\n\ntext\n")
    assert [] == find_blocks(b"---\n\n## Batch\n")


@table(
    ("changed", "text"),
    [
        ("- one queue, I say\n  no server", "- one queue, I say\n  no server"),
        ("- one queue\n  my own line\n  no server", "- one queue\n  my own line\n  no server"),
        ("- one queue\n\n  no server", "  no server"),
    ],
)
def test_what_a_person_changes_inside_an_item_adopts_it(changed: str, text: str) -> None:
    """A changed word, a line put in between, an empty line: the item is theirs from now on."""
    (block,) = find_blocks(ITEM.replace("- one queue\n  no server", changed).encode())
    assert ("rules", False, text) == (block.name, block.intact, block.text)


def test_words_behind_the_mark_adopt_an_item() -> None:
    """A person goes on writing on our line."""
    (block,) = find_blocks(ITEM.replace("-->", "--> really?").encode())
    assert ("rules", False) == (block.name, block.intact)


@table("name", ["", "Open points", "ready -->", "ł"])
def test_an_item_that_could_not_be_read_back_is_refused(name: str) -> None:
    """A name that the mark cannot carry is a mistake in the job, told at once."""
    with pytest.raises(ValueError, match="cannot name an item"):
        seal_item(name, "text")


def test_a_forged_check_proves_nothing_but_form() -> None:
    """Everybody can compute a check: an intact block is unchanged, which does not say who wrote it."""
    forged = seal_entry("## Rule: pay me\n- id: RULE-20260302-pay-me")
    assert only(forged.encode()).intact
