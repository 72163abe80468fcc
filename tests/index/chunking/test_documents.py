"""From a file's bytes to its passages."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking import plain_text as wording
from pipeline.index.chunking.documents import front_matter, read_document
from pipeline.index.document import IndexedFile, Passage
from pipeline.markdown.blocks import seal_item
from pipeline.markdown.encoding import NotText
from pipeline.markdown.entries import render_entry
from pipeline.workspace.layout import Layout
from pipeline.workspace.listing import Listed
from schemas.entry import Entry, Kind, Source
from schemas.tier import Tier
from tests.support.tables import table

BLOCK = render_entry(
    Entry(
        id="DECISION-20260220-use-an-embedded-index",
        title="Use an embedded index",
        kind=Kind.DECISION,
        date=datetime(2026, 2, 20, 13, 5, 11, tzinfo=UTC),
        source=Source(session_id="8f1c2d", session_path="main:a", message_range=(41, 47), entry_ids=("a1b2c3d4",)),
        quote="ok, embedded it is, no server",
        conclusion="the embedded engine is the default",
        confidence=0.86,
    )
)


def read(text: str | bytes, path: str = "memory/2026-02-20.md", tier: Tier = Tier.WARM) -> IndexedFile:
    """The document of a file with this content."""
    data = text if isinstance(text, bytes) else text.encode()
    return read_document(Listed(path, path, tier, len(data), 0, 0, 1), data, Layout().place(path))


def spans(document: IndexedFile) -> list[tuple[int, int]]:
    """The lines of each passage."""
    return [(passage.start, passage.end) for passage in document.passages]


def words(document: IndexedFile) -> list[str]:
    """The words of each passage."""
    return [passage.words for passage in document.passages]


def test_a_page_is_cut_where_markdown_has_units() -> None:
    """Items, paragraphs, tables and code are passages under their headings; a section is what one heading rules."""
    document = read(
        "# Cabins\n\nWe rent six of them.\n\n"
        "## Prices\n- Anna: the sauna costs 150\n  per evening\n- Tom: the boat is free for everybody\n\n"
        "## Empty\n\n## Lake\n\n| lake | fish |\n|---|---|\n| Wigry | pike |\n"
    )
    assert [
        Passage(3, 3, "We rent six of them.", "We rent six of them.", ("Cabins",), section=1),
        Passage(
            6,
            7,
            "- Anna: the sauna costs 150\n  per evening",
            "Anna: the sauna costs 150\nper evening",
            ("Cabins", "Prices"),
            "Anna",
            2,
        ),
        Passage(
            8,
            8,
            "- Tom: the boat is free for everybody",
            "Tom: the boat is free for everybody",
            ("Cabins", "Prices"),
            "Tom",
            2,
        ),
        Passage(10, 10, "## Empty", "Empty", ("Cabins",), section=3),
        Passage(
            14,
            16,
            "| lake | fish |\n|---|---|\n| Wigry | pike |",
            "| lake | fish |\n|---|---|\n| Wigry | pike |",
            ("Cabins", "Lake"),
            section=4,
        ),
    ] == list(document.passages)


def test_an_entry_is_one_passage() -> None:
    """Whole, from its heading to its check; a person's text below it stands under its title."""
    document = read(f"# 2026-02-20\n\n{BLOCK}\nAsk Anna about the price.\n")
    entry, text = document.passages
    last = 2 + BLOCK.count("\n")
    assert (3, last, BLOCK.rstrip("\n")) == (entry.start, entry.end, entry.text)
    assert (entry.entry, "") == (entry.entry, entry.label)
    assert "DECISION-20260220-use-an-embedded-index" == entry.about[0]
    assert (("2026-02-20",), ("2026-02-20", "Use an embedded index")) == (entry.headings, text.headings)
    assert (last + 2, entry.section) == (text.start, text.section)


def test_an_open_fence_hides_no_entry() -> None:
    """Somebody's code block above that nobody closed ends where an entry begins."""
    assert [None, "Use an embedded index"] == [
        passage.entry and passage.entry.title for passage in read(f"```\nx = 1\n\n{BLOCK}").passages
    ]


def test_items_of_our_pages_are_words_and_ids() -> None:
    """Marks and sources are not words; an empty section of ours is nothing, one that a person edited is found."""
    link = "[DECISION-20260309-ship-it](../../memory/2026-03-09.md)"
    item = seal_item("decision-1", f"- Ship it ({link}; session f4d82e91-0a6c, messages 3-4)")
    open_loops, edited = seal_item("open-loops", "## Open loops"), seal_item("next", "## Next").replace("Next", "Later")
    document = read(f"## Decisions\n{item}\n{open_loops}\n{edited}", "second-brain/summaries/2026-03-09-wrapup.md")
    assert ["Ship it", "Later"] == words(document)
    assert ("DECISION-20260309-ship-it",) == document.passages[0].about
    assert ("summary", "accepted", date(2026, 3, 9)) == (document.kind, document.trust, document.day)


@table(("edit", "answers"), [("", False), (" And my own.", True)])
def test_what_a_page_says_of_itself_answers_nothing(edit: str, answers: bool) -> None:  # noqa: FBT001 - a table
    """As we wrote it; what a person made of it does."""
    page = seal_item("about", "What to read first.").replace("first.", f"first.{edit}")
    indexed = [passage.words for passage in read(f"# Memory\n\n{page}\n## Rules\n- no mail\n", "MEMORY.md").passages]
    assert answers == any("What to read first" in words for words in indexed)


def test_a_small_nested_list_is_one_passage_and_a_large_one_is_several() -> None:
    """Its items then carry the line that they stand under."""
    small = read("- plan\n  - buy the paint and the brushes\n  - paint\n- other things to be done there\n")
    assert [(1, 3), (4, 4)] == spans(small)
    large = read(
        "- **plan** of May\n  more\n" + "".join(f"  - step {at} {'word ' * 60}\n" for at in range(3)) + "  end\n"
    )
    assert [(1, 2), (3, 3), (4, 4), (5, 6)] == spans(large)
    assert [(), ("plan of May",), ("plan of May",), ("plan of May",)] == [
        passage.headings for passage in large.passages
    ]


def test_very_short_items_stand_together() -> None:
    """A shopping list is not thirty passages; what somebody said is its own, however short."""
    assert [(1, 6), (7, 8)] == spans(read("".join(f"- thing {at}\n" for at in range(8))))
    assert [(1, 1), (2, 2), (3, 4)] == spans(read("- Anna: ok\n- Tom: fine\n- milk\n- bread\n"))


def test_what_a_line_leads_in_stands_with_it() -> None:
    """Code and a table go with the paragraph that ends with a colon."""
    document = read("Run this:\n\n```sh\nmake\n```\n\nNot this.\n\n```sh\nrm\n```\n")
    assert [(1, 5), (7, 7), (9, 11)] == spans(document)
    assert ["Run this:\nsh\nmake", "Not this.", "sh\nrm"] == words(document)


def test_a_long_table_repeats_its_first_row() -> None:
    """In the words of each part, not in its lines."""
    document = read("| lake | fish |\n|---|---|\n" + "".join(f"| lake {at} | pike and perch |\n" for at in range(100)))
    assert len(document.passages) > 1
    assert all("fish" in passage.words for passage in document.passages)
    assert all("fish" not in passage.text for passage in document.passages[1:])
    assert 102 == document.passages[-1].end


def test_a_long_line_is_several_passages_of_that_line() -> None:
    """Each shows the whole line, and is found by its own part."""
    line = "The boat leaves at nine. " * 200
    document = read(f"{line}\nand more\n")
    own = [passage for passage in document.passages if passage.start == passage.end == 1]
    assert {line} == {passage.text for passage in own}
    assert line.split() == " ".join(passage.words for passage in own).split()


def test_a_very_long_heading_is_retrieved_as_such() -> None:
    """What is below carries only its beginning."""
    document = read(f"# {'word ' * 100}\ntext\n")
    assert [(1, 1), (2, 2)] == spans(document)
    assert 200 == len(document.passages[1].headings[0])


def test_comments_and_rules_are_nothing() -> None:
    """What a reader does not see is not found; what nobody closed is text."""
    assert [] == spans(read("<!-- a\n\nb -->\n\n---\n\n***\n"))
    assert ["a", "<!-- b"] == words(read("a <!-- x -->\n\n<!-- b\n"))


def test_front_matter_is_the_heading_of_all() -> None:
    """Its title and tags are; its date is the day; a file of nothing else is found by them."""
    document = read("---\ntitle: Cabins\ntags: [lake]\ndate: 2026-02-03\n---\n# A\n\ntext\n", "memory/projects/c.md")
    assert [("Cabins", "lake", "A")] == [passage.headings for passage in document.passages]
    assert (date(2026, 2, 3), [(8, 8)]) == (document.day, spans(document))
    assert [(1, 3, "Cabins")] == [
        (passage.start, passage.end, passage.words) for passage in read("---\ntitle: Cabins\n---\n").passages
    ]
    assert [(5, 5)] == spans(read("---\n\n## Batch: 1\n\nx\n\n---\n"))


def test_the_first_heading_may_tell_the_day() -> None:
    """Where neither the name nor the front matter does."""
    assert date(2026, 2, 10) == read("# 2026-02-10 日次ログ\n\n- a\n", "memory/log.md").day
    assert None is read("# Log\n\n- 2026-02-10\n", "memory/log.md").day


def test_raw_conversation_has_low_trust() -> None:
    """A hook's file is told by its turns, whatever Markdown is in them; plain text by its paragraphs."""
    hook = (
        "# Session: 2026-01-30 16:12:01 UTC\n\n- **Session Key**: agent:main:main\n\n## Conversation Summary\n\n"
        "user: what was the price?\n# not a heading\n\n- a list\nassistant: 150 a night\n"
    )
    document = read(hook, "memory/2026-01-30-1612.md")
    assert ("raw", "low", [(3, 3), (7, 10), (11, 11)]) == (document.kind, document.trust, spans(document))
    assert ["Session Key", "user", "assistant"] == [passage.label for passage in document.passages]
    assert {("Session: 2026-01-30 16:12:01 UTC", "Conversation Summary")} == {
        passage.headings for passage in document.passages[1:]
    }
    plain = read("# one\ntwo\n\nthree\n", "memory/a.txt")
    assert ("raw", "low", [(1, 2), (4, 4)]) == (plain.kind, plain.trust, spans(plain))


def test_what_is_no_text_is_refused() -> None:
    """Binary data, in which zero bytes stand among bytes that are no UTF-8."""
    for data in (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", b"PK\x03\x04\0\0\xe9"):
        with pytest.raises(NotText, match="NUL"):
            read(data)


@table(
    ("data", "lines"),
    [
        (b"caf\xe9 at the pier\n\nthe lamp\n", ["caf\ufffd at the pier", "the lamp"]),
        ("the lamp\n\nna molo\n".encode("utf-16"), ["the lamp", "na molo"]),
        ("the lamp\n\nna molo\n".encode("utf-16-be"), ["the lamp", "na molo"]),
        (b"the lamp\n\n" + b"\0" * 4000, ["the lamp"]),
        (b"\0" * 4000, []),
        ("灯".encode()[:2] + b"\n\nthe lamp\n", ["\ufffd", "the lamp"]),
    ],
)
def test_what_can_be_read_of_a_damaged_text_is_read(data: bytes, lines: list[str]) -> None:
    """A byte of an old editor, another encoding, the zeros of a power cut: nothing of it hides the rest."""
    assert lines == [passage.text for passage in read(data, "memory/projects/a.md").passages]


def test_lines_are_those_of_an_editor() -> None:
    """LF and CRLF end a line; a lone CR, a form feed and U+2028 do not; a byte order mark is not shown."""
    document = read("\ufeff# A\r\n\r\none\rtwo\u2028three\x0cfour\r\nfive".encode())
    assert [
        Passage(3, 4, "one\rtwo\u2028three\x0cfour\nfive", "one\rtwo\u2028three\x0cfour\nfive", ("A",), section=1)
    ] == (list(document.passages))
    assert [(1, 1)] == spans(read("# one\r# two\r"))
    assert [] == spans(read(b""))


ODD = st.text(alphabet="ab1 \t\r\n-*+#>|`~=_[]():<!/.\u3000\u2028\x0c漢é", max_size=120)
PIECES = st.lists(
    st.one_of(
        ODD,
        st.sampled_from([BLOCK, "---\ntitle: a\n---\n", "<!-- ", " -->", seal_item("a", "# b"), seal_item("c", "- d")]),
        st.sampled_from(["- a\n  - b\n", "| a | b |\n|---|---|\n", "```\n", "user: x\n", "word " * 300, "字。" * 400]),
    ),
    max_size=8,
)


def _seen(lines: Sequence[str]) -> Iterator[int]:
    """The lines, from 1, that say something to a reader."""
    start = front_matter(lines).lines
    # Line by line: a line of a comment may well say what another line says outside of it.
    bare = re.sub("<!--.*?-->", lambda match: "\n" * match[0].count("\n"), "\n".join(lines[start:]), flags=re.DOTALL)
    for number, (line, left) in enumerate(zip(lines[start:], bare.split("\n"), strict=True), start + 1):
        if any(map(str.isalnum, left)) and "<!--" not in line and "-->" not in line:
            yield number


@given(PIECES)
def test_every_line_is_retrieved_and_cited_as_it_stands(pieces: list[str]) -> None:
    """Whatever the text: passages are in order, show exactly their lines, and leave out no line that says something."""
    data = "".join(pieces).encode()
    lines = [line.removesuffix("\r") for line in data.decode("utf-8-sig").split("\n")]
    document = read(data)
    covered, headings = set[int](), set[str]()
    for passage in document.passages:
        assert 1 <= passage.start <= passage.end <= len(lines)
        assert "\n".join(lines[passage.start - 1 : passage.end]) == passage.text
        assert passage.words.strip()
        covered.update(range(passage.start, passage.end + 1))
        headings.update(passage.headings)
    assert sorted(passage.start for passage in document.passages) == [piece.start for piece in document.passages]
    said = " ".join(headings)
    left = [lines[number - 1] for number in _seen(lines) if number not in covered]
    assert [] == [line for line in left if not set(wording.of_heading(line).split()) <= set(said.split())]
    assert document == read(data)


@given(st.binary(max_size=300))
def test_no_bytes_are_too_odd(data: bytes) -> None:
    """They are a document or no text."""
    with suppress(NotText):
        assert "memory/2026-02-20.md" == read(data).path


HOSTILE = {
    "one line": "word " * 1_000_000,
    "one line without a space": "x" * 5_000_000,
    "one Chinese line": "漢字。" * 500_000,
    "signs": "#" * 100_000,
    "headings": "# x\n" * 20_000,
    "lists in lists": "- " * 100_000 + "x",
    "quotations in quotations": ">" * 100_000 + " x",
    "brackets": "[" * 1_000_000,
    "links": "[a](" * 500_000,
    "comments": "<!--" * 500_000 + "-->",
    "spaces": "- a" + " " * 1_000_000 + "b",
    "spaces in a heading": "# a" + " " * 1_000_000 + "b",
    "spaces in an id": "- id: a" + " " * 1_000_000 + "b",
    "marks": "x <!-- memory:a check:aa -->" * 50_000,
    "ids": "- id: a\n" * 20_000,
    "empty lines": "\n" * 2_000_000,
}


@pytest.mark.processor
@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_for_ever(name: str) -> None:
    """Time grows with the size of a file, whatever stands in it."""
    started = time.process_time()
    read(HOSTILE[name])
    assert time.process_time() - started < 10
