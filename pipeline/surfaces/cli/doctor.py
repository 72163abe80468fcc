"""`memory doctor`."""

from collections.abc import Iterator

import click

from pipeline.app import open_engine, system_surroundings
from pipeline.app_index import Bystanders, index_checkup
from pipeline.checkup import Check, Health, checkup, made
from pipeline.checkup_place import place_checks
from pipeline.checkup_service import service_checks
from pipeline.engine import Engine
from pipeline.errors import LedgerDamaged, LedgerNewer, PipelineError, SettingsInvalid
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.opening import rebuild_if_possible
from pipeline.surfaces.cli.rendering import print_json, printable

_COLOURS = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend: what is ours and derived, never anybody's text.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, fix: bool, as_json: bool) -> int:
    """Look for what is wrong, and say what to do.

    Looks at the settings, the sources, the ledger and the entries, at rights, disk, clock and locks, at what killed
    runs left behind, at the service and at what should have been run, and at the index. Exits with 1 when something
    does not work; a warning may be harmless.

    With --fix it closes our state folder to others, removes our orphaned temporary files, completes or takes out what
    was half written, and drops an index that is damaged. What it mended does not count for the exit code.
    """
    failed = False
    for check in _checks(workspace):
        mended, told = _mended(check) if fix else (False, "")
        failed = failed or (check.health is Health.FAIL and not mended)
        if as_json:
            told_more = {"fixable": check.mend is not None, "fixed": mended, "fix": told}
            print_json(
                {"check": check.name, "health": check.health, "told": check.told, "advice": check.advice, **told_more}
            )
        else:
            _show(check)
            _show_fix(told, mended=mended)
    return int(failed)


def _checks(workspace: str | None) -> Iterator[Check]:
    root = root_of(workspace)
    try:
        engine = open_engine(root, system_surroundings(environment()))
    except SettingsInvalid as error:
        yield Check("settings", Health.FAIL, str(error))
        return
    except (LedgerDamaged, LedgerNewer) as error:
        yield Check("ledger", Health.FAIL, str(error))
        return
    try:
        yield from _of_engine(engine)
    except PipelineError as error:  # the ledger cannot be read or written, so nothing else can be looked at
        yield Check("ledger", Health.FAIL, str(error))
    finally:
        engine.ledger.store.close()
    yield from made("index", lambda: index_checkup(root, Bystanders(environment())))


def _of_engine(engine: Engine) -> Iterator[Check]:
    engine.catalog.refresh()
    rebuild_if_possible(engine)
    yield from checkup(engine, environment())
    yield from place_checks(engine)
    yield from service_checks(engine)


def _mended(check: Check) -> tuple[bool, str]:
    """Whether it was mended, and what is said of that."""
    if check.mend is None:
        return False, ""
    try:
        return True, check.mend()
    except PipelineError as error:
        return False, str(error)


def _show(check: Check) -> None:
    mark = click.style(f"{check.health:<4}", fg=_COLOURS[check.health])
    first, *more = [printable(line) for line in check.told.splitlines()]
    click.echo(f"{mark}  {check.name}: {first}")
    for line in [*more, check.advice] if check.advice else more:
        click.echo(f"      {line}")


def _show_fix(told: str, *, mended: bool) -> None:
    if told:
        mark = click.style("fixed" if mended else "not fixed", fg="green" if mended else "red")
        click.echo(f"      {mark}: {printable(told)}")
