"""The notes of agents on this machine that a new workspace could find. Folders are listed, and nothing is read."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from schemas.settings import NOTES, SourceSettings


@dataclass(frozen=True)
class NotePlace:
    """Where an agent keeps its notes: the folder below the home folder, or that of a variable, and the patterns in it.

    `inside` is what comes after the folder that the variable names.
    """

    name: str
    folder: str
    patterns: tuple[str, ...]
    variable: str = ""
    inside: str = ""

    def root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The folder of this machine, whether it is there or not."""
        named = environment.get(self.variable, "") if self.variable else ""
        return Path(named).expanduser() / self.inside if named else home / self.folder


_PLACES = (
    NotePlace("claude-notes", ".claude", ("CLAUDE.md", "projects/*/memory/*.md"), "CLAUDE_CONFIG_DIR"),
    NotePlace("codex-notes", ".codex", ("AGENTS.md", "memories/**/*.md"), "CODEX_HOME"),
    NotePlace("gemini-notes", ".gemini", ("GEMINI.md",), "GEMINI_CLI_HOME", ".gemini"),
    NotePlace("openclaw-notes", ".openclaw", ("workspace*/MEMORY.md", "workspace*/memory/*.md"), "OPENCLAW_STATE_DIR"),
    NotePlace("windsurf-notes", ".codeium/windsurf", ("memories/*.md",)),
    NotePlace("copilot-notes", ".copilot", ("copilot-instructions.md",), "COPILOT_HOME"),
)
_IN_PROJECTS = (
    *("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"),
    *(".cursorrules", ".cursor/rules/*.mdc", ".windsurfrules", ".windsurf/rules/*.md"),
    *(".github/copilot-instructions.md", ".github/instructions/*.md"),
)
_OF_PROJECTS = "project-notes"
_MOST_PROJECTS = 200
_UNNAMED = re.compile(r"[^A-Za-z0-9-]")
"""What Claude Code writes as a hyphen in the names of its folders."""
_WILD = re.compile(r"[*?\[]")


def propose_notes(home: Path, environment: Mapping[str, str]) -> list[SourceSettings]:
    """The sources of notes that exist on this machine; those of all projects in the home folder are one."""
    return [
        SourceSettings(kind=NOTES, path=str(root), name=name, patterns=filled)
        for name, root, patterns in _candidates(home, environment)
        if (filled := tuple(pattern for pattern in patterns if any(True for _ in _files(root, pattern))))
    ]


def note_changes(source: SourceSettings) -> list[int]:
    """When each file that a proposed source would find was last changed, in nanoseconds since 1970."""
    files = {file for pattern in source.patterns for file in _files(Path(source.path), pattern)}
    changes = list[int]()
    for file in files:
        with suppress(OSError):  # gone since it was listed
            changes.append(file.stat().st_mtime_ns)
    return changes


def _candidates(home: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    yield from ((place.name, place.root(home, environment), place.patterns) for place in _PLACES)
    sessions = _PLACES[0].root(home, environment) / "projects"
    below = [folder.relative_to(home) for folder in _projects(sessions) if home in folder.parents]
    plain = (folder.as_posix() for folder in below if not _WILD.search(str(folder)))
    named = [f"{folder}/{pattern}" for folder in plain for pattern in _IN_PROJECTS]
    yield _OF_PROJECTS, home, tuple(named)


def _files(root: Path, pattern: str) -> Iterator[Path]:
    with suppress(OSError):
        yield from (file for file in root.glob(pattern) if file.is_file())


def _projects(sessions: Path) -> list[Path]:
    """The folders that Claude Code was used in, as the names of its folders tell, as far as they are still there."""
    with suppress(OSError):
        names = sorted(entry.name for entry in os.scandir(sessions) if entry.is_dir())
        named = (_folders_named(Path("/"), name.removeprefix("-")) for name in names[:_MOST_PROJECTS])
        return sorted({folder for folders in named for folder in folders})
    return []


def _folders_named(above: Path, rest: str) -> Iterator[Path]:
    """The folders below another whose paths are written so; the disk tells which sign a hyphen stands for."""
    try:
        inside = [Path(entry.path) for entry in os.scandir(above) if entry.is_dir()]
    except OSError:
        return
    for folder in inside:
        name = _UNNAMED.sub("-", folder.name)
        if rest == name:
            yield folder
        elif rest.startswith(f"{name}-"):
            yield from _folders_named(folder, rest.removeprefix(f"{name}-"))
