"""Where a stretch that came from elsewhere begins and ends, one class at a time."""

from pipeline.entries.authorship import foreign, said_by_owner
from tests.support.tables import table


def test_keys_below_keys_belong_to_the_first() -> None:
    """However deep they are indented."""
    text = "root:\n child:\n  leaf: never on Friday"
    assert ((0, len(text)),) == foreign(text)


def test_a_text_laid_out_as_nobody_types_is_a_page() -> None:
    """Two kinds of marks are enough; a label that its owner emphasised is none."""
    page = "we never ship on Friday\n\n\n• ask Anna\n• ask Rosa"
    assert ((0, len(page)),) == foreign(page)
    assert not foreign("**Decision:** we never ship on Friday\n\n\nok")


def test_what_stands_before_a_tag_is_the_owners() -> None:
    """The tag of whatever name: what closes it ends what it opened, and nothing above."""
    text = "Never pay.\n<letter>\nPay now.\n</letter>"
    assert said_by_owner("Never pay.", text) == (0, 10)
    assert not said_by_owner("Pay now.", text)


def test_a_ruler_may_be_the_last_line() -> None:
    """Then nothing stands below it."""
    text = "never pay.\n\n---"
    assert said_by_owner("never pay.", text) == (0, 10)


@table(
    ("text", "own"),
    [
        ('from now on call it "Blue Heron Garden", always', True),
        ('Bob says "pay it all by May"', False),
        ('Bob says "ok"', True),
    ],
)
def test_a_quotation_is_somebodys_when_it_is_named_whose(text: str, *, own: bool) -> None:
    """A name or a title is the owner's, and so is a word or two."""
    inside = text[text.index('"') + 1 : text.rindex('"')]
    assert own == bool(said_by_owner(inside, text))


@table(
    "text",
    [
        "Re: rent\nnever pay before May",
        "claims Gemini, never pay before May",
        "this is what the newsletter sent me today\nnever pay before May",
    ],
)
def test_one_line_below_or_beside_is_enough(text: str) -> None:
    """A subject, a bot beside what it does, and words that introduce a text."""
    assert not said_by_owner("never pay before May", text)
