"""Pages of a text: exact, and together the whole of it."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.details.paging import StoredText, line_range, matching_page, numbered_page, page_of_lines
from pipeline.errors.store import LinesNotThere, LinesUnclear, PagesNotThere
from pipeline.reports.details import lines_of
from pipeline.store.details import Chunk, cut_chunks
from schemas.detail import Detail, DetailPage, DetailType, PageRequest
from tests.support.tables import table


def stored(content: bytes, tokens: int = 0) -> StoredText:
    """A text as the store gives it."""
    chunks = list(cut_chunks([content]))
    detail = Detail(
        id="1",
        key="log_a_0123456789",
        type=DetailType.LOG,
        summary="",
        description="a",
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        tokens=tokens or len(content) // 4,
        size=len(content),
        lines=content.count(b"\n") + (not content.endswith(b"\n")),
        sha256=hashlib.sha256(content).hexdigest(),
    )

    def from_line(line: int) -> Iterator[Chunk]:
        before = max((one.ordinal for one in chunks if one.first_line < line), default=0)
        return iter(chunks[before:])

    def from_byte(byte: int) -> Iterator[Chunk]:
        return iter(chunks[max((one.ordinal for one in chunks if one.first_byte <= byte), default=0) :])

    return StoredText(detail, from_line, from_byte)


def every_page(text: StoredText, request: PageRequest) -> bytes:
    """What an agent gets that goes on to the end."""
    content, page = b"", 1
    while True:
        one = numbered_page(text, request.model_copy(update={"page": page}))
        content += one.content
        if not one.more:
            return content
        page += 1


def followed(text: StoredText, request: PageRequest | None) -> Iterator[DetailPage]:
    """The pages of some lines, or of a query, to the end, as each says how to go on."""
    while request:
        page = matching_page(text, request) if request.query else page_of_lines(text, request)
        yield page
        request = page.go_on


LINE = st.binary(max_size=120).map(lambda line: line.replace(b"\n", b"") + b"\n")


@settings(deadline=None)
@given(st.lists(LINE | st.just(b"y" * 70_000 + b"\n") | st.just(b"z" * 900), min_size=1, max_size=120))
def test_all_pages_are_the_text(lines: list[bytes]) -> None:
    """Byte by byte, in any order of short and long lines; the line of a page is the one it begins in."""
    content = b"".join(lines) or b"x"
    text = stored(content)
    assert content == every_page(text, PageRequest(tokens=100))
    last = numbered_page(text, PageRequest(tokens=100, page=max(1, numbered_page(text, PageRequest(tokens=100)).pages)))
    place = len(content) - len(last.content)
    assert content[:place].count(b"\n") + 1 == last.first_line


def test_lines_are_exact() -> None:
    """With their numbers, and how to go on where a page holds no more."""
    content = b"".join(b"line %d\r\n" % number for number in range(1, 30_001))
    text = stored(content)
    page = page_of_lines(text, PageRequest(lines="100-180"))
    assert content.splitlines(keepends=True)[99:180] == page.content.splitlines(keepends=True)
    assert (100, 180, 30_000, "") == (page.first_line, page.last_line, page.lines, page.more)
    first = page_of_lines(text, PageRequest(lines="20000-", tokens=100))
    assert f'Go on with lines="{first.last_line + 1}-30000".' == first.more
    assert b"line 30000\r\n" == page_of_lines(text, PageRequest(lines="30000")).content


@table("end", [b"\n", b"\n" + b"y" * 3_000 + b"\n"])
def test_who_goes_on_misses_nothing(end: bytes) -> None:
    """The pages of some lines are these lines, also behind one that is longer than a page; so it is with matches."""
    content = b"".join(b"line %d" % number + (end if number == 40 else b"\n") for number in range(1, 200))
    text = stored(content)
    wanted = PageRequest(lines="10-150", tokens=100)
    lines = content.split(b"\n")[9:150]
    assert b"\n".join(lines) + b"\n" == b"".join(page.content for page in followed(text, wanted))
    matches = list(followed(text, PageRequest(query="line", tokens=100)))
    assert len(matches) > 3
    assert list(range(len(matches))) == [page.page - 1 for page in matches]
    shown = [line for page in matches for line in lines_of(page) if line.matches]
    assert 199 == len({line.number for line in shown})
    assert all(line.text.startswith("line ") for line in shown)


def test_the_lines_of_a_page_have_their_numbers() -> None:
    """Of a text and of a query, whose neighbours do not match; the end of a line is no part of it."""
    text = stored(b"".join(b"%d- x: y\r\n" % number for number in range(1, 30)))
    lines = list(lines_of(page_of_lines(text, PageRequest(lines="7-8"))))
    assert [(7, "7- x: y"), (8, "8- x: y")] == [(line.number, line.text) for line in lines]
    shown = list(lines_of(matching_page(text, PageRequest(query="9-"))))
    assert [7, 8, 9, 10, 11, 17, 18, 19, 20, 21, 27, 28, 29] == [line.number for line in shown]
    assert [9, 19, 29] == [line.number for line in shown if line.matches]
    assert "9- x: y" == shown[2].text


def test_a_line_that_is_longer_than_a_page() -> None:
    """It is cut, says so, and the rest of it comes page by page."""
    long = b"".join(b"%07d," % number for number in range(20_000))
    text = stored(b"first\n" + long + b"\nlast\n")
    content, page = b"", 1
    while True:
        one = page_of_lines(text, PageRequest(lines="2", page=page))
        content += one.content
        assert (2, 2) == (one.first_line, one.last_line)
        if not one.more:
            break
        assert f'Line 2 is longer than a page and is cut here. Go on with lines="2", page={page + 1}.' == one.more
        page += 1
    assert long + b"\n" == content
    with pytest.raises(PagesNotThere):
        page_of_lines(text, PageRequest(lines="2", page=page + 1))


def test_lines_that_are_not_there() -> None:
    """The sentence says how many there are, or how to write them."""
    assert (100, 180) == line_range("100-180", 500)
    assert (7, 7) == line_range(" 7 ", 500)
    assert (490, 500) == line_range("490-", 500)
    assert (490, 500) == line_range("490..900", 500)
    for lines in ("501", "9-3", "501-600"):
        with pytest.raises(LinesNotThere, match="from 1 to 500"):
            line_range(lines, 500)
    for lines in ("0", "a-b", "-5", "1-2-3", "9" * 40):
        with pytest.raises(LinesUnclear, match="100-180"):
            line_range(lines, 500)
    with pytest.raises(PagesNotThere, match="the last one is page 1"):
        numbered_page(stored(b"a\n"), PageRequest(page=2))


def test_lines_of_a_query() -> None:
    """With numbers and two lines around, whatever their case; a gap is marked."""
    lines = [f"line {number}" for number in range(1, 20_001)]
    lines[4_999], lines[5_001], lines[14_999] = "npm ERR! ERESOLVE", "code eresolve", "Błąd: ERESOLVE"
    page = matching_page(stored("\n".join(lines).encode()), PageRequest(query="ERESOLVE"))
    assert 3 == page.matches
    assert [
        "4998- line 4998",
        "4999- line 4999",
        "5000: npm ERR! ERESOLVE",
        "5001- line 5001",
        "5002: code eresolve",
        "5003- line 5003",
        "5004- line 5004",
        "--",
        "14998- line 14998",
        "14999- line 14999",
        "15000: Błąd: ERESOLVE",
        "15001- line 15001",
        "15002- line 15002",
    ] == page.text.split("\n")


def test_pages_of_a_query() -> None:
    """Every match comes on one page, and the number of all matches on each."""
    text = stored(b"".join(b"%d match\n%s" % (number, b"other\n" * 9) for number in range(1, 501)))
    seen, page = list[str](), 1
    while True:
        one = matching_page(text, PageRequest(query="match", page=page, tokens=400))
        assert 500 == one.matches
        seen += [line.partition(": ")[2] for line in one.text.split("\n") if ": " in line]
        if not one.more:
            break
        page += 1
    assert [f"{number} match" for number in range(1, 501)] == seen
    assert page == one.pages
    with pytest.raises(PagesNotThere):
        matching_page(text, PageRequest(query="match", page=page + 1, tokens=400))
    with pytest.raises(LinesUnclear):
        matching_page(text, PageRequest(query="   "))


def test_a_query_in_a_line_without_end() -> None:
    """What stands around the matches, also of one that lies over two chunks; each comes once."""
    long = bytearray(b"x" * 300_000)
    for place in (10, 65_532, 200_000):
        long[place : place + 6] = b"needle"
    page = matching_page(stored(b"head\n" + bytes(long) + b"\ntail\n"), PageRequest(query="Needle"))
    assert 3 == page.matches == page.text.count("needle")
    assert len(page.text) < 2_500


def test_a_query_behind_letters_of_which_lower_case_makes_two() -> None:
    """Each match comes once, and so it ends; a capital İ is found as the letter that it is."""
    page = matching_page(stored(f"{'İ' * 1_000}Error in İzmir".encode()), PageRequest(query="ERROR IN i"))
    assert (1, True) == (page.matches, page.text.endswith("İError in İzmir"))


@table("before", range(65_536 - 8, 65_536))
def test_a_match_that_lies_over_two_chunks(before: int) -> None:
    """Also within a letter of two bytes, and where lower case takes fewer of them."""
    page = matching_page(stored(f"{'x' * before}KİİİZ{'y' * 70_000}".encode()), PageRequest(query="kİİiz"))
    assert 1 == page.matches == page.text.count("KİİİZ")


def test_a_page_of_matches_in_chinese_is_no_larger() -> None:
    """A page is measured in bytes: a Chinese character takes three."""
    text = stored("".join(f"{'匹配' * 24}\n" for _ in range(20)).encode())
    pages = [matching_page(text, PageRequest(query="匹配", page=page, tokens=100)) for page in range(1, 11)]
    assert (10, 20) == (pages[0].pages, sum(len(page.text.splitlines()) for page in pages))
    assert all(len(page.text.encode()) <= 400 for page in pages)


def test_a_query_without_a_match() -> None:
    """An empty page that says so."""
    page = matching_page(stored(b"a\nb\n"), PageRequest(query="needle"))
    assert (0, "", 1) == (page.matches, page.text, page.pages)


def test_a_query_within_lines() -> None:
    """Of these lines alone, which the next page names too; so are the lines around a match."""
    text = stored(b"".join(b"%d match\n" % number for number in range(1, 20_001)))
    page = matching_page(text, PageRequest(query="match", lines="15000-15003"))
    assert (4, 15_000, 15_003) == (page.matches, page.first_line, page.last_line)
    one = matching_page(text, PageRequest(query="15001 ", lines="15001-15002"))
    assert ["15001: 15001 match", "15002- 15002 match"] == one.text.split("\n")
    assert "1 match, lines 15001-15002 of 20000" == one.heading
    long = matching_page(text, PageRequest(query="match", lines="100-", tokens=400))
    assert ("100-", 2) == (long.go_on and long.go_on.lines, long.go_on and long.go_on.page)
    assert "Go on with the same lines and query and page=2." == long.more
    with pytest.raises(LinesNotThere):
        matching_page(text, PageRequest(query="match", lines="30000"))


def test_no_match_is_a_sentence() -> None:
    """Which says where it was looked for."""
    text = stored(b"a\nb\n")
    assert "no match in its 2 lines" == matching_page(text, PageRequest(query="x")).heading
    assert "no match in lines 1-1 of 2" == matching_page(text, PageRequest(query="b", lines="1")).heading
