"""The part of a hit that answers."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.search.citations import LONGEST, cut_snippet, passage_text
from pipeline.language.analysis import terms
from pipeline.markdown.entries import render_entry
from tests.support.tables import table
from tests.support.workspaces.indexed import said

FILLER = "nothing to see here and more of the same "


def test_a_short_text_is_shown_whole_and_plain() -> None:
    """On one line, without the marks of Markdown."""
    assert "Anna: the lamp is green" == passage_text("- **Anna**: the lamp\n  is `green`").snippet(terms("lamp"))


def test_a_long_text_is_cut_around_its_densest_place() -> None:
    """At the ends of words, with marks that it goes on."""
    text = FILLER * 20 + "the brass lamp costs forty zloty " + FILLER * 20
    snippet = passage_text(text).snippet(terms("brass lamp cost"))
    assert "the brass lamp costs forty zloty" in snippet
    assert LONGEST >= len(snippet)
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert set(snippet.strip("…").split()) <= set(text.split())


def test_chinese_is_cut_by_characters() -> None:
    """There are no spaces to cut at."""
    snippet = passage_text("无关的内容" * 100 + "日志保留期改为九十天" + "无关的内容" * 100).snippet(terms("日志保留"))
    assert "日志保留期改为九十天" in snippet
    assert LONGEST >= len(snippet)


@table(
    ("title", "quote", "shown"),
    [
        ("Light in the hall", "we take the brass lamp", "Light in the hall: we take the brass lamp"),
        ("we take the brass…", "we take the brass lamp", "we take the brass lamp"),
        ("The lamp is green.", "remember that the lamp is green", "remember that the lamp is green"),
    ],
)
def test_an_entry_shows_its_title_and_its_words(title: str, quote: str, shown: str) -> None:
    """Never its keys; a title is left out where its words are in the quote."""
    entry = said("DECISION-20260220-a", "2026-02-20", quote, title=title)
    assert shown == passage_text(render_entry(entry)).snippet(terms("lamp"))


@table(
    ("line", "shown"),
    [
        ("- W @Anna: Anna lives in Ełk", "Anna lives in Ełk"),
        ('- W @Anna: Anna lives in Ełk\n  "remember anna lives in ełk"', "Anna lives in Ełk"),
        (
            '- O @Anna: Anna likes tea.\n  "she takes tea, never coffee"',
            'Anna likes tea. "she takes tea, never coffee"',
        ),
    ],
)
def test_a_fact_shows_its_text(line: str, shown: str) -> None:
    """With its quote where that is in other words."""
    marked = f"{line}, session s, message 3, owner <!--f:0eace304 597ee4-->"
    assert shown == passage_text(marked if '"' in line else line).snippet(terms("anna"))


def test_an_entry_shows_the_part_that_was_asked_for() -> None:
    """The reason, when that has more of the question than the quote."""
    entry = said("DECISION-20260220-a", "2026-02-20", "we take it", title="Lamp", why="the old one was too heavy")
    assert "Lamp: the old one was too heavy" == passage_text(render_entry(entry)).snippet(terms("too heavy"))


@given(st.text(min_size=1, max_size=3000), st.integers(10, 300))
def test_a_cut_is_never_too_long(line: str, longest: int) -> None:
    """Whatever the text."""
    assert longest >= len(cut_snippet(line, terms(line[-20:]), longest)) or len(line) <= longest


@given(st.text())
def test_any_text_has_a_snippet_on_one_line(text: str) -> None:
    """Without line ends of any sort."""
    assert 1 >= len(passage_text(text).snippet(()).splitlines())
