"""What holds of the words of any text."""

import unicodedata

import hypothesis.strategies as st
from hypothesis import example, given

from pipeline.language.analysis import grams, query_terms, terms

PIECES = st.sampled_from(
    [
        *("Postgresa", "getUserName", "user_id", "2026-02-20", "20", "lutego", "February", "1,000", "1", "000", "30%"),
        *("€5", "$", "数据", "庫", "為什麼", "ł", "ó", "a/", "-", ".", "'", "@", "_", "v2.1", "ど", "\uff21\uff22"),
    ]
)
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=3)).map("".join) | st.lists(PIECES).map(" ".join)
ASCII = st.text(st.characters(max_codepoint=127)) | st.lists(PIECES.filter(str.isascii)).map(" ".join)


@given(TEXTS)
@example("a/" * 100)
@example("\ud800")
def test_any_text_has_terms_always_the_same(text: str) -> None:
    """Nothing a file may hold makes it fail."""
    lines = terms(text)
    assert lines == terms(text)
    assert all(lines)


@given(TEXTS)
def test_no_term_has_a_blank(text: str) -> None:
    """The index is given terms with a blank between two."""
    for terms_of in (terms(text), grams(text), query_terms(text)):
        assert terms_of == " ".join(terms_of).split()


@given(TEXTS)
def test_the_form_of_unicode_does_not_matter(text: str) -> None:
    """Systems and keyboards differ in it."""
    forms = [unicodedata.normalize(form, text) for form in ("NFKC", "NFKD")]
    assert [terms(text)] * 2 == [terms(form) for form in forms]


@given(ASCII)
@example("20TH OF FEB 2026 K8S V2.1 DON'T")
def test_capitals_do_not_matter(text: str) -> None:
    """Except within a word, where they divide it: that is left out here by asking for all small and all large."""
    assert terms(text.lower()) == terms(text.upper())
    assert query_terms(text.lower()) == query_terms(text.upper())


@given(TEXTS)
def test_a_question_with_terms_asks_for_some_of_them(text: str) -> None:
    """Whatever is left out of it, something stays, and it is what a text of the same words has."""
    lines, asked = terms(text), query_terms(text)
    assert bool(lines) == bool(asked)
    assert set(asked) <= set(lines)
