"""The places of words: quotes located and checked in their messages, and the identity that follows from it."""

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from pipeline.entries import authorship
from schemas.entry import Entry
from schemas.transcript import Message, Origin, Session, id_in_file

__all__ = [
    "Span",
    "earlier_id",
    "earlier_identities",
    "earlier_ids",
    "id_by_place",
    "identities_anywhere",
    "identities_at",
    "identity",
    "identity_of",
    "is_of_message",
    "locate",
    "message_part",
    "quoted_message",
]

MESSAGE_LENGTH = 16
PLACE_LENGTH = 32
HASH_LENGTH = 12  # hex digits in an id by place: the number stands beside it

_COMPACT = json.JSONEncoder(separators=(",", ":"))
_SORTED = json.JSONEncoder(sort_keys=True, check_circular=False)  # what a file has holds no circle
_BY_PLACE = re.compile(rf"(line[1-9][0-9]*)-[0-9a-f]{{{HASH_LENGTH}}}")
# Of its own, not of `language`: identities that people deleted rest on these edges.
_EDGE = re.compile(r"[\u3400-\u9fff]|\w+|\s+|[^\w\s]")
_LONGEST = 20_000  # characters of a message in which a quote may begin when the message is gone
_NEAR = 64  # words, spaces, marks or Chinese characters by which another quote of the same words may be off at each end

Span = tuple[int, int]
"""Start (inside) and end (outside) of a stretch of a message's text, in characters."""


def locate(quote: str, message: Message) -> Span | None:
    """The span of the first place where `quote` stands verbatim in `message`; `None` when it does not, or is empty."""
    start = message.text.find(quote)
    if not quote or start < 0:
        return None
    return start, start + len(quote)


def identity(session_id: str, entry_ids: tuple[str, ...], span: Span) -> str:
    """The identity of an entry: 48 hex digits, of which the first 16 are of the message alone (`message_part`).

    `entry_ids` are those of the quoted message alone. Redaction keeps lengths, so the raw and the redacted text agree.
    """
    return next(_identities(session_id, entry_ids, [span]))


def _identities(session_id: str, entry_ids: tuple[str, ...], spans: Iterable[Span]) -> Iterator[str]:
    """The identity of each span; what they have in common is hashed once."""
    message = _hex(entry_ids)[:MESSAGE_LENGTH]
    common = hashlib.sha256(_json([session_id, entry_ids])[:-1])  # without the bracket that closes the list
    for start, end in spans:
        place = common.copy()
        place.update(b",[%d,%d]]" % (start, end))
        yield message + place.hexdigest()[:PLACE_LENGTH]


def message_part(identity: str) -> str:
    """The part of an identity that is of the quoted message alone; the same in a copy of the session."""
    return identity[:MESSAGE_LENGTH]


def id_by_place(number: int, time: datetime | None, record: Mapping[str, object]) -> str:
    """The id of a record without one: the same in a copy of the session, of no other record of any session.

    It is made of the record as it stands in the file, so neither redaction nor a newer reader of it changes the id.
    """
    timestamp = (time if time.tzinfo is UTC else time.astimezone(UTC)).isoformat() if time else ""
    try:
        # The JSON of a list, written out: all in the record's JSON is printable ASCII, of which two signs are escaped.
        text = _SORTED.encode(record).replace("\\", "\\\\").replace('"', '\\"')
        parts = f'["{timestamp}","{text}"]'
    except RecursionError:  # nested as deep as can be read, and no message
        parts = f'["{timestamp}"]'
    return f"line{number}-{hashlib.sha256(parts.encode('ascii')).hexdigest()[:HASH_LENGTH]}"


def earlier_id(entry_id: str) -> str:
    """The id that earlier versions gave to the same record: `line2` for `line2-5d1f0a93c7e4`; others are the same."""
    match = _BY_PLACE.fullmatch(entry_id)
    return match.group(1) if match else entry_id


def earlier_ids(message: Message) -> tuple[str, ...]:
    """The ids that earlier versions gave to the message's records."""
    return tuple(map(earlier_id, message.entry_ids))


def is_of_message(entry_id: str, message: Message) -> bool:
    """Whether an entry that names this record id means this message of its session."""
    return entry_id in message.names or entry_id in earlier_ids(message)


def earlier_identities(session_id: str, message: Message, span: Span) -> Iterator[str]:
    """The possible identities, in earlier versions, of the words at `span`, with other ends or as a whole.

    Of a record without an id of its own only: the identity of others has not changed. However long the message is,
    there are some ten thousand at most.
    """
    ids = earlier_ids(message)
    if ids == message.entry_ids:
        return
    edges = [0, *(match.end() for match in _EDGE.finditer(message.text))]
    starts, ends = (
        {edges[0], span[0], *_edges_around(edges, span[0])},
        {edges[-1], span[1], *_edges_around(edges, span[1])},
    )
    yield from _identities(session_id, ids, ((start, end) for start in starts for end in ends if start < end))


def _edges_around(edges: Sequence[int], place: int) -> Sequence[int]:
    """The edges next to the place, on both sides."""
    nearest = bisect_left(edges, place)
    return edges[max(0, nearest - _NEAR) : nearest + _NEAR + 1]


def _hex(parts: object) -> str:
    return hashlib.sha256(_json(parts)).hexdigest()


def _json(parts: object) -> bytes:
    # It keeps the parts apart whatever stands in them; its ASCII form also takes a lone surrogate.
    return _COMPACT.encode(parts).encode("ascii")


def quoted_message(entry: Entry, session: Session) -> Message | None:
    """The owner's message of `session` with the entry's first id and the words of its quote; `None` without one.

    A quote that stands only in pasted text, such as a forwarded mail, is nobody's word.
    """
    return next((message for message, _ in _said_text(entry, session)), None)


def identity_of(entry: Entry, session: Session) -> str | None:
    """The identity of an entry that verifies in `session`, by the first place of its quote in the owner's own words.

    `None` for an entry that does not verify.
    """
    return next(
        (identity(session.session_id, message.entry_ids, span) for message, span in _said_text(entry, session)), None
    )


def identities_at(entry: Entry, session: Session) -> Iterator[tuple[str, Message]]:
    """The possible identities of the entry in any version, with the message: one for each place of its quote.

    Also for places outside of the owner's own words: earlier versions did not ask for these.
    """
    for message in _named_messages(entry, session):
        spans = list(_everywhere(entry.quote, message))
        for ids in dict.fromkeys((message.entry_ids, earlier_ids(message), *((name,) for name in message.aliases))):
            yield from ((entry_identity, message) for entry_identity in _identities(session.session_id, ids, spans))


def identities_anywhere(entry: Entry, wanted: Iterable[str]) -> Iterator[str]:
    """The possible identities of an entry without its transcript: its quote may begin anywhere in its message.

    Only of a message that one of the `wanted` identities is of; others are not worth the trouble.
    """
    parts, source = set(map(message_part, wanted)), entry.source
    for number in range(1, len(source.entry_ids) + 1):  # those of the quoted message come first
        ids = tuple(source.entry_ids[:number])
        for known in dict.fromkeys((ids, tuple(map(earlier_id, ids)))):
            if _hex(known)[:MESSAGE_LENGTH] in parts:
                spans = [(start, start + len(entry.quote)) for start in range(_LONGEST)]
                for session_id in dict.fromkeys((source.session_id, id_in_file(source.session_id))):
                    yield from _identities(session_id, known, spans)


def _said_text(entry: Entry, session: Session) -> Iterator[tuple[Message, Span]]:
    """The owner's messages with the entry's first id and the words of its quote, each with the span."""
    for message in _named_messages(entry, session):
        span = authorship.said_by_owner(entry.quote, message.text)
        if span is not None:
            yield message, span


def _named_messages(entry: Entry, session: Session) -> Iterator[Message]:
    """The owner's messages that carry the entry's first id."""
    if id_in_file(entry.source.session_id) != id_in_file(session.session_id):
        return
    for message in session.messages:
        if message.origin is Origin.OWNER and is_of_message(entry.source.entry_ids[0], message):
            yield message


def _everywhere(quote: str, message: Message) -> Iterator[Span]:
    """Every place of the quote, overlapping ones too."""
    start = message.text.find(quote) if quote else -1
    while start >= 0:
        yield start, start + len(quote)
        start = message.text.find(quote, start + 1)
