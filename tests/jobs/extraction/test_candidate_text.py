"""The words of a candidate: quotes that can be found again, titles that fit, no secret."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from collections.abc import Callable

from jobs.extraction.candidate_text import QUOTE_LIMIT, TITLE_LIMIT, shorten, title_of
from schemas.extraction import Candidate
from schemas.transcript import MASK
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]


def test_a_masked_secret_is_left_out_of_the_quote(candidates_of: CandidatesOf) -> None:
    """A rule that shares a message with a secret is quoted without the clause of the secret."""
    secret = MASK * 16
    [rule] = candidates_of(
        f"> the server is at {secret}, from now on you never write there, only read",
        "< Understood, never write, only read.",
    )
    assert rule.quote == "from now on you never write there, only read"


def test_a_long_sentence_is_quoted_at_a_clause(candidates_of: CandidatesOf) -> None:
    """A quote has an end even when the sentence has none."""
    tail = ", and the gate too" * 30
    [rule, *_] = candidates_of(f"> From now on nobody ever leaves the stable open{tail}", "< Noted.")
    assert rule.quote.startswith("From now on nobody ever leaves the stable open")
    assert len(rule.quote) <= QUOTE_LIMIT


def test_a_clause_without_an_end_is_cut_after_a_word(candidates_of: CandidatesOf) -> None:
    """Whole words stand in a quote."""
    said = "From now on nobody ever leaves " + "stable " * 60
    [rule] = candidates_of(f"> {said}", "< Noted.")
    assert len(rule.quote) <= QUOTE_LIMIT
    assert said[len(rule.quote)] == " "


def test_a_bare_value_is_titled_with_the_question_it_answers(candidates_of: CandidatesOf) -> None:
    """`45` by itself would tell a reader nothing."""
    [decision] = candidates_of("< How many chairs do we rent? I'd take 30.", "> 45", "< 45 chairs.")
    assert decision.title == "How many chairs do we rent? 45"


@table(
    ("said", "title"),
    [
        ("Decision: we keep the office.", "We keep the office"),
        ("**Rule:** nothing ships on a Friday", "Nothing ships on a Friday"),
        ("- final decision: no", "No"),
        ("Decyzja: zostajemy w biurze", "Zostajemy w biurze"),
        ("Zasada : bez wdrożeń w piątek", "Bez wdrożeń w piątek"),
        ("zapamiętaj: klucz wisi za drzwiami", "Klucz wisi za drzwiami"),
        ("zapamietaj: klucz", "Klucz"),
        ("决定：用嵌入式索引。", "用嵌入式索引"),
        ("規則：週五不部署", "週五不部署"),
        ("记住: 钥匙在门后", "钥匙在门后"),
        ("Decision:", "Decision"),
        ("The decision: we keep it", "The decision: we keep it"),
        ("Rules: none", "Rules: none"),
        ("Remember the milk", "Remember the milk"),
        ("决定用嵌入式索引", "决定用嵌入式索引"),
    ],
)
def test_a_title_does_not_repeat_the_label(said: str, title: str) -> None:
    """An entry's heading begins with its kind; what says nothing but the label keeps it."""
    assert title == title_of(said)


@table(
    ("said", "title"),
    [
        ("Decision: we keep the office in the old town.", "We keep the office in the old town"),
        ("Decyzja: zostajemy w biurze na starym mieście.", "Zostajemy w biurze na starym mieście"),
        ("决定：我们用嵌入式索引，不用服务器。", "我们用嵌入式索引，不用服务器"),
    ],
)
def test_the_quote_keeps_the_label(candidates_of: CandidatesOf, said: str, title: str) -> None:
    """It is what was said, word for word: the identity of an entry rests on its span."""
    [settled] = candidates_of(f"> {said}", "< Noted.")
    assert (said.rstrip(".。"), title) == (settled.quote.rstrip(".。"), settled.title)


@table("text", ["word " * 60, "字" * 200, "short"])
def test_a_title_fits(text: str) -> None:
    """Titles are cut at a word's edge where there is one."""
    title = title_of(text)
    assert len(title) <= TITLE_LIMIT
    assert title.rstrip("…") in (text[:1].upper() + text[1:])


def test_a_text_that_fits_is_kept_on_one_line() -> None:
    """Line ends become spaces, nothing else changes."""
    assert shorten("two\n lines", 20) == "two lines"
