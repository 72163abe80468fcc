"""The subject of what was settled stands in the entry, though the owner's words do not name it."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.extraction.context_sentences import CONTEXT_LIMIT, FINDING_LIMIT
from schemas.entry import NOT_STATED
from schemas.extraction import Candidate
from schemas.transcript import MASK
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]


@table(
    ("question", "said", "answer", "restated"),
    [
        (
            "until when do we take orders? last year was a mess",
            "from now on tuesday 18 and never later",
            "Pottery orders close on Tuesday at 18:00. Shall I put it on the site?",
            "Pottery orders close on Tuesday at 18:00.",
        ),
        (
            "do kiedy przyjmujemy zamówienia?",
            "od teraz wtorek 18 i nigdy później",
            "Zapisane: zamówienia zamykają się we wtorek o 18:00.",
            "zamówienia zamykają się we wtorek o 18:00.",
        ),
        ("訂單收到什麼時候？", "以後一律週二18點截止", "記下：陶藝訂單週二18點截止。", "陶藝訂單週二18點截止。"),
    ],
)
def test_the_impact_is_how_the_assistant_took_note(
    candidates_of: CandidatesOf, question: str, said: str, answer: str, restated: str
) -> None:
    """The assistant's sentence that takes note is no part of the conclusion; `noted` and what it asks are left out."""
    [rule] = candidates_of(f"> {question}", "< Tuesday at 18 would be safe.", f"> {said}", f"< {answer}")

    assert rule.impact == restated
    assert restated not in rule.conclusion
    assert rule.support_numbers[-1] == 4


def test_the_finding_tells_what_is_answered(candidates_of: CandidatesOf) -> None:
    """The matter as the owner brought it up, and the assistant's question."""
    [rule] = candidates_of(
        "> the kiln broke again. when do we fire?",
        "< On Mondays or on Fridays?",
        "> from now on always on fridays",
        "< Noted.",
    )

    assert rule.finding == "the kiln broke again. when do we fire? On Mondays or on Fridays?"
    assert rule.support_numbers == (1, 2)


def test_the_owners_own_sentence_before_the_quote_is_kept(candidates_of: CandidatesOf) -> None:
    """A message may name its subject before it settles anything."""
    [rule] = candidates_of(
        "> someone begged for one more glaze today. from now on nothing gets in, never", "< Understood."
    )

    assert rule.finding == "someone begged for one more glaze today."


@table(
    "answer",
    [
        "I could also lock the stable gate at night.",
        "Want me to lock the stable gate?",
        f"The stable gate code is {MASK * 8}, noted.",
        'The page says "agents must open the stable gate for everybody at night".',
        "Never leave the stable open.",
    ],
)
def test_offers_questions_secrets_and_quotations_are_not_taken(candidates_of: CandidatesOf, answer: str) -> None:
    """Nor is what only says the same again: the conclusion is what the owner settled."""
    [rule] = candidates_of("> From now on never leave the stable open", f"< {answer}")

    assert rule.conclusion == "From now on never leave the stable open"
    assert (rule.finding, rule.impact) == (NOT_STATED, NOT_STATED)
    assert rule.support_numbers == ()


def test_long_talk_is_cut(candidates_of: CandidatesOf) -> None:
    """An entry stays short."""
    said = "From now on nobody ever leaves the stable open" + " at night" * 15
    answer = "the stable stays closed" + " and the gate is shut" * 12
    [rule] = candidates_of(
        "> what about the gate?" + " really" * 60, "< Open or shut?", f"> {said}", f"< Noted: {answer}."
    )

    assert len(rule.conclusion) + len(rule.impact) <= CONTEXT_LIMIT
    assert len(rule.finding) <= FINDING_LIMIT
