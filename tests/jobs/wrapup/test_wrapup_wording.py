"""Text on a line of a page: it reads the same and can do nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.wrapup.point import Place
from jobs.wrapup.wording import cited, inline, link, listed, short_ids, spans


@pytest.mark.parametrize(
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
    line = listed(text, ["[s](p) 1"])

    assert "<!--" not in line
    assert 1 == len(line.splitlines())
    assert line.startswith("- ")
    assert line.endswith(" ([s](p) 1)")


def test_a_link_keeps_its_target_searchable() -> None:
    """Only what a bare target cannot hold is put into angle brackets."""
    assert "[b8](openclaw:agents/main/sessions/b8.jsonl)" == link("b8", "openclaw:agents/main/sessions/b8.jsonl")
    assert "[a](<claude:-home-me/my notes (1).jsonl>)" == link("a", "claude:-home-me/my notes (1).jsonl")
    assert "[x\\]&lt;!--y](<p%3C!--%3E>)" == link("x]<!--y", "p<!-->")


def test_message_numbers_are_told_as_ranges() -> None:
    """Only of those that follow each other: numbers between may be a tool's."""
    assert "4-6, 9" == spans([9, 5, 4, 6, 5])
    assert "[b83e6f14](openclaw:b.jsonl) 7" == cited(Place("b83e6f14-77", "openclaw:b.jsonl", (7,)), "b83e6f14")


def test_a_short_id_grows_until_it_is_one_sessions() -> None:
    """Some agents begin the ids of a day all alike."""
    ids = ["session-20260302-a1b2", "session-20260302-a1c3", "b83e6f14-aaaa-bbbb"]

    assert ["session-20260302-a1b", "session-20260302-a1c", "b83e6f14-aaaa-bbbb"] == list(
        dict(sorted(short_ids(ids).items(), key=lambda item: ids.index(item[0]))).values()
    )


@given(st.sets(st.text("ab-1", max_size=12), max_size=6))
def test_short_ids_tell_sessions_apart(ids: set[str]) -> None:
    """They are beginnings of the ids, of at least eight characters where there are as many."""
    shorts = short_ids(ids)

    assert len(ids) == len(set(shorts.values()))
    assert all(each.startswith(short) and len(short) >= min(8, len(each)) for each, short in shorts.items())
    assert not any(re.search(r"\s", short) for short in shorts.values())
