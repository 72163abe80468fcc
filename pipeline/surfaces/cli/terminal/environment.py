"""The environment of this process, with what the service manager hands over more discreetly, and where it points to."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from pipeline.errors import PipelineError
from pipeline.settings.locate import PREFIX, SEPARATOR, WORKSPACE_VARIABLE, find_workspace
from pipeline.workspace.regular_files import read_regular

_CREDENTIALS = "CREDENTIALS_DIRECTORY"  # systemd.exec(5), LoadCredential=


def environment(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment variables; a systemd credential that is named like a setting counts as one.

    The workspace that a person names on the command line is in `MEMORY_WORKSPACE`, by its folder: it is no folder of a
    stranger into which the person only went.
    """
    variables = _credentials(own.get(_CREDENTIALS, "")) | dict(own)
    context = click.get_current_context(silent=True)
    if named := context and context.params.get("workspace"):
        with suppress(PipelineError):  # which the command reports when it asks for its root
            variables[WORKSPACE_VARIABLE] = str(_find(named, variables))
    return variables


def _credentials(folder: str) -> dict[str, str]:
    if not folder:
        return {}
    try:
        files = [file for file in Path(folder).iterdir() if file.name.startswith(PREFIX) and SEPARATOR in file.name]
        return {file.name: read_regular(file).decode(errors="replace").rstrip("\n") for file in files}
    except OSError:
        return {}


def current_folder() -> str:
    """The folder in which the command was called, with its links, as a shell shows it; empty where it is gone."""
    with suppress(FileNotFoundError):
        return os.getcwd()  # noqa: PTH109 - a `Path` follows the links
    return ""


def root_of(workspace: str | None) -> Path:
    """The workspace's folder."""
    return _find(workspace, environment())


def _find(workspace: str | None, variables: Mapping[str, str]) -> Path:
    def find_listed(name: str) -> str:
        from pipeline.settings.workspaces import listed_folder  # most commands need no list

        return listed_folder(name, variables)

    return find_workspace(workspace, variables, Path(), find_listed)
