"""Routine sessions: they open with the same paragraph as several before them, and nobody spoke twice in these.

A script that sends a prompt through an agent leaves no other mark. That makes nobody's words a machine's; but what
rests on them is not written without a question. Only earlier sessions count, as they stood at that time, so a run on
time and a later back-fill see the same.
"""

import hashlib
import re
from datetime import datetime
from typing import NamedTuple

from pipeline.language.text import weight
from schemas.transcript import Message, Origin, Session

SEVERAL = 3
"""Earlier sessions with the same opening, from which on a session is routine."""
SHORTEST = 60
"""Latin letters of an opening, or as much in Chinese: a greeting opens many sessions, and says nothing of them."""

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_NUMBER = re.compile(r"\d+")


class SessionOpening(NamedTuple):
    """How the owner opens a session: a digest of the first paragraph, and the time of the owner's second message."""

    digest: str
    second: datetime | None


def opening_of(session: Session) -> SessionOpening:
    """The opening of a session; its digest is empty when the first paragraph is short, or nobody speaks.

    White space, case and numbers make no difference: prompts of scripts hold dates.
    """
    first, second = (*_owners(session), None, None)[:2]
    paragraph = _PARAGRAPH_END.split(first.text.strip(), maxsplit=1)[0] if first else ""
    words = " ".join(_NUMBER.sub("0", paragraph).casefold().split())
    digest = hashlib.sha256(words.encode()).hexdigest()[:16] if weight(words) >= SHORTEST else ""
    return SessionOpening(digest, second.time if second else None)


def _owners(session: Session) -> list[Message]:
    return [message for message in session.messages if message.origin is Origin.OWNER]
