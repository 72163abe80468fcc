"""The one question about a session. It is the same whichever job asks it, so the second answer costs nothing."""

from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files

from jobs.session_facts.offline import read
from jobs.voice.off_record import on_record
from pipeline.job import Run, Task
from schemas.extraction import Conversation
from schemas.session_extraction import SessionExtraction
from schemas.transcript import Message, Session
from schemas.window import Window

_MOST = 48_000
"""Characters of a session in a question; of a longer one the latest are shown."""
_LONGEST = 6_000
"""Characters of one message; of a longer one the middle is left out."""
_CUT = "\n[...]\n"


def extractions(run: Run) -> list[tuple[Session, SessionExtraction]]:
    """What is read out of the sessions of an episode, each without what the owner asked not to keep."""
    kept = [on_record(session) for session in run.transcripts if not session.machine]
    sessions = [session for session in kept if _shown(session, run.window)]
    answers = run.ask([_task(session, run.window) for session in sessions]) if sessions else []
    return list(zip(sessions, answers, strict=True))


def _task(session: Session, window: Window) -> Task[SessionExtraction]:
    offline = partial(read, session, window)
    return Task("agent_session", _prompt(), asked_about(session, window), SessionExtraction, offline, background=True)


def asked_about(session: Session, window: Window) -> Conversation:
    """The messages of a window as a question shows them; there has to be one."""
    shown = _shown(session, window)
    return Conversation(session_id=session.session_id, first_new=shown[0].number, messages=tuple(shown))


def _shown(session: Session, window: Window) -> Sequence[Message]:
    """The latest messages of the window that a question has room for."""
    said = [_clipped(message) for message in session.local_conversation if message.time in window]
    first, size = len(said), 0
    while first > 0 and (size := size + len(said[first - 1].text)) <= _MOST:
        first -= 1
    return said[first:]


def _clipped(message: Message) -> Message:
    if len(message.text) <= _LONGEST:
        return message
    half = _LONGEST // 2
    return message.model_copy(update={"text": message.text[:half] + _CUT + message.text[-half:]})


@cache
def _prompt() -> str:
    return files("jobs").joinpath("agent_session.md").read_text(encoding="utf-8")
