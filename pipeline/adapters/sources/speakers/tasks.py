"""A sub-agent's task of OpenClaw that stands in a person's place and bears no mark of its own.

While the sub-agent lives, `sessions.json` names its session; later only the shape of the session is left, and the time
at which it was deleted: the gateway looks every minute for sub-agents that began an hour ago. A person in the gateway's
own surface gets the same stamp, so that no single mark tells a task.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from pipeline.adapters.sources.reading.assembly import DraftMessage
from pipeline.language.text import weight
from schemas.transcript import Origin, Role

AT_ONCE = timedelta(milliseconds=150)
"""A sub-agent's task comes 8 to 72 ms after the header of its session; nobody types as fast."""

_STAMPED = re.compile(r"\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [\w/+:-]{1,40}\] (?=\S)")
_HEADING = re.compile(
    r"^[ \t#*_]{0,6}(?:rules?|instructions?|requirements?|constraints?|guidelines?|steps?|tasks?|goals?|outputs?"
    r"|deliverables?|zasady|instrukcj[ae]|wymagania|ograniczenia|kroki|zadani[ae]|cele?|wynik"
    r"|规则|規則|说明|說明|指令|要求|限制|步骤|步驟|任务|任務|目标|目標|输出|輸出|注意事项)"
    r"[ \t*_]{0,6}[:：]",  # noqa: RUF001 - Chinese
    re.IGNORECASE | re.MULTILINE,
)
# Who gives a task to a sub-agent does not speak of himself.
_OF_ONESELF = re.compile(r"\b(?:I|my|mine|My|Mine|[Mm]ój|[Mm]oj[aeąi]\w{0,2}|mam|chcę|wolę|mieszkam)\b|我(?!们)")
_SHORTEST = 400  # in Latin letters
_LINES = 3  # below the heading
_SWEPT = timedelta(minutes=59, seconds=30), timedelta(minutes=61, seconds=30)


def comes_at_once(text: str, delay: timedelta) -> bool:
    """Whether a record has a stamp and nothing else before its text, so soon after the header of the session."""
    return timedelta(0) <= delay <= AT_ONCE and _STAMPED.match(text) is not None


def is_swept(began: datetime | None, deleted: datetime | None) -> bool:
    """Whether a session was deleted when the gateway deletes that of a sub-agent, if its settings are as they came."""
    return began is not None and deleted is not None and _SWEPT[0] <= deleted - began <= _SWEPT[1]


def is_bare_task(text: str, delay: timedelta) -> bool:
    """Whether a record's text has all marks of a task; `delay` is its time after the header of the session.

    The marks: a stamp and nothing else before it, the length, a heading with lines below it, no word of the writer
    about himself, and a delay in which nobody types.
    """
    if not comes_at_once(text, delay) or weight(text) < _SHORTEST:
        return False
    heading = _HEADING.search(text)
    below = text[heading.end() :].splitlines() if heading else []
    return sum(bool(line.strip()) for line in below) >= _LINES and _OF_ONESELF.search(text) is None


def settle(drafts: Sequence[DraftMessage], task: DraftMessage | None) -> None:
    """Give a session to the machine if nobody but a machine says anything beside the task."""
    asked = [draft for draft in drafts if draft.role is Role.USER and draft.origin is not Origin.MACHINE]
    if task is None or [id(task)] != [id(draft) for draft in asked]:
        return
    for draft in drafts:
        if draft.origin in (Origin.OWNER, Origin.ASSISTANT):
            draft.origin = Origin.MACHINE
