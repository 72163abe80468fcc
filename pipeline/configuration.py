"""Settings from `memory.toml` and the environment, with all problems told at once.

The overlay of the environment is our own few lines: the library for it (pydantic-settings) takes longer to import than
all the rest of a command that finds nothing to do (measured in benchmarks/).
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from pipeline.errors import ReadFailed, SettingsInvalid
from pipeline.locating import PREFIX, SEPARATOR, SETTINGS_FILE
from schemas.settings import Settings

Location = tuple[int | str, ...]
_SHORTEST_SECRET = 8  # characters
_DURATION = "write seconds, or an ISO 8601 duration such as PT5M"
_MOMENT = "write a time with its offset, such as 2026-02-20T00:00:00+01:00"
_SENTENCES = {
    "missing": "has to be set",
    "string_type": "write a text in quotes",
    "greater_than_equal": "has to be {ge} or more",
    "greater_than": "has to be more than {gt}",
    "less_than_equal": "has to be {le} or less",
    "value_error": "{error}",
}
"""Plain sentences by the validator's type of error; its context fills them."""
_BEGINNINGS = {
    "int_": "write a whole number",
    "time_delta_": _DURATION,
    "datetime_": _MOMENT,
    "timezone_": _MOMENT,
}
"""Sentences for whole groups of types, by how their names begin."""


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
    variables: dict[Location, str] = {}
    for name, value in sorted(environment.items()):
        path = name.removeprefix(PREFIX).lower().split(SEPARATOR)
        # Other programs may have variables of this beginning: only what starts with a setting's name is ours.
        if name.startswith(PREFIX) and path[0] in Settings.model_fields:
            _set(told, path, value)
            variables[tuple(path)] = name
    return parse_settings(told, str(file), variables)


def parse_settings(told: Mapping[str, Any], where: str, variables: Mapping[Location, str] | None = None) -> Settings:
    """Settings from plain values; `variables` names those that came from the environment.

    Raises:
        SettingsInvalid: naming every problem by its path.
    """
    try:
        settings = Settings.model_validate(told)
    except ValidationError as error:
        problems = [_problem(each, variables or {}) for each in error.errors(include_url=False)]
        raise SettingsInvalid(where, problems) from error
    names = [source.root_name for source in settings.sources]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SettingsInvalid(where, [f"sources: two are called {name!r}; give one a `name`" for name in twice])
    return settings


def configured_secrets(settings: Settings) -> list[str]:
    """The keys that the settings hold, and of the address of a check also the part that makes it a secret.

    What is shorter than a key ever is, such as the `none` that a server without keys is given, is no secret.
    """
    values = [secret.get_secret_value() for secret in _secrets(settings)]
    check = settings.pings.url.get_secret_value()
    # A log may show the address piece by piece, and `{job}` in it never as it is written.
    pieces = [piece for piece in re.split(r"[/?&=]", check) if any(map(str.isdigit, piece)) and "{" not in piece]
    return [value for value in [*values, *pieces] if len(value) >= _SHORTEST_SECRET]


def _secrets(settings: BaseModel) -> Iterator[SecretStr]:
    for _, value in settings:
        if isinstance(value, SecretStr):
            yield value
        elif isinstance(value, BaseModel):
            yield from _secrets(value)


def _set(told: dict[str, Any], path: list[str], value: str) -> None:
    *folders, last = path
    for folder in folders:
        inner = told.get(folder)
        told[folder] = told = dict(inner) if isinstance(inner, dict) else {}
    told[last] = value


def _problem(error: ErrorDetails, variables: Mapping[Location, str]) -> str:
    """One thing that is wrong, as `path: sentence`; the path names the variable that it came from."""
    context = error.get("ctx", {})
    location = (*error["loc"], *([context["missing"]] if "missing" in context else []))
    variable = next((name for path, name in variables.items() if path[: len(location)] == location), "")
    path = _path(location) + (f" ({variable})" if variable else "")
    return f"{path}: {_sentence(error, location)}"


def _sentence(error: ErrorDetails, location: Location) -> str:
    """What is wrong and what to write instead, without the validator's own terms."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _WRITTEN_OUT:
        return _WRITTEN_OUT[kind](location)
    if kind == "string_pattern_mismatch":
        return f"write {context['pattern'].strip('^$()').replace('|', ', ')}"
    beginning = next((sentence for start, sentence in _BEGINNINGS.items() if kind.startswith(start)), error["msg"])
    return _SENTENCES.get(kind, beginning).format_map(context)


def _unknown(location: Location) -> str:
    close = get_close_matches(str(location[-1]), _names_beside(location), n=1)
    return "there is no such setting" + (f"; did you mean {close[0]}?" if close else "")


def _names_beside(location: Location) -> list[str]:
    """The settings that the table knows in which `location` lies."""
    kind: Any = Settings
    for part in location[:-1]:
        holds_settings = hasattr(kind, "model_fields")
        kind = kind.model_fields[part].annotation if holds_settings else get_args(kind)[get_origin(kind) is dict]
    return list(kind.model_fields)


def _list_expected(location: Location) -> str:
    tables = location == ("sources",)
    return "write each one as a table [[sources]]" if tables else 'write a list, such as ["main"]'


def _table_expected(location: Location) -> str:
    names = [str(part) for part in location if isinstance(part, str)]
    told = f"[[{names[0]}]]" if names == ["sources"] else f"[{'.'.join(names)}]"
    return f"write a table, {told}, with its settings below it"


_WRITTEN_OUT: dict[str, Callable[[Location], str]] = {
    "extra_forbidden": _unknown,
    "tuple_type": _list_expected,
    "dict_type": _table_expected,
    "model_type": _table_expected,
}


def _path(location: Location) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".") or "the settings"
