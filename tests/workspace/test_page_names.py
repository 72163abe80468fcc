"""Names of pages: safe whatever they are made of."""

# ruff: noqa: RUF001 - full-width letters and dots are what an attacker writes paths with

from hypothesis import given
from hypothesis import strategies as st

from pipeline.workspace.file_access import LONGEST, page_name, same_page
from tests.support.tables import table


@table(
    ("text", "name"),
    [
        ("Kasia Nowak", "Kasia-Nowak"),
        ("Łucja", "Łucja"),
        ("小明", "小明"),
        ("../../MEMORY", "MEMORY"),
        ("．．／ＭＥＭＯＲＹ", "MEMORY"),
        ("-a--b-", "a-b"),
        ("C:\\x", "C-x"),
    ],
)
def test_a_name_is_letters_digits_and_hyphens(text: str, name: str) -> None:
    """What people read stays readable."""
    assert name == page_name(text)


@given(st.text())
def test_every_text_has_a_safe_name(text: str) -> None:
    """One part of a path, never hidden, never empty, not too long; and the name of a name is that name."""
    name = page_name(text)
    assert 0 < len(name.encode()) <= LONGEST
    assert all(word.isalnum() or word == "-" for word in name)
    assert not name.startswith("-")
    assert name == page_name(name)


def test_long_names_and_empty_ones_are_distinguished() -> None:
    """By a hash of the whole text."""
    assert page_name("a" * 200 + "b") != page_name("a" * 200 + "c")
    assert page_name("!") != page_name("?")


def test_upper_and_lower_case_are_one_page() -> None:
    """As on file systems that do not tell them apart."""
    assert (True, False) == (same_page("Kasia", "KASIA"), same_page("Kasia", "Kąsia"))
