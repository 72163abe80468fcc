"""One run, as `memory runs show` tells it: what it read, what it did and why, what it wrote and what that cost."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

import click

from pipeline.clock import local_day, spoken
from pipeline.engine.partition import key_in_words
from pipeline.errors import SeveralNames, UnknownRun
from pipeline.job import Job
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.ledger.runs import RunRecord
from pipeline.reports.service import log_of
from pipeline.reports.status import at_work
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, local, printable
from pipeline.workspace.families import concrete
from pipeline.workspace.prefixes import whole_name
from pipeline.workspace.service_files import LOGS
from schemas.outcome import Outcome

if TYPE_CHECKING:
    from pipeline.engine.context import Engine

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_OFFERED = 5
_MILLION = 1_000_000  # tokens, which prices are told for


@dataclass(frozen=True)
class Shown:
    """A run with all that is known of it.

    `sessions` maps those it saw to how many of their records lay in its window, `files` are where they stand now, and
    `reads` the patterns of the other files that its job reads. `log` is relative to the workspace, and empty when there
    is none. `alive` says that it goes on.
    """

    record: RunRecord
    changes: Sequence[Change]
    sessions: Mapping[str, int]
    files: Sequence[str]
    reads: Sequence[str]
    log: str
    alive: bool
    cost: str
    keeps: int
    zone: str
    now: datetime

    @property
    def seconds(self) -> float | None:
        """How long it took, or has taken so far; `None` when it was killed and nobody knows."""
        end = self.record.ended or (self.now if self.alive else None)
        return (end - self.record.began).total_seconds() if end else None


def shown(engine: "Engine", record: RunRecord) -> Shown:
    """All that is known of a run."""
    job = next((job for job in engine.jobs if job.name == record.job), None)
    sessions = engine.ledger.runs.sessions_of(record.run_id)
    files = [each for session in sessions for each in engine.ledger.files.of_session(session)]
    going_on = at_work(engine, job) if job and not record.ended else None
    return Shown(
        record=record,
        changes=engine.ledger.changes.of_run(record.run_id),
        sessions=sessions,
        files=[f"{each.source}:{each.file.path}" for each in files],
        reads=_reads(job, local_day(record.window.start, engine.zone)) if job else [],
        log=log_of(engine.workspace, record),
        alive=going_on is not None and going_on.run_id == record.run_id,
        cost=_cost(engine, record.outcome),
        keeps=engine.settings.retention.days,
        zone=engine.zone,
        now=engine.clock.now(),
    )


def run_named(engine: "Engine", given: str) -> RunRecord:
    """The run with this id, or the only one whose id begins so.

    Raises:
        UnknownRun: there is none.
        SeveralNames: several ids begin so.
    """
    runs = engine.ledger.runs
    exact = runs.find(given)
    found = {each.run_id: each for each in ([exact] if exact else runs.beginning_with(given, SeveralNames.most + 1))}
    titles = {name: f"{each.job}, {key_in_words(each.key, each.window, engine.zone)}" for name, each in found.items()}
    return found[whole_name(given, titles, UnknownRun, [each.run_id for each in runs.latest(limit=_OFFERED)])]


def _reads(job: Job, day: date) -> list[str]:
    """The patterns of the files that a job reads, for a window that begins on a day."""
    patterns = (*job.reads.entries, *job.reads.documents, *job.reads.by_people)
    return [concrete(pattern, day) for pattern in patterns]


def as_object(told: Shown) -> dict[str, object]:
    """What programs read besides what a listing tells of the run."""
    return {
        "alive": told.alive,
        "seconds": told.seconds,
        "sessions": dict(told.sessions),
        "files": list(told.files),
        "reads": list(told.reads),
        "cost": told.cost or None,
        "log": told.log or None,
        "changes": [_change(change) for change in told.changes],
    }


def print_run(told: Shown) -> None:
    """The whole run, for a person."""
    record = told.record
    click.echo(f"{record.run_id}  {record.job}  {printable(key_in_words(record.key, record.window, told.zone))}\n")
    for name, line in _lines(told):
        click.echo(f"  {name:<8} {line}")
    for line in _findings(record.outcome):
        click.echo(f"  {line}")
    for change in told.changes:
        click.echo(f"  {change.kind.value:<8} {change.path}: {', '.join(change.identities)}")
    for change in told.changes:
        click.echo()
        for line in difference(change):
            click.echo(style(printable(line), fg=_COLOURS.get(line[:1])))


def difference(change: Change) -> Iterator[str]:
    """What a change did, as lines of a unified diff; of what was appended nobody knows at which line that was."""
    after = change.after.decode(errors="replace").splitlines()
    names = [f"--- a/{change.path}", f"+++ b/{change.path}"]
    if change.kind is ChangeKind.APPEND:
        yield from [*names, f"@@ appended behind byte {change.size} @@", *(f"+{line}" for line in after)]
        return
    before = (change.before or b"").decode(errors="replace").splitlines()
    yield from difflib.unified_diff(before, after, names[0][4:], names[1][4:], lineterm="")


def _lines(told: Shown) -> Iterator[tuple[str, str]]:
    record, outcome, zone = told.record, told.record.outcome, told.zone
    yield "window", spoken(record.window.start, record.window.end, zone)
    yield "began", f"{local(record.began, zone)}{_took(told)}"
    yield "ending", _ending(told)
    if outcome and outcome.warning:
        yield "why", printable(outcome.warning)
    yield from _inputs(told)
    if outcome and (outcome.asked or outcome.cached):
        yield "model", f"asked {count(outcome.asked, 'question')}, {count(outcome.cached, 'answer')} known before"
    if record.tokens:
        split = f" ({outcome.input_tokens} in, {outcome.output_tokens} out)" if outcome and outcome.input_tokens else ""
        yield "tokens", f"{record.tokens}{split}{f', {told.cost}' if told.cost else ''}"
    keeps = f", for {count(told.keeps, 'day')}" if told.keeps else ""
    kept = f"none: the service keeps those of its own runs, in {LOGS}{keeps}"
    yield "log", told.log or kept


def _took(told: Shown) -> str:
    if told.seconds is None:
        return ""
    return f", took {told.seconds:.1f} s" if told.record.ended else f", for {told.seconds:.0f} s so far"


def _ending(told: Shown) -> str:
    outcome = told.record.outcome
    if outcome is None:
        return "goes on" if told.alive else "unfinished: its process was killed; what it had not finished stays due"
    undone = f", undone {local(told.record.undone, told.zone)}" if told.record.undone else ""
    return f"{outcome.ending}{undone}"


def _inputs(told: Shown) -> Iterator[tuple[str, str]]:
    for session, number in told.sessions.items():
        yield "session", f"{printable(session)}, {count(number, 'record')} in the window"
    for file in told.files:
        yield "file", printable(file)
    if told.reads:
        yield "reads", ", ".join(told.reads)


def _findings(outcome: Outcome | None) -> Iterator[str]:
    for reason, number in outcome.skipped.items() if outcome else ():
        yield f"passed over as {reason}: {number}"
    for each in outcome.rejected if outcome else ():
        detail = f": {printable(each.detail)}" if each.detail else ""
        yield f"rejected {each.reason}, {each.session_id} #{each.number}{detail}"


def _cost(engine: "Engine", outcome: Outcome | None) -> str:
    """What the model's answers cost, with the prices of the settings; nothing when they name none."""
    model = engine.settings.model
    if outcome is None or not (model.input_price or model.output_price):
        return ""
    spent = outcome.input_tokens * model.input_price + outcome.output_tokens * model.output_price
    return f"{spent / _MILLION:.4f} {model.currency}" if spent else ""


def _change(change: Change) -> dict[str, object]:
    return {
        "path": change.path,
        "kind": change.kind.value,
        "blocks": list(change.identities),
        "diff": "\n".join(difference(change)),
    }
