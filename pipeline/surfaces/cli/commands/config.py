"""`memory config`."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from pipeline.app.engine import setting_problems
from pipeline.errors import SettingsInvalid
from pipeline.scheduling.registry import discover
from pipeline.service.monitoring.ping import Check
from pipeline.settings.load import load_settings, sift_settings
from pipeline.settings.locate import PREFIX, SEPARATOR, SETTINGS_FILE
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from pipeline.workspace.regular_files import read_regular
from schemas.settings import Settings

_HIDDEN = "api_key"
_CREDENTIALS = re.compile(r"://[^/@\s]+@")


@click.group("config")
def command() -> None:
    """Show or check the settings."""


@command.command("show")
@options.as_json
@options.workspace
def show(workspace: str | None, *, as_json: bool) -> None:
    """Show the settings in force and where each comes from. The model's key is not shown."""
    root = root_of(workspace)
    settings = load_settings(root, environment())
    told = tomllib.loads(read_regular(root / SETTINGS_FILE).decode())
    rows = []
    start = settings.start.isoformat() if settings.start else None
    for path, value in _leaves("", settings.model_dump(mode="json") | {"start": start}):
        shown = _without_secrets(path, value)
        origin = _origin(path, told)
        if as_json:
            print_json({"setting": path, "value": shown, "from": origin})
        else:
            rows.append((path, json.dumps(shown, ensure_ascii=False), origin))
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
        problems += filter(None, [wrong_check(settings)])
    except SettingsInvalid as error:  # no TOML, so there is nothing else to look at
        settings, problems = Settings(), list(error.problems)
    if problems and not as_json:
        raise SettingsInvalid(file, problems)
    warnings = list(_missing_folders(root, settings))
    if as_json:
        print_json({"file": file, "usable": not problems, "problems": problems, "warnings": warnings})
        return SettingsInvalid.exit_code if problems else 0
    click.echo(f"{file} can be used: {count(len(settings.sources), 'source')}.")
    for warning in warnings:
        click.echo(f"{style('warning', fg='yellow')}  {printable(warning)}")
    return 0


def wrong_check(settings: Settings) -> str:
    """Why the check that `pings` name cannot be told of runs, without its address; empty when it can, or none is."""
    url = settings.pings.url.get_secret_value()
    problem = Check.of(settings.pings).problem if url else ""
    return f"pings.url: {problem}" if problem else ""


def _missing_folders(root: Path, settings: Settings) -> Iterator[str]:
    for place, source in enumerate(settings.sources):
        path = root / Path(source.path).expanduser()
        # Unlike those of a path, these do not raise where a folder above may not be searched.
        if not os.path.isdir(path):  # noqa: PTH112 - as told
            what = "is no folder" if os.path.exists(path) else "does not exist"  # noqa: PTH110 - as told
            yield f"sources[{place}].path: {path} {what}, so nothing is read from it"


def _without_secrets(path: str, value: object) -> object:
    """The value as it may be shown: no key, and no user and password inside an address."""
    if path.endswith(_HIDDEN) and value:
        return "(hidden)"
    return _CREDENTIALS.sub("://(hidden)@", value) if isinstance(value, str) else value


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    """The single settings with their paths, as errors name them too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(f"{path}.{name}".removeprefix("."), inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for place, inner in enumerate(value):
            yield from _leaves(f"{path}[{place}]", inner)
    else:
        yield path, value


def _origin(path: str, told: Mapping[str, object]) -> str:
    variable = PREFIX + path.upper().replace(".", SEPARATOR)
    if variable in environment():
        return variable
    found: object = told
    for name in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(found, Mapping) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            return "default"
    return SETTINGS_FILE
