"""Settings from `memory.toml` and the environment, with all problems told at once.

The overlay of the environment is our own few lines: the library for it (pydantic-settings) takes longer to import than
all the rest of a command that finds nothing to do (measured in benchmarks/).
"""

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.errors import ReadFailed, SettingsInvalid, WorkspaceMissing
from pipeline.workspace import SETTINGS_FILE
from schemas.settings import Settings

PREFIX = "MEMORY_"
SEPARATOR = "__"


def find_workspace(named: str | None, environment: Mapping[str, str], here: Path) -> Path:
    """The workspace: the one named, else `MEMORY_WORKSPACE`, else the nearest folder upward with a `memory.toml`.

    Raises:
        WorkspaceMissing: there is none.
    """
    told = named or environment.get("MEMORY_WORKSPACE")
    if told:
        root = Path(told).expanduser().resolve()
        if not _has_settings(root):
            raise WorkspaceMissing(str(root))
        return root
    for folder in (here.resolve(), *here.resolve().parents):
        if _has_settings(folder):
            return folder
    raise WorkspaceMissing(str(here.resolve()), upward=True)


def _has_settings(folder: Path) -> bool:
    with suppress(OSError):  # a folder that may not be searched has none for us
        return (folder / SETTINGS_FILE).is_file()
    return False


def load_settings(root: Path, environment: Mapping[str, str]) -> Settings:
    """The settings of a workspace: `memory.toml`, then `MEMORY_*` over it (nested names joined by two underscores).

    Raises:
        SettingsInvalid: the file is no TOML, or a value is not one that it may have.
        ReadFailed: the system refuses.
    """
    file = root / SETTINGS_FILE
    try:
        told: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsInvalid(str(file), [f"the file: {error}"]) from error
    for name, value in sorted(environment.items()):
        path = name.removeprefix(PREFIX).lower().split(SEPARATOR)
        # Other programs may have variables of this beginning: only what starts with a setting's name is ours.
        if name.startswith(PREFIX) and path[0] in Settings.model_fields:
            _set(told, path, value)
    return parse_settings(told, str(file))


def parse_settings(told: Mapping[str, Any], where: str) -> Settings:
    """Settings from plain values.

    Raises:
        SettingsInvalid: naming every problem by its path.
    """
    try:
        settings = Settings.model_validate(told)
    except ValidationError as error:
        problems = [f"{_path(each['loc'])}: {each['msg']}" for each in error.errors(include_url=False)]
        raise SettingsInvalid(where, problems) from error
    names = [source.root_name for source in settings.sources]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SettingsInvalid(where, [f"sources: two are called {name!r}; give one a `name`" for name in twice])
    return settings


def _set(told: dict[str, Any], path: list[str], value: str) -> None:
    *folders, last = path
    for folder in folders:
        inner = told.get(folder)
        told[folder] = told = dict(inner) if isinstance(inner, dict) else {}
    told[last] = value


def _path(location: tuple[int | str, ...]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".") or "the settings"
