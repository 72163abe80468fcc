"""The passages of a session: each message, and of a long one its parts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from pipeline.clock import local_day
from pipeline.index.chunking.splitting import weight
from pipeline.index.said import schema
from pipeline.index.search.query import encodable
from pipeline.language.analysis import terms
from pipeline.ports.index import IndexPoint
from pipeline.ports.said import BytePlace, SaidSource, ScreenedWords
from schemas.said import Speaker
from schemas.transcript import MASK, Message, Origin, Session

LONGEST: Final = 900
"""The most characters of an alphabet in a passage. A Chinese character weighs as much as two of them."""

_FULL: Final = 0.5  # of a part: from here on it may end
_ENDS: Final = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n"),
    re.compile(r"[.!?\u2026][\"')\]\u201d\u2019]*\s|[\u3002\uff01\uff1f\uff1b][\u201d\u300d\u300f]?"),
    re.compile(r"[\s,;:\uff0c\u3001\uff1a]"),
)


@dataclass(frozen=True, slots=True)
class SaidPassage:
    """A part of a message: its characters from `start` to `end`, and whether that is all of it."""

    message: Message
    start: int
    end: int
    whole: bool

    @property
    def text(self) -> str:
        """Its masked text."""
        return self.message.text[self.start : self.end]

    @property
    def seconds(self) -> int:
        """The time of its message, in seconds since 1970."""
        return int(self.message.time.timestamp())

    @property
    def speaker(self) -> int:
        """Its speaker, as the place in `schema.SPEAKERS`."""
        return schema.SPEAKERS.index(speaker_of(self.message))

    @property
    def digest(self) -> str:
        """The digest of its content: copies of a message in other sessions have the same."""
        return digest(self.text, self.seconds, self.speaker)


def passages(session: Session) -> Iterator[SaidPassage]:
    """The passages of a session in order."""
    for message in session.readable:
        for start, end in parts(message.text):
            if not message.text[start:end].isspace():
                yield SaidPassage(message, start, end, whole=end - start == len(message.text))


def speaker_of(message: Message) -> Speaker:
    """The speaker of a readable message."""
    if message.origin is Origin.SUMMARY:
        return "summary"
    return "owner" if message.origin is Origin.OWNER else "assistant"


def parts(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text by their first character and their end: each ends with a paragraph, or else a sentence."""
    start = 0
    while len(text) - start > LONGEST // 2:
        window = text[start : start + LONGEST]
        room = LONGEST if window.isascii() else max(len(window) * LONGEST // max(weight(window), 1), 1)
        if len(text) - start <= room:
            break
        end = start + _end_of_part(window[:room])
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _end_of_part(window: str) -> int:
    """The end of a part that may be all of a window."""
    least = int(len(window) * _FULL)
    for pattern in _ENDS:
        if end := max((match.end() for match in pattern.finditer(window, least)), default=0):
            return end
    return len(window)


def digest(text: str, seconds: int, speaker: int) -> str:
    """The digest of a passage: of its text, its speaker and the time of its message, in seconds since 1970."""
    said = f"{seconds} {speaker}\n{text}".encode("utf-8", "replace")
    return blake2b(said, digest_size=schema.DIGEST_LETTERS // 2).hexdigest()


def key_of(session: Session, passage: SaidPassage) -> str:
    """The key of a passage: a digest of all that its point is made of, except its bytes."""
    message = passage.message
    place = f"{message.number} {passage.start} {session.project_of(message)} {passage.digest}"
    return blake2b(place.encode("utf-8", "replace"), digest_size=schema.DIGEST_LETTERS // 2).hexdigest()


@dataclass(frozen=True)
class SessionPoints:
    """The points of a session. `letters` are those of its number, `paths` its files, as points number them."""

    session: Session
    letters: str
    paths: tuple[str, ...]
    passages: tuple[SaidPassage, ...]

    @property
    def readers(self) -> list[str]:
        """The names by which it may be asked for: its source, and its agent there."""
        return [self.session.source, f"{self.session.source}:{self.session.agent}"]

    def record(self, screened: ScreenedWords) -> IndexPoint:
        """The record of the session; `screened` is what its source wants to get back."""
        session = self.session
        payload = {
            schema.SORT: schema.SESSION,
            schema.NAME: session.session_id,
            schema.SOURCE: session.source,
            schema.AGENT: session.agent,
            schema.ZONE: session.zone,
            schema.PATHS: [*self.paths],
            schema.DIGESTS: "".join(key_of(session, passage) for passage in self.passages),
            schema.SCREENED: [screened.count, screened.digest, [*screened.telling]],
        }
        return IndexPoint(schema.record_id(self.letters), payload)

    def point(self, ordinal: int, place: BytePlace | None) -> IndexPoint:
        """The point of a passage."""
        passage = self.passages[ordinal]
        message = passage.message
        payload: dict[str, object] = {
            schema.SORT: schema.PASSAGE,
            schema.IN_SESSION: self.letters,
            schema.READER: self.readers,
            schema.PROJECT: self.session.project_of(message),
            schema.DAY: local_day(message.time, self.session.zone).toordinal(),
            schema.NUMBER: message.number,
            schema.SPEAKER: passage.speaker,
            schema.TIME: passage.seconds,
            schema.DIGEST: passage.digest,
        }
        if not passage.whole:
            payload[schema.PART] = [passage.start, passage.end]
        if place is not None:
            payload[schema.BYTES] = [self.paths.index(place.path), place.start, place.size]
        words = {schema.WORDS: " ".join(terms(encodable(passage.text)))}
        return IndexPoint(schema.passage_id(self.letters, ordinal), payload, words)


def points_of(session: Session, letters: str) -> SessionPoints:
    """The points of a session."""
    said = tuple(passages(session))[: schema.MOST]
    paths = (session.session_path, *(passage.message.session_path for passage in said if passage.message.session_path))
    return SessionPoints(session, letters, tuple(dict.fromkeys(paths)), said)


def place_of(payload: Mapping[str, Any], paths: Sequence[str]) -> BytePlace | None:
    """The place of the bytes of an indexed passage; `paths` are those of its session's record."""
    if schema.BYTES not in payload:
        return None
    file, start, size = payload[schema.BYTES]
    return BytePlace(paths[file], start, size) if file < len(paths) else None


def places_of(
    source: SaidSource, points: SessionPoints, ordinals: Sequence[int], after: BytePlace | None
) -> dict[int, BytePlace]:
    """The places of the bytes of passages, as far as they are found: in the file of `after` behind that place.

    A masked text has no place.
    """
    by_path: dict[str, list[int]] = {}
    for ordinal in ordinals:
        passage = points.passages[ordinal]
        if MASK not in passage.text:
            by_path.setdefault(passage.message.session_path or points.session.session_path, []).append(ordinal)
    by_ordinal: dict[int, BytePlace] = {}
    for path, inside in by_path.items():
        start = after.start if after and after.path == path else 0
        places = source.find(path, [points.passages[ordinal].text for ordinal in inside], start)
        by_ordinal |= {ordinal: place for ordinal, place in zip(inside, places, strict=True) if place}
    return by_ordinal
