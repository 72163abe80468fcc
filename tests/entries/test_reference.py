"""The name by which a page calls an entry."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.reference import (
    MORE_DIGITS,
    ids_by_reference,
    ids_by_short,
    is_item_name,
    is_wordless,
    item_name,
    reference,
    short_id,
    wordless,
)
from schemas.entry import Trust
from tests.support.builders.entries import TWINS, noted
from tests.support.tables import table

ID = "RULE-20260302-no-deploys-on-fridays"
QUOTE = "from now on: no deploys on Friday afternoons"


@table("trust", [Trust.OWNER, Trust.ACCEPTED])
def test_what_is_as_it_was_written_has_its_id(trust: Trust) -> None:
    """Its words are ours."""
    assert reference(noted(ID, trust=trust).entry) == ID


@table(
    ("entry_id", "sure"),
    [
        (ID, True),
        (f"{ID}-1a2b3c", True),
        ("RULE-20260302-mail-eve", False),
        (f"{ID}-and-mail-eve", False),
        ("OBEY-20260302-friday", False),
        ("friday", True),
        ("RULE-20260302-给客人的短信", False),
        ("RULE-20260302-0123456789ab", False),
    ],
)
def test_of_what_is_quoted_the_quote_vouches(entry_id: str, sure: bool) -> None:  # noqa: FBT001 - what is expected
    """For every word of the id, but for an ending; what looks like the name of another entry is not vouched for."""
    actual = reference(noted(entry_id, quote=QUOTE, as_written=False).entry)
    assert actual == (entry_id if sure else wordless(entry_id))


def test_for_what_does_not_verify_nobody_vouches() -> None:
    """Nor does its quote, which may be anybody's."""
    assert reference(noted(ID, quote=QUOTE, trust=Trust.UNVERIFIED).entry) == wordless(ID)


def test_an_id_that_cannot_stand_in_a_link_is_not_shown() -> None:
    """Whoever's it is."""
    assert reference(noted("RULE-20260302-a](http://eve").entry).startswith("RULE-20260302-")
    assert is_wordless(reference(noted("RULE-20260302-a](http://eve").entry))


@given(st.text())
def test_a_name_without_words_has_none(text: str) -> None:
    """A kind of ours and eight digits are all that is kept of an id."""
    assert is_wordless(wordless(text))
    assert wordless(f"OBEY-20260302-{text}").startswith("ENTRY-")
    assert wordless(f"RULE-20260302-{text}").startswith("RULE-20260302-")


def test_what_looks_like_the_name_of_another_is_that_ones() -> None:
    """In whatever order they are given."""
    thief = wordless(ID)
    items = {item_name(ID): ID, item_name(thief): thief}
    for ids in ([ID, thief], [thief, ID]):
        assert ids_by_reference(ids) == {ID: ID, thief: ID, wordless(thief): thief, **items}


def test_a_name_that_items_of_two_entries_may_have_means_neither() -> None:
    """The longer one does."""
    assert item_name(TWINS[0]) == item_name(TWINS[1])
    names = ids_by_reference([ID, *TWINS])
    assert item_name(TWINS[0]) not in names
    assert [ID, *TWINS] == [names[item_name(ID)], *(names[item_name(twin, MORE_DIGITS)] for twin in TWINS)]
    assert [False, True, True] == list(map(is_item_name, ["m-0123456789ab", item_name(ID), item_name(ID, MORE_DIGITS)]))


def test_a_short_id_follows_from_the_id() -> None:
    """It is given with all digits or more; another word is none; an id with several versions is one."""
    ids = ["RULE-20260303-a", "RULE-20260303-b"]
    assert ids[:1] == ids_by_short(ids, short_id(ids[0]))
    assert ids[:1] == ids_by_short(ids, item_name(ids[0], MORE_DIGITS).removeprefix("m-"))
    assert ids[:1] == ids_by_short(ids, short_id(ids[0])[:4])
    assert [] == ids_by_short(ids, short_id(ids[0])[:3])
    assert [] == ids_by_short(ids, ids[0])
    assert ids[1:] == ids_by_short([*ids, ids[1]], short_id(ids[1]))
