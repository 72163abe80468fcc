"""A transcript source held in memory, and a builder to write conversations by hand."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from pipeline.errors import ReadFailed
from schemas.transcript import Message, Origin, Role, Session, TranscriptFile

ROLES = {
    Origin.OWNER: Role.USER,
    Origin.OTHER: Role.USER,
    Origin.ASSISTANT: Role.ASSISTANT,
    Origin.TOOL: Role.TOOL,
    Origin.WEB: Role.TOOL,
    Origin.MEMORY: Role.SYSTEM,
    Origin.SUMMARY: Role.SYSTEM,
    Origin.MACHINE: Role.SYSTEM,
}


def conversation(
    session_id: str,
    start: datetime,
    turns: Sequence[tuple[str, str]],
    step: timedelta = timedelta(minutes=1),
    **fields: Any,  # noqa: ANN401 - passed on to pydantic, which checks them
) -> Session:
    """A session written by hand.

    Args:
        session_id: the session's id; record n has the id `<session_id>-n`.
        start: the time of the first turn, aware.
        turns: pairs of an origin, such as `owner` or `assistant`, and what was said.
        step: the time from one turn to the next.
        **fields: any other field of `Session`, such as `zone` or `path`.

    Returns:
        A session whose messages are numbered from 1.
    """
    messages = tuple(
        message(f"{session_id}-{number}", number, start + (number - 1) * step, turn)
        for number, turn in enumerate(turns, start=1)
    )
    given: dict[str, Any] = {"source": "memory", "path": f"{session_id}.jsonl", "messages": messages}
    return Session(session_id=session_id, **(given | fields))


def message(entry_id: str, number: int, time: datetime, turn: tuple[str, str]) -> Message:
    """One message of an origin and a text."""
    origin = Origin(turn[0])
    return Message(number=number, entry_ids=(entry_id,), role=ROLES[origin], origin=origin, time=time, text=turn[1])


class MemorySource:
    """A `TranscriptSource` whose files are sessions put in by hand, under their own `path`."""

    def __init__(self, *sessions: Session, name: str = "memory") -> None:
        self._name = name
        self._sessions: dict[str, Session] = {}
        for session in sessions:
            self.put(session)

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._name

    @property
    def sessions(self) -> Sequence[Session]:
        """What was put in."""
        return tuple(self._sessions.values())

    def put(self, session: Session) -> Session:
        """Adds a session, or replaces the one at the same path; gives it back with this source's name."""
        mine = session.model_copy(update={"source": self._name})
        self._sessions[mine.path] = mine
        return mine

    def remove(self, path: str) -> None:
        """Takes a session away, as an agent that deletes its old transcripts does."""
        del self._sessions[path]

    def files(self) -> Iterator[TranscriptFile]:
        """The files in the order of their paths; size and time change whenever a session is replaced by another."""
        for path, session in sorted(self._sessions.items()):
            content = session.model_dump_json().encode()
            last = max((message.time for message in session.messages), default=None)
            seconds = last.timestamp() if last else 0
            yield TranscriptFile(path=path, size=len(content), mtime_ns=int(seconds * 1_000_000_000))

    def read(self, path: str) -> Sequence[Session]:
        """The session at `path`, and nothing else.

        Raises:
            ReadFailed: there is none.
        """
        if path not in self._sessions:
            raise ReadFailed(path, "there is no such file")
        return (self._sessions[path],)
