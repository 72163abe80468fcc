"""The tokens that the settings allow."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.clock import day_start, local_day
from pipeline.errors import BudgetSpent
from pipeline.ledger.runs import Runs
from pipeline.ports.engine import Clock
from schemas.settings import ModelSettings


@dataclass(frozen=True)
class TokenBudget:
    """A `pipeline.model.ask.Budget`: the tokens of one run, of one local day, and of the workspace; 0 is no limit."""

    runs: Runs
    model: ModelSettings
    clock: Clock
    zone: str

    def check(self, spent: int, ahead: int = 0) -> None:
        """Refuse when no tokens are left; `spent` are those of the run under way, `ahead` those of later runs."""
        for limit, used, whose in self._limits(spent, ahead):
            if used >= limit:
                raise BudgetSpent(used, limit, whose)

    def _limits(self, spent: int, ahead: int) -> Iterator[tuple[int, int, str]]:
        model, unbooked = self.model, spent + ahead
        if model.tokens_per_run:
            yield model.tokens_per_run, spent, "of this run (model.tokens_per_run)"
        if model.tokens_per_day:
            today = day_start(local_day(self.clock.now(), self.zone), self.zone)
            yield model.tokens_per_day, unbooked + self.runs.tokens_since(today), "today (model.tokens_per_day)"
        if model.tokens_in_total:
            used = unbooked + self.runs.tokens_since()
            yield model.tokens_in_total, used, "of this workspace (model.tokens_in_total)"
