"""The cost of the model: by job, by day, by model, by entry; and the estimate for the windows that are due now."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from pipeline.backfill.estimate import estimate
from pipeline.backfill.plan import due_now
from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.ledger.runs import Spent
from pipeline.model.prices import price
from schemas.outcome import Usage
from schemas.reports.cost import CostLine, CostReport, DueCost, TokenLimit
from schemas.settings import ModelSettings


class Grouping(StrEnum):
    """The subject of a line of the report."""

    JOB = "job"
    DAY = "day"
    MODEL = "model"
    ENTRY = "entry"


@dataclass(frozen=True)
class _PaidRun:
    """A run that asked, and the entries that it wrote."""

    spent: Sequence[Spent]
    written: tuple[str, ...]

    @property
    def usages(self) -> Mapping[str, Usage]:
        return _by_model(self.spent)


@dataclass(frozen=True)
class SpentInTime:
    """The cost in a time: a line for each job, day, model or entry, and the total; no `currency` without a price."""

    lines: tuple[CostLine, ...]
    total: CostLine
    currency: str


def spending(engine: Engine, since: datetime, until: datetime, by: Grouping) -> SpentInTime:
    """The cost of the runs that began at or after `since` and before `until`. No transcript is read."""
    model = engine.settings.model
    spent: dict[str, list[Spent]] = {}
    for part in engine.ledger.spending.since(since, until):
        spent.setdefault(part.run_id, []).append(part)
    runs = [_PaidRun(parts, _entries_written(engine, run_id)) for run_id, parts in spent.items()]
    lines = (
        _entries(model, runs) if by is Grouping.ENTRY else _lines(model, runs, partial(_name, by=by, zone=engine.zone))
    )
    prices = [price(model, run.usages) for run in runs]
    currency = next((known.currency for known in prices if known), "")
    return SpentInTime(tuple(lines), _line(model, "total", runs), currency)


def span_of_days(engine: Engine, days: int) -> tuple[datetime, datetime]:
    """From the midnight that begins the day so many days ago to the one that ends this day."""
    today = local_day(engine.clock.now(), engine.zone)
    return day_start(today - timedelta(days=days), engine.zone), day_start(today + timedelta(days=1), engine.zone)


def cost_report(engine: Engine, since: datetime, until: datetime, by: Grouping) -> CostReport:
    """The cost of the runs that began at or after `since` and before `until`, and of what is due now."""
    spent = spending(engine, since, until, by)
    total, due = spent.total, estimate(engine, due_now(engine, engine.jobs))
    return CostReport(
        since=since,
        until=until,
        by=by.value,
        lines=spent.lines,
        total=total,
        currency=spent.currency,
        per_entry=total.cost / total.entries if total.cost is not None and total.entries else None,
        due=DueCost(due.partitions, due.questions, due.input_tokens, due.output_tokens, due.cost),
        limits=tuple(token_limits(engine)),
    )


def _entries_written(engine: Engine, run_id: str) -> tuple[str, ...]:
    record = engine.ledger.runs.find(run_id)
    return record.outcome.written if record and record.outcome else ()


def _name(spent: Spent, by: Grouping, zone: str) -> str:
    """The job, the local day on which the run began, or the model."""
    if by is Grouping.DAY:
        return local_day(spent.began, zone).isoformat()
    return spent.model if by is Grouping.MODEL else spent.job


def _lines(model: ModelSettings, runs: Iterable[_PaidRun], name_of: Callable[[Spent], str]) -> Iterator[CostLine]:
    parts: dict[str, list[_PaidRun]] = {}
    for run in runs:
        by_name: dict[str, list[Spent]] = {}
        for spent in run.spent:
            by_name.setdefault(name_of(spent), []).append(spent)
        for name, some in by_name.items():
            parts.setdefault(name, []).append(_PaidRun(some, run.written))
    return (_line(model, name, parts[name]) for name in sorted(parts))


def _line(model: ModelSettings, name: str, runs: Sequence[_PaidRun]) -> CostLine:
    usages = _by_model([spent for run in runs for spent in run.spent])
    known = price(model, usages)
    entries = sum(len(run.written) for run in runs)
    return CostLine(name, sum(usages.values(), Usage()), entries, known.amount if known else None)


def _by_model(spent: Iterable[Spent]) -> dict[str, Usage]:
    usages: dict[str, Usage] = {}
    for part in spent:
        usages[part.model] = usages.get(part.model, Usage()) + part.usage
    return usages


def _entries(model: ModelSettings, runs: Iterable[_PaidRun]) -> Iterator[CostLine]:
    """A line for each entry: its share of the price of its run."""
    for run in runs:
        known = price(model, run.usages)
        share = known.amount / len(run.written) if known and run.written else None
        yield from (CostLine(name, Usage(), 1, share) for name in run.written)


def token_limits(engine: Engine) -> Iterator[TokenLimit]:
    """The limits that the settings set, and how far they are used."""
    model, runs = engine.settings.model, engine.ledger.runs
    today = day_start(local_day(engine.clock.now(), engine.zone), engine.zone)
    if model.tokens_per_day:
        yield TokenLimit("model.tokens_per_day", runs.tokens_since(today), model.tokens_per_day)
    if model.tokens_in_total:
        yield TokenLimit("model.tokens_in_total", runs.tokens_since(), model.tokens_in_total)
