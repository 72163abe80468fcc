"""The family of files of a job: their names and their content."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

from pipeline.job import Target
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.encoding import conflicts
from pipeline.markdown.entries import parse_entries
from pipeline.workspace.file_access import page_name
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import AGENTS, expression_of, glob_of, patterns_of
from pipeline.workspace.regular_files import FileStamp, file_stamp
from schemas.entry import Entry, Trust


def iso_week(day: date) -> str:
    """The ISO week of a day, such as `2026-W06`."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


@dataclass(frozen=True)
class Slots:
    """The values of the braces of a pattern; without a day, a pattern may name no time.

    Names of agents, episodes and pages are put in as `page_name` makes them, and a `part` behind a `_`.
    """

    day: date | None = None
    agent: str = ""
    episode: str = ""
    number: int = 0
    page: str = ""
    part: str = ""


def concrete(pattern: str, slots: Slots, volume: int = 1) -> str:
    """A pattern with its slots and the volume put in."""
    if "{" not in pattern:
        return pattern
    day = slots.day or date.min
    return pattern.format(
        agents=AGENTS,
        day=day.isoformat(),
        week=iso_week(day),
        month=f"{day:%Y-%m}",
        volume=volume,
        agent=page_name(slots.agent),
        episode=page_name(slots.episode),
        number=f"{slots.number:03d}",
        page=page_name(slots.page),
        part=f"_{page_name(slots.part)}" if slots.part else "",
    )


@dataclass(frozen=True)
class TargetFile:
    """A file of a family: its entry blocks in order, each with its entry (`None` when it cannot be read).

    Of a `listed` family they are list items, which have no entry. `conflicts` are the first and last lines of conflicts
    of a merge that nobody has resolved.
    """

    path: str
    blocks: tuple[tuple[Block, Entry | None], ...]
    conflicts: tuple[tuple[int, int], ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its blocks."""
        return frozenset(block.name for block, _ in self.blocks)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Its entries as jobs see them where all of its blocks are ours."""
        entries = (entry for _, entry in self.blocks if entry)
        return tuple(entry.quote_alone() if entry.trust is Trust.QUOTED else entry for entry in entries)

    @cached_property
    def digests(self) -> frozenset[tuple[str, str]]:
        """Its blocks, by name and digest."""
        return frozenset((block.name, block.digest) for block, _ in self.blocks)


Parsed = dict[tuple[str, bool], tuple[FileStamp, TargetFile]]
"""The files that were parsed, by path and whether they are `listed`, each with its stamp."""


class TargetFiles:
    """The files of a `Target`. They are `parsed` again only when they have another stamp."""

    def __init__(self, workspace: Workspace, target: Target, parsed: Parsed | None = None) -> None:
        self.target = target
        self._workspace = workspace
        self._parsed: Parsed = {} if parsed is None else parsed
        # A year has hundreds of files, and every run looks at each of them, so a name is parsed once.
        self._slots: dict[str, Slots | None] = {}
        self._places: dict[str, tuple[date, int, str] | None] = {}
        self._first: dict[str, str | None] = {}
        self.looked_at: dict[str, tuple[TargetFile, float]] = {}
        """The files as they were when the places of their blocks were last compared with them, each with the time
        after which the first of these places is dropped."""

    def path(self, slots: Slots, volume: int = 1) -> str:
        """The path of a file of the family; volumes count from 1."""
        return concrete(self.target.family if volume == 1 else self.target.overflow, slots, volume)

    def slots_of(self, path: str) -> Slots | None:
        """The values of the braces in a path; `None` when it is not of the family."""
        if path not in self._slots:
            matches = (expression_of(pattern).fullmatch(path) for pattern in patterns_of(self.target))
            self._slots[path] = next((_parse_slots(match.groupdict()) for match in matches if match), None)
        return self._slots[path]

    def first_volume(self, path: str) -> str | None:
        """The first volume of the page that a path is of; `None` when it is not of the family."""
        if path not in self._first:
            slots = self.slots_of(path)
            self._first[path] = self.path(slots) if slots else None
        return self._first[path]

    def day_of(self, path: str) -> date | None:
        """The day of a file, or the first day of its week or month; `None` without a day, or outside of the family."""
        slots = self.slots_of(path)
        return slots.day if slots else None

    @property
    def has_pages(self) -> bool:
        """Whether one partition may write several pages, each with a name."""
        return any(slot in self.target.family for slot in ("{page}", "{part}"))

    def page_slots(self, slots: Slots, name: str) -> Slots:
        """The slots of a page by its name."""
        return replace(slots, page=name) if "{page}" in self.target.family else replace(slots, part=name)

    def owns(self, path: str) -> bool:
        """Whether a path is of the family."""
        return self.slots_of(path) is not None

    def paths(self) -> list[str]:
        """The files of the family that exist, by day and volume.

        Raises:
            ReadFailed: something that is no regular file has such a name, so its content cannot be known.
        """
        return list(self._look_up())

    def _look_up(self) -> dict[str, os.stat_result]:
        """The files that exist, by day and volume, each with its `stat`."""
        files = dict[str, os.stat_result]()
        for pattern in patterns_of(self.target):
            files |= self._workspace.look(glob_of(pattern), whole=True)
        for path in files.keys() - self._places.keys():
            # By length, so that the tenth volume comes after the second.
            self._places[path] = (self.day_of(path) or date.min, len(path), path) if self.owns(path) else None
        owned = sorted(place for path in files if (place := self._places[path]))
        return {path: files[path] for _, _, path in owned}

    def folders(self) -> list[str]:
        """The folders in which the family's files lie."""
        folders = {str(PurePosixPath(glob_of(pattern)).parent) for pattern in patterns_of(self.target)}
        several = {folder for folder in folders if "*" in folder}
        root = self._workspace.root
        there = (path for folder in several for path in root.glob(folder) if path.is_dir())
        return sorted({*folders - several, *(path.relative_to(root).as_posix() for path in there)})

    def files(self) -> list[TargetFile]:
        """The content of the files of the family, by day and volume."""
        return [file for path, status in self._look_up().items() if (file := self._parse(path, status))]

    def file(self, path: str) -> TargetFile | None:
        """The content of a file; `None` if it is missing."""
        try:
            status = self._workspace.locate(path).stat()
        except OSError:
            return None
        return self._parse(path, status)

    def _parse(self, path: str, status: os.stat_result) -> TargetFile | None:
        stamp = file_stamp(status)
        key = path, self.target.listed
        kept = self._parsed.get(key)
        if kept and kept[0] == stamp:
            return kept[1]
        data = self._workspace.read(path)
        if data is None:
            return None
        items = ((block, None) for block in find_blocks(data) if block.item) if self.target.listed else ()
        file = TargetFile(path, tuple(items or parse_entries(data)), tuple(conflicts(data)))
        self._parsed[key] = stamp, file
        return file


def _parse_slots(named: Mapping[str, str]) -> Slots | None:
    """The slots of a path; `None` when its day is no date."""
    month = f"{named['month']}-01" if "month" in named else ""
    day = named.get("day") or named.get("week") or month
    try:
        date_of_name = date.fromisoformat(day) if day else None  # of an ISO week it makes the Monday
    except ValueError:
        return None
    return Slots(
        day=date_of_name,
        agent=named.get("agent", ""),
        episode=named.get("episode", ""),
        number=int(named.get("number", "0")),
        page=named.get("page", ""),
        part=named.get("part", "").removeprefix("_"),
    )
