"""Sources for a new workspace: the stores and notes of agents on this machine, and how much each holds."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Thread

from pipeline.app.engine import open_sources, propose_sources
from pipeline.clock import stopwatch
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.settings import NOTES, Settings, SourceSettings


@dataclass(frozen=True)
class NotePlace:
    """The place of an agent's notes: the folder below the home folder, or that of a variable, and the patterns in it.

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
        return Path(os.path.expanduser(named)) / self.inside if named else home / self.folder


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
"""Characters that Claude Code writes as a hyphen in the names of its folders."""
_WILD = re.compile(r"[*?\[]")


def propose_notes(home: Path, environment: Mapping[str, str]) -> list[SourceSettings]:
    """The sources of notes that exist on this machine; those of all projects in the home folder are one."""
    return [
        SourceSettings(kind=NOTES, path=str(root), name=name, patterns=filled)
        for name, root, patterns in _candidates(home, environment)
        if (filled := tuple(pattern for pattern in patterns if any(True for _ in _files(root, pattern))))
    ]


def note_extent(source: SourceSettings) -> "Extent":
    """The extent of the files that a proposed source of notes would find."""
    files = {file for pattern in source.patterns for file in _files(Path(source.path), pattern)}
    stats = list[os.stat_result]()
    for file in files:
        with suppress(OSError):  # gone since it was listed
            stats.append(file.stat())
    return replace(_extent(stat.st_mtime_ns for stat in stats), size=sum(stat.st_size for stat in stats))


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


LOOK_SECONDS = 3.0
"""Seconds that all stores together may take to be listed; a slow store is proposed without its size."""

_TOO_EARLY = timedelta(days=20 * 365).total_seconds() * 1e9
"""Nanoseconds since 1970: an earlier change is that of a broken clock, or no time at all."""


@dataclass(frozen=True)
class Extent:
    """The extent of a store: how many `files` may hold a session or a note, their first and last change, and bytes."""

    files: int
    first: datetime | None
    last: datetime | None
    size: int = 0


@dataclass(frozen=True)
class Proposal:
    """A store that a workspace could read; without an extent where it could not be listed in time."""

    source: SourceSettings
    extent: Extent | None


def proposals(home: Path, environment: Mapping[str, str], seconds: float = LOOK_SECONDS) -> list[Proposal]:
    """The stores on this machine, and what agents noted beside them. They are listed, never read.

    Of kinds that share a folder, those that list nothing there are left out when another one does.
    """
    sources = propose_sources(home, environment)
    extents = measure_sources(open_sources(home, Settings(sources=tuple(sources))), seconds)
    made = [Proposal(source, extents.get(source.root_name)) for source in sources]
    filled = {_folder(proposal) for proposal in made if proposal.extent and proposal.extent.files}
    stores = [one for one in made if one.extent is None or one.extent.files or _folder(one) not in filled]
    return [*stores, *(Proposal(source, note_extent(source)) for source in propose_notes(home, environment))]


def measure_sources(
    sources: Sequence[TranscriptSource], seconds: float, now: Callable[[], float] = stopwatch
) -> dict[str, Extent]:
    """The extents of sources by name, of those that can be listed within so many seconds."""
    extents = dict[str, Extent]()

    def look(source: TranscriptSource) -> None:
        with suppress(ReadFailed):
            files = list(source.files())
            size = sum(file.size for file in files)
            extents[source.name] = replace(_extent(file.mtime_ns for file in files), size=size)

    # Daemons: a listing that hangs, as on a network that is away, must not hold the command.
    threads = [Thread(target=look, args=(source,), daemon=True) for source in sources]
    until = now() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(until - now(), 0))
    return dict(extents)


def _extent(changed: Iterable[int]) -> Extent:
    """The extent of files by the times of their last changes, in nanoseconds since 1970."""
    changes = list(changed)
    times = [change for change in changes if change > _TOO_EARLY]
    return Extent(len(changes), _moment(min(times, default=0)), _moment(max(times, default=0)))


def _moment(nanoseconds: int) -> datetime | None:
    with suppress(OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(nanoseconds // 10**9, UTC) if nanoseconds else None
    return None


def _folder(proposal: Proposal) -> str:
    return os.path.realpath(proposal.source.path)


FIRST_DAYS = 30
"""The days before the newest session that are read first, where all of it would take long."""
LONG = timedelta(minutes=2)
# All jobs without a model, on two cores: 1.2 MB of transcripts take 8 s, and each day between takes 0.04 s beside them.
_BYTES_A_SECOND, _DAY_SECONDS = 150_000, 0.04
CHARACTERS_A_SECOND = 3_300
"""The rate of the packaged embedder on one core of a machine without a graphics card, over Markdown of this kind."""


@dataclass(frozen=True)
class FirstReading:
    """The reading that a new workspace begins with: since `first`, or all of it without, and how long all takes."""

    first: date | None
    seconds: float


def first_reading(chosen: Sequence[Proposal]) -> FirstReading:
    """The reading of stores: all where that is a matter of a moment, else the last days that have sessions."""
    extents = [proposal.extent for proposal in chosen if proposal.extent and not proposal.source.holds_notes]
    moments = [moment for extent in extents for moment in (extent.first, extent.last) if moment]
    newest = max(moments, default=None)
    days = (newest - min(moments)).days if newest else 0
    seconds = sum(extent.size for extent in extents) / _BYTES_A_SECOND + days * _DAY_SECONDS
    if newest is None or seconds < LONG.total_seconds():
        return FirstReading(None, seconds)
    return FirstReading((newest - timedelta(days=FIRST_DAYS)).date(), seconds)


def embedding_seconds(chosen: Sequence[Proposal]) -> float:
    """The time that the packaged embedder takes for the notes among these; of transcripts it reads no word."""
    sizes = (proposal.extent.size for proposal in chosen if proposal.extent and proposal.source.holds_notes)
    return sum(sizes) / CHARACTERS_A_SECOND
