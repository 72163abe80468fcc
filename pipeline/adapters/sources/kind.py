"""The kinds of transcript sources: a format of sessions, and where its agent leaves them."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.ports.engine import TranscriptSource


@dataclass(frozen=True)
class SourceKind:
    """A kind of source, by the `name` that settings give it.

    `source` makes the source over a place. `roots` gives, of a home folder and an environment, the folders in which the
    agent leaves its sessions, whether they are there or not; none where a person chooses the folder.
    """

    name: str
    source: Callable[[SourcePlace], TranscriptSource]
    roots: Callable[[Path, Mapping[str, str]], tuple[Path, ...]] = lambda _home, _environment: ()


def named_folder(environment: Mapping[str, str], variable: str, usual: Path) -> Path:
    """The folder that a variable of the environment names, or else the usual one."""
    named = environment.get(variable, "")
    return Path(os.path.expanduser(named)) if named else usual


def mac_folders(home: Path) -> tuple[Path, ...]:
    """The folder in which programs of macOS keep their data; none in a home of another system."""
    return (home / "Library" / "Application Support",) if (home / "Library").is_dir() else ()


def named_and_usual(environment: Mapping[str, str], variable: str, usual: Path) -> tuple[Path, ...]:
    """The folder that a variable of the environment names, if it names any, and the usual one behind it."""
    named = environment.get(variable, "")
    return (Path(os.path.expanduser(named)), usual) if named else (usual,)
