"""What the ledger need not keep for ever: the words of people that it holds beside the files.

Runs, covered time and what each run wrote stay: undo, the grid, counters and staleness rest on them. A year of them is
a few megabytes (docs/explanation/identity-and-time.md tells of which).
"""

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.events import Event


def prune(engine: Engine) -> None:
    """Before the first run of a local day, remove the texts from the ledger that are older than `retention`.

    Those are the model's answers, which save money only when the same window is run again, and what rejected candidates
    quoted. No lock is needed but the ledger's own: who reads meanwhile asks the model anew.

    Raises:
        LedgerDamaged: the ledger cannot be used.
        WriteFailed: the system refuses.
        Held: another process keeps the ledger too long.
    """
    ledger, retention = engine.ledger, engine.settings.retention
    if not retention or _ran_today(engine):
        return
    before = engine.clock.now() - retention
    with ledger.store.transaction():
        answers, runs = ledger.answers.drop_before(before), ledger.runs.drop_quotes(before)
    if answers or runs:
        engine.emit(Event.LEDGER_PRUNED, answers=answers, runs=runs, before=before.isoformat())


def _ran_today(engine: Engine) -> bool:
    """Whether the newest run began on this day; a day that the clock has left again, either way, is another."""
    today = local_day(engine.clock.now(), engine.zone)
    return any(local_day(run.began, engine.zone) == today for run in engine.ledger.runs.latest(limit=1))
