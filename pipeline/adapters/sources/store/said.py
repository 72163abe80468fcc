"""From the rows of a conversation to a session: who speaks is what the store knows, and nothing else."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pipeline.adapters.sources.reading.assembly import Assembly
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, one_line, word
from schemas.conversation import OWNER
from schemas.transcript import Message, Origin, Role, Session

_ORIGINS = {Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL, Role.SYSTEM: Origin.MACHINE}


def session_of(place: SourcePlace, path: str, about: Record, rows: Iterable[Record]) -> Session:
    """The session of a conversation; `about` is its row, and `rows` are those of its messages.

    What came along with a message (files, links, notes) is nobody's word, so it is left out.
    """
    assembly, name = Assembly(), str(about.get("session_id"))
    messages = tuple(_messages(about, rows, assembly))
    return place.session(path, name, assembly, agent=one_line(about.get("agent_id")), messages=messages)


def _messages(about: Record, rows: Iterable[Record], assembly: Assembly) -> Iterator[Message]:
    before, name = 0, str(about.get("session_id"))
    for row in rows:
        number, time, role = row.get("number"), moment_of(row.get("created_at")), _role(row.get("role"))
        if not isinstance(number, int) or number <= before or time is None or role is None:
            assembly.pass_over("bad_row", "")
            continue
        before = number
        yield Message(
            number=number,
            entry_ids=(f"{name}-{number}",),
            role=role,
            origin=_ORIGINS.get(role) or _user(about, row),
            time=time,
            text=word(row.get("text")),
        )


def _user(about: Record, row: Record) -> Origin:
    """The owner in the owner's own conversation and under a person's token alone: an agent only claims to be."""
    return Origin.OWNER if about.get("user_id") == OWNER and row.get("by_person") == 1 else Origin.OTHER


def _role(value: object) -> Role | None:
    return next((role for role in Role if role == value), None)


def moment_of(value: object) -> datetime | None:
    """A moment as a database gives it; without an offset it is in UTC."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC) if moment else None
    except (ValueError, OverflowError):
        return None
