"""Changes to a file leave everything that is not ours byte for byte."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.markdown.blocks import find_blocks, seal_entry
from pipeline.markdown.splice import (
    appendix,
    newline_of,
    remove_block,
    replace_block,
)
from tests.support.tables import table

PEOPLE = st.sampled_from([
    b"",
    b"no final newline",
    b"windows\r\nlines\r\n",
    b"windows\r\nno end",
    b"\xef\xbb\xbfBOM\n",
    b"\xff\xfe broken \x80\n",
    b"---\nnot: front matter\n",
    b"---\n",
    b"old mac\r",
    b"mixed\r\nlines\nhere\r",
    b"\n\n\n",
    b"\r\n",
    b"```\nopen fence\n",
    b"- check: 000000\n",
    b"## Same\ntext\n## Same\ntext\n",
])  # fmt: skip
ANY = PEOPLE | st.binary(max_size=60) | st.lists(PEOPLE | st.binary(max_size=5), max_size=4).map(b"".join)
NAMES = ("a1", "b2", "c3")
BLOCKS = [seal_entry(f"## Decision: {name}\n- id: {name}\n- why: zażółć 决定") for name in NAMES]


def ours(data: bytes) -> list[str]:
    """The names of our intact blocks, among others that any bytes may look like."""
    return [block.name for block in find_blocks(data) if block.intact and block.name in NAMES]


def without(data: bytes, name: str) -> bytes:
    """The file without the last intact block of this name."""
    block = [block for block in find_blocks(data) if block.intact and block.name == name][-1]
    return remove_block(data, block)


@given(ANY, st.integers(1, 3))
def test_removing_what_was_appended_gives_the_file_back(data: bytes, count: int) -> None:
    """Newest first, any number of blocks go and leave no trace, whatever the file is made of."""
    grown = data + appendix(BLOCKS[:count], newline_of(data))
    for name in reversed(NAMES[:count]):
        grown = without(grown, name)
    assert data == grown


@given(ANY, st.permutations(NAMES))
def test_removing_in_any_order_leaves_the_persons_bytes(data: bytes, order: list[str]) -> None:
    """Whichever block goes first, the person's bytes stay, and at most a line end between blocks is left."""
    grown = data + appendix(BLOCKS, newline_of(data))
    for name in order:
        grown = without(grown, name)
    assert grown.startswith(data)
    assert b"" == grown[len(data) :].strip(b"\r\n")


@given(ANY)
def test_what_is_appended_is_read_back_intact(data: bytes) -> None:
    """A block starts on a line of its own even when the file does not end its last line."""
    assert list(NAMES) == ours(data + appendix(BLOCKS, newline_of(data)))[-3:]


@given(ANY, st.binary(max_size=30))
def test_removing_leaves_what_was_written_behind(data: bytes, behind: bytes) -> None:
    """Lines that somebody wrote after our block stay, and stay lines."""
    grown = data + appendix(BLOCKS[:1], newline_of(data)) + b"\n" + behind
    left = without(grown, NAMES[0])
    assert left.startswith(data)
    assert left.endswith(b"\n" + behind)


def test_two_lines_of_a_person_are_never_joined() -> None:
    """A block that a person has put between two lines of theirs takes no line end with it."""
    data = b"mine\n" + BLOCKS[0].encode() + b"mine too\n"
    assert b"mine\nmine too\n" == without(data, NAMES[0])


@table("newline", [b"\n", b"\r\n"])
def test_replacing_and_putting_back(newline: bytes) -> None:
    """A block goes and comes back in the file's own line ends; nothing around it moves."""
    old = BLOCKS[0].encode().replace(b"\n", newline)
    data = b"before" + newline * 2 + old + newline + b"after"
    changed = replace_block(data, find_blocks(data)[0], seal_entry("## Rule: x\n- id: a1"))
    assert changed.startswith(b"before" + newline * 2)
    assert changed.endswith(newline + b"after")
    assert data == replace_block(changed, find_blocks(changed)[0], old.decode())


def test_a_large_file_with_equal_headings() -> None:
    """300 kB of the same headings: exactly our block goes, and quickly."""
    data = b"---\nthis is no front matter\n" + b"## Notes\n\n- id of the day: 7\n- check: it\n\n" * 8_000
    assert len(data) > 300_000
    middle = len(data) // 2
    block = appendix(BLOCKS[:1], b"\n")
    grown = data[:middle] + block + b"\n" + data[middle:]
    assert data[:middle] + b"\n" + data[middle:] == without(grown, NAMES[0])
