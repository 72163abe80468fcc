"""Where words stand: quotes located and checked in their messages, and the identity that follows from it."""

import hashlib
import json
from collections.abc import Iterator

from schemas.entry import Entry
from schemas.transcript import Message, Origin, Session

__all__ = ["Span", "identity", "identity_of", "locate", "message_part", "quoted_message"]

MESSAGE_LENGTH = 16
PLACE_LENGTH = 32

Span = tuple[int, int]
"""Start (inside) and end (outside) of a stretch of a message's text, in characters."""


def locate(quote: str, message: Message) -> Span | None:
    """The span of the first place where `quote` stands verbatim in `message`; `None` when it does not, or is empty."""
    start = message.text.find(quote)
    if not quote or start < 0:
        return None
    return start, start + len(quote)


def identity(session_id: str, entry_ids: tuple[str, ...], span: Span) -> str:
    """What makes an entry the same entry again: 48 hex digits, of which the first 16 tell the message (`message_part`).

    `entry_ids` are those of the quoted message alone. Redaction keeps lengths, so the raw and the redacted text agree.
    """
    message, place = _hex(entry_ids), _hex([session_id, entry_ids, span])
    return message[:MESSAGE_LENGTH] + place[:PLACE_LENGTH]


def message_part(identity: str) -> str:
    """What an identity tells of the quoted message alone; the same in a copy of the session under another id."""
    return identity[:MESSAGE_LENGTH]


def _hex(parts: object) -> str:
    # JSON keeps the parts apart whatever stands in them; its ASCII form also takes a lone surrogate.
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode("ascii")).hexdigest()


def quoted_message(entry: Entry, session: Session) -> Message | None:
    """The owner's message of `session` that has the entry's first id and holds its quote; `None` when none does."""
    return next((message for message, _ in _places(entry, session)), None)


def identity_of(entry: Entry, session: Session) -> str | None:
    """The identity of an entry that verifies in `session`; `None` for one that does not."""
    return next(
        (identity(session.session_id, message.entry_ids, span) for message, span in _places(entry, session)), None
    )


def _places(entry: Entry, session: Session) -> Iterator[tuple[Message, Span]]:
    """The owner's messages that carry the entry's first id and hold its quote, each with the span."""
    if entry.source.session_id != session.session_id:
        return
    for message in session.messages:
        if message.origin is Origin.OWNER and entry.source.entry_ids[0] in message.entry_ids:
            span = locate(entry.quote, message)
            if span is not None:
                yield message, span
