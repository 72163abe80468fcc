"""Mentions of a topic."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.mentions import TopicMatcher, tokens

SAID = (
    ("Gdańsk", "Piekarnia stoi w mieście GDAŃSK.", True),
    ("Gdańsk", normalize("NFD", "stoi w mieście Gdańsk"), True),
    ("Gdańsk", "Piekarnia stoi w Gdańsku.", False),
    ("Gdańsk", "Gdansk", False),
    ("Kasia", "Kąsia", False),
    ("Kasia", normalize("NFD", "Kasiá"), False),
    ("Anna Nowak", "for anna-nowak, on Friday", True),
    ("Anna Nowak", "Anna, NOWAK!", True),
    ("Anna Nowak", "Anna Maria Nowak", False),
    ("ann", "Anna", False),
    ("falcon", "the server 在falcon的机房", True),
    ("小王", "我和小王一起去。", True),
    ("小王", "小 王", True),
    ("小王", "王小", False),
    ("C++", "we write c", True),
)


def test_whole_words_count() -> None:
    """Case and marks do not count; accents, and where a word ends, do."""
    assert [] == [(name, text) for name, text, meant in SAID if meant != TopicMatcher((name,)).named_in(text)]


def test_other_forms_are_alike() -> None:
    """The same stem, or the word without its accents, may mean it too; a name itself is not alike."""
    matcher = TopicMatcher(("Gdańsk", "Anna Nowak"))
    text = "W Gdańsku i Gdansk, nie Gdynia. Gdańsk! Anny Nowak, Anna Nowak, Kowalska."
    assert {"Gdańsku", "Gdansk", "Anny Nowak"} == matcher.similar_words(text)
    assert set() == TopicMatcher(("小王",)).similar_words("我和小王一起去。")


def test_cases_count_as_they_are_written() -> None:
    """A name counts in any letters, a case of it with its capital alone."""
    matcher = TopicMatcher(("Ewa",), ("Ewy",))
    assert "[x] i [x] i [x] ewy EWY" == matcher.without("EWA i ewa i Ewy ewy EWY", "[x]")
    assert "Ewy" in matcher.forms
    assert "ewy" not in matcher.forms


def test_a_stand_in_takes_the_place_of_names() -> None:
    """Also in the answer of a model, where JSON has escaped it."""
    matcher = TopicMatcher(("Gdańsk",))
    assert "w [x], nie Gdańsku" == matcher.without("w Gdańsk, nie Gdańsku", "[x]")
    assert matcher.answered_in('{"a": ["w Gda\\u0144sk"]}')
    assert not matcher.answered_in('{"a": ["w Gdyni"]}')
    assert not matcher.answered_in('{"gdańsk": ["w Gdyni"], "kind": "gdańsk"}')


@given(st.text(min_size=1), st.text(), st.text())
def test_nothing_named_is_left(name: str, before: str, behind: str) -> None:
    """Whatever the name and the text: what is left has no name, and never raises."""
    matcher = TopicMatcher((name,))
    if tokens(name):
        text = f"{before} {name} {behind}"
        assert matcher.named_in(text)
        assert not matcher.named_in(matcher.without(text, "[]"))
