"""The questions of `memory doctor search`, generated from the memory: the same memory gives the same questions.

A question consists of the rarest words of the quote, the conclusion or the reasons, in their language. Entries that are
superseded, archived or not verified give none.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from typing import TypeVar

from pipeline.index import schema as layout
from pipeline.index.evaluation.checks import Expected, QuestionSort, SearchCheck, StemmedText
from pipeline.index.search.citations import entry_in, plainly
from pipeline.index.search.request import FAR
from pipeline.language import han, identifiers
from pipeline.language.stopwords import WORDS
from pipeline.language.words import Word, quote_words, words
from pipeline.ports.index import IndexPoint, Searcher, Where
from pipeline.workspace.layout import LOW
from schemas.entry import NOT_STATED, Entry, Kind, Status, Trust

AT_MOST = 12
"""Questions of each type."""
RECENT = timedelta(days=30)
"""The greatest age of a recent entry, counted from the newest one."""
SAMPLE, SCROLLED = 1_000, 20_000
"""Entries, and passages of files further away, that are looked at closely; and passages that are read at all."""
_LONGEST = 2_000  # characters of a passage: one from within a long line has all of that line
_WORDS, _REASON_WORDS, _DETAILS = 5, 2, 3
_FEWEST = 2  # fewer words, or Chinese characters, than this ask for nothing in particular

_ENTRIES = Where(any_of={layout.WRITTEN_STATUS: [status.value for status in Status]})
_INACTIVE = Where(any_of={layout.STATUS: [status.value for status in Status if status is not Status.ACTIVE]})
_FAR = Where(any_of={layout.SORT: (layout.PASSAGE,), layout.TIER: [tier.value for tier in FAR]})
_TOKEN = re.compile(identifiers.PATTERN)
_HUMP = re.compile(r"[a-z\d][A-Z]")
_SENTENCE = re.compile(r"[.!?:;\u2192]\s*$|^\s*$")
_POLISH = re.compile(r"[ąćęłńśźż]|\b(?:nie|sie|jest|zeby|przez|juz|bedzie|od teraz)\b", re.IGNORECASE)
_SHORTEST = 3  # characters: shorter words and small numbers stand everywhere
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class _KnownEntry:
    """An entry that holds, with the words that it is asked for by."""

    entry: Entry
    words: str

    @cached_property
    def wording(self) -> StemmedText:
        return StemmedText.of(self.words)


@dataclass
class _Rarity:
    """The number of texts of the memory that have each word; the rarest words ask best."""

    counts: Counter[frozenset[str]] = field(default_factory=Counter)

    def learn(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.counts.update({word.terms for word in words(text)})

    def rarest(self, text: str, most: int) -> tuple[str, ...]:
        """The rarest words of a text, in its order."""
        telling = {word.terms: word for word in reversed(list(words(text))) if _is_telling(text, word)}
        ordered = sorted(
            telling.values(), key=lambda span: (self.counts[span.terms], span.start - span.end, span.start)
        )
        return quote_words(text, ordered[:most])


def checklist(searcher: Searcher) -> list[SearchCheck]:
    """The questions about what an index holds, at most `AT_MOST` of each type."""
    inactive = {point.payload[layout.ENTRY] for point in searcher.scroll(_INACTIVE)}
    points = list(searcher.scroll(_ENTRIES))
    standing = {point.payload[layout.ENTRY]: _holds(point.payload, inactive) for point in points}
    holding = [point for point in points if _holds(point.payload, inactive)]
    known = sorted(_sample_entries(holding), key=lambda known_entry: (known_entry.entry.date, known_entry.entry.id))
    details = _sample_passages(searcher, standing)
    rarity = _Rarity()
    rarity.learn(known_entry.words for known_entry in known)
    rarity.learn(text for _, text in details)
    return [*_recent_questions(known, rarity), *_why_questions(known, rarity), *_detail_questions(details, rarity)]


def _recent_questions(known: Sequence[_KnownEntry], rarity: _Rarity) -> Iterator[SearchCheck]:
    """Questions of type A: about recent entries."""
    settled = [known_entry for known_entry in known if known_entry.entry.kind is not Kind.REMEMBER]
    recent = [known_entry for known_entry in settled if settled[-1].entry.date - known_entry.entry.date <= RECENT]
    candidates = [(known_entry, rarity.rarest(known_entry.words, _WORDS)) for known_entry in recent]
    for known_entry, chosen in spread([pair for pair in candidates if len(pair[1]) >= _FEWEST or _is_long(pair[1])]):
        yield SearchCheck(QuestionSort.RECENT, " ".join(chosen), _expected_entries(known, known_entry, chosen))


def _why_questions(known: Sequence[_KnownEntry], rarity: _Rarity) -> Iterator[SearchCheck]:
    """Questions of type B: why something was settled."""
    candidates = []
    for known_entry in known:
        topic = rarity.rarest(known_entry.entry.conclusion, _WORDS - _REASON_WORDS)
        reasons = rarity.rarest(_reason_of(known_entry.entry), _REASON_WORDS)
        if topic and reasons:
            candidates.append((known_entry, tuple(dict.fromkeys([*topic, *reasons]))))
    for known_entry, chosen in spread(candidates):
        why = "dlaczego" if _POLISH.search(known_entry.words) else "why"
        why = "为什么" if re.search(han.RUN, known_entry.words) else why
        yield SearchCheck(
            QuestionSort.WHY,
            f"{why} {' '.join(chosen)}",
            _expected_entries(known, known_entry, chosen),
        )


def _detail_questions(details: Sequence[tuple[str, str]], rarity: _Rarity) -> Iterator[SearchCheck]:
    """Questions of type C: about technical details in files further away."""
    candidates = []
    for path, text in details:
        exact = tuple(sorted(dict.fromkeys(_exact_words(text)), key=lambda detail: -len(detail))[:_DETAILS])
        around = [word for word in rarity.rarest(text, _WORDS) if not any(word in detail for detail in exact)]
        chosen = tuple(dict.fromkeys([*exact, *around]))[:_WORDS]
        if len(chosen) > len(exact) or len(exact) >= _FEWEST:
            candidates.append((path, chosen))
    for path, chosen in spread(candidates):
        yield SearchCheck(QuestionSort.DETAIL, " ".join(chosen), Expected(path=path, words=chosen))


def spread(items: Sequence[_Item], most: int = AT_MOST) -> list[_Item]:
    """A sample of the items, at most so many, evenly from the first to the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(at * (len(items) - 1) / (most - 1))] for at in range(most)]


def _sample_entries(points: Iterable[IndexPoint]) -> Iterator[_KnownEntry]:
    """The entries, of very many the newest and a sample of the others."""
    holding = sorted(points, key=_age)
    seen = set[str]()
    for point in [*spread(holding, SAMPLE), *holding[-SAMPLE:]]:
        entry = None if point.payload[layout.ENTRY] in seen else entry_in(point.payload[layout.TEXT])
        if entry:
            seen.add(entry.id)
            yield _KnownEntry(entry, "\n".join(dict.fromkeys([entry.quote, entry.conclusion, _reason_of(entry)])))


def _sample_passages(searcher: Searcher, standing: Mapping[str, bool]) -> list[tuple[str, str]]:
    """Passages with something exact in them, each with its file, in the order of their days; a sample of very many."""
    points = islice(searcher.scroll(_FAR), SCROLLED)
    eligible = (point for point in points if _can_be_asked(point.payload, standing))
    chosen = sorted(
        nsmallest(SAMPLE, eligible, key=lambda point: point.id), key=_age
    )  # ids are hashes: as good as lots
    texts = ((str(point.payload[layout.PATH]), plainly(point.payload[layout.TEXT])[:_LONGEST]) for point in chosen)
    return [(path, text) for path, text in texts if any(_exact_words(text))]


def _age(point: IndexPoint) -> tuple[int, str, str]:
    return point.payload.get(layout.DAY) or 0, point.payload[layout.PATH], point.id


def _can_be_asked(payload: Mapping[str, object], standing: Mapping[str, bool]) -> bool:
    """Whether a passage is no entry, speaks of none that does not hold, and is no raw text."""
    about = payload.get(layout.ABOUT)
    named = about if isinstance(about, list) else []
    believed = payload.get(layout.TRUST) not in {LOW, Trust.UNVERIFIED.value}
    return believed and payload.get(layout.KIND) != "plan" and all(standing.get(successor, True) for successor in named)


def _holds(payload: Mapping[str, object], inactive: Collection[object]) -> bool:
    return payload[layout.ENTRY] not in inactive and payload[layout.TRUST] != Trust.UNVERIFIED.value


def _expected_entries(known: Sequence[_KnownEntry], subject: _KnownEntry, chosen: Sequence[str]) -> Expected:
    """The entry itself, and entries with the same words."""
    same = [other.entry.id for other in known if other is not subject and other.wording.has_all(chosen)]
    return Expected((subject.entry.id, *same), words=tuple(chosen))


def _reason_of(entry: Entry) -> str:
    """The reason of an entry, or else its finding; empty when neither is stated."""
    return next((text for text in (entry.why, entry.finding) if text not in {NOT_STATED, ""}), "")


def _is_telling(text: str, word: Word) -> bool:
    term = text[word.start : word.end]
    long = len(term) >= (_FEWEST if han.starts(term) else _SHORTEST)
    return bool(word.terms) and long and term.casefold() not in WORDS


def _is_long(chosen: Sequence[str]) -> bool:
    """Chinese words that stand beside each other are one stretch."""
    return any(han.starts(word) and len(word) > _FEWEST for word in chosen)


def _exact_words(text: str) -> Iterator[str]:
    """Identifiers, paths, longer numbers, and names that stand within a sentence."""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if len(token) < _SHORTEST:
            continue
        joined = not token.isalnum() and any(map(str.isalpha, token))
        name = token[0].isupper() and not _SENTENCE.search(text[: match.start()])
        if any(map(str.isdigit, token)) or joined or _HUMP.search(token) or name:
            yield token
