"""Requests to remember that name nothing: a plain statement beside them is written, all else waits for a person."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from schemas.entry import Kind
from schemas.extraction import Candidate, WordsDoubt
from schemas.transcript import MASK
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]
DoubtsOf = Callable[..., list[tuple[int, WordsDoubt]]]
POINTING = (
    "keep that somewhere you'll find it next month",
    "remember that",
    "please remember this for later",
    "zapamiętaj to sobie na przyszłość",
    "zapisz to gdzieś, żebyś znalazł za miesiąc",
    "记住这个",
    "把这个记下来，下个月要用",
)
TURN = "< The staging cluster moves to Berlin in June."


@table(
    ("statement", "request"),
    [
        ("Heron bounced the invoice. The PO number has to be printed on it, HRN-2231-B.", POINTING[0]),
        ("The office moves to Berlin in June.", "Remember that."),
        ("Biuro przenosi się w czerwcu do Berlina.", "Zapamiętaj to."),
        ("办公室六月搬到柏林。", "记住这个"),
    ],
)
def test_the_owners_statement_directly_before_is_written(
    candidates_of: CandidatesOf, statement: str, request: str
) -> None:
    """With the one before it that it points at; both are quoted with the request."""
    [kept] = candidates_of("< Role notifier has grants on one table.", f"> {statement} {request}")
    assert (Kind.REMEMBER, statement, f"{statement} {request}") == (kept.kind, kept.conclusion, kept.quote)
    assert ("stated", ()) == (kept.confirmation, kept.support_numbers)


@table("said", POINTING)
def test_words_of_another_message_wait_for_a_person(every_candidate_of: CandidatesOf, said: str) -> None:
    """The newest words are shown, and the request is the quote."""
    one = "The staging certificate rotates on the first of each month."
    for lines in ((f"< Done. {one} Anything else?", f"> {said}"), (f"> {one}", f"> {said}")):
        [waits] = [candidate for candidate in every_candidate_of(*lines) if candidate.quote == said]
        assert (Kind.REMEMBER, one, (1,)) == (waits.kind, waits.conclusion, waits.support_numbers)
        assert WordsDoubt.NOT_UNDERSTOOD == getattr(waits, "doubt", None)


@table(
    ("said", "answer", "request"),
    [
        ("our fiscal year starts in April", "Good to know.", "remember that"),
        ("nasz rok obrotowy zaczyna się w kwietniu", "OK.", "zapamiętaj to"),
        ("我们的财年从四月开始", "好的。", "记住这个"),
    ],
)
def test_an_answer_that_only_takes_note_is_not_what_is_meant(
    every_candidate_of: CandidatesOf, said: str, answer: str, request: str
) -> None:
    """The owner's words before it are."""
    [waits] = every_candidate_of(f"> {said}", f"< {answer}", f"> {request}", "< Noted.")
    assert (said, (1,), "stated") == (waits.conclusion, waits.support_numbers, waits.confirmation)


@table(
    "lines",
    [
        (TURN, "> remember that"),
        ("< Hello there.", "> remember that"),
        ("< Perhaps the nightly build fails because the cache volume is full.", "> remember that"),
        ("> The gate opens at nine.", "< The Berlin office has a garage. It holds two cars.", "> remember that"),
        (TURN, "> 记住这个以后都用Postgres"),
        (TURN, "> Could we move the billing service to Mongo? Remember that."),
        ("> Rewrite the Heron invoice header for the client. Keep that somewhere you'll find it next month",),
        ("> Send the Heron invoice to the client, and tell Tom about it. Remember that.",),
        ("> I think the certificate maybe rotates in June, not sure. Remember that.",),
        ("> If the tests pass, the office moves to Berlin in June. Remember that.",),
        ("> Tom says the office moves to Berlin in June. Remember that.",),
        ("> The office moves to Berlin in June. Just kidding. Remember that.",),
        ("> The office moves to Berlin in June. Remember that. Just kidding.",),
        ("> The office moves to Berlin in June. No wait, scrap it. Remember that.",),
        ("> The office moves to Berlin in June, haha. Remember that.",),
        ("> Remember that. The office moves to Berlin in June.",),
        ("> > The office moves to Berlin in June.\n\nRemember that.",),
        (TURN, "> ```\nport = 8080\n```\nRemember that."),
        ("> Może biuro przenosi się w czerwcu do Berlina. Zapamiętaj to.",),
        ("> It opens every weekday at nine. Remember that.",),
        ("> Może biuro przenosi się w czerwcu do Berlina. Remember that.",),
        ("> Przygotuj fakturę dla klienta. Zapamiętaj to.",),
        ("> 办公室可能六月搬到柏林。记住这个。",),
    ],
)
def test_words_in_doubt_are_not_written(
    candidates_of: CandidatesOf, doubts_of: DoubtsOf, lines: tuple[str, ...]
) -> None:
    """A question, task, hedge, condition, report, joke, and words of another message: a person decides."""
    assert () == candidates_of(*lines)
    assert [(len(lines), WordsDoubt.NOT_UNDERSTOOD)] == doubts_of(*lines)


@table(
    "lines",
    [
        *(
            (TURN, f"> {said}")
            for said in (
                "don't bother keeping that",
                "don't keep that in memory",
                "never remember that",
                "no need to remember that",
                "no reason to keep that in mind",
                "there's no point in remembering that",
                "I wouldn't add that to memory",
                "nie musisz tego zapisywać",
                "nie zapamiętuj tego",
                "nie warto tego zapamiętywać",
                "nie trzeba tego mieć w pamięci",
                "别把这个记下来",
                "没必要记住这个",
                "不必把它记下来",
                "The office moves to Berlin in June. Don't bother remembering that.",
            )
        ),
        (f"> The gate code is {MASK * 6}.", "< Saved. The Berlin office has a garage.", "> remember that"),
        (TURN, f"> The gate code is {MASK * 6}. Remember that."),
        (f"< The gate code is {MASK * 6}. It opens the garage in Berlin.", "> remember that"),
    ],
)
def test_a_request_not_to_remember_and_a_secret_make_no_candidate(
    every_candidate_of: CandidatesOf, lines: tuple[str, ...]
) -> None:
    """Not even a suggestion."""
    assert () == every_candidate_of(*lines)


@table(
    ("said", "named"),
    [
        ("remember that invoices go out on Mondays", "invoices"),
        ("Please remember that I'm allergic to penicillin.", "penicillin"),
        ("remember that next week Tom arrives in Oslo", "Oslo"),
        ("zapamiętaj, że faktury wysyłamy w poniedziałki", "faktury"),
        ("proszę zapamiętaj to: Tom przyjeżdża do Oslo", "Oslo"),
        ("把生日记下来：五月三号", "五月三号"),
    ],
)
def test_a_request_with_words_of_its_own_is_about_these(candidates_of: CandidatesOf, said: str, named: str) -> None:
    """Whatever was said before."""
    [kept] = candidates_of("< The staging certificate rotates on the first of each month.", f"> {said}")
    assert named in kept.conclusion
    assert "certificate" not in kept.conclusion


def test_a_request_with_words_of_its_own_is_written(candidates_of: CandidatesOf) -> None:
    """Also where it goes on from what the owner said before."""
    said = ("Remember that box 05 is blue.", "Remember that box 150 is red.")
    assert list(said) == [kept.quote for kept in candidates_of(*(f"> {one}" for one in said))]
