"""Runs: what was done when, and how it ended."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.ledger.store import Store, to_moment, to_text
from schemas.outcome import SUCCESSES, Ending, Outcome
from schemas.partition import PartitionKey
from schemas.window import Window

_ID_BYTES = 8  # of one record seen, as `coverage.pack` writes it
_SILENT = """ending IS ? AND instr(outcome, '"warning":""')"""  # quotation marks inside texts are escaped
_QUOTING = '*"detail":"[^"]*'  # an outcome with a rejection that quotes; quotation marks inside texts are escaped


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
    subject: str = ""

    @property
    def partition(self) -> PartitionKey:
        """What it was about."""
        return PartitionKey(key=self.key, window=self.window, subject=self.subject)


@dataclass(frozen=True)
class Attempt:
    """What is needed of many runs at once. `ending` is missing while a run goes on, or when it was killed."""

    run_id: str
    window: Window
    ended: bool
    ending: Ending | None


@dataclass(frozen=True)
class Totals:
    """All runs of one job.

    `endings` counts those that have ended. In `tokens` are those of runs that go on, or were killed, as well.
    """

    endings: Mapping[Ending, int] = field(default_factory=dict)
    tokens: int = 0


class Runs:
    """The table of runs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, run_id: str, job: str, partition: PartitionKey, now: datetime) -> None:
        """Note that a run begins."""
        window = partition.window
        self._store.write(
            "INSERT INTO runs (id, job, subject, key, start, end, began) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (run_id, job, partition.subject, partition.key, to_text(window.start), to_text(window.end), to_text(now)),
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

    def erase(self, without: Callable[[str], str]) -> None:
        """Take an entry out of what runs told: `without` gives a text with stand-ins for its id and its words."""
        for run_id, outcome in self._store.rows("SELECT id, outcome FROM runs WHERE outcome IS NOT NULL"):
            if (reworded := without(str(outcome))) != outcome:
                self._store.write("UPDATE runs SET outcome = ? WHERE id = ?", (reworded, run_id))

    def drop_quotes(self, moment: datetime) -> int:
        """Drop what rejected candidates said in runs that ended before `moment`; of how many runs.

        That they were rejected, why, and where they stood is kept. The caller holds a transaction.
        """
        quoting = "SELECT id, outcome FROM runs WHERE ended < ? AND outcome GLOB ?"
        rows = self._store.rows(quoting, (to_text(moment), _QUOTING))
        for run_id, text in rows:
            outcome = Outcome.model_validate_json(str(text))
            silent = tuple(rejection.model_copy(update={"detail": ""}) for rejection in outcome.rejected)
            kept = outcome.model_copy(update={"rejected": silent}).model_dump_json()
            self._store.write("UPDATE runs SET outcome = ? WHERE id = ?", (kept, run_id))
        return len(rows)

    def find(self, run_id: str) -> RunRecord | None:
        """One run, by its id."""
        records = self._select("WHERE id = ?", (run_id,))
        return records[0] if records else None

    def beginning_with(self, text: str, limit: int = 5) -> list[RunRecord]:
        """The runs whose ids begin with a text, the newest first."""
        return self._select(
            "WHERE substr(id, 1, ?) = ? ORDER BY began DESC, rowid DESC LIMIT ?", (len(text), text, limit)
        )

    def attempts(self, job: str, within: Window) -> list[Attempt]:
        """The runs of a job over windows that overlap `within`, the oldest first.

        A run that was undone is left out, with those before it: an old failure does not come back by that.
        """
        query = """
            SELECT id, start, end, ended IS NOT NULL, ending FROM runs
            WHERE job = ? AND end > ? AND start < ? AND NOT EXISTS (
                SELECT 1 FROM runs AS later
                WHERE later.job = runs.job AND later.key = runs.key AND later.subject = runs.subject
                AND later.undone IS NOT NULL AND (later.began, later.rowid) >= (runs.began, runs.rowid))
            ORDER BY began, rowid"""
        return [
            Attempt(
                run_id=str(run_id),
                window=Window(start=to_moment(start), end=to_moment(end)),
                ended=bool(ended),
                ending=Ending(str(ending)) if ending else None,
            )
            for run_id, start, end, ended, ending in self._store.rows(
                query, (job, to_text(within.start), to_text(within.end))
            )
        ]

    def sessions_of(self, run_id: str) -> dict[str, int]:
        """The sessions, or the files, that a run saw, each with how many records of it were its own.

        Nothing once a later run has dealt with the same time.
        """
        query = """
            SELECT name, SUM(LENGTH(ids)) FROM (
                SELECT seen.session AS name, seen.ids AS ids FROM coverage
                JOIN seen ON seen.coverage = coverage.id WHERE coverage.run = :run
                UNION ALL SELECT inputs.name, inputs.ids FROM keyed
                JOIN inputs ON inputs.keyed = keyed.id WHERE keyed.run = :run)
            GROUP BY name ORDER BY name"""
        sizes = {str(name): int(str(size)) // _ID_BYTES for name, size in self._store.rows(query, {"run": run_id})}
        return {session: number for session, number in sizes.items() if number}

    def sessions_since(self, job: str, moment: datetime) -> set[str]:
        """The sessions with records in time after `moment` that a job has dealt with."""
        query = """
            SELECT DISTINCT seen.session FROM coverage JOIN seen ON seen.coverage = coverage.id
            WHERE coverage.job = ? AND coverage.state = 'covered' AND coverage.end > ? AND LENGTH(seen.ids) > 0"""
        return {str(session) for (session,) in self._store.rows(query, (job, to_text(moment)))}

    def of_key(self, key: str) -> list[RunRecord]:
        """The runs of partitions with this key, the newest first."""
        return self._select("WHERE key = ? ORDER BY began DESC, rowid DESC", (key,))

    def latest(self, job: str = "", limit: int = 50, *, without: Ending | None = None) -> list[RunRecord]:
        """The newest runs first, of one job or of all; without those that ended so and warn of nothing."""
        conditions = {"job = ?": job, f"NOT ({_SILENT})": without}
        given = {condition: value for condition, value in conditions.items() if value}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        return self._select(f"{where} ORDER BY began DESC, rowid DESC LIMIT ?", (*given.values(), limit))

    def last_success(self, job: str) -> RunRecord | None:
        """The newest run of a job that ended well and that nobody has undone."""
        marks = ", ".join("?" * len(SUCCESSES))
        good = f"WHERE job = ? AND undone IS NULL AND ending IN ({marks}) ORDER BY began DESC, rowid DESC LIMIT 1"
        return next(iter(self._select(good, (job, *SUCCESSES))), None)

    def count(self, ending: Ending, job: str = "") -> int:
        """How many runs have ended so and warn of nothing, of one job or of all."""
        query = f"SELECT COUNT(*) FROM runs WHERE {_SILENT} AND ? IN ('', job)"  # noqa: S608 - fixed texts
        [(number,)] = self._store.rows(query, (ending, job))
        return int(str(number))

    def waiting_since(self, job: str) -> datetime | None:
        """Since when a job has had no answer from its model; `None` when none of its windows waits.

        A window that was done or found empty later waits no more, and any window done since ends the waiting of all.
        """
        query = """
            SELECT MIN(began) FROM runs AS waited WHERE job = ? AND ending = 'waiting'
            AND began > COALESCE((SELECT MAX(began) FROM runs WHERE job = waited.job AND ending = 'done'), '')
            AND NOT EXISTS (
                SELECT 1 FROM runs AS later WHERE later.job = waited.job AND later.key = waited.key
                AND later.subject = waited.subject AND later.began > waited.began AND later.ending = 'empty')"""
        [(began,)] = self._store.rows(query, (job,))
        return to_moment(began) if began else None

    def tokens_since(self, moment: datetime) -> int:
        """The tokens spent by the runs that began at or after `moment`."""
        return int(
            str(
                self._store.rows("SELECT COALESCE(SUM(tokens), 0) FROM runs WHERE began >= ?", (to_text(moment),))[0][0]
            )
        )

    def totals(self) -> dict[str, Totals]:
        """What the runs of each job come to: one look at the table, which does not read what years of runs told."""
        query = "SELECT job, ending, COUNT(*), SUM(tokens) FROM runs GROUP BY job, ending"
        by_job: dict[str, Totals] = {}
        for job, ending, count, tokens in self._store.rows(query):
            so_far = by_job.get(str(job), Totals())
            counted = {Ending(str(ending)): int(str(count))} if ending else {}
            by_job[str(job)] = Totals({**so_far.endings, **counted}, so_far.tokens + int(str(tokens)))
        return by_job

    def _select(self, rest: str, values: tuple[object, ...]) -> list[RunRecord]:
        columns = "id, job, key, start, end, began, ended, outcome, tokens, undone, subject"
        return [_record(row) for row in self._store.rows(f"SELECT {columns} FROM runs {rest}", values)]  # noqa: S608 - `rest` is ours


def _record(row: tuple[object, ...]) -> RunRecord:
    run_id, job, key, start, end, began, ended, outcome, tokens, undone, subject = row
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
        subject=str(subject),
    )
