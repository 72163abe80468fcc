"""Points, the content of a page, each with the messages it rests on."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pipeline.entries.provenance import earlier_ids
from schemas.summary import Part
from schemas.transcript import Message, Session

_LENGTH = 8  # hex digits of a session and of a point in a name; one page holds a few hundred


@dataclass(frozen=True)
class CheckedPoint:
    """A point that was checked against its session: `messages` are those it rests on, in order."""

    session: Session
    part: Part
    text: str
    messages: tuple[Message, ...]

    def resting_also_on(self, messages: Iterable[Message]) -> "CheckedPoint":
        """The same point with more messages behind it."""
        either = {message.number: message for message in (*self.messages, *messages)}
        return replace(self, messages=tuple(either[number] for number in sorted(either)))


@dataclass(frozen=True)
class MessageNumbers:
    """Messages of one session, by their numbers in order."""

    session_id: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Bullet:
    """A line of the page. `key` names it in its part whatever its wording; `time` is that of its first message."""

    key: str
    part: Part
    text: str
    time: datetime
    places: tuple[MessageNumbers, ...]

    @property
    def name(self) -> str:
        """The name of its item."""
        return f"{self.part.value}-{self.key}"


def key_of(parts: object) -> str:
    """A short name for JSON values; that of a session's id begins the names of its lines, after their part."""
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()[:_LENGTH]


def bullets(claims: Iterable[CheckedPoint]) -> list[Bullet]:
    """The bullets of the claims, in the order of the page. Those of one part that begin at one message are numbered."""
    made: dict[str, Bullet] = {}
    parts = list(Part)

    def order(claim: CheckedPoint) -> tuple[object, ...]:
        first = claim.messages[0]
        return parts.index(claim.part), first.time, claim.session.session_id, first.number

    for claim in sorted(claims, key=order):
        # By the earlier ids, so that lines of pages that stand keep their names: the session is named beside them.
        session_id, first = claim.session.session_id, claim.messages[0]
        stem = key = f"{key_of(session_id)}-{key_of([session_id, claim.part.value, earlier_ids(first)])}"
        ordinal = 1
        while f"{claim.part.value}-{key}" in made:
            ordinal += 1
            key = f"{stem}-{ordinal}"
        place = MessageNumbers(session_id, tuple(message.number for message in claim.messages))
        bullet = Bullet(key, claim.part, claim.text, first.time, (place,))
        made[bullet.name] = bullet
    return list(made.values())


def in_order(given: Iterable[Bullet]) -> list[Bullet]:
    """The bullets by part, then by the time of the first message."""
    parts = list(Part)
    return sorted(
        given,
        key=lambda point: (parts.index(point.part), point.time, point.places[0].session_id, point.places[0].numbers),
    )


def join_places(places: Sequence[MessageNumbers]) -> tuple[MessageNumbers, ...]:
    """The places with one for each session, in the order in which the sessions come first."""
    numbers: dict[str, set[int]] = {}
    for place in places:
        numbers.setdefault(place.session_id, set()).update(place.numbers)
    return tuple(MessageNumbers(session_id, tuple(sorted(seen))) for session_id, seen in numbers.items())
