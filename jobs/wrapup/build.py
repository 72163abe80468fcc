"""The way from a day's sessions to its page."""

from jobs.reading.asking import read
from jobs.wrapup.decisions import decisions
from jobs.wrapup.kept_lines import kept
from jobs.wrapup.merging import merged
from jobs.wrapup.page import DayLines, page
from jobs.wrapup.points import CheckedPoint, bullets
from jobs.wrapup.recorded import recorded
from jobs.wrapup.validation import claims
from pipeline.drafts import Draft, Skip
from pipeline.job import Run
from pipeline.markdown.blocks import find_blocks
from schemas.outcome import Rejection
from schemas.transcript import Origin, Session


def wrap_up(run: Run) -> list[Draft]:
    """The items of the day's page and what was rejected.

    Nothing when no person took part, no entry tells that somebody did, and there is no page. Without a model the page
    has what the records prove, and nothing else.
    """
    sessions, decided = _with_people(run), decisions(run)
    if not sessions and not decided and not any(one.item for one in find_blocks(run.current.encode(errors="replace"))):
        return []
    lists = [claims(question, answer.points, run.window) for question, answer in read(run, sessions)]
    stays = kept(run)
    lines = stays.beyond(bullets(one for results in lists for one in results if isinstance(one, CheckedPoint)))
    dropped: list[Rejection | Skip] = [one for results in lists for one in results if not isinstance(one, CheckedPoint)]
    if len(lines) > 1 and sum(any(isinstance(one, CheckedPoint) for one in results) for results in lists) > 1:
        lines, lost = merged(run, lines)
        dropped += lost
    proven = [line for line in recorded(sessions, run.window) if not line.is_in(lines)]
    return [*page(run, sessions, decided, DayLines(lines, proven, stays)), *dropped]


def _with_people(run: Run) -> list[Session]:
    """The sessions in which the owner spoke that day, up to its end, in the order in which they were taken up."""
    sessions = [session.before(run.window.end) for session in run.transcripts if not session.machine]
    said = {session.session_id: [one for one in session.conversation if one.time in run.window] for session in sessions}
    spoken = [one for one in sessions if any(message.origin is Origin.OWNER for message in said[one.session_id])]
    return sorted(
        spoken, key=lambda session: (min(message.time for message in said[session.session_id]), session.session_id)
    )
