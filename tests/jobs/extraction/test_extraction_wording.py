"""The words of a candidate: quotes that can be found again, titles that fit, no secret."""

from collections.abc import Callable

import pytest

from jobs.extraction.wording import QUOTE_LIMIT, TITLE_LIMIT, shortened, title_of
from schemas.extraction import Candidate
from schemas.transcript import MASK

Found = Callable[..., tuple[Candidate, ...]]


def test_a_masked_secret_is_left_out_of_the_quote(found: Found) -> None:
    """A rule that shares a message with a secret is quoted without the clause of the secret."""
    secret = MASK * 16
    [rule] = found(
        f"> the server is at {secret}, from now on you never write there, only read",
        "< Understood, never write, only read.",
    )
    assert rule.quote == "from now on you never write there, only read"


def test_a_long_sentence_is_quoted_at_a_clause(found: Found) -> None:
    """A quote has an end even when the sentence has none."""
    tail = ", and the gate too" * 30
    [rule] = found(f"> From now on nobody ever leaves the stable open{tail}", "< Noted.")
    assert rule.quote.startswith("From now on nobody ever leaves the stable open")
    assert len(rule.quote) <= QUOTE_LIMIT


def test_a_clause_without_an_end_is_cut_after_a_word(found: Found) -> None:
    """Whole words stand in a quote."""
    said = "From now on nobody ever leaves " + "stable " * 60
    [rule] = found(f"> {said}", "< Noted.")
    assert len(rule.quote) <= QUOTE_LIMIT
    assert said[len(rule.quote)] == " "


def test_a_bare_value_is_titled_with_the_question_it_answers(found: Found) -> None:
    """`45` by itself would tell a reader nothing."""
    [decision] = found("< How many chairs do we rent? I'd take 30.", "> 45", "< 45 chairs.")
    assert decision.title == "How many chairs do we rent? 45"


@pytest.mark.parametrize("text", ["word " * 60, "字" * 200, "short"])
def test_a_title_fits(text: str) -> None:
    """Titles are cut at a word's edge where there is one."""
    title = title_of(text)
    assert len(title) <= TITLE_LIMIT
    assert title.rstrip("…") in (text[:1].upper() + text[1:])


def test_a_text_that_fits_is_kept_on_one_line() -> None:
    """Line ends become spaces, nothing else changes."""
    assert shortened("two\n lines", 20) == "two lines"
