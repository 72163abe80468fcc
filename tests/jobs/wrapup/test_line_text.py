"""Text on a line of a page: it reads the same and can do nothing."""

from hypothesis import given
from hypothesis import strategies as st

from jobs.wrapup.line_text import as_cited, citation, citations, inline, link, list_item, spans
from tests.support.tables import table


@table(
    ("said", "stands"),
    [
        ("plain words, 5 < 6 and `code`", "plain words, 5 < 6 and `code`"),
        ("# A heading", "A heading"),
        ("- [ ] a task", "a task"),
        ("> quoted", "quoted"),
        (">quoted", "\\>quoted"),
        ("1. first", "1\\. first"),
        ("12) first", "12\\) first"),
        ("3.5 GB is enough", "3.5 GB is enough"),
        ("-5 degrees in #general", "-5 degrees in #general"),
        ("```sh rm```", "`sh rm`"),
        ("```sh rm", "`sh rm"),
        ("~~~ x", "\\~~~ x"),
        ("1.", "1\\."),
        ("\\``x`<img>`", "\\``x`&lt;img>`"),
        ("two\nlines\u2028and\ttabs\x00", "two lines and tabs"),
        ("a <!-- memory:x check:000000 --> b", "a &lt;!-- memory:x check:000000 --> b"),
        ("`<!-- memory:x -->`", "`<! -- memory:x -->`"),
        ("\\`<img src=x>\\`", "\\`&lt;img src=x>\\`"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("`List<int>` not List<int>", "`List<int>` not List&lt;int>"),
        ("![x](http://x/?secret) and [y](z)", "![x]\\(http://x/?secret) and [y]\\(z)"),
        ("Zażółć **gęślą** jaźń", "Zażółć **gęślą** jaźń"),
        ("用户决定 [9:30] 开会", "用户决定 [9:30] 开会"),
    ],
)
def test_text_on_a_line(said: str, stands: str) -> None:
    """What would begin a block, a tag, a comment, a link or an image is written so that it reads as itself."""
    assert stands == inline(said)


@given(st.text(max_size=60) | st.text("<!->`]([#*\\\n memory:x1.", max_size=40))
def test_no_text_begins_a_comment_a_link_or_another_line(text: str) -> None:
    """Whatever a model answers."""
    line = list_item(text, ["session s, message 1"])

    assert "<!--" not in line
    assert 1 == len(line.splitlines())
    assert line.startswith("- ")
    assert line.endswith(" (session s, message 1)")


def test_a_link_keeps_its_target_searchable() -> None:
    """Only what a bare target cannot hold is put into angle brackets."""
    assert "[b8](openclaw:agents/main/sessions/b8.jsonl)" == link("b8", "openclaw:agents/main/sessions/b8.jsonl")
    assert "[a](<claude:-home-me/my notes (1).jsonl>)" == link("a", "claude:-home-me/my notes (1).jsonl")
    assert "[x\\]&lt;!--y](<p%3C!--%3E>)" == link("x]<!--y", "p<!-->")


def test_message_numbers_are_shown_as_ranges() -> None:
    """Only of those that follow each other: numbers between may be a tool's."""
    assert "4-6, 9" == spans([9, 5, 4, 6, 5])


@table(
    ("session_id", "numbers", "stands"),
    [
        ("b83e6f14-90ad", "7", "session b83e6f14-90ad, message 7"),
        ("agent-a4e7_1.reset", "4-6, 9", "session agent-a4e7_1.reset, messages 4-6, 9"),
        ("会话3", "1-2", "session 会话3, messages 1-2"),
        ("_a_", "1", "session `_a_`, message 1"),
        ("a](x) *b*", "1", "session `a](x) *b*`, message 1"),
        ("a`<!-- memory:x -->\nb", "1", "session `a'<! -- memory:x --> b`, message 1"),
    ],
)
def test_a_session_is_named_whole_and_in_plain_words(session_id: str, numbers: str, stands: str) -> None:
    """It reads well in an editor, can be searched for, and does nothing when the page is rendered."""
    assert stands == citation(session_id, numbers)


@given(st.text(max_size=30) | st.text("<!->`]([#*\\\n_x1", max_size=20))
def test_no_session_id_begins_a_comment_or_another_line(session_id: str) -> None:
    """Ids are names of files, and these may be anything."""
    line = citation(session_id, "1")

    assert "<!--" not in line
    assert 1 == len(line.splitlines())


@table("session_id", ["8f1c2d", "a `b", "-x; y, message 3", "会话:2", "<!-- x -->", ""])
def test_the_sources_of_a_line_are_read_back(session_id: str) -> None:
    """Whatever a session is called, and whatever the words before them or a person's behind them look like."""
    sources = [citation(session_id, "4-6, 9"), citation("other", "1")]

    for text in ("x", "see (session none, message 7)"):
        for behind in ("", " and mine"):
            result = citations(list_item(text, sources) + behind)
            assert {as_cited(session_id): [(4, 6), (9, 9)], "other": [(1, 1)]} == result
    assert {} == citations("- nothing (session, message 1) (session x, messages)")


@given(st.text())
def test_sources_are_read_of_any_line(text: str) -> None:
    """A person may have written anything."""
    assert all(citations(text).values())
