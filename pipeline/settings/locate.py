"""The place of the workspace, and the names of its settings outside. This module imports almost nothing."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pipeline.errors import PathRefused, WorkspaceMissing

SETTINGS_FILE = "memory.toml"
"""The file that makes a folder a workspace."""
LIST_FILE = "workspaces.toml"
"""The file with the list of workspaces, in our folder of the person's configuration."""
_OWN_FOLDER = "memory"
PREFIX = "MEMORY_"
"""The beginning of our variables of the environment."""
SEPARATOR = "__"
WORKSPACE_VARIABLE = "MEMORY_WORKSPACE"


def setting_of(variable: str) -> tuple[str, ...]:
    """The path of the setting that a variable is for; other programs may have variables that begin as ours do."""
    return tuple(variable.removeprefix(PREFIX).lower().split(SEPARATOR))


def variable_of(setting: Sequence[str]) -> str:
    """The variable for the setting with this path: `MEMORY_MODEL__API_KEY` for `("model", "api_key")`."""
    return PREFIX + SEPARATOR.join(setting).upper()


def configuration_folder(environment: Mapping[str, str]) -> Path | None:
    """Our folder in the person's configuration; `None` where nothing says where that is."""
    home = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not home.is_absolute():
        home = Path(environment.get("HOME", "")) / ".config"
    return home / _OWN_FOLDER if home.is_absolute() else None


def given_folder(text: str) -> Path:
    """The real path of a folder that a person names.

    Raises:
        PathRefused: it begins with the name of no user, is relative to a folder that is gone, or is no text.
    """
    try:
        folder = os.path.realpath(Path(text).expanduser())
        folder.encode()
    except RuntimeError as error:
        raise PathRefused(text, "begins in the home folder of nobody who is known here") from error
    except FileNotFoundError as error:  # what need not be there itself is the folder that it is relative to
        raise PathRefused(text, "is relative to the current folder, which is gone; `cd` to another one") from error
    except UnicodeEncodeError as error:
        raise PathRefused(text, "has a name that is not UTF-8, which no list can hold; name the folder anew") from error
    return Path(folder)


def find_workspace(
    named: str | None, environment: Mapping[str, str], here: Path, listed: Callable[[str], str] = lambda _: ""
) -> Path:
    """The workspace: as named, else `MEMORY_WORKSPACE`, else the nearest folder upward with a `memory.toml`.

    A name without a slash is that of the person's list, or else a folder here: a folder that came with a clone is not
    taken for a listed workspace. `listed` gives the folder of such a name, and for an empty name that of the default,
    which is taken where nothing else is found; an empty text for none.

    Raises:
        WorkspaceError: there is none; `given_folder` refuses it.
    """
    chosen = named or environment.get(WORKSPACE_VARIABLE)
    if chosen:
        is_name = "/" not in chosen and not chosen.startswith((".", "~"))
        root = given_folder((listed(chosen) if is_name else "") or chosen)
        if not _has_settings(root):
            raise WorkspaceMissing(str(root))
        return root
    start = given_folder(str(here))
    for folder in (start, *start.parents):
        if _has_settings(folder):
            return folder
    if default := listed(""):
        return Path(default)
    raise WorkspaceMissing(str(start), upward=True)


def _has_settings(folder: Path) -> bool:
    # Of any kind: the reader reports that it is no file. A folder that may not be searched counts as having none.
    return os.path.lexists(folder / SETTINGS_FILE)
