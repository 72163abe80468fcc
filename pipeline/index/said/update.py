"""Keeping the index of what was said up to date: only sessions that changed are read, and only new passages put in."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from pipeline.errors import IndexUnavailable
from pipeline.index.said import schema
from pipeline.index.said.passages import SessionPoints, place_of, places_of, points_of
from pipeline.language import analysis
from pipeline.ports.index import Indexer, IndexPoint, IndexStore, Searcher, Where
from pipeline.ports.said import BytePlace, SaidSession, SaidSource, ScreenedWords
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.locks import Latch
from schemas.reports.said_index import SaidIndexReport

CHARACTERS_AT_ONCE: Final = 8_000_000
"""About how much is put in by one change of the index: a second or two, and what a stop may lose."""
ERASE_WAIT_SECONDS: Final = 60.0
"""The time to wait for an update of another process to end, before what was forgotten is erased."""
ERASED_AT_ONCE: Final = 32_000_000
"""Bytes of transcripts up to which an update that takes something out makes the index anew: a few seconds."""
ASKED: Final = "asked for"
NONE_BEFORE: Final = "there was none"
TAKEN_OUT: Final = "messages were taken out"

_POINTS_AT_ONCE = 1_000


@dataclass(frozen=True)
class SaidIndexing:
    """The transcripts of one workspace, and the index of what was said in them; `latch` is held during a change."""

    source: SaidSource
    store: IndexStore
    latch: Latch
    safe_point: CancellationToken = field(default_factory=CancellationToken)


@dataclass(frozen=True)
class SaidUpdated:
    """The result of an update. `sessions` counts all sessions; `read` those that were read, `gone` those that went.

    `behind` counts the changed ones that were left for later, and `passages` the passages put in. `rebuilt` says why
    the index was built anew, and is empty when it was not. `owed` is whether words of messages that are gone may stand
    in its files yet, though nothing finds them.
    """

    sessions: int = 0
    read: int = 0
    gone: int = 0
    behind: int = 0
    passages: int = 0
    rebuilt: str = ""
    owed: bool = False


class _IndexedSession(NamedTuple):
    """A session in the index: its number, its stamp, and how many messages it has there."""

    number: int
    stamp: str
    messages: int = 0


_ABSENT: Final = _IndexedSession(0, "")


@dataclass
class _Directory:
    """The sessions in the index by id; `following` is the next free number.

    `owed` is whether words that were taken out may stand in its files.
    """

    sessions: dict[str, _IndexedSession] = field(default_factory=dict)
    following: int = 0
    owed: bool = False
    changed: set[int] = field(default_factory=set)

    def letters_of(self, session_id: str) -> str:
        """The letters of a session; a new one gets the next number, and has no stamp yet."""
        number = self.sessions.setdefault(session_id, _IndexedSession(self.following, "")).number
        self.following = max(self.following, number + 1)
        self.changed.add(_shelf_of(session_id))
        return schema.letters(number)

    def note(self, session: SaidSession, messages: int) -> None:
        """Note that a session is in the index as its stamp says, with so many messages."""
        number = self.sessions[session.session_id].number
        self.sessions[session.session_id] = _IndexedSession(number, session.stamp, messages)

    def drop(self, session_id: str) -> str:
        """The letters of a session that goes."""
        self.changed.add(_shelf_of(session_id))
        return schema.letters(self.sessions.pop(session_id).number)

    def points(self, rules: str) -> Iterator[IndexPoint]:
        """The shelves that changed, and the stamp."""
        by_shelf = defaultdict[int, dict[str, list[object]]](dict)
        for name, entry in self.sessions.items():
            by_shelf[_shelf_of(name)][name] = [*entry]
        for shelf in sorted(self.changed):
            payload = {schema.SORT: schema.SHELF, schema.SESSIONS: by_shelf[shelf]}
            yield IndexPoint(_shelf_id(shelf), payload)
        self.changed.clear()
        made_with: dict[str, object] = {
            schema.SORT: schema.STAMP,
            schema.IDENTITY: _identity_now(),
            schema.RULES: rules,
        }
        yield IndexPoint(schema.STAMP, {**made_with, schema.NEXT: self.following, schema.OWED: self.owed})


def update_said(
    indexing: SaidIndexing, most: int | None = None, *, wait: float = 0.0, erase: bool = False
) -> SaidUpdated:
    """Bring the index up to date.

    It is built anew when its identity or the rules of what may be found differ: so what may not be found any more
    leaves its files at once. The same goes for messages that were edited, taken back or put off the record: deleted
    words stay in the files of an index until its engine clears up. Of many transcripts that takes long, and waits for
    an update with `erase`.

    Args:
        indexing: the transcripts and the index.
        most: how many bytes of changed sessions are read, those with the newest files first; `None` is no limit.
        wait: for how many seconds to wait for another update to end.
        erase: whether what was taken out leaves the files at once, however many transcripts there are.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested; the index can be used, and the next update goes on.
    """
    with indexing.latch.hold(wait):
        indexing.source.settle(indexing.source.list_sessions())
        rules, listed = indexing.source.rules, list(indexing.source.list_sessions())
        known, why = _read_directory(indexing, rules)
        if known is None:
            if most is not None and sum(session.size for session in listed) > most:
                return SaidUpdated(len(listed), behind=len(listed))
            return _build_anew(indexing, listed, rules, why)
        there = {session.session_id for session in listed}
        changed = [
            session
            for session in listed
            if not session.away and known.sessions.get(session.session_id, _ABSENT).stamp != session.stamp
        ]
        now, gone = list(_first_within(changed, most)), [name for name in known.sessions if name not in there]
        work = _SaidChange(indexing, known, rules)
        work.carry_out(now, gone)
        later = len(changed) - len(now)
        done = SaidUpdated(len(listed), read=len(now), gone=len(gone), behind=later, passages=work.passages)
        if not known.owed:
            return done
        quick = ERASED_AT_ONCE if most is None else min(most, ERASED_AT_ONCE)
        if not erase and sum(session.size for session in listed) > quick:
            return replace(done, owed=True)
        _build_anew(indexing, listed, rules, TAKEN_OUT)
        return replace(done, behind=0, rebuilt=TAKEN_OUT)


def rebuild_said(indexing: SaidIndexing, *, wait: float = 0.0) -> SaidUpdated:
    """Build the index anew; the present one answers meanwhile. Raises as `update_said`."""
    with indexing.latch.hold(wait):
        return _build_anew(indexing, list(indexing.source.list_sessions()), indexing.source.rules, ASKED)


def erase_said(indexing: SaidIndexing) -> bool:
    """Make the index anew from what may be found now; whether there was one. Raises as `update_said`.

    Deleted terms stay in the files of an index until the engine clears up: so a sure erasure makes others.
    """
    with indexing.latch.hold(ERASE_WAIT_SECONDS):
        indexing.source.settle(list(indexing.source.list_sessions()), anew=True)
        with suppress(IndexUnavailable), indexing.store.reading() as reader:
            if reader is None:
                return False
        _build_anew(indexing, list(indexing.source.list_sessions()), indexing.source.rules, NONE_BEFORE)
    return True


def drop_said(indexing: SaidIndexing) -> None:
    """Remove the index and what is kept for it, if there is any.

    Raises:
        WorkspaceError: another process is updating it, or will not let it go; the system refuses.
    """
    with indexing.latch.hold(ERASE_WAIT_SECONDS):
        indexing.source.settle(())
        indexing.store.drop()


def said_report(indexing: SaidIndexing) -> SaidIndexReport:
    """The report on the index, compared with the last look at the transcripts; without an index all are behind.

    Raises:
        IndexUnavailable: its engine fails.
    """
    with indexing.store.reading() as reader:
        there = reader is not None
    listed = list(indexing.source.list_sessions())
    known, _ = _read_directory(indexing, indexing.source.rules)
    entries = known.sessions if known else {}
    stamps = {session.session_id: session.stamp for session in listed}
    behind = sum(stamps.get(name) != entries.get(name, _ABSENT).stamp for name in stamps.keys() | entries.keys())
    owed = known is not None and known.owed
    return SaidIndexReport(
        said="none" if not there else "behind" if behind else "fresh",
        sessions=len(entries),
        messages=sum(entry.messages for entry in entries.values()),
        behind=behind,
        source_gone=sum(session.kept for session in listed),
        owed=owed,
        erase="memory doctor reindex" if owed else None,
    )


def _read_directory(indexing: SaidIndexing, rules: str) -> tuple[_Directory | None, str]:
    """The sessions in the index; `None`, and why, when it has to be built anew."""
    try:
        with indexing.store.reading() as reader:
            if reader is None:
                return None, NONE_BEFORE
            stamp = _read_stamp(reader)
            if stamp.get(schema.IDENTITY) != _identity_now():
                return None, "another version made it"
            if stamp.get(schema.RULES) != rules:
                return None, "other things may be found now"
            shelves = reader.retrieve([_shelf_id(shelf) for shelf in range(schema.SHELVES)])
            named = (item for shelf in shelves for item in shelf.payload[schema.SESSIONS].items())
            sessions = {name: _IndexedSession(*entry) for name, entry in named}
            return _Directory(sessions, int(stamp[schema.NEXT]), bool(stamp.get(schema.OWED))), ""
    except IndexUnavailable:
        return None, "the old one was damaged"


def _read_stamp(reader: Searcher) -> Mapping[str, Any]:
    return next((point.payload for point in reader.retrieve([schema.STAMP])), {})


def _build_anew(indexing: SaidIndexing, listed: Sequence[SaidSession], rules: str, why: str) -> SaidUpdated:
    indexing.source.settle(listed, anew=True)
    screened = {} if why == ASKED else _read_screened(indexing)
    work = _SaidChange(indexing, _Directory(), rules, screened)
    if why == NONE_BEFORE:  # nothing answers meanwhile: what is in answers at once, and a stop loses little
        with indexing.store.building() as indexer:
            indexer.upsert(list(work.directory.points(rules)))
        work.carry_out(listed, ())
    else:
        with indexing.store.building() as indexer:
            for session in listed:
                work.put_session(indexer, session, None)
            indexer.upsert(list(work.directory.points(rules)))
    return SaidUpdated(len(listed), read=len(listed), passages=work.passages, rebuilt=why)


@dataclass
class _SaidChange:
    """Puts sessions into the index, and takes others out, some at a time.

    `screened` is what was looked through in an index that this one is made in place of, by the ids of sessions.
    """

    indexing: SaidIndexing
    directory: _Directory
    rules: str
    screened: Mapping[str, ScreenedWords] = field(default_factory=dict)
    passages: int = 0
    size: int = 0

    def carry_out(self, now: Sequence[SaidSession], gone: Iterable[str]) -> None:
        """Do it in as few changes of the index as its size allows."""
        left, leaving = iter(now), list(gone)
        following = next(left, None)
        while following or leaving:
            with self.indexing.store.reading() as reader, self.indexing.store.writing() as indexer:
                self.size = 0
                for name in leaving:
                    self._take_out(reader, indexer, self.directory.drop(name))
                leaving = []
                while following and self.size < CHARACTERS_AT_ONCE:
                    self.put_session(indexer, following, reader)
                    following = next(left, None)
                indexer.upsert(list(self.directory.points(self.rules)))

    def put_session(self, indexer: Indexer, listed: SaidSession, reader: Searcher | None) -> None:
        """Put in what is new of a session, and take out what is not in it any more."""
        self.indexing.safe_point()
        letters = self.directory.letters_of(listed.session_id)
        former = _read_record(reader, letters)
        known = _screened_words(former) if former else self.screened.get(listed.session_id, ScreenedWords())
        taken = self.indexing.source.take(listed.session_id, known)
        if taken is None:  # without the stamp of now it is asked for again
            return
        session, screened = taken
        if session is None:
            self._take_out(reader, indexer, letters)
            self.directory.note(listed, 0)
            return
        before = _digests_of(former)
        points = points_of(session, letters)
        record = points.record(screened)
        now = _digests_of(record.payload)
        same = [ordinal for ordinal, (old, digest) in enumerate(zip(before, now, strict=False)) if old == digest]
        last = self._find_last_place(reader, points, same)
        if last and self.indexing.source.text(last) != points.passages[same[-1]].text:
            same, last = [], None  # the file was written anew: all stand elsewhere
        new = sorted(set(range(len(now))).difference(same))
        self.directory.owed |= not set(before) <= set(now)
        for start in range(0, len(new), _POINTS_AT_ONCE):
            part = new[start : start + _POINTS_AT_ONCE]
            places = places_of(self.indexing.source, points, part, last)
            last = places.get(part[-1], last)
            made = [points.point(ordinal, places.get(ordinal)) for ordinal in part]
            indexer.delete([point.id for point, ordinal in zip(made, part, strict=True) if ordinal < len(before)])
            indexer.insert(made)
            self.size += sum(points.passages[ordinal].end - points.passages[ordinal].start for ordinal in part)
        indexer.delete([schema.passage_id(letters, ordinal) for ordinal in range(len(now), len(before))])
        indexer.upsert([record])
        self.directory.note(listed, len({passage.message.number for passage in points.passages}))
        self.passages += len(new)

    def _take_out(self, reader: Searcher | None, indexer: Indexer, letters: str) -> None:
        """Take out a session."""
        known = range(len(_digests_of(_read_record(reader, letters))))
        indexer.delete([schema.record_id(letters), *(schema.passage_id(letters, ordinal) for ordinal in known)])
        self.directory.owed |= bool(known)

    @staticmethod
    def _find_last_place(reader: Searcher | None, points: SessionPoints, same: Sequence[int]) -> BytePlace | None:
        """The place of the last passage that is in the index unchanged; `None` when it is not known."""
        last = reader.retrieve([schema.passage_id(points.letters, same[-1])]) if reader and same else []
        return place_of(last[0].payload, points.paths) if last else None


def _read_record(reader: Searcher | None, letters: str) -> Mapping[str, Any]:
    """The record of a session in the index; empty when it has none."""
    points = reader.retrieve([schema.record_id(letters)]) if reader else []
    return points[0].payload if points else {}


def _digests_of(record: Mapping[str, Any]) -> list[str]:
    """The digests of a session's passages, by its record."""
    digests = record.get(schema.DIGESTS, "")
    return [digests[at : at + schema.DIGEST_LETTERS] for at in range(0, len(digests), schema.DIGEST_LETTERS)]


def _screened_words(record: Mapping[str, Any]) -> ScreenedWords:
    count, digest, telling = record[schema.SCREENED]
    return ScreenedWords(count, digest, tuple(telling))


def _read_screened(indexing: SaidIndexing) -> dict[str, ScreenedWords]:
    """The screened words of the sessions in the present index, by their ids; none of an index of another version."""
    with suppress(IndexUnavailable), indexing.store.reading() as reader:
        if reader and _read_stamp(reader).get(schema.IDENTITY) == _identity_now():
            sessions = reader.scroll(Where(any_of={schema.SORT: (schema.SESSION,)}))
            return {point.payload[schema.NAME]: _screened_words(point.payload) for point in sessions}
    return {}


def _first_within(changed: Sequence[SaidSession], most: int | None) -> Iterator[SaidSession]:
    """The first of the sessions whose files have so many bytes together, and one at least."""
    size = 0
    for place, session in enumerate(changed):
        size += session.size
        if most is not None and place and size > most:
            return
        yield session


def _identity_now() -> Mapping[str, int]:
    return {"points": schema.VERSION, "analysis": analysis.VERSION}


def _shelf_of(session_id: str) -> int:
    return blake2b(session_id.encode("utf-8", "replace"), digest_size=1).digest()[0] % schema.SHELVES


def _shelf_id(shelf: int) -> str:
    return f"{schema.SHELF}{shelf:02}"
