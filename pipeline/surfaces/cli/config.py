"""`memory config`."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

import click

from pipeline.app import check_settings
from pipeline.configuration import load_settings
from pipeline.errors import SettingsInvalid
from pipeline.locating import PREFIX, SEPARATOR, SETTINGS_FILE
from pipeline.registry import discover
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.rendering import count, print_columns, print_json

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
    told = tomllib.loads((root / SETTINGS_FILE).read_text(encoding="utf-8"))
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
    """Check the settings, and tell everything that is wrong at once."""
    root = root_of(workspace)
    file, problems = str(root / SETTINGS_FILE), tuple[str, ...]()
    try:
        settings = load_settings(root, environment())
        check_settings(root, settings, discover())
    except SettingsInvalid as error:
        if not as_json:
            raise
        problems = error.problems
    if as_json:
        print_json({"file": file, "usable": not problems, "problems": problems})
    else:
        click.echo(f"{file} can be used: {count(len(settings.sources), 'source')}.")
    return SettingsInvalid.exit_code if problems else 0


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
