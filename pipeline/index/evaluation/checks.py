"""Questions with a known answer, asked of the index: is it found, is it cited, and how long does it take."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from pipeline.clock import stopwatch
from pipeline.errors import ChecksInvalid
from pipeline.index.search.citations import DOUBTFUL_CONFIDENCE, NO_DATE
from pipeline.index.search.live_files import LiveFiles
from pipeline.index.search.query import encodable
from pipeline.language.analysis import terms
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LOW, NOTED
from schemas.base import Value
from schemas.entry import Status, Trust
from schemas.hit import Answer, Hit, Reach
from schemas.reports.index import CheckedType, CheckFailure, SearchChecked
from schemas.requests import SearchRequest


@dataclass(frozen=True)
class Citations:
    """Looks hits up in the files as they are now."""

    files: LiveFiles

    def faults(self, hits: Sequence[Hit]) -> list[str]:
        """The faults of the hits of one answer, as sentences that begin with the place; mostly none."""
        wrong = [
            f"{place_of_hit(hit)} {why}" for hit in hits for why in (*self._source_faults(hit), *_status_faults(hit))
        ]
        return [*wrong, *_order_faults(hits)]

    def _source_faults(self, hit: Hit) -> Iterator[str]:
        lines = self.files.lines(hit.path)
        if lines is None:
            yield "names a file that cannot be read"
        elif not 1 <= hit.start_line <= hit.end_line <= len(lines):
            yield f"names lines that are not there: the file has {len(lines)}"
        elif hit.text != encodable("\n".join(lines[hit.start_line - 1 : hit.end_line])):
            yield "has another text than those lines"
        for place in hit.places:
            known = self.files.lines(place.path)
            if known is None or not 1 <= place.start_line <= place.end_line <= len(known):
                yield f"also names {place.path}#L{place.start_line}-L{place.end_line}, which is not there"


def place_of_hit(hit: Hit) -> str:
    """The place of a hit, as `memory show lines` takes it."""
    return f"{hit.path}#L{hit.start_line}-L{hit.end_line}"


def _status_faults(hit: Hit) -> Iterator[str]:
    if hit.date is None and NO_DATE not in hit.uncertain:
        yield "has no date, and does not say so"
    if hit.entry_id and hit.status not in set(Status):
        yield f"has the status {hit.status!r}, which there is not"
    if not hit.trust or (hit.entry_id and hit.confidence is not None and hit.trust not in set(Trust)):
        yield f"does not tell whose word it is: its trust is {hit.trust!r}"
    if (reason := _reason_to_doubt(hit)) and not hit.uncertain:
        yield f"is {reason}, and does not say that it is uncertain"


def _reason_to_doubt(hit: Hit) -> str:
    """The reason to doubt a hit; empty without one."""
    if hit.trust in {Trust.QUOTED.value, Trust.UNVERIFIED.value, LOW, NOTED}:
        return f"of {hit.trust} trust" if hit.trust == LOW else hit.trust
    if hit.status in {Status.SUPERSEDED.value, Status.ARCHIVED.value, Status.IN_REVIEW.value}:
        return hit.status
    doubtful = hit.confidence is not None and hit.confidence < DOUBTFUL_CONFIDENCE
    return f"held with a confidence of {hit.confidence}" if doubtful else ""


def _order_faults(hits: Sequence[Hit]) -> Iterator[str]:
    """The hits that were superseded and come before their successors, as sentences."""
    for number, hit in enumerate(hits):
        for later in hits[number + 1 :]:
            if later.entry_id and later.entry_id in hit.superseded_by:
                yield f"{place_of_hit(hit)} stands before {later.entry_id}, which took its place"


FIRST, MOST = 3, 6
"""The number of hits that an agent reads, at once and at most: `memory search` gives 6."""
SHARE = 0.8
"""The share of the generated questions of a type that has to be answered within `MOST` hits."""
SLOWEST = 2_000.0
"""Milliseconds that 95 of 100 answers may take at most."""

Ask = Callable[[SearchRequest], Answer]


class QuestionSort(StrEnum):
    """The sort of a question."""

    RECENT = "recent decisions"
    WHY = "why, across months"
    DETAIL = "cold technical details"
    OWN = "your own"

    @property
    def letter(self) -> str:
        """`A`, `B` or `C` for what is generated, nothing for a person's own."""
        return {QuestionSort.RECENT: "A", QuestionSort.WHY: "B", QuestionSort.DETAIL: "C"}.get(self, "")


@dataclass(frozen=True)
class Expected:
    """The expected hit: about one of `entries`, in `path`, with `text` in its lines; an empty field does not count.

    With `words` it may instead have all of these, in any form: then its content is the same.
    """

    entries: tuple[str, ...] = ()
    path: str = ""
    text: str = ""
    words: tuple[str, ...] = ()

    def is_met(self, hit: Hit) -> bool:
        """Whether a hit is what is expected."""
        if self.words:
            return self._is_meant(hit.entry_id) or StemmedText.of("\n".join([hit.text, *hit.headings])).has_all(
                self.words
            )
        return (
            (not self.entries or self._is_meant(hit.entry_id))
            and (not self.path or self.path in {hit.path, *(place.path for place in hit.places)})
            and self.text in hit.text
        )

    def _is_meant(self, entry_id: str) -> bool:
        """Whether an id is one of those expected; the beginning of one is enough, as everywhere."""
        return any(entry_id.startswith(entry) for entry in self.entries)

    def __str__(self) -> str:
        details = [", ".join(self.entries[:1]), self.path, repr(self.text) if self.text else ""]
        return " with ".join(filter(None, details)) or ", ".join(self.words)


@dataclass(frozen=True)
class StemmedText:
    """A text as it is looked through for words, in whatever form they are in."""

    letters: str
    terms: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "StemmedText":
        """The stemmed form of a text."""
        return cls(text.casefold(), frozenset(terms(text)))

    def has_all(self, words: Iterable[str]) -> bool:
        """Whether each of these words is in the text."""
        # As it is written too: in "30 percent" or "21 March" a word's terms are those of the two together.
        return all(word.casefold() in self.letters or self.terms.issuperset(terms(word)) for word in words)


@dataclass(frozen=True)
class SearchCheck:
    """A question, what is expected among its first `within` hits, and how far to look."""

    sort: QuestionSort
    question: str
    expected: Expected
    within: int = MOST
    reach: Reach = Reach.AUTO


@dataclass(frozen=True)
class Checked:
    """The result of a check: `position` is that of the first expected hit, counted from 1; 0 when there was none."""

    check: SearchCheck
    position: int
    milliseconds: float
    came: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def is_retrieved(self) -> bool:
        """Whether what is expected came early enough."""
        return 0 < self.position <= self.check.within


def summary(checked: Sequence[Checked], notes: Iterable[str] = ()) -> SearchChecked:
    """The report on all answers, with a row for each sort of question that was asked."""
    by_sort = ((sort, [result for result in checked if result.check.sort is sort]) for sort in QuestionSort)
    types = tuple(_count_row(sort, results) for sort, results in by_sort if results)
    times = [result.milliseconds for result in checked]
    p50, p95 = percentile(times, 50), percentile(times, 95)
    failures = tuple(
        CheckFailure(
            type=result.check.sort.value,
            question=result.check.question,
            expected=str(result.check.expected),
            within=result.check.within,
            position=result.position,
            came=result.came,
            faults=result.faults,
        )
        for result in checked
        if result.faults or not result.is_retrieved
    )
    return SearchChecked(types, p50, p95, failures, tuple(_find_problems(checked, types, p95)), tuple(notes))


def _find_problems(checked: Sequence[Checked], types: Iterable[CheckedType], p95: float) -> Iterator[str]:
    """The reasons why the memory fails the check, as sentences."""
    if wrong := sum(bool(result.faults) for result in checked):
        yield f"{wrong} answer(s) cite what is not so."
    if missed := sum(result.check.sort is QuestionSort.OWN and not result.is_retrieved for result in checked):
        yield f"{missed} of your own questions are not answered as you expect."
    for row in types:
        if row.sort != QuestionSort.OWN and row.in_most < SHARE * row.asked:
            letter = QuestionSort(row.sort).letter
            yield f"{letter}, {row.sort}: {row.in_most} of {row.asked} found, which is below {SHARE:.0%}."
    if p95 > SLOWEST:
        yield f"95 of 100 answers take up to {p95:.0f} ms; the limit is {SLOWEST:.0f} ms."


def run_checks(ask: Ask, citations: Callable[[], Citations], checks: Sequence[SearchCheck]) -> list[Checked]:
    """Ask all questions. The first one is asked twice, so that loading an embedder counts for none.

    Args:
        ask: answers a question.
        citations: the files as they are at that moment.
        checks: what is asked.

    Raises:
        IndexUnavailable: the index is damaged, or its server does not answer.
        Held: others did not let the index go in time.
    """
    for check in checks[:1]:
        ask(_request_of(check))
    checked = list[Checked]()
    for check in checks:
        started = stopwatch()
        answer = ask(_request_of(check))
        took = 1000 * (stopwatch() - started)
        faults = citations().faults(answer.hits)
        if faults:  # a file may have changed between the answer and the look at it
            answer = ask(_request_of(check))
            faults = citations().faults(answer.hits)
        position = next((at for at, hit in enumerate(answer.hits, start=1) if check.expected.is_met(hit)), 0)
        places = tuple(map(place_of_hit, answer.hits))
        checked.append(Checked(check, position, round(took, 3), places, tuple(faults)))
    return checked


def _request_of(check: SearchCheck) -> SearchRequest:
    return SearchRequest(query=check.question, k=max(check.within, MOST), tier=check.reach)


def _count_row(sort: QuestionSort, checked: Sequence[Checked]) -> CheckedType:
    positions = [row.position for row in checked]
    times = [row.milliseconds for row in checked]
    in_first, in_most = (sum(0 < position <= limit for position in positions) for limit in (FIRST, MOST))
    return CheckedType(sort.value, len(checked), in_first, in_most, percentile(times, 50), percentile(times, 95))


def percentile(values: Iterable[float], percent: int) -> float:
    """The smallest of the values that `percent` of 100 do not exceed; 0 when there are none."""
    ordered = sorted(values)
    return ordered[max(-(-len(ordered) * percent // 100), 1) - 1] if ordered else 0.0


CHECKS_FILE = "checks.toml"
_FURTHEST = 100
_SENTENCES = {
    "missing": "has to be set",
    "string_type": "write a text in quotes",
    "greater_than_equal": "has to be {ge} or more",
    "less_than_equal": "has to be {le} or less",
    "tuple_type": "write each question as a table [[check]]",
    "model_type": "write each question as a table [[check]]",
    "extra_forbidden": "there is no such key; there are question, entry, path, text, within and tier",
    "enum": "write {expected}",
}


def _not_blank(text: str) -> str:
    if not text.strip():
        kind, message = "empty", "has to say something"
        raise PydanticCustomError(kind, message)
    return text


class _Own(Value):
    """A question of a person, and the text that a search has to return."""

    question: Annotated[str, AfterValidator(_not_blank)]
    entry: str = ""
    path: str = ""
    text: str = ""
    within: int = Field(default=MOST, ge=1, le=_FURTHEST)
    tier: Reach = Reach.AUTO

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not (self.entry or self.path or self.text):
            kind, message = "nothing_expected", "say what has to be found: an entry, a path or a text"
            raise PydanticCustomError(kind, message)
        return self

    @property
    def check(self) -> SearchCheck:
        entries = (self.entry,) if self.entry else ()
        return SearchCheck(
            QuestionSort.OWN, self.question, Expected(entries, self.path, self.text), self.within, self.tier
        )


class _Owns(Value):
    # A person may write a table `[check]` in place of an array of tables `[[check]]`.
    check: Annotated[
        tuple[_Own, ...], BeforeValidator(lambda value: [value] if isinstance(value, dict) else value)
    ] = ()


def own_checks(workspace: Workspace) -> list[SearchCheck]:
    """The questions of `checks.toml`; none when there is no such file.

    Raises:
        ChecksInvalid: the file is no TOML, or a question cannot be used; all problems are named.
        ReadFailed: the system refuses.
    """
    data = workspace.read(CHECKS_FILE)
    if data is None:
        return []
    try:
        file = _Owns.model_validate(tomllib.loads(data.decode("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ChecksInvalid(CHECKS_FILE, [f"the file: {error}"]) from error
    except ValidationError as error:
        raise ChecksInvalid(
            CHECKS_FILE, [_describe_problem(detail) for detail in error.errors(include_url=False)]
        ) from error
    return [question.check for question in file.check]


def _describe_problem(error: ErrorDetails) -> str:
    """The problem, as `path: sentence`; questions are counted from 1."""
    place = [f"question {part + 1}" if isinstance(part, int) else str(part) for part in error["loc"]]
    where = ", ".join(place[1:] if place[1:] and place[0] == "check" else place) or "the file"
    sentence = _SENTENCES.get(error["type"], error["msg"])
    return f"{where}: {sentence.format_map(error.get('ctx', {}))}"
