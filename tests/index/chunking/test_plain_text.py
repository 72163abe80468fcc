"""The words of a piece of Markdown."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking import plain_text as wording
from tests.support.tables import table

PLAIN = {
    "- Anna: **hello** `x_y`": "Anna: hello x_y",
    "- [x] call [Bob](https://example.org/a_(b)) now": "call Bob now",
    "12. one\n    two": "one\ntwo",
    "> > quoted\n> - item": "quoted\nitem",
    "![a picture](p.png) of it": "a picture of it",
    "text <!-- a\ncomment --> more": "text  more",
    "open <!-- comment": "open <!-- comment",
    "see [[reply_to_current]]": "see [[reply_to_current]]",
    "[](https://example.org)": "[](https://example.org)",
    "<!-- nothing -->": "",
    "---": "---",
    "-": "-",
    "2 * 3 * 4": "2 * 3 * 4",
}
OURS = {
    "- Ship it ([DECISION-20260309-ship-it](../../memory/2026-03-09.md); session f4d82e91-0a6c, messages 3-4, 9) "
    "<!-- memory:decision-ef626970 check:709cbc -->": "Ship it",
    "- Owner: merge it (session `a b`, message 2; session c, messages 3-4) <!-- memory:action-1 check:709cbc -->": (
        "Owner: merge it"
    ),
    "- Dwadzieścia procent\n  [RULE-20260302-dwadzieścia](memory/2026-03-02.md), 2026-03-02, confidence 1.00, said on "
    "2 days <!-- memory:m-1 check:709cbc -->": "Dwadzieścia procent",
    "- **kept** [DECISION-20260302-a](../2026-03-02.md): A hold\n  score 0.42: decision, 5 days old\n  because it is "
    "new <!-- memory:k-1 check:709cbc -->": "kept: A hold\nbecause it is new",
    "- Dwadzieścia procent ([2026-03-02](memory/2026-03-02.md)) <!--m:9b25f8be 709cbc-->": "Dwadzieścia procent",
    "- Hania lives in Ełk (since 2026-03-14; [f-0eace304](../memory/retain/2026-03-14.md)) "
    "<!-- memory:f-0eace304-486ea4 check:7f6210 -->": "Hania lives in Ełk (since 2026-03-14)",
    "- [DECISION-20260302-a](../2026-03-02.md) <!-- memory:k-1 check:709cbc -->": "DECISION-20260302-a",
}
HEADINGS = {
    "## Plans <!-- memory:s check:123456 -->": "Plans",
    "## Plans <!--s:9b25f8be 123456-->": "Plans",
    "# Title ##": "Title",
    "# C#": "C#",
    "Under\nlined\n=====": "Under lined",
    "# [Link](x) and `code`": "Link and code",
    "#": "",
}


@table("text", PLAIN)
def test_marks_are_left_out(text: str) -> None:
    """What only Markdown needs goes; a link without a text keeps its target."""
    assert PLAIN[text] == wording.plain_words(text)


@table("text", OURS)
def test_an_item_of_ours_is_its_words(text: str) -> None:
    """Ids, sources, scores and confidence are for readers, not for searching; an id alone stays."""
    assert OURS[text] == wording.of_item(text)


@table("text", HEADINGS)
def test_a_heading_is_one_line(text: str) -> None:
    """Of either sort, without its marks."""
    assert HEADINGS[text] == wording.of_heading(text)


def test_code_and_html_keep_their_words() -> None:
    """A fence, a tag and a comment go; a tag that is all there is stays."""
    assert "py\nx = a[0](b)" == wording.of_code("```py\nx = a[0](b)\n```")
    assert "More" == wording.of_html('<details class="a">\n<!-- no -->\nMore</details>')
    assert '<img alt="a map">' == wording.of_html('<img alt="a map">')


def test_the_ids_that_a_text_names() -> None:
    """Anywhere in anybody's text where they look like ids; in an item of ours whatever it links."""
    mark = "<!-- memory:m-1 check:709cbc -->"
    assert ["RULE-20260202-nic-po-15"] == list(wording.entry_names("as RULE-20260202-nic-po-15 says"))
    assert ["own-id"] == list(wording.entry_names(f"- x [own-id](memory/a.md), [RULE-20260202](memory/b.md) {mark}"))
    assert [] == list(wording.entry_names("[own-id](memory/a.md)"))
    assert ["m-9b25f8be"] == list(wording.entry_names("- x ([2026-03-02](memory/a.md)) <!--m:9b25f8be 709cbc-->"))
    assert [] == list(wording.entry_names("## x <!--s:9b25f8be 709cbc-->"))


@table(
    ("words", "label"),
    [
        ("Anna: hi", "Anna"),
        ("why: one process", "why"),
        ("决定\uff1a每周四", "决定"),
        ("Shopping:", "Shopping"),
        ("https://example.org", ""),
        ("10:30 stand-up", ""),
        ("this is far too long a sentence: yes", ""),
        ("no colon", ""),
    ],
)
def test_a_label_is_what_stands_before_a_colon(words: str, label: str) -> None:
    """A few words, not a time or an address."""
    assert label == wording.label(words)


@given(st.text(alphabet="[]()<>!-`*#>|: \n\tab1\\\"'-", max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    """Nothing raises, and a text with a letter outside of comments keeps some."""
    for of in (
        wording.plain_words,
        wording.of_item,
        wording.of_html,
        wording.of_heading,
        wording.of_code,
        wording.label,
    ):
        of(text)
    assert bool(wording.plain_words(text)) or not any(map(str.isalnum, wording.without_comments(text)))
