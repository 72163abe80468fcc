"""The marks on words that were said: the entries and facts of them that hold no more, and their successors.

A transcript is no memory, so nothing in it is ever replaced. But a reader who finds words in it has to see that the
entries made of them do not hold any more. Search and reminders ask here.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate, chain
from typing import Any

from pipeline.index.said.search import SaidSearching, messages_at
from pipeline.index.schema import CORRECTS, DAY, PASSAGE, SAID, SORT, SUPERSEDES_PART, TEXT, TRUST
from pipeline.index.search.citations import Citing, cut_snippet, entry_in, flat
from pipeline.index.search.deduplication import has_words, says_again
from pipeline.index.search.entry_lookup import Entries, EntryStanding
from pipeline.index.search.fact_lookup import FactLookup
from pipeline.index.search.query import AnalysedQuery, encodable
from pipeline.index.search.scoring import LocationIndex, ScoredPassage
from pipeline.index.search.search import Searching
from pipeline.index.sync.points import fact_of, messages_of, of_entry
from pipeline.markdown.entries import render_entry
from pipeline.ports.index import Searcher, Where
from schemas.entry import Status, Trust
from schemas.requests import SearchRequest
from schemas.said import TAKEN_BACK, SaidHit, SaidMessage

NOW_CHARACTERS = 200
"""Characters that are shown of what holds now."""
_GONE = (Status.SUPERSEDED.value, Status.ARCHIVED.value, Status.IN_REVIEW.value, TAKEN_BACK)
"""The statuses of words that hold no more; of several the first is shown."""
_LONGEST_CHAIN = 20
"""Facts that took the place of one after the other."""


@dataclass(frozen=True)
class ShownWords:
    """Shown words: their text, their local day, their messages as `SAID` names them, and copies of these.

    A copy is the same message in another session. What was said again on another day is none. `answer` is the part of
    the text that answers a question.
    """

    text: str
    day: date
    messages: frozenset[str]
    copies: frozenset[str] = frozenset()
    answer: str = ""

    def are_of(self, passage: ScoredPassage) -> bool:
        """Whether an entry or a fact rests on these words."""
        said = passage.payload.get(SAID) or ()
        copied = passage.day == self.day.toordinal() and not self.copies.isdisjoint(said)
        return (copied or not self.messages.isdisjoint(said)) and has_words(self.text, passage.payload)


@dataclass(frozen=True)
class WordsStanding:
    """The standing of words: `fields` of `CitedWords`, none where nothing is known against them.

    `holding` are the entries and facts of them that hold, and `instead` those that hold in place of their answer.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    holding: frozenset[str] = frozenset()
    instead: frozenset[str] = frozenset()


def marked_hits(
    said: SaidSearching, memory: Searching, hits: Sequence[SaidHit], as_of: date | None = None
) -> tuple[SaidHit, ...]:
    """The hits with what is known against their words, and against those of their neighbours.

    A hit that was replaced comes behind one with the words that hold; all others keep their order. `memory` is as its
    reader may have it: of anything else nothing is named. With `as_of` it is as it was at the end of that day.

    Raises:
        IndexUnavailable: the index of the memory is damaged.
    """
    sides = [
        {name: message for name, message in (("before", hit.before), ("after", hit.after)) if message} for hit in hits
    ]
    shown = [words for hit, side in zip(hits, sides, strict=True) for words in _words_of_hit(hit, side.values())]
    standings = iter(_read_standings(said, memory, shown, as_of))
    marked = list[tuple[SaidHit, WordsStanding]]()
    for hit, side in zip(hits, sides, strict=True):
        own = next(standings)
        beside = {name: message.model_copy(update=next(standings).fields) for name, message in side.items()}
        marked.append((hit.model_copy(update=own.fields | beside), own))
    # Each hit that was replaced comes behind the last one that holds in its place; no score is above one before it.
    places = [
        max(
            [at, *(place for place, (_, standing) in enumerate(marked) if not standing.holding.isdisjoint(own.instead))]
        )
        for at, (_, own) in enumerate(marked)
    ]
    hits = [marked[at][0] for at in sorted(range(len(marked)), key=lambda at: (places[at], places[at] != at, at))]
    lowest = accumulate((hit.score for hit in hits), min)
    return tuple(hit.model_copy(update={"score": score}) for hit, score in zip(hits, lowest, strict=True))


def marked_messages(
    said: SaidSearching, memory: Searching, session_id: str, messages: Sequence[SaidMessage]
) -> list[SaidMessage]:
    """Messages of a session with what is known against their words; `memory` and errors as of `marked_hits`."""
    standings = _read_standings(said, memory, [_words_of_message(session_id, message) for message in messages])
    return [message.model_copy(update=own.fields) for message, own in zip(messages, standings, strict=True)]


def _words_of_hit(hit: SaidHit, beside: Iterable[SaidMessage]) -> Iterator[ShownWords]:
    """The words of a hit, then those of its neighbours."""
    copies = (message for place in hit.also if (at := messages_at(place)) for message in messages_of(*at))
    messages = frozenset(messages_of(hit.session_id, hit.message_range))
    yield ShownWords(hit.text, hit.time.date(), messages, frozenset(copies), hit.snippet)
    yield from (_words_of_message(hit.session_id, message) for message in beside)


def _words_of_message(session_id: str, message: SaidMessage) -> ShownWords:
    numbers = message.number, message.number
    return ShownWords(message.text, message.time.date(), frozenset(messages_of(session_id, numbers)))


def _read_standings(
    said: SaidSearching, memory: Searching, shown: Sequence[ShownWords], as_of: date | None = None
) -> list[WordsStanding]:
    """The standing of each of the words, with one search for all their messages.

    Of an undo no day is known: it counts where the present is asked for.
    """
    messages = sorted(frozenset[str]().union(*(words.messages | words.copies for words in shown)))
    entries = said.source.undone({words.day for words in shown}) if shown and as_of is None else ()
    undone = list[ScoredPassage]()
    for entry in entries:
        if not entry.corrects:  # as the index had it
            payload = of_entry(entry) | {TEXT: render_entry(entry), DAY: entry.date.date().toordinal()}
            undone.append(ScoredPassage(entry.id, 0.0, payload))
    with memory.reading() as searcher:
        resting = _resting(searcher, messages) if searcher is not None and messages else []
        if searcher is None or not (resting or undone):
            return [WordsStanding()] * len(shown)
        return list(map(_RestingPassages(memory, searcher, (resting, undone), as_of).standing, shown))


def _resting(searcher: Searcher, messages: Sequence[str]) -> list[ScoredPassage]:
    """The verified entries and facts that cite messages.

    The words of a correction stand in no message.
    """
    points = searcher.scroll(Where(any_of={SORT: (PASSAGE,), SAID: messages}))
    passages = (ScoredPassage(point.id, 0.0, point.payload) for point in points)
    return [
        passage
        for passage in passages
        if passage.is_verified and not passage.payload.get(CORRECTS) and (passage.entry_id or passage.fact_id)
    ]


class _RestingPassages:
    """The entries and facts that cite some messages, each looked up once."""

    def __init__(
        self,
        memory: Searching,
        searcher: Searcher,
        passages: tuple[Sequence[ScoredPassage], Sequence[ScoredPassage]],
        as_of: date | None,
    ) -> None:
        """`passages` are those that there are, and those that an undo took out."""
        resting, self._undone = passages
        locations = LocationIndex(searcher)
        self._entries = Entries(locations, SearchRequest(query="", as_of=as_of))
        self._facts = FactLookup(searcher, as_of)
        self._citing = Citing(AnalysedQuery("", {}), memory.live, locations)
        self._resting = [passage for passage in resting if self._entries.has_existed(passage)]
        self._entries.fetch(passage.entry_id for passage in self._resting)
        self._facts.fetch(self._resting)

    def standing(self, words: ShownWords) -> WordsStanding:
        """The standing of words."""
        own = self._find_said(words)
        states = {name: self._standing_of(passage) for name, passage in own.items()}
        holding = frozenset(name for name, state in states.items() if state.status == Status.ACTIVE)
        # Where the words themselves say what took its place, nothing is to be added.
        gone = {
            name: state
            for name, state in states.items()
            if name not in holding and holding.isdisjoint(state.successors)
        }
        parts = {name: by for name in sorted(holding) if (by := self._find_part_successors(own[name], own.keys()))}
        if not gone and not parts:
            return WordsStanding(holding=holding)
        statuses = {str(state.status) for state in gone.values()}
        by = tuple(dict.fromkeys(chain(*(state.successors for state in gone.values()), *parts.values())))
        fields = {
            "entry_ids": (*gone, *parts),
            "status": next((status for status in _GONE if status in statuses), Status.SUPERSEDED.value),
            "in_part": bool(holding),
            "superseded_by": by,
            "now": encodable(cut_snippet(flat(" | ".join(map(self._text_of, by))), (), NOW_CHARACTERS)),
        }
        answered = (state for name, state in gone.items() if not holding or has_words(words.answer, own[name].payload))
        return WordsStanding(fields, holding, frozenset(chain.from_iterable(state.successors for state in answered)))

    def _find_said(self, words: ShownWords) -> dict[str, ScoredPassage]:
        """The entries and facts of words by their ids; facts and what was undone only where no entry says the same."""
        own = [passage for passage in self._resting if words.are_of(passage)]
        entries = [passage for passage in own if passage.entry_id]
        facts = [
            passage
            for passage in own
            if passage.fact_id and not any(says_again(entry.payload, passage.payload) for entry in entries)
        ]
        undone = [
            passage
            for passage in self._undone
            if words.are_of(passage)
            and not any(has_words(str(entry.payload[TEXT]), passage.payload) for entry in entries)
        ]
        return {passage.entry_id or passage.fact_id: passage for passage in (*entries, *facts, *undone)}

    def _standing_of(self, passage: ScoredPassage) -> EntryStanding:
        """The status of an entry or a fact, and of one that was superseded what holds in its place."""
        if passage in self._undone:
            return EntryStanding(TAKEN_BACK)
        if not passage.entry_id:
            by = self._fact_in_force(passage.fact_id)
            return EntryStanding(Status.SUPERSEDED, (by,)) if by else EntryStanding()
        status = self._entries.standing(passage.entry_id).status
        by = self._entries.successor(passage.entry_id) if status == Status.SUPERSEDED else ""
        return EntryStanding(status, (by,) if by and self._holds(by) else ())

    def _fact_in_force(self, fact_id: str) -> str:
        """The fact at the end of those that took the place of one; empty for one that holds."""
        passed = [fact_id]
        while len(passed) < _LONGEST_CHAIN and (later := self._facts.successor(passed[-1])):
            if later.id in passed:
                break
            passed.append(later.id)
            self._facts.fetch([*self._resting, *self._entries.entry_or_fact(later.id)])
        return passed[-1] if passed[1:] else ""

    def _find_part_successors(self, passage: ScoredPassage, within: Collection[str]) -> tuple[str, ...]:
        """The ids of what holds in place of a part of an entry, except what the same words say."""
        entry_id = passage.entry_id
        trust = Trust(passage.payload[TRUST]).level if entry_id else 0
        later = [
            self._entries.successor(other.entry_id) or other.entry_id
            for other in (self._entries.about(entry_id) if entry_id else ())
            if entry_id in other.payload.get(SUPERSEDES_PART, ()) and Trust(other.payload[TRUST]).level >= trust
        ]
        return tuple(dict.fromkeys(name for name in later if name not in within and self._holds(name)))

    def _holds(self, entry_id: str) -> bool:
        return self._entries.standing(entry_id).status == Status.ACTIVE and self._find_by_id(entry_id) is not None

    def _find_by_id(self, name: str) -> ScoredPassage | None:
        """The entry or the fact with an id, if it is still in its file."""
        return next((passage for passage in self._entries.entry_or_fact(name) if self._citing.place(passage)), None)

    def _text_of(self, name: str) -> str:
        """The words of an entry or a fact; of an entry of which only the quote is believed, that quote."""
        passage = self._find_by_id(name)
        if passage is None or passage.is_fact:
            return fact_of(passage.payload).text if passage else ""
        entry = entry_in(str(passage.payload[TEXT]))
        return "" if entry is None else entry.quote if passage.payload[TRUST] == Trust.QUOTED else entry.conclusion
