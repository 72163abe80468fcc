"""The one question about the facts of a session, with the offline way to answer it."""

from functools import cache, partial
from importlib.resources import files

from jobs.facts.offline import read
from jobs.session_facts.asking import asked_about
from jobs.voice.off_record import on_record
from pipeline.job import Run, Task
from schemas.fact_extraction import FactExtraction
from schemas.transcript import Origin, Session


def extractions(run: Run) -> list[tuple[Session, FactExtraction]]:
    """What is read out of each session in which the owner spoke, without what the owner asked not to keep."""
    kept = [on_record(session) for session in run.transcripts if not session.machine]
    sessions = [session for session in kept if _speaks(session, run)]
    answers = run.ask([_task(session, run) for session in sessions]) if sessions else []
    return list(zip(sessions, answers, strict=True))


def _speaks(session: Session, run: Run) -> bool:
    return any(one.origin is Origin.OWNER and one.time in run.window for one in session.conversation)


def _task(session: Session, run: Run) -> Task[FactExtraction]:
    offline = partial(read, session, run.window)
    return Task("retain", _prompt(), asked_about(session, run.window), FactExtraction, offline, background=True)


@cache
def _prompt() -> str:
    return files("jobs").joinpath("retain.md").read_text(encoding="utf-8")
