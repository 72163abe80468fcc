"""The way from a day's sessions to its page."""

from collections.abc import Callable, Sequence

from jobs.reading.asking import read
from jobs.reading.pieces import PieceQuestion
from jobs.wrapup.decisions import decisions
from jobs.wrapup.kept_lines import kept
from jobs.wrapup.merging import merged
from jobs.wrapup.page import page
from jobs.wrapup.points import CheckedPoint, bullets
from jobs.wrapup.validation import claims
from pipeline.drafts import Draft, Skip
from pipeline.job import OFFLINE, Run
from pipeline.markdown.blocks import find_blocks
from schemas.extraction import Conversation
from schemas.outcome import Rejection
from schemas.summary import Point, Summary
from schemas.transcript import Origin, Session
from schemas.window import Window

Summarize = Callable[[Session, Window], Summary]
"""The offline reader of one session, whole up to the window's end; its points rest on messages inside the window."""


def wrap_up(run: Run, summarize: Summarize) -> list[Draft]:
    """The items of the day's page and what was rejected.

    Nothing when no person took part, no entry tells that somebody did, and there is no page.
    """
    sessions, decided = _with_people(run), decisions(run)
    if not sessions and not decided and not any(one.item for one in find_blocks(run.current.encode(errors="replace"))):
        return []
    readings = _offline(run, sessions, summarize) if run.way == OFFLINE else _asked(run, sessions)
    lists = [claims(one, points, run.window, offline=run.way == OFFLINE) for one, points in readings]
    stays = kept(run)
    lines = stays.beyond(bullets(one for results in lists for one in results if isinstance(one, CheckedPoint)))
    dropped: list[Rejection | Skip] = [one for results in lists for one in results if not isinstance(one, CheckedPoint)]
    if len(lines) > 1 and sum(any(isinstance(one, CheckedPoint) for one in results) for results in lists) > 1:
        lines, lost = merged(run, lines)
        dropped += lost
    return [*page(run, sessions, decided, lines, stays), *dropped]


def _with_people(run: Run) -> list[Session]:
    """The sessions in which the owner spoke that day, up to its end, in the order in which they were taken up."""
    sessions = [session.before(run.window.end) for session in run.transcripts if not session.machine]
    said = {session.session_id: [one for one in session.conversation if one.time in run.window] for session in sessions}
    spoken = [one for one in sessions if any(message.origin is Origin.OWNER for message in said[one.session_id])]
    return sorted(
        spoken, key=lambda session: (min(message.time for message in said[session.session_id]), session.session_id)
    )


def _asked(run: Run, sessions: Sequence[Session]) -> list[tuple[PieceQuestion, Sequence[Point]]]:
    """The points that a model reads out of each piece."""
    return [(question, answer.points) for question, answer in read(run, sessions)]


def _offline(
    run: Run, sessions: Sequence[Session], summarize: Summarize
) -> list[tuple[PieceQuestion, Sequence[Point]]]:
    """The points found without a model; the day of a session is read whole."""
    return [(_whole_day(one, run.window), summarize(one, run.window).points) for one in sessions]


def _whole_day(session: Session, window: Window) -> PieceQuestion:
    said = session.conversation
    new = [message for message in said if message.time in window]
    whole = Conversation(session_id=session.session_id, first_new=new[0].number, messages=said)
    return PieceQuestion(session, window, new[0].number, new[-1].number, whole)
