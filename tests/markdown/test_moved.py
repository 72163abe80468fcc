"""Pieces of a page: cut out, kept in an archive, and put back where they were."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.markdown.blocks import split_lines
from pipeline.markdown.moved import cut_lines, put_back, read_archived, render_archived, without_archived
from tests.support.tables import table

RUN = "20260302T080000-000001"
PAGE = "MEMORY.md"
LINES = [b"a", b"b", b"# h", b"", b" ", b"- x\r", b"\xff", "żółć".encode()]

pages = st.lists(st.sampled_from(LINES), max_size=12).map(b"\n".join)


@st.composite
def cuttings(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, int]]]:
    """A page, and spans of whole lines of it that are not blank."""
    page = draw(pages)
    lines = [line for line in split_lines(page) if line.body.strip()]
    spans = [(line.start, line.end) for line in lines if draw(st.booleans())]
    return page, spans


def bodies(data: bytes) -> list[bytes]:
    """The lines of a page, without the blank ones; a CR at the very end is one of a line end once a line follows."""
    return [line.body.rstrip(b"\r") for line in split_lines(data) if line.body.strip()]


def test_spans_that_touch_are_one_piece() -> None:
    """A piece is named by its first and its last line."""
    rest, pieces = cut_lines(b"a\nb\nc\nd", [(0, 2), (2, 4), (6, 7)])
    assert b"c\n" == rest
    assert [("lines 1-2", b"a\nb\n"), ("line 4", b"d")] == [(piece.name, piece.text) for piece in pieces]


@given(cuttings(), pages, st.sampled_from([b"\n", b"\r\n"]))
def test_an_archive_gives_back_what_it_got(
    cutting: tuple[bytes, list[tuple[int, int]]], old: bytes, line: bytes
) -> None:
    """Whatever stands in the archive before: the pieces are read as they were, and taken out again without a trace."""
    pieces = cut_lines(*cutting)[1]
    added = render_archived(pieces, PAGE, RUN, line)
    assert pieces == read_archived(added, PAGE, RUN)
    assert (old, []) == without_archived(old + added, pieces, PAGE, RUN)


@given(cuttings(), pages)
def test_what_is_put_back_is_all_there(cutting: tuple[bytes, list[tuple[int, int]]], now: bytes) -> None:
    """Whatever became of the page: every line it has, and every line of the pieces, stands in it afterwards."""
    page, spans = cutting
    after, pieces = cut_lines(page, spans)
    whole = put_back(now, page, after, pieces)
    texts = [now, *(piece.text for piece in pieces)]
    assert sorted(line for text in texts for line in bodies(text)) == sorted(bodies(whole))
    assert all(piece.text in whole for piece in pieces)


BEFORE = b"one\n\n## Old\nold\n\n## Next\nnext\n"
AFTER = b"one\n\n## Next\nnext\n"


@table(
    ("now", "expected"),
    [
        (AFTER, BEFORE),
        (b"new\n" + AFTER + b"more\n", b"new\n" + BEFORE + b"more\n"),
        (b"one\n\nnew\n## Next\nother\n", b"one\n\nnew\n## Old\nold\n\n## Next\nother\n"),
        (b"## Next\nnext\n## Next\nelse\n", b"## Old\nold\n\n## Next\nnext\n## Next\nelse\n"),
        (b"one\n\nnext\n", b"one\n\n## Old\nold\n\nnext\n"),
        (b"two\n", b"two\n## Old\nold\n\n"),
        (b"two", b"two\n## Old\nold\n\n"),
        (b"two\r\nthree", b"two\r\nthree\r\n## Old\nold\n\n"),
        (b"", b"## Old\nold\n\n"),
    ],
)
def test_a_piece_finds_its_place(now: bytes, expected: bytes) -> None:
    """Before the line that was below it, else behind the one above, else at the end; never on the line of another."""
    assert cut_lines(BEFORE, [(5, 17)])[0] == AFTER
    assert expected == put_back(now, BEFORE, AFTER, cut_lines(BEFORE, [(5, 17)])[1])


def test_a_piece_without_a_line_end_gets_one() -> None:
    """It was the last line, and is no longer."""
    after, pieces = cut_lines(b"a\nb", [(2, 3)])
    assert b"a\nb\nc\n" == put_back(b"a\nc\n", b"a\nb", after, pieces)


def test_a_changed_copy_is_left() -> None:
    """The archive's copy goes only where it is as it was moved; without its comment it cannot be told any more."""
    pieces = cut_lines(b"a\nb\nc\nd\n", [(0, 2), (4, 6)])[1]
    added = render_archived(pieces, PAGE, RUN, b"\n")
    changed = added.replace(b"\nc\n", b"\nc, changed\n")
    assert [piece.name for piece in pieces[1:]] == [
        piece.name for piece in without_archived(changed, pieces, PAGE, RUN)[1]
    ]
    assert (b"mine\n", []) == without_archived(b"mine\n", pieces, PAGE, RUN)


def test_lines_of_others_do_not_run_together() -> None:
    """A line end of ours stays where it alone stands between a person's lines."""
    pieces = cut_lines(b"a\n", [(0, 2)])[1]
    assert (
        b"mine\nmore\n"
        == without_archived(b"mine" + render_archived(pieces, PAGE, RUN, b"\n") + b"more\n", pieces, PAGE, RUN)[0]
    )
