"""The tokens of a wake-up, counted ahead: a process that writes for an agent has the vocabulary, which loads slowly."""

from collections.abc import Iterable

from pipeline.engine.context import Engine
from pipeline.reports.agents import AgentFolder
from schemas.outcome import Outcome


def count_wake_ups(engine: Engine, outcomes: Iterable[Outcome]) -> None:
    """Note the counts of what the agents get first for which these runs wrote, so that no wake-up has to count.

    Raises:
        LedgerDamaged: the ledger cannot be used.
    """
    settings = engine.settings.agents
    agents = {outcome.subject for outcome in outcomes if outcome.paths}
    for name in sorted(agents & settings.named.keys()):
        AgentFolder(settings, engine.workspace, engine.ledger, name).wake()
