"""`memory config`."""

import json

import click

from pipeline.app.engine import setting_problems
from pipeline.errors import SettingsInvalid
from pipeline.scheduling.registry import discover
from pipeline.service.monitoring.ping import address_problem
from pipeline.settings.load import sift_settings
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.report import missing_folders, settings_in_force
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from schemas.reports.workspace import SettingsChecked
from schemas.settings import Settings


@click.group("config")
def command() -> None:
    """Show or check the settings."""


@command.command("show")
@options.as_json
@options.workspace
def show(workspace: str | None, *, as_json: bool) -> None:
    """Show the settings in force and where each comes from. The model's key is not shown."""
    root = root_of(workspace)
    rows = []
    for setting in settings_in_force(root, environment()):
        if as_json:
            print_json(setting)
        else:
            rows.append((setting.setting, json.dumps(setting.value, ensure_ascii=False), setting.from_))
    if not as_json:
        print_columns(rows, ("SETTING", "VALUE", "FROM"))


@command.command("check")
@options.as_json
@options.workspace
def check(workspace: str | None, *, as_json: bool) -> int:
    """Check the settings, and tell everything that is wrong at once.

    A folder of transcripts that is not there is a warning: it may come later.
    """
    root = root_of(workspace)
    file = str(root / SETTINGS_FILE)
    try:
        settings, problems = sift_settings(root, environment())
        problems += setting_problems(settings, discover(), environment())
        problems += filter(None, [address_problem(settings)])
    except SettingsInvalid as error:  # no TOML, so there is nothing else to look at
        settings, problems = Settings(), list(error.problems)
    if problems and not as_json:
        raise SettingsInvalid(file, problems)
    warnings = list(missing_folders(root, settings))
    if as_json:
        print_json(SettingsChecked(file, usable=not problems, problems=tuple(problems), warnings=tuple(warnings)))
        return SettingsInvalid.exit_code if problems else 0
    click.echo(f"{file} can be used: {count(len(settings.sources), 'source')}.")
    for warning in warnings:
        click.echo(f"{style('warning', fg='yellow')}  {printable(warning)}")
    return 0
