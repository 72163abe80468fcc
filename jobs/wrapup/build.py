"""The way from a day's sessions to its page."""

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files

from jobs.wrapup.chunks import SummaryChunk, day_pieces, whole_piece
from jobs.wrapup.decisions import decisions
from jobs.wrapup.kept_lines import kept
from jobs.wrapup.merging import merged
from jobs.wrapup.page import page
from jobs.wrapup.points import CheckedPoint, bullets
from jobs.wrapup.validation import claims
from pipeline.drafts import Draft, Skip
from pipeline.job import OFFLINE, Run, Task
from pipeline.markdown.blocks import find_blocks
from schemas.outcome import Rejection
from schemas.summary import Summary
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
    offline = run.way == OFFLINE
    cut = whole_piece if offline else day_pieces
    pieces = [piece for session in sessions for piece in cut(session, run.window)]
    answers = run.ask([_task(piece, run.window, summarize) for piece in pieces]) if pieces else []
    lists = [claims(one, said, run.window, offline=offline) for one, said in zip(pieces, answers, strict=True)]
    stays = kept(run)
    lines = stays.beyond(bullets(one for results in lists for one in results if isinstance(one, CheckedPoint)))
    dropped: list[Rejection | Skip] = [one for results in lists for one in results if not isinstance(one, CheckedPoint)]
    if len(lines) > 1 and sum(any(isinstance(one, CheckedPoint) for one in results) for results in lists) > 1:
        lines, lost = merged(run, lines)
        dropped += lost
    return [*page(run, sessions, decided, lines, stays), *dropped]


def _with_people(run: Run) -> list[Session]:
    """The sessions in which the owner spoke that day, up to its end, in the order in which they were taken up."""
    sessions = [_until(session, run.window) for session in run.transcripts if not session.machine]
    said = {session.session_id: [one for one in session.conversation if one.time in run.window] for session in sessions}
    spoken = [one for one in sessions if any(message.origin is Origin.OWNER for message in said[one.session_id])]
    return sorted(
        spoken, key=lambda session: (min(message.time for message in said[session.session_id]), session.session_id)
    )


def _until(session: Session, window: Window) -> Session:
    return session.model_copy(update={"messages": tuple(m for m in session.messages if m.time < window.end)})


def _task(piece: SummaryChunk, window: Window, summarize: Summarize) -> Task[Summary]:
    offline = partial(_offline, piece, window, summarize)
    return Task("daily_wrapup", _prompt(), piece.shown, Summary, offline, background=True)


def _offline(piece: SummaryChunk, window: Window, summarize: Summarize) -> Summary:
    """The points found without a model; a session of any length is read whole."""
    points = summarize(piece.session, window).points
    return Summary(points=tuple(point for point in points if piece.first <= max(point.numbers) <= piece.last))


@cache
def _prompt() -> str:
    return files("jobs").joinpath("daily_wrapup.md").read_text(encoding="utf-8")
