"""`memory config`."""

import json

import click

from pipeline.app.engine import setting_problems
from pipeline.app.sources_check import SourcesChecked, check_sources
from pipeline.errors import PipelineError, SettingsInvalid
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.service.monitoring.pings import address_problem
from pipeline.settings.load import sift_settings, unknown_variables
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.report import missing_folders, settings_in_force
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.machine import sample_settings
from schemas.reports.workspace import SettingsChecked
from schemas.settings import Settings


@click.command("show")
@options.as_json
@options.workspace
def show(workspace: str | None, *, as_json: bool) -> None:
    """Show the settings in force and where each comes from.

    The model's key is not shown.
    """
    root = root_of(workspace)
    rows = []
    for setting in settings_in_force(root, environment()):
        if as_json:
            print_json(setting)
        else:
            rows.append((setting.setting, json.dumps(setting.value, ensure_ascii=False), setting.from_))
    if not as_json:
        print_columns(rows, ("SETTING", "VALUE", "FROM"))


@click.command("sample")
def sample() -> None:
    """Print every setting with its meaning.

    It is a memory.toml in which nothing is set: every setting stands at its default.
    """
    click.echo(sample_settings(), nl=False)


@click.command("check")
@options.as_json
@options.workspace
def check(workspace: str | None, *, as_json: bool) -> int:
    """Check the settings, and tell all that is wrong.

    Then the sources are looked at, with a line for each: what is read of them, and what became of their records. A
    source that may be read in vain is a warning, and so is a folder of transcripts that is not there: it may come
    later. A folder of another agent on this machine that no setting names is a hint.
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
    unknown = unknown_variables(environment()).items()
    warnings += [f"{name} is no setting; did you mean {meant}?" for name, meant in unknown if meant]
    checked = SourcesChecked()
    if not problems:
        try:
            checked = check_sources(root, ProcessContext(environment()))
        except PipelineError as error:  # the ledger cannot be used, which says nothing about the settings
            checked = SourcesChecked(warnings=(f"the sources cannot be looked at: {error}",))
    warnings += checked.warnings
    if as_json:
        print_json(SettingsChecked(file, usable=not problems, problems=tuple(problems), warnings=tuple(warnings)))
        return SettingsInvalid.exit_code if problems else 0
    click.echo(f"{file} can be used: {count(len(settings.sources), 'source')}.")
    for source in checked.sources:
        click.echo(printable(f"source {source.source}: {count(source.sessions, 'session')}; {source.records.sentence}"))
    for name, number in checked.notes.items():
        click.echo(printable(f"source {name}: {count(number, 'note')}"))
    for warning in warnings:
        click.echo(f"{style('warning', fg='yellow')}  {printable(warning)}")
    for hint in checked.hints:
        click.echo(printable(f"hint     {hint.sentence}. {hint.advice}"))
    return 0
