"""Headings out of the words that entries share."""

from typing import Any

import pytest

from jobs.consolidation.headings import Subjects
from schemas.entry import Entry, Kind

History = Any  # the fixture of conftest.py, which is no module that could be imported


def said(history: History, *texts: str, kind: Kind = Kind.RULE) -> list[Entry]:
    """An entry for each text."""
    for text in texts:
        history.say(text, kind=kind)
    return [noted.entry for noted in history.noted[-len(texts) :]]


def headings(history: History, *texts: str) -> list[str]:
    """The headings of entries that say this, in order."""
    entries = said(history, *texts)
    result = Subjects([], entries).assign(entries)
    return [result[entry.id] for entry in entries]


@pytest.mark.parametrize(
    ("texts", "subject"),
    [
        (("Migrations at Heron are written by hand.", "On staging of Heron nobody writes."), "Heron"),
        (
            (
                "guests get no mail before nine",
                "photos of guests stay off the website",
                "the road is closed, guests take the forest road",
            ),
            "Guests",
        ),
        (("團體訂單要留手機", "團體訂單的訂金用匯款", "團體訂單不能退"), "團體訂單"),
        (
            ("zamówienia internetowe do środy", "zamówienia bez poniedziałków", "zamówienia tylko z zaliczką"),
            "Zamówienia",
        ),
    ],
)
def test_what_they_share_is_the_heading(history: History, texts: tuple[str, ...], subject: str) -> None:
    """A name of two entries, or a word of three; as people write it."""
    assert {subject} == set(headings(history, *texts))


def test_a_heading_is_written_as_people_write_it(history: History) -> None:
    """Capitals inside a word stay; the first letter is a capital where they write none."""
    texts = ("move it to PostgreSQL", "a backup of PostgreSQL at night", "no PostgreSQL on the laptop")
    assert ["PostgreSQL"] * 3 == headings(history, *texts)


def test_parts_of_names_are_no_headings(history: History) -> None:
    """Of variables, files and tickets: people know these as a whole."""
    texts = ("order_invoices stays", "customer_invoices goes", "see docs/invoices.md")
    assert ["Rules"] * 3 == headings(history, *texts)


def test_who_speaks_is_no_heading(history: History) -> None:
    """The names that stand for `I` and `you` are in lines about anything."""
    texts = (
        "本人不接夜班",
        "本人的电脑不更新",
        "发票只有本人能开",
        "the owner pays",
        "the owner drives",
        "the owner cooks",
    )
    assert ["Rules"] * 6 == headings(history, *texts)


def test_one_common_word_is_not_a_matter(history: History) -> None:
    """Two entries that happen to share a word stand under their kind, and so does one alone."""
    assert ["Rules", "Rules"] == headings(history, "scenes are edited by hand", "a hand of cards has five")
    assert ["Rules"] == headings(history, "scenes are edited by hand")


@pytest.mark.parametrize(
    "texts",
    [
        ("never edit .tscn files by hand", "hand written sql files go to db/manual"),
        ("zamówienia internetowe do środy", "zamówienia internetowe bez poniedziałków"),
        ("團體訂單要留手機", "團體訂單的訂金用匯款"),
    ],
)
def test_a_plain_word_takes_three(history: History, texts: tuple[str, ...]) -> None:
    """However telling it is for two: they may mean different things by it."""
    assert ["Rules", "Rules"] == headings(history, *texts)


def test_words_that_only_do_something_name_nothing(history: History) -> None:
    """To remember, never, from now on, 以后: every second entry has them."""
    texts = ("remember: never mail Anna", "remember: never phone Basil", "remember: never visit Cyril")
    assert ["Rules"] * 3 == headings(history, *texts)
    assert ["Rules"] * 3 == headings(history, "以后不许喝茶", "以后不许开车", "以后不许迟到")


def test_what_is_new_joins_a_heading_that_is_there(history: History) -> None:
    """If it says the word, or has much in common with something under it; a heading of a kind attracts nothing."""
    placed = said(history, "Migrations at Heron are written by hand.", "the boat key hangs with Anna")
    new = said(
        history, "the staging of heron is read only", "written migrations come with a downgrade by hand", "tea at five"
    )
    result = Subjects(zip(placed, ["Heron", "Rules"], strict=True), new).assign(new)
    assert ["Heron", "Heron", "Rules"] == list(result.values())


def test_every_kind_has_its_heading(history: History) -> None:
    """For what shares nothing with anything."""
    new = [entry for kind in Kind for entry in said(history, f"x{kind.value}", kind=kind)]
    assert ["Decisions", "Rules", "Architecture", "To remember"] == list(Subjects([], new).assign(new).values())


def test_the_order_does_not_matter(history: History) -> None:
    """The same entries get the same headings."""
    new = said(
        history, "guests pay first", "guests leave by ten", "guests bring no dogs", "Anna has the key", "Anna phones"
    )
    assert Subjects([], new).assign(new) == Subjects([], new[::-1]).assign(new[::-1])
