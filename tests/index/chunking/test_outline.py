"""The blocks of a page, with their lines."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking.passages import DEPTH, BlockSort, Node, outline
from tests.support.tables import table

_ODD = "ab \t\r-*+#>|`~=_[]():<!/1.\u3000\u2028漢é"


def _nodes(text: str) -> list[tuple[str, int, int]]:
    lines = text.split("\n")
    return [(node.sort.name, node.first, node.last) for node in outline(lines, 0, len(lines))]


BLOCKS = {
    "# A\ntext\n\nmore\nlines": [("HEADING", 0, 0), ("PARAGRAPH", 1, 1), ("PARAGRAPH", 3, 4)],
    "Under\nlined\n===\n": [("HEADING", 0, 2)],
    "- a\n- b\n\n  c\n\n1. d": [("LIST", 0, 3), ("LIST", 5, 5)],
    "> q\n> - a": [("QUOTE", 0, 1)],
    "|a|b|\n|-|-|\n|1|2|\n\n": [("TABLE", 0, 2)],
    "```\n# no heading\n\n```\n---": [("CODE", 0, 3), ("RULE", 4, 4)],
    "    code\n\n    more\n": [("CODE", 0, 2)],
    "<div>\nx\n</div>\n\n<!-- c\n\n# d -->": [("HTML", 0, 2), ("HTML", 4, 6)],
    "[ref]: http://x\ntext": [("REST", 0, 0), ("PARAGRAPH", 1, 1)],
    "```\nopen": [("CODE", 0, 1)],
    "# a\r# b": [("HEADING", 0, 0)],
    "": [],
}


@table("text", BLOCKS)
def test_blocks_have_their_lines(text: str) -> None:
    """What CommonMark takes for a block, tables as well; only LF ends a line."""
    assert BLOCKS[text] == _nodes(text)


def test_lists_hold_items_and_items_hold_lists() -> None:
    """As deep as they go; what else is in an item is not told apart."""
    lines = ["- a", "  - b", "    1. c", "    text", "- d", "", "  para"]
    (top,) = outline(lines, 0, len(lines))
    first, second = top.children
    assert ((0, 3), (4, 6), []) == ((first.first, first.last), (second.first, second.last), second.children)
    inner = first.children[0].children[0]
    assert [(2, 3)] == [(item.first, item.last) for item in inner.children[0].children]


def test_depth_has_an_end() -> None:
    """A hundred thousand lists inside each other are no deeper than eight."""
    lines = ["- " * 1000 + "x"]
    node, depth = outline(lines, 0, 1)[0], 0
    while node.children:
        node, depth = node.children[0], depth + 1
    assert depth <= 2 * DEPTH


def test_a_stretch_has_the_line_numbers_of_its_file() -> None:
    """Only the lines that were asked for are looked at."""
    assert [Node(BlockSort.PARAGRAPH, 2, 2)] == outline(["# a", "", "b", "# c"], 1, 3)


def _overlap(nodes: Sequence[Node], first: int, last: int) -> Iterator[Node]:
    at = first
    for node in nodes:
        if not at <= node.first <= node.last <= last:
            yield node
        at = node.last + 1 if node.sort is not BlockSort.ITEM else node.last
        yield from _overlap(node.children, node.first, node.last)


@given(st.lists(st.text(alphabet=_ODD, max_size=10), max_size=14))
def test_blocks_are_in_order_and_leave_nothing_out(lines: list[str]) -> None:
    """Whatever the text: no block overlaps another, and every line that is not empty is in one."""
    nodes = outline(lines, 0, len(lines))
    covered = {at for node in nodes for at in range(node.first, node.last + 1)}
    assert [] == list(_overlap(nodes, 0, len(lines) - 1))
    assert {at for at, line in enumerate(lines) if line.strip()} <= covered
