"""From a question to the messages that answer it, cited, and with their neighbours. Nothing here writes."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from pipeline.clock import local_day
from pipeline.index.said import schema
from pipeline.index.said.passages import digest, place_of
from pipeline.index.said.ranking import BESIDE, Place, RankedPassage, rank_passages
from pipeline.index.said.request import ALL, SaidAccess, scope_of
from pipeline.index.search.citations import cut_snippet, flat, matched_words
from pipeline.index.search.deduplication import EQUAL_BYTES
from pipeline.index.search.query import AnalysedQuery, analyse_query, encodable
from pipeline.index.search.scoring import nearness
from pipeline.ports.engine import Clock
from pipeline.ports.index import IndexPoint, IndexStore, RankedSearcher
from pipeline.ports.said import SaidSource
from pipeline.workspace.layout import NOTED
from schemas.requests import SearchRequest
from schemas.said import ADDRESS, SaidHit, SaidMessage, Speaker
from schemas.transcript import Session

SHARE: Final = 0.5
"""The share of the words' score of the passage that opens a hit with which neighbours join it."""
CHARACTERS: Final = 600
"""Characters of a hit at most that other messages join."""
ANSWER_JOINED: Final = 1_800
"""Characters of a hit at most that other parts of its message, or of the same answer, join."""
PART_CHARACTERS: Final = 400
"""Characters of a joined passage at most: of a longer one the place that answers is shown."""
BESIDE_CHARACTERS: Final = 200
"""Characters that are shown of a neighbour."""
ANSWER_CHARACTERS: Final = 400
"""Characters that are shown of the answer to what the owner said."""
REACH: Final = 24
"""Passages before and after another one in which the rest of its message or answer is looked for."""
GAP: Final = "\u2026"
"""Stands between two parts of a hit where something is left out."""
READ, READ_PER_HIT = 24, 6
"""Candidates that are read."""
PERIOD_WEIGHT: Final = 6.0
"""The most that nearness to the time that the question names adds to a score."""
_ADDRESS: Final = re.compile(rf"{ADDRESS}(?P<session>.+)#(?P<first>\d{{1,9}})(?:-(?P<last>\d{{1,9}}))?", re.DOTALL)


@dataclass(frozen=True)
class SaidSearching:
    """The index of what was said in the transcripts of one workspace, for reading; `zone` is an IANA name."""

    source: SaidSource
    store: IndexStore
    clock: Clock
    zone: str


@dataclass(frozen=True)
class SaidAnswer:
    """The hits, best first, and notes on them, as sentences."""

    hits: tuple[SaidHit, ...] = ()
    notes: tuple[str, ...] = ()


def search_said(searching: SaidSearching, wanted: SearchRequest, access: SaidAccess = ALL) -> SaidAnswer:
    """The messages that answer a question; any text will do, and a question without an answer gets no hit.

    Raises:
        IndexUnavailable: the index is damaged.
    """
    query = analyse_query(wanted.query, local_day(searching.clock.now(), searching.zone))
    if not query.weights or access.nothing:
        return SaidAnswer()
    with searching.store.reading() as reader:
        if reader is None:
            return SaidAnswer(notes=("What was said is not indexed yet; `memory doctor reindex` does it.",))
        return _SaidQuestion(searching, reader, wanted, access, query).answer()


@dataclass
class _SaidQuestion:
    """A question to an open index; points, records and sessions are read once."""

    searching: SaidSearching
    reader: RankedSearcher
    wanted: SearchRequest
    access: SaidAccess
    query: AnalysedQuery
    points: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    records: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    sessions: dict[str, Session | None] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    words: Mapping[Place, float] = field(default_factory=dict)
    utterances: dict[str, range] = field(default_factory=dict)

    def answer(self) -> SaidAnswer:
        """The hits."""
        most = max(READ, READ_PER_HIT * self.wanted.k)
        scope = scope_of(self.wanted, self.access)
        near, self.words = rank_passages(self.reader, self.query, scope, self.wanted.k, most)
        self._fetch(passage.id for passage in near)
        scored = {
            (passage.session, passage.ordinal): passage
            for passage in map(self._add_nearness, near)
            if self._may_be_shown(passage.id)
        }
        hits, used, gone = list[SaidHit](), set[tuple[str, int]](), 0
        copies = defaultdict[str, list[RankedPassage]](list)
        for passage in scored.values():
            copies[self._digest_of(passage.id)].append(passage)
        for lead in sorted(scored.values(), key=lambda passage: (-passage.score, passage.session, passage.ordinal)):
            if len(hits) == self.wanted.k:
                break
            if (lead.session, lead.ordinal) in used or self._is_lent_by_summary(lead, scored):
                continue
            same = copies[self._digest_of(lead.id)]
            used |= {(passage.session, passage.ordinal) for passage in same}
            together = self._join_neighbours(lead, scored, used)
            used |= {(passage.session, passage.ordinal) for passage in together}
            used |= {(lead.session, ordinal) for ordinal in self._utterance(lead)}
            if self._is_summary(lead):  # those of a session say much the same
                used |= {
                    place for place, passage in scored.items() if place[0] == lead.session and self._is_summary(passage)
                }
            hit = self._make_hit(lead, together, same)
            if hit is None:
                gone += 1
            elif (first := _place_of_same_text(hits, hit)) is not None:
                hits[first] = hits[first].model_copy(update={"also": (*hits[first].also, hit.at, *hit.also)})
            else:
                hits.append(hit)
        are = f"{gone} messages that were said are" if gone > 1 else "1 message that was said is"
        note = f"{are} in a transcript that is gone, or has changed since it was indexed."
        return SaidAnswer(tuple(hits), (note,) if gone else ())

    def _fetch(self, ids: Iterable[str]) -> None:
        """Read passages and the records of their sessions, together, which is cheaper than singly."""
        missing = {name for name in ids if name not in self.points}
        read = {point.id: point.payload for point in self._retrieve(missing)}
        self.points |= {name: read.get(name) for name in missing}
        letters = {name[:4] for name in read if name[:4] not in self.records}
        records = {
            point.id: point.payload for point in self._retrieve({schema.record_id(session) for session in letters})
        }
        self.records |= {session: records.get(schema.record_id(session)) for session in letters}

    def _retrieve(self, ids: set[str]) -> list[IndexPoint]:
        return self.reader.retrieve(ids) if ids else []

    def _may_be_shown(self, name: str) -> bool:
        """Whether a passage is there, and the request and its reader may have it."""
        point, record = self.points.get(name), self.records.get(name[:4])
        if point is None or record is None:
            return False
        wanted, last, day = self.wanted, self.wanted.last_day, date.fromordinal(point[schema.DAY])
        return (
            self._for_reader(name)
            and (wanted.since is None or wanted.since <= day)
            and (last is None or day <= last)
            and (not wanted.project or point[schema.PROJECT] in wanted.project)
        )

    def _for_reader(self, name: str) -> bool:
        point, record, access = self.points.get(name), self.records.get(name[:4]), self.access
        return (
            point is not None
            and record is not None
            and access.to_session(record[schema.SOURCE], record[schema.AGENT])
            and access.to_project(point[schema.PROJECT])
        )

    def _add_nearness(self, passage: RankedPassage) -> RankedPassage:
        """The passage, with more score the nearer it is to the time that the question names."""
        point = self.points.get(passage.id)
        if not self.query.periods or point is None:
            return passage
        day = date.fromordinal(point[schema.DAY])
        near = PERIOD_WEIGHT * max(nearness(period, day) for period in self.query.periods)
        return replace(passage, score=passage.score + near)

    def _digest_of(self, name: str) -> str:
        """The digest of a passage: copies of a message in other sessions have the same."""
        point = self.points[name]
        return str(point[schema.DIGEST]) if point else name

    def _join_neighbours(
        self, lead: RankedPassage, scored: Mapping[tuple[str, int], RankedPassage], used: set[tuple[str, int]]
    ) -> list[RankedPassage]:
        """The passage with what answers nearly as well: of the same answer first, and of its neighbours; in order.

        What was said and a summary never join.
        """
        together = [lead]
        size = len(self._text_of(lead.id) or "")
        own = {(lead.session, ordinal) for ordinal in self._utterance(lead)}
        while True:
            ends = {(lead.session, together[0].ordinal - 1), (lead.session, together[-1].ordinal + 1)}
            fitting = [
                passage
                for places, most in ((own, ANSWER_JOINED), (ends - own, CHARACTERS))
                for place in places - used
                if (passage := scored.get(place)) is not None
                and passage not in together
                and self._is_summary(passage) == self._is_summary(lead)
                and passage.words >= SHARE * lead.words
                and size + 1 + len(self._shown_text(passage, lead)) <= most
            ]
            if not fitting:
                return together
            telling = [
                passage
                for passage in fitting
                if (passage.session, passage.ordinal) in own and self._count_words(passage)
            ]
            chosen = max(telling or fitting, key=lambda passage: (passage.score, -passage.ordinal))
            size += 1 + len(self._shown_text(chosen, lead))
            together = sorted([*together, chosen], key=lambda passage: passage.ordinal)

    def _count_words(self, passage: RankedPassage) -> int:
        """The number of words of the question in a passage itself: those around it lend it a score too."""
        return len(matched_words(self.query, self._text_of(passage.id) or ""))

    def _is_summary(self, passage: RankedPassage) -> bool:
        return _speaker_of(self._point_of(passage)) == "summary"

    def _is_lent_by_summary(self, passage: RankedPassage, scored: Mapping[tuple[str, int], RankedPassage]) -> bool:
        """Whether a passage has no word of the question, and its score comes from an adjacent summary."""
        around = range(passage.ordinal - BESIDE, passage.ordinal + BESIDE + 1)
        beside = [neighbour for ordinal in around if (neighbour := scored.get((passage.session, ordinal)))]
        summaries = [neighbour for neighbour in beside if self._is_summary(neighbour)]
        return bool(summaries) and passage not in summaries and not self._count_words(passage)

    def _utterance(self, passage: RankedPassage) -> range:
        """The passages of the same message, and of an assistant's all it answered without a word of the owner between.

        Agents say an answer in many messages, between the calls of their tools. No end of it is farther than `REACH`.
        """
        if passage.id in self.utterances:
            return self.utterances[passage.id]
        around = range(max(passage.ordinal - REACH, 0), passage.ordinal + REACH + 1)
        self._fetch(schema.passage_id(passage.session, ordinal) for ordinal in around)
        own = self._point_of(passage)

        def belongs(ordinal: int) -> bool:
            point = self.points[schema.passage_id(passage.session, ordinal)]
            if point is None or point[schema.SPEAKER] != own[schema.SPEAKER]:
                return False
            return _speaker_of(own) == "assistant" or point[schema.NUMBER] == own[schema.NUMBER]

        first = last = passage.ordinal
        while first - 1 in around and belongs(first - 1):
            first -= 1
        while last + 1 in around and belongs(last + 1):
            last += 1
        return self.utterances.setdefault(passage.id, range(first, last + 1))

    def _make_hit(
        self, lead: RankedPassage, together: Sequence[RankedPassage], same: Sequence[RankedPassage]
    ) -> SaidHit | None:
        """The hit; `None` when its text is gone."""
        record = self.records[lead.session]
        telling = max(together, key=lambda passage: (self._count_words(passage), passage == lead))
        best = self._point_of(telling)
        texts = {passage.ordinal: self._text_of(passage.id) for passage in together}
        if record is None or any(text is None for text in texts.values()):
            return None
        first, last = self._point_of(together[0]), self._point_of(together[-1])
        numbers = int(first[schema.NUMBER]), int(last[schema.NUMBER])
        ends = together[0].ordinal - 1, together[-1].ordinal + 1
        before = self._message_beside(lead.session, ends[0], record, cut_to=_cut_to_end)
        after = self._message_behind(lead.session, ends[1], record, last)
        others = (
            self._address_of(passage.session, self._point_of(passage)[schema.NUMBER])
            for passage in same
            if passage.id != lead.id
        )
        text = encodable("\n".join(self._text_lines(together, lead)))
        place = place_of(best, record[schema.PATHS])
        return SaidHit(
            at=self._address_of(lead.session, *numbers),
            session_id=record[schema.NAME],
            session_path=place.path if place else str(record[schema.PATHS][0]),
            message_range=numbers,
            number=best[schema.NUMBER],
            time=_time_of(best, record),
            speaker=_speaker_of(best),
            text=text,
            snippet=encodable(cut_snippet(flat(texts[telling.ordinal] or ""), self.query.terms)),
            score=lead.score,
            trust=NOTED if self._is_summary(lead) else "",
            agent=record[schema.AGENT],
            project=best[schema.PROJECT],
            before=before,
            after=after,
            terms=matched_words(self.query, text),
            also=tuple(dict.fromkeys(others)),
            source_gone=record[schema.NAME] in self.kept,
        )

    def _shown_text(self, passage: RankedPassage, lead: RankedPassage) -> str:
        """The text of a passage in a hit: of a long one in the same answer as the lead, the place that answers."""
        text = self._text_of(passage.id) or ""
        whole = passage == lead or len(text) <= PART_CHARACTERS or passage.ordinal not in self._utterance(lead)
        return text if whole else cut_snippet(flat(text), self.query.terms, PART_CHARACTERS)

    def _text_lines(self, together: Sequence[RankedPassage], lead: RankedPassage) -> Iterator[str]:
        """The texts of passages; of several messages each begins with its speaker, so none is taken for another."""
        points = [self._point_of(passage) for passage in together]
        several = len({point[schema.NUMBER] for point in points}) > 1
        number, ordinal = None, together[0].ordinal - 1
        for passage, point in zip(together, points, strict=True):
            if passage.ordinal != ordinal + 1:
                yield GAP
            begins = several and point[schema.NUMBER] != number
            yield f"{f'{_speaker_of(point)}: ' if begins else ''}{self._shown_text(passage, lead)}"
            number, ordinal = point[schema.NUMBER], passage.ordinal

    def _point_of(self, passage: RankedPassage) -> Mapping[str, Any]:
        return self.points[passage.id] or {}

    def _address_of(self, letters: str, first: int, last: int | None = None) -> str:
        record = self.records[letters] or {}
        return address(record.get(schema.NAME, ""), first, last)

    def _message_behind(
        self, letters: str, ordinal: int, record: Mapping[str, Any], last: Mapping[str, Any]
    ) -> SaidMessage | None:
        """The message behind a hit; behind the owner's words, the part of the answer that says most of the question."""
        if _speaker_of(last) == "owner":
            following = [schema.passage_id(letters, ordinal + ahead) for ahead in range(REACH)]
            self._fetch(following)
            answers = list[int]()
            for place, name in enumerate(following, ordinal):
                point = self.points[name]
                if point is None or (_speaker_of(point) == "owner" and point[schema.NUMBER] != last[schema.NUMBER]):
                    break
                if _speaker_of(point) == "assistant":
                    answers.append(place)
            if answers:
                best = max(answers, key=lambda place: self.words.get((letters, place), 0.0))
                return self._message_beside(
                    letters, best, record, cut_to=lambda line: cut_snippet(line, self.query.terms, ANSWER_CHARACTERS)
                )
        return self._message_beside(
            letters, ordinal, record, cut_to=lambda line: cut_snippet(line, (), BESIDE_CHARACTERS)
        )

    def _message_beside(
        self, letters: str, ordinal: int, record: Mapping[str, Any], cut_to: Callable[[str], str]
    ) -> SaidMessage | None:
        """The neighbour of a hit, shortened; `None` where there is none, or it may not be shown."""
        if ordinal < 0:
            return None
        name = schema.passage_id(letters, ordinal)
        self._fetch([name])
        point = self.points[name]
        if point is None or not self._for_reader(name) or (text := self._text_of(name)) is None:
            return None
        line = cut_to(flat(encodable(text)))
        return SaidMessage(
            number=point[schema.NUMBER], time=_time_of(point, record), speaker=_speaker_of(point), text=line
        )

    def _text_of(self, name: str) -> str | None:
        """The masked text of a passage as its transcript has it now; `None` when it is not there any more."""
        if name not in self.texts:
            self.texts[name] = self._read_text(name)
        return self.texts[name]

    def _read_text(self, name: str) -> str | None:
        point, record = self.points.get(name), self.records.get(name[:4])
        if point is None or record is None:
            return None
        place = place_of(point, record[schema.PATHS])
        if place is not None and (text := self.searching.source.text(place)) is not None and _is_of(point, text):
            return text
        session = self._read_session(record[schema.NAME])
        return (
            next((text for text in _possible_texts(session, point) if _is_of(point, text)), None) if session else None
        )

    def _read_session(self, name: str) -> Session | None:
        if name not in self.sessions:
            self.sessions[name] = self.searching.source.read(name)
            if self.sessions[name] is None and (kept := self.searching.source.read_kept_session(name)) is not None:
                self.sessions[name] = kept
                self.kept.add(name)
        return self.sessions[name]


def address(session_id: str, first: int, last: int | None) -> str:
    """The address of messages of a session."""
    return f"{ADDRESS}{session_id}#{first}" + (f"-{last}" if last is not None and last != first else "")


def messages_at(place: str) -> tuple[str, tuple[int, int]] | None:
    """The session, and the numbers of the first and the last message, at an address; `None` for another text."""
    named = _ADDRESS.fullmatch(place)
    return (named["session"], (int(named["first"]), int(named["last"] or named["first"]))) if named else None


def _place_of_same_text(hits: Sequence[SaidHit], hit: SaidHit) -> int | None:
    """The place of a hit with the very same text; short ones are often said again, and mean something else."""
    if len(hit.text.encode("utf-8", "replace")) < EQUAL_BYTES:
        return None
    return next((place for place, other in enumerate(hits) if other.text == hit.text), None)


def _possible_texts(session: Session, point: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a session that may be a passage: of the message with its number, then of others of its time."""
    start, end = point.get(schema.PART) or (0, None)
    said = sorted(session.readable, key=lambda message: message.number != point[schema.NUMBER])
    for message in said:
        if int(message.time.timestamp()) == point[schema.TIME]:
            yield message.text[start:end]


def _is_of(point: Mapping[str, Any], text: str) -> bool:
    """Whether a text is that of a passage in the index."""
    said = digest(text, point[schema.TIME], point[schema.SPEAKER])
    return said == str(point[schema.DIGEST])


def _time_of(point: Mapping[str, Any], record: Mapping[str, Any]) -> datetime:
    return datetime.fromtimestamp(point[schema.TIME], UTC).astimezone(ZoneInfo(record[schema.ZONE]))


def _speaker_of(point: Mapping[str, Any]) -> Speaker:
    return schema.SPEAKERS[int(point[schema.SPEAKER])]


def _cut_to_end(line: str) -> str:
    """The end of the message before a hit: it leads to the hit."""
    return line if len(line) <= BESIDE_CHARACTERS else f"…{line[-BESIDE_CHARACTERS + 1 :]}"
