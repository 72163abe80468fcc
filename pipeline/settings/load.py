"""Settings from `memory.toml` and the environment, with all problems reported at once.

The overlay of the environment is a few lines of ours: the library for it (pydantic-settings) takes longer to import
than all the rest of a command that has nothing to do (measured in benchmarks/).
"""

import codecs
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin
from urllib.parse import unquote

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from pipeline.errors import ReadFailed, SettingsInvalid
from pipeline.settings.leading_out import Location, leading_out
from pipeline.settings.locate import (
    LIST_FILE,
    PREFIX,
    SETTINGS_FILE,
    WORKSPACE_VARIABLE,
    configuration_folder,
    given_folder,
    setting_of,
    variable_of,
)
from pipeline.workspace.regular_files import read_regular
from schemas.settings import Settings

_NEARLY = 0.75  # of the letters of a name, of one that is spelt wrong
LARGEST_SETTINGS = 8_000_000
"""The largest size of a settings file, in bytes."""
_SHORTEST_SECRET = 8  # characters
_NO_KEYS = frozenset({"lm-studio", "not-needed", "no-key-required", "sk-no-key-required", "placeholder", "dummy-key"})
_PASSWORDS = tuple(re.compile(rf"://[^\s/@:\"]*:([^\s/{ends}\"]+)@") for ends in ("", "?#"))
"""Find the password in an address, with any of `@?#` in it; the second passes over an `@` in a query."""
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
_CHOICES = {"literal_error", "enum"}
_MEMBERS = re.compile(r"<[\w.]+: ('[^']*')>")
"""An allowed value in the validator's message."""
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
        WorkspaceError: they lead out of a workspace that is not this person's; the system refuses.
    """
    values, variables = _read_values(root, environment)
    settings = parse_settings(values, str(root / SETTINGS_FILE), variables)
    if _is_named(root, environment) or is_listed(root, environment):
        return settings
    if named := leading_out(root, settings, variables):
        from pipeline.settings.listed import require_own  # most commands need no more than a look at the list

        require_own(root, settings, named, environment)
    return settings


def require_own_workspace(root: Path, settings: Settings, named: Sequence[str], environment: Mapping[str, str]) -> None:
    """Refuse a workspace that is neither named nor this person's, for the settings that are named.

    Raises:
        WorkspaceNotListed: it is neither.
    """
    if not _is_named(root, environment):
        from pipeline.settings.listed import require_own  # most commands need no more than a look at the list

        require_own(root, settings, named, environment)


def _is_named(root: Path, environment: Mapping[str, str]) -> bool:
    """Whether the environment names a workspace by its whole path; a relative path could be that of any folder."""
    named = environment.get(WORKSPACE_VARIABLE, "")
    return named.startswith(("/", "~")) and str(given_folder(named)) == os.path.realpath(root)


def is_listed(root: Path, environment: Mapping[str, str]) -> bool:
    """Whether the list of the person has a workspace, or there can be no list."""
    if (folder := configuration_folder(environment)) is None:
        return True
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):  # a list that is damaged lists nothing
        listed = tomllib.loads(read_regular(folder / LIST_FILE).decode())["workspaces"].values()
        return os.path.realpath(root) in map(os.path.realpath, listed)
    return False


def toml_values(data: bytes, where: str) -> dict[str, Any]:
    """The plain values in the bytes of a settings file.

    Raises:
        SettingsInvalid: they are no TOML.
    """
    if data.startswith(codecs.BOM_UTF8):
        raise SettingsInvalid(where, ["the file: it begins with a byte order mark; save it as UTF-8 without the mark"])
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise SettingsInvalid(where, ["the file: it is no text in UTF-8; save it as UTF-8"]) from error
    except (ValueError, RecursionError) as error:  # no TOML, a number of thousands of digits, lists in lists
        raise SettingsInvalid(where, [f"the file: {error}"]) from error


def parse_settings(values: Mapping[str, Any], where: str, variables: Mapping[Location, str] | None = None) -> Settings:
    """Settings from plain values; `variables` names those that came from the environment.

    Raises:
        SettingsInvalid: naming every problem by its path.
    """
    settings, problems = _sift(values, variables or {})
    if problems:
        raise SettingsInvalid(where, problems)
    return settings


def sift_settings(root: Path, environment: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """The settings without their invalid values, and the problems of these values.

    Raises:
        SettingsInvalid: the file is no TOML.
        ReadFailed: the system refuses.
    """
    return _sift(*_read_values(root, environment))


def _read_values(root: Path, environment: Mapping[str, str]) -> tuple[dict[str, Any], dict[Location, str]]:
    """The plain values of a workspace's settings, and the variables by the settings that they are for."""
    file = root / SETTINGS_FILE
    try:
        values = toml_values(read_regular(file, LARGEST_SETTINGS), str(file))
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error
    variables: dict[Location, str] = {}
    for name, value in sorted(environment.items()):
        path = setting_of(name)
        # Other programs may have variables of this beginning: only what starts with a setting's name is ours.
        if name.startswith(PREFIX) and path[0] in Settings.model_fields:
            _set_value(values, path, value)
            variables[path] = name
    return values, variables


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that begin as ours and are no setting, each with that of the setting that is spelt nearly so."""
    meant = dict[str, str]()
    for name in sorted(environment):
        first, *rest = setting_of(name)
        if name.startswith(PREFIX) and name != WORKSPACE_VARIABLE and first not in Settings.model_fields:
            close = get_close_matches(first, Settings.model_fields, n=1, cutoff=_NEARLY)
            meant[name] = variable_of((close[0], *rest)) if close else ""
    return meant


def _sift(values: Mapping[str, Any], variables: Mapping[Location, str]) -> tuple[Settings, list[str]]:
    """The settings from the valid values, and the problems of the invalid values.

    A table is checked as a whole only when all its values are valid, so invalid values are taken out until none is
    left.
    """
    problems, settings = dict[Location, str](), None
    while settings is None:
        try:
            settings = Settings.model_validate(values)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                problems.setdefault(_location_of(detail), _describe_problem(detail, variables))
                values = _remove_value(detail["loc"], values)
    described = list(problems.values())
    if not any(place[0] == "sources" for place in problems):
        described += [f"sources: two are called {name!r}; give one a `name`" for name in _names_given_twice(settings)]
    return settings, described


def _names_given_twice(settings: Settings) -> list[str]:
    """The names that several sources have, or notes and a folder of `index.extra_paths`; sorted."""
    noted = {source.root_name for source in settings.sources if source.holds_notes}
    times = Counter(source.root_name for source in settings.sources)
    times.update(extra.name for extra in settings.index.extra_paths if extra.name in noted)
    return sorted(name for name, number in times.items() if number > 1)


def _remove_value(location: Location, values: Mapping[str, Any]) -> dict[str, Any]:
    """Remove a value; of a list of plain values, which are known by their position, remove the whole list."""
    first, *rest = location
    inner = values.get(str(first))
    kept = {name: value for name, value in values.items() if name != first}
    if isinstance(inner, dict) and rest and rest[0] in inner:
        kept[str(first)] = _remove_value(tuple(rest), inner)
    elif isinstance(inner, list) and len(rest) > 1 and rest[1] in inner[int(rest[0])]:
        number = int(rest[0])
        kept[str(first)] = [*inner[:number], _remove_value(tuple(rest[1:]), inner[number]), *inner[number + 1 :]]
    return kept


def configured_secrets(settings: Settings) -> list[str]:
    """The secrets of the settings: keys, passwords in addresses, and the parts after the host of a check's address.

    A value shorter than any key, or a placeholder for a server without keys, is no secret.
    """
    values = [secret.get_secret_value() for secret in secret_settings(settings).values()]
    dumped = settings.model_dump_json()
    values += [unquote(password) for pattern in _PASSWORDS for password in pattern.findall(dumped)]
    check = settings.pings.url.get_secret_value()
    # A log may show the address piece by piece, and `{job}` in it never as it is written. The host is known to many.
    _host, *pieces = re.split(r"[/?&=#]", check.partition("//")[2] or check)
    pieces = [piece for piece in pieces if "{" not in piece and not (piece.isalpha() and piece.islower())]
    return [value for value in [*values, *pieces] if len(value) >= _SHORTEST_SECRET and value not in _NO_KEYS]


def secret_settings(settings: BaseModel) -> dict[tuple[str, ...], SecretStr]:
    """The settings that are secrets, whether they are set or not, by their paths such as `("model", "api_key")`."""
    secrets = dict[tuple[str, ...], SecretStr]()
    for name, value in settings:
        if isinstance(value, SecretStr):
            secrets[(name,)] = value
        elif isinstance(value, BaseModel):
            secrets |= {(name, *path): secret for path, secret in secret_settings(value).items()}
    return secrets


def _set_value(values: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    *folders, last = path
    for folder in folders:
        inner = values.get(folder)
        values[folder] = values = dict(inner) if isinstance(inner, dict) else {}
    values[last] = value


def _describe_problem(error: ErrorDetails, variables: Mapping[Location, str]) -> str:
    """A problem as `path: sentence`; the path names the variable of the value, if there is one."""
    location = _location_of(error)
    variable = next((name for path, name in variables.items() if path[: len(location)] == location), "")
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).removeprefix(".")
    named = f" ({variable})" if variable else ""
    return f"{path or 'the settings'}{named}: {_describe_error(error, location)}"


def _location_of(error: ErrorDetails) -> Location:
    """The path of a wrong or missing setting."""
    context = error.get("ctx", {})
    return (*error["loc"], *([context["missing"]] if "missing" in context else []))


def _describe_error(error: ErrorDetails, location: Location) -> str:
    """The problem and the remedy, without the validator's own terms."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _WRITTEN_OUT:
        return _WRITTEN_OUT[kind](location)
    if kind == "string_pattern_mismatch":
        return f"write {context['pattern'].strip('^$()').replace('|', ', ')}"
    if kind in _CHOICES:
        return "write " + _MEMBERS.sub(r"\1", context["expected"])
    beginning = next((sentence for start, sentence in _BEGINNINGS.items() if kind.startswith(start)), error["msg"])
    return _SENTENCES.get(kind, beginning).format_map(context)


def _unknown_setting(location: Location) -> str:
    close = get_close_matches(str(location[-1]), _names_beside(location), n=1)
    return "there is no such setting" + (f"; did you mean {close[0]}?" if close else "")


def _names_beside(location: Location) -> list[str]:
    """The settings that the table knows in which `location` lies."""
    kind: Any = Settings
    for part in location[:-1]:
        if part in (fields := getattr(kind, "model_fields", {})):
            kind = fields[part].annotation
        else:  # an item of a list, or a table that a person named
            named = kind.__annotations__["__pydantic_extra__"] if fields else kind
            kind = get_args(named)[1 if get_origin(named) is dict else 0]
    return list(kind.model_fields)


def _list_expected(location: Location) -> str:
    tables = location == ("sources",)
    return "write each one as a table [[sources]]" if tables else 'write a list, such as ["main"]'


def _table_expected(location: Location) -> str:
    names = [str(part) for part in location if isinstance(part, str)]
    table = f"[[{names[0]}]]" if names == ["sources"] else f"[{'.'.join(names)}]"
    return f"write a table, {table}, with its settings below it"


_WRITTEN_OUT: dict[str, Callable[[Location], str]] = {
    "extra_forbidden": _unknown_setting,
    "tuple_type": _list_expected,
    "dict_type": _table_expected,
    "model_type": _table_expected,
}
