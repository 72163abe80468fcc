"""Sessions as a run sees them: cut into pieces, and nothing said after the last one."""

from datetime import timedelta

from schemas.transcript import Session
from schemas.window import Window


def seen_in(window: Window, *sessions: Session) -> tuple[Session, ...]:
    """Sessions with what was said in the window as one piece, as far as anything was."""
    return tuple(_seen(session, window) for session in sessions)


def _seen(session: Session, window: Window) -> Session:
    times = [message.time for message in session.conversation if message.time in window]
    pieces = (Window(start=min(times), end=max(times) + timedelta(microseconds=1)),) if times else ()
    evidence = session.before(window.end).evidence
    seen = session.before(pieces[0].end if pieces else window.end)
    return seen.model_copy(update={"pieces": pieces, "evidence": evidence})
