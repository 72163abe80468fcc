"""The cost of runs: what each was answered by which model, in tokens."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Row
from schemas.usage import Usage

_ADD = """
    INSERT INTO spending (run, model, asked, cached, input_tokens, output_tokens, cached_tokens)
    VALUES (:run, :model, :asked, :cached, :input_tokens, :output_tokens, :cached_tokens)
    ON CONFLICT DO UPDATE SET asked = asked + :asked, cached = cached + :cached,
    input_tokens = input_tokens + :input_tokens, output_tokens = output_tokens + :output_tokens,
    cached_tokens = cached_tokens + :cached_tokens"""


@dataclass(frozen=True)
class Spent:
    """The usage of one model by a run of a job that began at `began`. `model` is empty where it was not noted yet."""

    run_id: str
    job: str
    began: datetime
    model: str
    usage: Usage


class Spending(LedgerTable):
    """The table of what was spent."""

    def note(self, run_id: str, usages: Mapping[str, Usage]) -> None:
        """Add what a run used, by the name of the model, and its tokens to the run's."""
        for model, usage in usages.items():
            self._store.write(_ADD, {"run": run_id, "model": model, **usage.model_dump()})
            self._store.write("UPDATE runs SET tokens = tokens + ? WHERE id = ?", (usage.tokens, run_id))

    def of_run(self, run_id: str) -> dict[str, Usage]:
        """What a run used, by the name of the model."""
        rows = self._store.rows("SELECT * FROM spending WHERE run = ? ORDER BY model", (run_id,))
        return {row["model"]: _usage(row) for row in rows}

    def since(self, moment: datetime, until: datetime) -> list[Spent]:
        """What the runs used that began at or after `moment` and before `until`, the oldest first."""
        query = """
            SELECT job, began, spending.* FROM spending JOIN runs ON runs.id = run
            WHERE began >= ? AND began < ? ORDER BY began, run, model"""
        return [
            Spent(row["run"], row["job"], datetime.fromisoformat(row["began"]), row["model"], _usage(row))
            for row in self._store.rows(query, (moment, until))
        ]


def _usage(row: Row) -> Usage:
    return Usage(**{name: row[name] for name in Usage.model_fields})
