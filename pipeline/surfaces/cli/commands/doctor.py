"""`memory doctor`."""

from collections.abc import Iterable, Iterator

import click

from pipeline.app.engine import EngineOptions, open_engine
from pipeline.app.index import index_checkup
from pipeline.app.opening import rebuild_if_possible
from pipeline.doctor.checks import checkup, made
from pipeline.doctor.entries import entry_checks
from pipeline.doctor.machine import place_checks
from pipeline.doctor.service import service_checks
from pipeline.engine.context import Engine
from pipeline.errors import Held, LedgerDamaged, LedgerNewer, PipelineError, SettingsInvalid, WriteFailed
from pipeline.ledger import closed_ledger
from pipeline.process.context import ProcessContext
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.surfaces.cli.commands.config import wrong_check
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.checkup import Check, Health

_COLOURS = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend: what is ours and derived, never anybody's text.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, fix: bool, as_json: bool) -> int:
    """Look for what is wrong, and say what to do.

    Looks at the settings, the sources, the ledger and the entries, at rights, disk, clock and locks, at what killed
    runs left behind, at the service and at what should have been run, and at the index. Where the ledger cannot be
    opened it looks at all else. Exits with 1 when something does not work; a warning may be harmless.

    With --fix it closes our state folder, and a memory.toml that holds keys, to others, removes our orphaned temporary
    files, completes or takes out what was half written, and drops an index that is damaged. What it mended does not
    count for the exit code.
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
    root, context = root_of(workspace), ProcessContext(environment())
    try:
        engine = open_engine(root, context)
    except SettingsInvalid as error:
        yield Check("settings", Health.FAIL, str(error))
        return
    except (LedgerDamaged, LedgerNewer, WriteFailed, Held) as error:
        yield _unusable(error)
        closed = closed_ledger(Workspace(root).state_folder / LEDGER_FILE, error)
        engine = open_engine(root, context, EngineOptions(ledger=closed))
        yield from _gathered(_of_engine(engine), error)
    else:
        try:
            yield from _looked(engine)
        finally:
            engine.ledger.store.close()
    yield from made("index", lambda: index_checkup(root, context))


def _looked(engine: Engine) -> Iterator[Check]:
    try:
        engine.catalog.refresh()
        rebuild_if_possible(engine)
    except PipelineError as error:  # the ledger cannot be read or written
        yield _unusable(error)
        yield from _gathered(_of_engine(engine), error)
    else:
        yield from _of_engine(engine)


def _unusable(error: PipelineError) -> Check:
    # What the error says to do is to call the doctor.
    told = f"{error.path} cannot be written: {error.reason}" if isinstance(error, WriteFailed) else str(error)
    return Check("ledger", Health.FAIL, told)


def _of_engine(engine: Engine) -> Iterator[Check]:
    yield from checkup(engine, environment())
    yield from _pings(engine)
    yield from entry_checks(engine)
    yield from place_checks(engine)
    yield from service_checks(engine)


def _pings(engine: Engine) -> Iterator[Check]:
    if problem := wrong_check(engine.settings):
        advice = f"Mend it in {engine.workspace.root / SETTINGS_FILE}: nobody is told of runs, and no service starts."
        yield Check("pings", Health.FAIL, problem, advice)


def _gathered(checks: Iterable[Check], error: PipelineError) -> Iterator[Check]:
    """The checks, and in one those that could not be made because of an error that has been told."""
    missed = list[str]()
    for check in checks:
        if str(error) in check.told:
            missed.append(check.name)
        else:
            yield check
    if missed:
        told = f"could not be looked at without the ledger: {', '.join(dict.fromkeys(missed))}"
        yield Check("not looked at", Health.WARN, told, "Mend that first, then try again.")


def _mended(check: Check) -> tuple[bool, str]:
    """Whether it was mended, and what is said of that."""
    if check.mend is None:
        return False, ""
    try:
        return True, check.mend()
    except PipelineError as error:
        return False, str(error)


def _show(check: Check) -> None:
    mark = style(f"{check.health:<4}", fg=_COLOURS[check.health])
    first, *more = [printable(line) for line in check.told.splitlines()]
    click.echo(f"{mark}  {check.name}: {first}")
    for line in [*more, check.advice] if check.advice else more:
        click.echo(f"      {line}")


def _show_fix(told: str, *, mended: bool) -> None:
    if told:
        mark = style("fixed" if mended else "not fixed", fg="green" if mended else "red")
        click.echo(f"      {mark}: {printable(told)}")
