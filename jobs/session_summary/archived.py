"""Archived sessions, read back from their pages: only what we wrote there, unchanged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pipeline.job import Document, NotedItem, Run
from pipeline.markdown.front_fields import front_fields
from schemas.transcript import Message, Origin, Role, Session
from schemas.window import Window

_SAID = re.compile(r"- (?P<time>\d\d:\d\d:\d\d) (?P<who>.+?): (?P<text>.*)", re.DOTALL)
_ESCAPED = re.compile(r"^(\s*\d*)\\(?=[#>*+=~`|<.)-])", re.MULTILINE)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class ArchivedSession:
    """A session by its page. `number` is that of its day; `window` holds all its messages."""

    name: str
    session: Session
    window: Window
    day: str

    @property
    def number(self) -> int:
        """Its number on its day."""
        return int(self.name.rpartition("_")[2])


def archived_sessions(run: Run) -> list[ArchivedSession]:
    """The sessions of the pages that a run sees, in their order; those whose front matter is ours."""
    return sorted(filter(None, (_archived(run, page) for page in run.documents)), key=lambda one: one.window.start)


def _archived(run: Run, page: Document) -> ArchivedSession | None:
    fields = front_fields(page.text.encode())
    if not fields.keys() >= {"session_id", "start", "closed"}:
        return None
    window = Window(start=datetime.fromisoformat(fields["start"]), end=datetime.fromisoformat(fields["closed"]))
    items = [item for item in run.items if item.path == page.path]
    session = Session(
        session_id=fields["session_id"], source="archive", path=page.path, messages=_messages(run, fields, items)
    )
    name = page.path.rpartition("/")[2].removesuffix(".md")
    return ArchivedSession(name, session, window, name.rpartition("_")[0]) if session.messages else None


def _messages(run: Run, fields: dict[str, Any], items: Sequence[NotedItem]) -> tuple[Message, ...]:
    said, last = list[Message](), datetime.fromisoformat(fields["start"]).astimezone(run.now.tzinfo)
    for item in items:
        if match := _SAID.fullmatch(item.text.strip()):
            clock = datetime.strptime(match["time"], "%H:%M:%S").time()  # noqa: DTZ007 - a time of day has no zone
            moment = datetime.combine(last.date(), clock, run.now.tzinfo)
            last = moment if moment >= last.replace(microsecond=0) else moment + _DAY
            said.append(_message(len(said) + 1, item.name, match, last))
    return tuple(said)


def _message(number: int, name: str, match: re.Match[str], moment: datetime) -> Message:
    owner = match["who"] == "owner"
    text = "\n".join(line.strip() for line in match["text"].split("\n"))
    return Message(
        number=number,
        entry_ids=(name,),
        role=Role.USER if owner else Role.ASSISTANT,
        origin=Origin.OWNER if owner else Origin.ASSISTANT,
        time=moment,
        text=_ESCAPED.sub(r"\1", text),
    )
