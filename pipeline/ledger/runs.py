"""Runs: their partitions, times and outcomes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Row, Values, to_moment, window_in
from schemas.outcome import SUCCESSES, Ending, Outcome, Usage
from schemas.window import PartitionKey, Window

_ADD = """
    INSERT INTO spending (run, model, asked, cached, input_tokens, output_tokens, cached_tokens)
    VALUES (:run, :model, :asked, :cached, :input_tokens, :output_tokens, :cached_tokens)
    ON CONFLICT DO UPDATE SET asked = asked + :asked, cached = cached + :cached,
    input_tokens = input_tokens + :input_tokens, output_tokens = output_tokens + :output_tokens,
    cached_tokens = cached_tokens + :cached_tokens"""


@dataclass(frozen=True)
class Spent:
    """The usage of a model by a run of a job that began at `began`. `model` is empty in ledgers of early versions."""

    run_id: str
    job: str
    began: datetime
    model: str
    usage: Usage


class Spending(LedgerTable):
    """The table of the usage of models."""

    def note(self, run_id: str, usages: Mapping[str, Usage]) -> None:
        """Add the usage of a run, by the name of the model, and its tokens to the run's."""
        for model, usage in usages.items():
            self._store.write(_ADD, {"run": run_id, "model": model, **usage.model_dump()})
            self._store.write("UPDATE runs SET tokens = tokens + ? WHERE id = ?", (usage.tokens, run_id))

    def of_run(self, run_id: str) -> dict[str, Usage]:
        """The usage of a run, by the name of the model."""
        rows = self._store.rows("SELECT * FROM spending WHERE run = ? ORDER BY model", (run_id,))
        return {row["model"]: _usage(row) for row in rows}

    def since(self, moment: datetime, until: datetime) -> list[Spent]:
        """The usage of the runs that began at or after `moment` and before `until`, the oldest first."""
        query = """
            SELECT job, began, spending.* FROM spending JOIN runs ON runs.id = run
            WHERE began >= ? AND began < ? ORDER BY began, run, model"""
        return [
            Spent(row["run"], row["job"], datetime.fromisoformat(row["began"]), row["model"], _usage(row))
            for row in self._store.rows(query, (moment, until))
        ]


def _usage(row: Row) -> Usage:
    return Usage(**{name: row[name] for name in Usage.model_fields})


ID_BYTES = 8
"""The bytes of a record that was seen, as `coverage.pack` writes it."""
_SILENT = """ending IS ? AND instr(outcome, '"warning":""')"""  # quotation marks inside texts are escaped
_QUOTING = '*"detail":"[^"]*'  # an outcome with a rejection that quotes; quotation marks inside texts are escaped


@dataclass(frozen=True)
class RunRecord:
    """A row of the runs. `ended` and `outcome` are missing while it runs, or when it was killed.

    `backfill` is the id of the back-fill that it belongs to, or empty.
    """

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
    backfill: str = ""

    @property
    def partition(self) -> PartitionKey:
        """The partition of the run."""
        return PartitionKey(key=self.key, window=self.window, subject=self.subject)


@dataclass(frozen=True)
class Attempt:
    """The few fields of a run that are read of many at once. `ending` is missing of a run without an end."""

    run_id: str
    window: Window
    ended: bool
    ending: Ending | None


@dataclass(frozen=True)
class Totals:
    """The totals of all runs of one job.

    `endings` counts the runs that have ended; `tokens` are of all runs.
    """

    endings: Mapping[Ending, int] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True)
class BackfillTotals:
    """The totals of the runs of one back-fill.

    `empty` of them had nothing to write and no warning, and `undone` were taken back. `began` is when the first of them
    began, and `window` is the time that they are about, from its first moment to its last.
    """

    backfill: str
    runs: int
    empty: int
    undone: int
    began: datetime
    window: Window


class Runs(LedgerTable):
    """The table of runs."""

    def begin(self, run_id: str, job: str, partition: PartitionKey, now: datetime, backfill: str = "") -> None:
        """Note the beginning of a run, which may belong to a back-fill."""
        subject, key, window = partition.subject, partition.key, partition.window
        self._store.write(
            "INSERT INTO runs (id, job, subject, key, start, end, began, backfill) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (run_id, job, subject, key, window.start, window.end, now, backfill),
        )

    def end(self, outcome: Outcome, now: datetime) -> None:
        """Note the end of a run."""
        self._store.write(
            "UPDATE runs SET ended = ?, ending = ?, outcome = ? WHERE id = ?",
            (now, outcome.ending, outcome.model_dump_json(), outcome.run_id),
        )

    def note_ended(self, outcomes: Iterable[Outcome], now: datetime) -> None:
        """Note runs that began and ended at once, with nothing to do. The caller holds a transaction."""
        rows = [
            (
                *(run.run_id, run.job, run.subject, run.key, run.window.start, run.window.end, now),
                *(run.backfill, now, run.ending, run.model_dump_json()),
            )
            for run in outcomes
        ]
        self._store.write_all(
            "INSERT INTO runs (id, job, subject, key, start, end, began, backfill, ended, ending, outcome) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def mark_undone(self, run_id: str, now: datetime) -> None:
        """Note that a run was undone."""
        self._store.write("UPDATE runs SET undone = ? WHERE id = ?", (now, run_id))

    def erase(self, without: Callable[[str], str]) -> None:
        """Take words out of the outcomes: `without` gives a text with stand-ins for them.

        Only names and sentences are reworded: a topic may be called as a field is, or as a year.
        """
        for run_id, text in self._store.rows("SELECT id, outcome FROM runs WHERE outcome IS NOT NULL"):
            if without(text) == text:
                continue
            outcome = Outcome.model_validate_json(text)
            fields = ("written", "items", "paths", "notices")
            reworded = {name: tuple(map(without, getattr(outcome, name))) for name in fields}
            rejected = tuple(
                one.model_copy(update={"session_id": without(one.session_id), "detail": without(one.detail)})
                for one in outcome.rejected
            )
            update = {**reworded, "rejected": rejected, "warning": without(outcome.warning)}
            kept = outcome.model_copy(update=update).model_dump_json()
            self._store.write("UPDATE runs SET outcome = ? WHERE id = ?", (kept, run_id))

    def drop_quotes(self, moment: datetime) -> int:
        """Drop the quotes of rejected candidates from runs that ended before `moment`; of how many runs.

        The reasons and places of the rejections are kept. The caller holds a transaction.
        """
        quoting = "SELECT id, outcome FROM runs WHERE ended < ? AND outcome GLOB ?"
        rows = self._store.rows(quoting, (moment, _QUOTING))
        for run_id, text in rows:
            outcome = Outcome.model_validate_json(text)
            silent = tuple(rejection.model_copy(update={"detail": ""}) for rejection in outcome.rejected)
            kept = outcome.model_copy(update={"rejected": silent}).model_dump_json()
            self._store.write("UPDATE runs SET outcome = ? WHERE id = ?", (kept, run_id))
        return len(rows)

    def find(self, run_id: str) -> RunRecord | None:
        """One run, by its id."""
        return next(iter(self._select("WHERE id = ?", (run_id,))), None)

    def beginning_with(self, text: str, limit: int = 5) -> list[RunRecord]:
        """The runs with ids that begin with a text, also behind their time, the newest first."""
        return self._select(
            "WHERE substr(id, 1, ?) = ? OR substr(id, instr(id, '-') + 1, ?) = ? "
            "ORDER BY began DESC, rowid DESC LIMIT ?",
            (len(text), text, len(text), text, limit),
        )

    def attempts(self, job: str, within: Window) -> list[Attempt]:
        """The runs of a job over windows that overlap `within`, the oldest first.

        A run that was undone is left out, and so are earlier runs of its key: an undo brings no old failure back.
        """
        query = """
            SELECT id, start, end, ended, ending FROM runs
            WHERE job = ? AND end > ? AND start < ? AND NOT EXISTS (
                SELECT 1 FROM runs AS later INDEXED BY runs_by_key
                WHERE later.job = runs.job AND later.key = runs.key AND later.subject = runs.subject
                AND later.undone IS NOT NULL AND (later.began, later.rowid) >= (runs.began, runs.rowid))
            ORDER BY began, rowid"""
        rows = self._store.rows(query, (job, within.start, within.end))
        return [
            Attempt(row["id"], window_in(row), bool(row["ended"]), Ending(row["ending"]) if row["ending"] else None)
            for row in rows
        ]

    def sessions_of(self, run_id: str) -> dict[str, int]:
        """The sessions, or the files, of a run, each with the number of its records in the run.

        Nothing once a later run has dealt with the same time.
        """
        query = """
            SELECT name, SUM(LENGTH(ids)) FROM (
                SELECT seen.session AS name, seen.ids AS ids FROM coverage
                JOIN seen ON seen.coverage = coverage.id WHERE coverage.run = :run
                UNION ALL SELECT inputs.name, inputs.ids FROM keyed
                JOIN inputs ON inputs.keyed = keyed.id WHERE keyed.run = :run)
            GROUP BY name ORDER BY name"""
        return {name: size // ID_BYTES for name, size in self._store.rows(query, {"run": run_id}) if size}

    def sessions_since(self, job: str, moment: datetime) -> set[str]:
        """The sessions with records in time after `moment` that a job has dealt with."""
        query = """
            SELECT DISTINCT seen.session FROM coverage JOIN seen ON seen.coverage = coverage.id
            WHERE coverage.job = ? AND coverage.state = 'covered' AND coverage.end > ? AND LENGTH(seen.ids) > 0"""
        return set(self._store.column(query, (job, moment)))

    def of_key(self, key: str) -> list[RunRecord]:
        """The runs of partitions with this key, the newest first."""
        return self._select("WHERE key = ? ORDER BY began DESC, rowid DESC", (key,))

    def of_backfill(self, backfill: str) -> list[RunRecord]:
        """The runs of a back-fill, the newest first."""
        return self._select("WHERE backfill = ? AND backfill <> '' ORDER BY began DESC, rowid DESC", (backfill,))

    def backfills(self) -> list[str]:
        """The ids of the back-fills that runs belong to, the newest first."""
        return self._store.column(
            "SELECT backfill FROM runs WHERE backfill <> '' GROUP BY backfill ORDER BY MIN(rowid) DESC"
        )

    def backfill_totals(self, backfill: str = "", limit: int = 1) -> list[BackfillTotals]:
        """The totals of the newest back-fills, or of one."""
        query = f"""
            SELECT backfill, COUNT(*) AS runs, SUM({_SILENT}) AS empty, SUM(undone IS NOT NULL) AS undone,
            MIN(began) AS began, MIN(start) AS start, MAX(end) AS end
            FROM runs WHERE backfill <> '' AND ? IN ('', backfill)
            GROUP BY backfill ORDER BY MAX(began) DESC LIMIT ?"""  # noqa: S608 - fixed texts
        return [
            BackfillTotals(
                *(row["backfill"], row["runs"], row["empty"], row["undone"]),
                *(datetime.fromisoformat(row["began"]), window_in(row)),
            )
            for row in self._store.rows(query, (Ending.EMPTY, backfill, limit))
        ]

    def telling(self, backfill: str, limit: int, offset: int = 0) -> list[RunRecord]:
        """The newest runs of a back-fill that did not come out empty."""
        where = f"WHERE backfill = ? AND NOT ({_SILENT})"
        return self._select(
            f"{where} ORDER BY began DESC, rowid DESC LIMIT ? OFFSET ?", (backfill, Ending.EMPTY, limit, offset)
        )

    def latest(self, job: str = "", limit: int = 50, *, without: Ending | None = None) -> list[RunRecord]:
        """The newest runs first, of one job or of all; without the runs of an ending and no warning."""
        conditions = {"job = ?": job, f"NOT ({_SILENT})": without}
        given = {condition: value for condition, value in conditions.items() if value}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        return self._select(f"{where} ORDER BY began DESC, rowid DESC LIMIT ?", (*given.values(), limit))

    def first_began(self) -> datetime | None:
        """The beginning of the first run; `None` before any."""
        return to_moment(self._store.value("SELECT MIN(began) FROM runs"))

    def during(self, job: str, within: Window | None, limit: int, offset: int = 0) -> list[RunRecord]:
        """The runs of a job, or of all, over windows that overlap `within`: so many behind the `offset` newest."""
        where, values = _during(job, within)
        return self._select(f"{where} ORDER BY began DESC, rowid DESC LIMIT ? OFFSET ?", (*values, limit, offset))

    def count_during(self, job: str, within: Window | None) -> int:
        """The number of those runs."""
        where, values = _during(job, within)
        return int(self._store.value(f"SELECT COUNT(*) FROM runs {where}", values))  # noqa: S608 - fixed texts

    def last_success(self, job: str) -> RunRecord | None:
        """The newest run of a job that ended well and was not undone."""
        marks = ", ".join("?" * len(SUCCESSES))
        good = f"WHERE job = ? AND undone IS NULL AND ending IN ({marks}) ORDER BY began DESC, rowid DESC LIMIT 1"
        return next(iter(self._select(good, (job, *SUCCESSES))), None)

    def wrote_before(self, job: str, reading: int, since: datetime | None) -> bool:
        """Whether a block of a job from after `since`, by an earlier version of its reading, is still in a file."""
        query = """
            SELECT 1 FROM blocks JOIN runs ON runs.id = blocks.run
            WHERE blocks.state = 'live' AND runs.job = ? AND runs.began > ?
            AND COALESCE(json_extract(runs.outcome, '$.reading'), 0) < ? LIMIT 1"""
        return bool(self._store.value(query, (job, since or "", reading)))

    def count(self, ending: Ending, job: str = "") -> int:
        """The number of runs with this ending and no warning, of one job or of all."""
        query = f"SELECT COUNT(*) FROM runs WHERE {_SILENT} AND ? IN ('', job)"  # noqa: S608 - fixed texts
        return int(self._store.value(query, (ending, job)))

    def waiting_since(self, job: str) -> datetime | None:
        """The moment since which a job waits for its model; `None` when none of its windows waits.

        A window that was done or found empty later waits no more, and any window done since ends the waiting of all.
        """
        query = """
            SELECT MIN(began) FROM runs AS waited WHERE job = ? AND ending = 'waiting'
            AND began > COALESCE((SELECT MAX(began) FROM runs WHERE job = waited.job AND ending = 'done'), '')
            AND NOT EXISTS (
                SELECT 1 FROM runs AS later INDEXED BY runs_by_key
                WHERE later.job = waited.job AND later.key = waited.key AND later.subject = waited.subject
                AND later.began > waited.began AND later.ending = 'empty')"""
        return to_moment(self._store.value(query, (job,)))

    def tokens_since(self, moment: datetime | None = None, *, backfills: bool = False) -> int:
        """The tokens spent by the runs that began at or after `moment`; without one, by all. Perhaps of back-fills."""
        query = "SELECT COALESCE(SUM(tokens), 0) FROM runs WHERE began >= ? AND (backfill <> '' OR NOT ?)"
        return int(self._store.value(query, (moment or "", backfills)))

    def totals(self) -> dict[str, Totals]:
        """The totals of the runs, by job, without a reading of their outcomes."""
        query = "SELECT job, ending, COUNT(*), SUM(tokens) FROM runs GROUP BY job, ending"
        by_job: dict[str, Totals] = {}
        for job, ending, count, tokens in self._store.rows(query):
            so_far = by_job.get(job, Totals())
            counted = {Ending(ending): count} if ending else {}
            by_job[job] = Totals({**so_far.endings, **counted}, so_far.tokens + tokens)
        return by_job

    def _select(self, rest: str, values: Values) -> list[RunRecord]:
        return list(map(_record, self._store.rows(f"SELECT * FROM runs {rest}", values)))  # noqa: S608 - `rest` is ours


def _during(job: str, within: Window | None) -> tuple[str, tuple[str | datetime, ...]]:
    """The SQL condition, and its values, for runs of a job, or of all, over windows that overlap `within`."""
    span = (within.start, within.end) if within else ()
    conditions = [*(["job = ?"] if job else []), *(["end > ? AND start < ?"] if within else [])]
    return f"WHERE {' AND '.join(conditions)}" if conditions else "", (*([job] if job else []), *span)


def _record(row: Row) -> RunRecord:
    return RunRecord(
        run_id=row["id"],
        job=row["job"],
        key=row["key"],
        window=window_in(row),
        began=datetime.fromisoformat(row["began"]),
        ended=to_moment(row["ended"]),
        outcome=Outcome.model_validate_json(row["outcome"]) if row["outcome"] else None,
        tokens=row["tokens"],
        undone=to_moment(row["undone"]),
        subject=row["subject"],
        backfill=row["backfill"],
    )
