"""The retention of words of people in the ledger, which the files hold too.

Runs, covered time and changes stay: undo, the grid, counters and staleness rest on them. A year of them takes a few
megabytes (docs/explanation/identity-and-time.md has the figures).
"""

from contextlib import suppress

from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import settle_declined
from pipeline.events import Event
from pipeline.kept_upgrades import drop_upgrades


def prune(engine: Engine) -> None:
    """Drop the words of declined suggestions, and before the first run of a day all texts older than `retention`.

    These are the model's answers, which save money only when the same window is run again, the quotes of rejected
    candidates, and suggestions, whether somebody has decided or not. No lock is needed but the ledger's own: a run
    without a cached answer asks the model anew.

    Raises:
        LedgerDamaged: the ledger cannot be used.
        WorkspaceError: the system refuses; another process keeps the ledger too long.
    """
    settle_declined(engine)
    ledger, retention = engine.ledger, engine.settings.retention
    if not retention or ran_today(engine):
        return
    before = engine.clock.now() - retention
    with suppress(OSError):  # the next day tries again
        drop_upgrades(engine.workspace.state_folder, before=before)
    with ledger.store.transaction():
        answers, runs = ledger.answers.drop_before(before), ledger.runs.drop_quotes(before)
        suggestions = ledger.suggestions.drop_before(before)
        ledger.requests.drop_bodies(before)
        ledger.entry_proposals.drop_before(before)
    if answers or runs or suggestions:
        dropped = {"answers": answers, "runs": runs, "suggestions": suggestions}
        engine.emit(Event.LEDGER_PRUNED, **dropped, before=before.isoformat())


def ran_today(engine: Engine) -> bool:
    """Whether the newest run began on this local day."""
    today = local_day(engine.clock.now(), engine.zone)
    return any(local_day(run.began, engine.zone) == today for run in engine.ledger.runs.latest(limit=1))
