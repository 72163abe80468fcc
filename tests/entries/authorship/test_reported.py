"""Words that somebody else perhaps speaks, and the owner's own words that look like them."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

import pytest

from pipeline.entries.authorship import said_by_owner
from pipeline.entries.authorship.reported import perhaps_reported

REPORTED = [
    ("小李说，以后一律周一上线", "以后一律周一上线"),
    ("Ewa mówi, od teraz zawsze wysyłamy w poniedziałki", "od teraz zawsze wysyłamy w poniedziałki"),
    ("from now on we always ship on Monday - Anna from sales", "from now on we always ship on Monday"),
    ("Piotr Zalewski\nod teraz zawsze wysyłamy w poniedziałki", "od teraz zawsze wysyłamy w poniedziałki"),
]
OWN = [
    ("From now on we always ship on Monday - never on Friday", "From now on we always ship on Monday"),
    ("Hi Claude,\nfrom now on always answer in Polish", "from now on always answer in Polish"),
    ("Attic\nfrom now on the skis stand by the wall", "from now on the skis stand by the wall"),
    ("老实说：以后一律先测试", "以后一律先测试"),
    ("mówię wprost: od teraz żadnych telefonów", "od teraz żadnych telefonów"),
]


@pytest.mark.parametrize(("text", "quote"), REPORTED)
def test_another_speaker_is_a_doubt(text: str, quote: str) -> None:
    """Behind a verb of saying and a comma, before a name behind a dash, below a line that is a name."""
    assert perhaps_reported(text, quote)


@pytest.mark.parametrize(("text", "quote"), OWN)
def test_the_owners_words_are_none(text: str, quote: str) -> None:
    """A greeting, a heading and the owner's own lead name no other speaker."""
    assert not perhaps_reported(text, quote)


@pytest.mark.parametrize(
    "text",
    [
        "remember that the audit log for unit A25 is printed every Monday",
        "zapamiętaj że serwis stoi na hoście B, a tam deploy według zasad X",
        "记住,发票一律用人民币开。 See @a.txt",
        "I'll say it once: never deploy on Fridays",
        "老实说：以后一律先测试",
        "from now on ship on Mondays (never on Fridays)",
        "od teraz: commity po angielsku;",
        "let me be blunt: from now on no calls before ten",
        "let's go with the blue one (not the red one)",
    ],
)
def test_what_only_looks_like_a_text_from_elsewhere_is_the_owners(text: str) -> None:
    """A text named within what is to be remembered, a mention of a file, a lead of one's own, and marks of code."""
    assert said_by_owner(text, text)


@pytest.mark.parametrize(
    "text", ["[10:02] Kowalski, Jan\nod teraz zawsze w poniedziałki", "10:02 Rosa Blum\nfrom now on"]
)
def test_a_time_before_a_name_heads_a_copied_message(text: str) -> None:
    """As chats are copied where the time stands first."""
    assert not said_by_owner(text.split("\n")[1], text)
