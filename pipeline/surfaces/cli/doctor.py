"""`memory doctor`."""

import click

from pipeline.app import open_engine, system_surroundings
from pipeline.app_index import Bystanders, index_checkup
from pipeline.checkup import Check, Health, checkup
from pipeline.errors import LedgerDamaged, SettingsInvalid
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.opening import rebuild_if_possible
from pipeline.surfaces.cli.rendering import print_json, printable

_COLOURS = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}


@click.command("doctor")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> int:
    """Look for what is wrong, and say what to do.

    Looks at the settings, the sources, the ledger, the entries, what runs left behind, and the index. Exits with 1 when
    something does not work; a warning may be as it should.
    """
    healths = []
    for check in _checks(workspace):
        healths.append(check.health)
        if as_json:
            print_json({"check": check.name, "health": check.health, "told": check.told, "advice": check.advice})
        else:
            _show(check)
    return int(Health.FAIL in healths)


def _checks(workspace: str | None) -> list[Check]:
    root = root_of(workspace)
    try:
        engine = open_engine(root, system_surroundings(environment()))
    except SettingsInvalid as error:
        return [Check("settings", Health.FAIL, str(error))]
    except LedgerDamaged as error:
        return [Check("ledger", Health.FAIL, str(error))]
    try:
        found = engine.catalog.refresh()
        rebuild_if_possible(engine)
        checks = list(checkup(engine, found, environment()))
    finally:
        engine.ledger.store.close()
    return [*checks, *index_checkup(root, Bystanders(environment()))]


def _show(check: Check) -> None:
    mark = click.style(f"{check.health:<4}", fg=_COLOURS[check.health])
    first, *more = [printable(line) for line in check.told.splitlines()]
    click.echo(f"{mark}  {check.name}: {first}")
    for line in [*more, check.advice] if check.advice else more:
        click.echo(f"      {line}")
