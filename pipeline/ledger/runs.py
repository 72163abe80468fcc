"""Runs: what was done when, and how it ended."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import Store, to_moment, to_text
from schemas.outcome import Ending, Outcome
from schemas.window import Window


@dataclass(frozen=True)
class RunRecord:
    """A run as the ledger knows it. `ended` and `outcome` are missing while it runs, or when it was killed."""

    run_id: str
    job: str
    key: str
    window: Window
    began: datetime
    ended: datetime | None
    outcome: Outcome | None
    tokens: int
    undone: datetime | None


class Runs:
    """The table of runs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, run_id: str, job: str, key: str, window: Window, now: datetime) -> None:
        """Note that a run begins."""
        self._store.write(
            "INSERT INTO runs (id, job, key, start, end, began) VALUES (?, ?, ?, ?, ?, ?)",
            (run_id, job, key, to_text(window.start), to_text(window.end), to_text(now)),
        )

    def end(self, outcome: Outcome, now: datetime) -> None:
        """Note how a run ended."""
        self._store.write(
            "UPDATE runs SET ended = ?, ending = ?, outcome = ? WHERE id = ?",
            (to_text(now), outcome.ending.value, outcome.model_dump_json(), outcome.run_id),
        )

    def spend(self, run_id: str, tokens: int) -> None:
        """Note the tokens that a run used."""
        if tokens:
            self._store.write("UPDATE runs SET tokens = tokens + ? WHERE id = ?", (tokens, run_id))

    def mark_undone(self, run_id: str, now: datetime) -> None:
        """Note that a run was undone."""
        self._store.write("UPDATE runs SET undone = ? WHERE id = ?", (to_text(now), run_id))

    def find(self, run_id: str) -> RunRecord | None:
        """One run, by its id."""
        found = self._select("WHERE id = ?", (run_id,))
        return found[0] if found else None

    def latest(self, job: str = "", limit: int = 50) -> list[RunRecord]:
        """The newest runs first, of one job or of all."""
        where = "WHERE job = ?" if job else ""
        return self._select(f"{where} ORDER BY began DESC, rowid DESC LIMIT ?", (*([job] if job else []), limit))

    def waiting_since(self, job: str, key: str) -> datetime | None:
        """When a partition first had to wait for its model; `None` when its last run did not wait."""
        began: datetime | None = None
        for record in self._select("WHERE job = ? AND key = ? ORDER BY began DESC, rowid DESC", (job, key)):
            if record.outcome is None:
                continue
            if record.outcome.ending is not Ending.WAITING:
                break
            began = record.began
        return began

    def tokens_since(self, moment: datetime) -> int:
        """The tokens spent by the runs that began at or after `moment`."""
        return int(
            str(
                self._store.rows("SELECT COALESCE(SUM(tokens), 0) FROM runs WHERE began >= ?", (to_text(moment),))[0][0]
            )
        )

    def _select(self, rest: str, values: tuple[object, ...]) -> list[RunRecord]:
        columns = "id, job, key, start, end, began, ended, outcome, tokens, undone"
        return [_record(row) for row in self._store.rows(f"SELECT {columns} FROM runs {rest}", values)]  # noqa: S608 - `rest` is ours


def _record(row: tuple[object, ...]) -> RunRecord:
    run_id, job, key, start, end, began, ended, outcome, tokens, undone = row
    return RunRecord(
        run_id=str(run_id),
        job=str(job),
        key=str(key),
        window=Window(start=to_moment(start), end=to_moment(end)),
        began=to_moment(began),
        ended=to_moment(ended) if ended else None,
        outcome=Outcome.model_validate_json(str(outcome)) if outcome else None,
        tokens=int(str(tokens)),
        undone=to_moment(undone) if undone else None,
    )
