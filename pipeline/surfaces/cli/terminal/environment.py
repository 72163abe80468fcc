"""The environment of this process, with what the service manager hands over more discreetly, and where it points to."""

import os
from collections.abc import Mapping
from pathlib import Path

from pipeline.settings.locate import PREFIX, SEPARATOR, find_workspace
from pipeline.workspace.regular_files import read_regular

_CREDENTIALS = "CREDENTIALS_DIRECTORY"  # systemd.exec(5), LoadCredential=


def environment(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment variables; a systemd credential that is named like a setting counts as one."""
    return _credentials(own.get(_CREDENTIALS, "")) | dict(own)


def _credentials(folder: str) -> dict[str, str]:
    if not folder:
        return {}
    try:
        files = [file for file in Path(folder).iterdir() if file.name.startswith(PREFIX) and SEPARATOR in file.name]
        return {file.name: read_regular(file).decode(errors="replace").rstrip("\n") for file in files}
    except OSError:
        return {}


def root_of(workspace: str | None) -> Path:
    """The workspace's folder."""
    variables = environment()

    def listed(name: str) -> str:
        from pipeline.settings.workspaces import listed_folder  # most commands need no list

        return listed_folder(name, variables)

    return find_workspace(workspace, variables, Path.cwd(), listed)
