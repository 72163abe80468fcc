"""The rows of a question about a session, read back: what a model is shown of a conversation."""

import re
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from schemas.extraction import NEW_MARK, Conversation
from schemas.transcript import Message, Origin, Role
from tests.support.ports.fences import unfenced

_PROJECT = "project: "
_DAY = re.compile(r"(\d{4}-\d\d-\d\d) \w+")
_ROW = re.compile(r"\[(\d+) (owner|assistant) (\d\d:\d\d)\] (.*)", re.DOTALL)
_MORE = "\n  "


def read_shown(fenced: str, zone: str = "UTC") -> Conversation:
    """The conversation in the input of a question; the ids of session and messages are not shown.

    Raises:
        ValueError: the input shows something else.
    """
    text = unfenced(fenced)
    lines = re.split(r"\n(?!  )", text)
    project = lines.pop(0).removeprefix(_PROJECT) if text.startswith(_PROJECT) else ""
    messages = tuple(_messages(lines, zone))
    new = [line for line in lines[lines.index(NEW_MARK) if NEW_MARK in lines else 0 :] if _ROW.fullmatch(line)]
    if not new:
        message = "there is no row"
        raise ValueError(message)
    first_new = int(new[0][1:].split()[0])
    return Conversation(session_id="", first_new=first_new, messages=messages, project=project)


def _messages(lines: list[str], zone: str) -> Iterator[Message]:
    day = ""
    for line in lines:
        if named := _DAY.fullmatch(line):
            day = named[1]
        elif row := _ROW.fullmatch(line):
            number, speaker, clock, words = row.groups()
            time = datetime.fromisoformat(f"{day} {clock}").replace(tzinfo=ZoneInfo(zone))
            text, origin = words.replace(_MORE, "\n"), Origin(speaker)
            role = Role.USER if origin is Origin.OWNER else Role.ASSISTANT
            yield Message(number=int(number), entry_ids=(), role=role, origin=origin, time=time, text=text)
        elif line != NEW_MARK:
            message = f"{line!r} is no row"
            raise ValueError(message)
