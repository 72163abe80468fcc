"""Settings in force: the value of each, and the place that it comes from."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline.settings.leading_out import Location
from pipeline.settings.load import load_settings
from pipeline.settings.locate import PREFIX, SETTINGS_FILE, setting_of
from pipeline.workspace.regular_files import read_regular
from schemas.reports.workspace import SettingInForce
from schemas.settings import Settings

_HIDDEN = "api_key"
_CREDENTIALS = re.compile(r"://[^/\s]+@")
"""Finds the user and the password in an address: `://tom:pass@word@` in `http://tom:pass@word@host/`."""


def settings_in_force(root: Path, environment: Mapping[str, str]) -> Iterator[SettingInForce]:
    """The settings of a workspace, each with its value and origin.

    Raises:
        SettingsInvalid: they cannot be used.
    """
    settings = load_settings(root, environment)
    values = tomllib.loads(read_regular(root / SETTINGS_FILE).decode())
    variables: dict[Location, str] = {setting_of(name): name for name in sorted(environment) if name.startswith(PREFIX)}
    start = settings.start.isoformat() if settings.start else None
    for path, value in _leaves("", settings.model_dump(mode="json") | {"start": start}):
        yield SettingInForce(path, _without_secrets(path, value), _origin(path, values, variables))


def missing_folders(root: Path, settings: Settings) -> Iterator[str]:
    """The folders of transcripts, and the files of notes, that are not there, as `path: sentence`."""
    for place, source in enumerate(settings.sources):
        path = root / Path(source.path).expanduser()
        if source.holds_notes and os.path.isfile(path):
            continue
        # Unlike those of a path, these do not raise where a folder above may not be searched.
        if not os.path.isdir(path):
            is_file = os.path.exists(path)
            what, advice = ("is no folder", "; name the folder that it is in") if is_file else ("does not exist", "")
            yield f"sources[{place}].path: {path} {what}, so nothing is read from it{advice}"


def _without_secrets(path: str, value: object) -> object:
    """The value as it may be shown: no key, and no user and password inside an address."""
    if path.endswith(_HIDDEN) and value:
        return "(hidden)"
    return without_password(value) if isinstance(value, str) else value


def without_password(address: str) -> str:
    """An address as it may be shown, without a user and a password in it."""
    return _CREDENTIALS.sub("://(hidden)@", address)


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


def _origin(path: str, values: Mapping[str, object], variables: Mapping[Location, str]) -> str:
    names = path.replace("[", ".").replace("]", "").split(".")
    if variable := variables.get(tuple(names)):
        return variable
    value: object = values
    for name in names:
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return "default"
    return SETTINGS_FILE
