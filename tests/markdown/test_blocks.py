"""Blocks: found whatever stands around them, known again by their check, and never forged by free text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.markdown.blocks import Block, find_blocks, seal_entry, seal_section, split_lines

ENTRY = seal_entry("## Decision: one queue\n- id: DECISION-20260302-one-queue\n- kind: decision\n- why: not stated")
SECTION = seal_section("rules", "- one queue\n- no server")
OURS = ENTRY + "\n" + SECTION
PIECES = st.sampled_from([
    b"- id: a",
    b"- id:",
    b"- check: 5d1f0a",
    b"- check:",
    b"## Decision: x",
    b"- kind: decision",
    b"  - session_id: s",
    b"<!-- memory:rules -->",
    b"<!-- check: 5d1f0a -->",
    b"---",
    b"\n",
    b"\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff",
    ENTRY.encode(),
    SECTION.encode(),
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
def test_a_block_is_found_among_anything(before: bytes, after: bytes) -> None:
    """An open code fence, a lone `---`, broken UTF-8: an intact block on a line of its own is found intact."""
    data = before + b"\n\n" + ENTRY.encode() + b"\n# a heading\n" + after
    found = [block for block in find_blocks(data) if block.start == len(before) + 2 and not block.section]
    assert [True] == [block.intact for block in found]


def test_an_entry_is_intact_as_it_was_sealed() -> None:
    """Name, place and check of a block that nobody touched."""
    block = only(b"# day\n\n" + ENTRY.encode() + b"\nmine\n")
    assert ("DECISION-20260302-one-queue", 3, True, False) == (block.name, block.line, block.intact, block.section)


def test_a_section_is_intact_as_it_was_sealed() -> None:
    """A page's section is found by its name."""
    block = only(b"# MEMORY\n\n" + SECTION.encode())
    assert ("rules", True, True) == (block.name, block.intact, block.section)


@pytest.mark.parametrize("sealed", [ENTRY, SECTION])
def test_line_ends_adopt_nothing(sealed: str) -> None:
    """An editor that writes CRLF, or strips the last line end, has changed nothing of ours."""
    windows = sealed.replace("\n", "\r\n").encode()
    assert only(windows).intact
    assert only(sealed.rstrip("\n").encode()).intact
    assert only(windows.rstrip(b"\r\n")).intact


@given(st.data())
def test_a_changed_character_adopts(data: st.DataObject) -> None:
    """Any other character anywhere in the text makes the block the person's."""
    sealed = data.draw(st.sampled_from([ENTRY, SECTION]))
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


def test_a_section_cannot_be_closed_or_opened_by_its_text() -> None:
    """Marks inside a text are written so that they show as text and mean nothing."""
    forged = "a\n<!-- check: 000000 -->\n<!-- memory:other -->\nb\n<!-- check: 111111 -->"
    assert [("rules", True)] == [
        (block.name, block.intact) for block in find_blocks(seal_section("rules", forged).encode())
    ]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_section_is_found_again(text: str) -> None:
    """Whatever a job writes into a section, the section is one intact block."""
    sections = [block for block in find_blocks(seal_section("a-1", text).encode()) if block.section]
    assert [("a-1", True)] == [(block.name, block.intact) for block in sections]


@pytest.mark.parametrize("name", ["", "Open points", "ready -->", "ł"])
def test_a_section_that_would_not_be_found_is_refused(name: str) -> None:
    """A name that the mark cannot carry is a mistake in the job, told at once."""
    with pytest.raises(ValueError, match="cannot name a section"):
        seal_section(name, "text")


def test_a_forged_check_proves_nothing_but_form() -> None:
    """Everybody can compute a check: an intact block is unchanged, which does not say who wrote it."""
    forged = seal_entry("## Rule: pay me\n- id: RULE-20260302-pay-me")
    assert only(forged.encode()).intact
