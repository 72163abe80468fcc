"""A workspace over the sample sessions of `memory demo`."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from tests.support.processes.commands import RealWorkspace

_SETTINGS = """
timezone = "Europe/Warsaw"
[[sources]]
kind = "openclaw"
path = "sessions/openclaw"
[[sources]]
kind = "claude_code"
path = "sessions/claude-code"
"""


def sample(root: Path) -> RealWorkspace:
    """A workspace over a copy of the sample sessions."""
    with as_file(files("pipeline.demo").joinpath("sessions")) as sessions:
        shutil.copytree(sessions, root / "sessions")
    return RealWorkspace(root).configure(_SETTINGS)
