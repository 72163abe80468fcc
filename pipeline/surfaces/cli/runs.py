"""`memory runs`."""

import click

from pipeline.errors import UnknownRun
from pipeline.ledger.changes import Change
from pipeline.ledger.runs import RunRecord
from pipeline.registry import named
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.opening import opened
from pipeline.surfaces.cli.rendering import count, local, print_columns, print_json, printable
from schemas.outcome import Ending

_OFFERED = 5
_LOOKED_AT = 100_000  # runs; those that found something are few among them


@click.group("runs", invoke_without_command=True)
@click.option("--job", metavar="JOB", help="Only runs of this job.")
@click.option("--limit", type=click.IntRange(min=1, max=1_000_000), default=20, show_default=True, help="How many.")
@click.option("--all", "everything", is_flag=True, help="Also runs that found nothing; --json always has them.")
@options.as_json
@options.workspace
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context, job: str | None, limit: int, workspace: str | None, *, everything: bool, as_json: bool
) -> None:
    """List past runs, or show one.

    The newest come first.
    """
    if ctx.invoked_subcommand:
        return
    with opened(workspace, looking=False) as engine:
        named([job] if job else [], engine.jobs)
        whole = everything or as_json
        zone, records = engine.zone, engine.ledger.runs.latest(job or "", limit if whole else _LOOKED_AT)
    if as_json:
        for record in records:
            print_json(described(record))
    elif records:
        _list(records if everything else [each for each in records if not _is_empty(each)][:limit], zone)
        _say_hidden(0 if everything else sum(map(_is_empty, records)))
    else:
        click.echo("Nothing has been run yet.")


@command.command("show")
@click.argument("run_id", metavar="ID")
@options.as_json
@options.workspace
def show(run_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Show one run: how it ended, what it wrote, what it rejected and why."""
    with opened(workspace, looking=False) as engine:
        record = engine.ledger.runs.find(run_id)
        if record is None:
            raise UnknownRun(run_id, [each.run_id for each in engine.ledger.runs.latest(limit=_OFFERED)])
        zone, changes = engine.zone, engine.ledger.changes.of_run(run_id)
    if as_json:
        print_json(described(record) | {"changes": [_change(change) for change in changes]})
    else:
        _show(record, changes, zone)


def _list(records: list[RunRecord], zone: str) -> None:
    rows = [(each.run_id, each.job, local(each.window.start, zone), _ending(each), _wrote(each)) for each in records]
    print_columns(rows, ("RUN", "JOB", "WINDOW FROM", "ENDING", "WROTE"))


def _is_empty(record: RunRecord) -> bool:
    return record.outcome is not None and record.outcome.ending is Ending.EMPTY


def _say_hidden(number: int) -> None:
    if number:
        click.echo(
            f"{count(number, 'run')} found nothing and {'is' if number == 1 else 'are'} not listed; --all lists all.",
            err=True,
        )


def described(record: RunRecord) -> dict[str, object]:
    """A run as programs get it. A run that is going on, or was killed, has no `ended` and no `ending`."""
    outcome = record.outcome
    return {
        "run_id": record.run_id,
        "job": record.job,
        "key": record.key,
        "window": {"start": record.window.start.isoformat(), "end": record.window.end.isoformat()},
        "began": record.began.isoformat(),
        "ended": record.ended.isoformat() if record.ended else None,
        "ending": outcome.ending.value if outcome else None,
        "written": list(outcome.written) if outcome else [],
        "items": list(outcome.items) if outcome else [],
        "paths": list(outcome.paths) if outcome else [],
        "skipped": outcome.skipped if outcome else {},
        "rejected": [each.model_dump() for each in outcome.rejected] if outcome else [],
        "warning": outcome.warning if outcome else "",
        "tokens": record.tokens,
        "undone": record.undone.isoformat() if record.undone else None,
    }


def _show(record: RunRecord, changes: list[Change], zone: str) -> None:
    click.echo(f"{record.run_id}  {record.job}  {record.key}\n")
    click.echo(f"  began    {local(record.began, zone)}")
    click.echo(f"  ending   {_ending(record)}")
    if record.tokens:
        click.echo(f"  tokens   {record.tokens}")
    outcome = record.outcome
    if outcome and outcome.warning:
        click.echo(f"  warning  {printable(outcome.warning)}")
    for change in changes:
        click.echo(f"  {change.kind.value:<8} {change.path}: {', '.join(change.identities)}")
    for reason, number in outcome.skipped.items() if outcome else ():
        click.echo(f"  passed over as {reason}: {number}")
    for each in outcome.rejected if outcome else ():
        detail = f": {printable(each.detail)}" if each.detail else ""
        click.echo(f"  rejected {each.reason}, {each.session_id} #{each.number}{detail}")


def _change(change: Change) -> dict[str, object]:
    return {"path": change.path, "kind": change.kind.value, "blocks": list(change.identities)}


def _ending(record: RunRecord) -> str:
    ending = record.outcome.ending.value if record.outcome else "unfinished"
    return f"{ending}, undone" if record.undone else ending


def _wrote(record: RunRecord) -> str:
    outcome = record.outcome
    written = (outcome.written or outcome.paths) if outcome else ()
    return f"{written[0]} and {len(written) - 1} more" if len(written) > 1 else "".join(written)
