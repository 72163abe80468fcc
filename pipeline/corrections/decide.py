"""Deciding about suggestions: what is accepted becomes an entry, what is declined does not come back."""

from collections.abc import Sequence

from pipeline.backfill.plan import Planned, work_through
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.requests import partition_of
from pipeline.engine.runner import Runner
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.scheduling.registry import named
from pipeline.workspace.declined import note_declined
from pipeline.workspace.locks import Waiting
from schemas.outcome import Outcome
from schemas.suggestion import AcceptedEntry

LOCK = "declined"
LOCK_SECONDS = 10.0
_WAIT = 10.0  # seconds for a run that is at work; what is accepted is kept, and written by the next run


def accept(engine: Engine, suggestions: Sequence[KeptSuggestion], text: str = "") -> list[Outcome]:
    """Accept suggestions, in the person's own `text` if there is one; how the runs ended that write them.

    All of them are kept before the first is written. What is not written now, for another process is at work, is
    written by the next run.
    """
    requests = [_request(engine, suggestion, text) for suggestion in suggestions]
    with engine.ledger.store.transaction():
        for request in requests:
            engine.ledger.requests.keep(request)
    jobs = {job.name: job for job in named(list({request.job for request in requests}), engine.jobs)}
    planned = [Planned(jobs[request.job], partition_of(request)) for request in requests]
    return list(work_through(Runner(engine), planned, wait_seconds=_WAIT))


def decline(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> None:
    """Decline suggestions: `memory/declined.md` keeps them away, and none of their words.

    Raises:
        Held: another process declines for too long.
        WriteFailed: the system refuses.
    """
    day = engine.local_now().date()
    listed = [(suggestion.id, suggestion.identity, suggestion.entry.conclusion) for suggestion in suggestions]
    with engine.locks.hold([LOCK], "decline", engine.clock.now(), Waiting(LOCK_SECONDS)):
        note_declined(engine.workspace, listed, day)


def _request(engine: Engine, suggestion: KeptSuggestion, text: str) -> Request:
    now = engine.clock.now()
    body = AcceptedEntry(entry=suggestion.entry, identity=suggestion.identity, text=text).model_dump_json()
    # Another one at each time: what was accepted, and undone, may be accepted again.
    request_id = f"accept-{suggestion.id}-{engine.new_run_id(now)}"
    return Request(request_id, suggestion.job, "", body, asked=now, about=suggestion.entry.date)
