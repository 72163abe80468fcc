"""`memory undo`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import click

from pipeline.corrections.correction import CORRECTIONS
from pipeline.corrections.undo import BackfillUndone, Undone, again_command, undo, undo_backfill, undo_key, undone_run
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.engine.suggestions import waiting
from pipeline.errors import UnknownRun
from pipeline.ledger.changes import Change
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.moved import count_lines
from pipeline.markdown.sections import Section, find_sections
from pipeline.reports.runs import run_named
from pipeline.reports.suggestions import wait_sentence
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.date_params import run_or_period
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import count, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading, opened_copy
from pipeline.surfaces.cli.views.progress import outcome_line
from schemas.periods import is_time_ago, read_period

_TOP = 1  # the level of a page's title; what stands above it has level 0
_SINCE = ": changed, moved or deleted since"


@dataclass(frozen=True)
class _UndoneBlock:
    """A block of ours: the heading that it stands under, or as an entry begins with, and how many lines it has."""

    path: str
    title: str
    lines: int
    entry: bool

    def same(self) -> tuple[str, str, bool]:
        """The grouping key: parts with the same one are printed together."""
        return self.path, self.title, self.entry


def in_words(undone: Undone, changes: Sequence[Change]) -> Iterator[str]:
    """The lines for a person, those of a file under its name. `changes` are the run's.

    What an adoption moved has no block: `undone` itself names its file and lines.
    """
    after = {name: part for change in changes for name, part in _parts(change.path, change.after).items()}
    before = {name: part for change in changes for name, part in _parts(change.path, change.before or b"").items()}
    rows = [
        *_rows("removed", undone.removed, after),
        *_rows("restored", undone.restored, before),
        *_rows("kept", undone.left, after, _SINCE),
    ]
    if undone.suggestions:
        yield f"taken back  {count(undone.suggestions, 'suggestion')}"
    # Sorting keeps the order among equals: of a file first what was removed, as it stood there.
    for path, group in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        if path:
            yield path
        for _, line in group:
            yield f"  {line}" if path else line


def sum_in_words(taken: BackfillUndone, *, dry_run: bool) -> str:
    """The sentence about an undone back-fill; of a dry run it says what would be undone."""
    removed, restored = (
        sum(len(names) for names in parts)
        for parts in ([run.removed for run in taken.undone], [run.restored for run in taken.undone])
    )
    kept = sum(map(len, taken.kept.values()))
    wrote, runs = len(taken.undone), len(taken.records)
    return (
        f"Back-fill {taken.backfill} {'would be' if dry_run else 'is'} undone: {count(runs, 'run')}, of which {wrote} "
        f"had written; {count(removed, 'part')} removed, {restored} restored, {kept} kept."
    )


def _rows(what: str, names: Sequence[str], parts: dict[str, _UndoneBlock], why: str = "") -> Iterator[tuple[str, str]]:
    """The files, each with a line about what was done in it."""
    for name in names:
        if name not in parts:
            yield "", f"{what:<8}  {name}{why}"
    known = [parts[name] for name in names if name in parts]
    for (path, title, entry), group in groupby(known, key=_UndoneBlock.same):
        lines = count(sum(part.lines for part in group), "line")
        place = f'of "{title}"' if title else "at the top"
        yield path, f"{what:<8}  {f'{title} ({lines})' if entry else f'{lines} {place}'}{why}"


def _parts(path: str, data: bytes) -> dict[str, _UndoneBlock]:
    """Our blocks of a file by name."""
    sections = find_sections(data)
    return {
        block.name: _UndoneBlock(
            path, _title(sections, block.start), count_lines(data[block.start : block.end]), entry=not block.item
        )
        for block in find_blocks(data)
    }


def _title(sections: Sequence[Section], place: int) -> str:
    """The heading that a block begins with or stands under; empty at the top of a page."""
    section = next((candidate for candidate in sections if candidate.start <= place < candidate.end), None)
    return "" if section is None or (section.level <= _TOP) else printable(section.title)


@click.command("undo")
@click.argument("run_or_key", metavar="[RUN|DAY|WEEK|MONTH]", required=False, default="", callback=run_or_period)
@click.option("--backfill", metavar="ID", help="All runs of this back-fill; the beginning of its id is enough.")
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, and change nothing.")
@options.as_json
@options.workspace
def command(run_or_key: str, backfill: str | None, workspace: str | None, *, dry_run: bool, as_json: bool) -> None:
    """Take back what a run wrote.

    Or all that was written for a day, such as 2026-02-20 or yesterday (its wrap-up), for a week, such as 2026-W08 or
    "last week" (its plan), or for a month, such as 2026-02, the newest run first. With --backfill all that a back-fill
    wrote, whose id `memory show run` tells. A page that is made of what was taken back, such as MEMORY.md of the
    plans, is rendered again.

    Exactly what a run wrote goes, and what it replaced comes back, where nobody has changed it since. The time is then
    left alone; only a back-fill, whose command is told, runs it again. `memory show runs` lists the runs; the beginning
    of RUN is enough when no other run begins so.

    With --json: an object for each run that wrote, in which `removed`, `restored` and `left` are the names of our
    blocks.
    """
    if bool(run_or_key) == bool(backfill):
        message = "Name either a run, a day or a week, or a back-fill with --backfill."
        raise click.UsageError(message)
    with opened_copy(workspace) if dry_run else open_for_reading(workspace, looking=False) as engine:
        if backfill:
            _print_backfill(engine, undo_backfill(engine, backfill), as_json=as_json, dry_run=dry_run)
        else:
            run_id = _run_id(engine, run_or_key)
            _print_runs(
                engine,
                [undo(engine, run_id)] if run_id else undo_key(engine, _key(engine, run_or_key)),
                as_json=as_json,
            )
    if dry_run:
        print_message("this was a dry run; nothing was changed.")


def _run_id(engine: Engine, given: str) -> str:
    """The run that is meant; a beginning of its id is completed in a message. Empty when no run is meant."""
    try:
        record = run_named(engine, given)
    except UnknownRun:
        return ""
    if record.run_id != given:
        when = key_in_words(record.key, record.window, engine.zone)
        print_message(f"undoing run {record.run_id} ({record.job}, {when}).")
    return record.run_id


def _key(engine: Engine, given: str) -> str:
    """The key of the day, the week or the month that is meant; other words as they are.

    Raises:
        BadParameter: they mean another period, or a day by the time since: `30d` may be meant as all days since then.
    """
    if is_time_ago(given):
        message = f"{given!r} is one day only, {given} before today; write it as a date such as 2026-02-20."
        raise click.BadParameter(message)
    try:
        period = read_period(given, engine.local_now().date())
    except ValueError:
        return given
    if not period.key:
        message = f"{given!r} is no run, and no single day, week or month."
        raise click.BadParameter(message)
    return period.key


def _print_runs(engine: Engine, undone: Sequence[Undone], *, as_json: bool) -> None:
    records = [record for withdrawn in undone if (record := engine.ledger.runs.find(withdrawn.run_id))]
    again = again_command(engine, records)
    for withdrawn, record in zip(undone, records, strict=True):
        if as_json:
            print_json(undone_run(withdrawn, record, again))
        else:
            made = engine.ledger.changes.of_run(record.run_id)
            when = key_in_words(record.key, record.window, engine.zone)
            sentence = f"Run {record.run_id} ({record.job}, {when}) is undone."
            click.echo("\n".join([*in_words(withdrawn, made), sentence]))
    if not as_json:
        _print_rest(undone, again, engine.zone)
        decided = any(engine.ledger.requests.find(record.key) or record.job in CORRECTIONS for record in records)
        if decided and (known := waiting(engine)):
            click.echo(wait_sentence(len(known)))


def _print_backfill(engine: Engine, taken: BackfillUndone, *, as_json: bool, dry_run: bool) -> None:
    """Print the kept parts of a back-fill, which may have thousands of runs, and the sum."""
    again, records = again_command(engine, taken.records), {record.run_id: record for record in taken.records}
    for withdrawn in taken.undone if as_json else ():
        print_json(undone_run(withdrawn, records[withdrawn.run_id], again))
    if as_json:
        return
    for run_id, names in taken.kept.items():
        kept = Undone(run_id=run_id, left=names)
        click.echo("\n".join(in_words(kept, engine.ledger.changes.of_run(run_id))))
    click.echo(sum_in_words(taken, dry_run=dry_run))
    _print_rest(taken.undone, again, engine.zone)


def _print_rest(undone: Sequence[Undone], again: str | None, zone: str) -> None:
    """Print the pages that were rendered again, and the command that runs the time again."""
    for outcome in (outcome for withdrawn in undone for outcome in withdrawn.rendered if not outcome.is_silent):
        click.echo(outcome_line(outcome, zone))
    if again:
        click.echo(f"To run it again: {again}")
