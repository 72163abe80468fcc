"""A job's family of files: which files belong to it, and what stands in them."""

import os
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from pipeline.job import Target
from pipeline.markdown.blocks import Block
from pipeline.markdown.entries import parse_entries
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import expression_of, glob_of, patterns_of
from schemas.entry import Entry


def iso_week(day: date) -> str:
    """The ISO week of a day, such as `2026-W06`."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def concrete(pattern: str, day: date, volume: int = 1) -> str:
    """A pattern with the day, its ISO week and the volume put in."""
    return pattern.format(day=day.isoformat(), week=iso_week(day), volume=volume)


@dataclass(frozen=True)
class FamilyFile:
    """One file of a family: its entry blocks in order, each with what it says (`None` when it cannot be read)."""

    path: str
    blocks: tuple[tuple[Block, Entry | None], ...]


class Family:
    """The files of a `Target`. What was parsed is kept while a file has the same size, time and inode."""

    def __init__(self, workspace: Workspace, target: Target) -> None:
        self.target = target
        self._workspace = workspace
        self._kept: dict[str, tuple[tuple[int, int, int], FamilyFile]] = {}
        # A year has hundreds of files, at each of which every run looks: what their names tell is found out once.
        self._days: dict[str, date | None] = {}
        self._places: dict[str, tuple[date, int, str]] = {}

    def path(self, day: date, volume: int = 1) -> str:
        """The path of a day's file, or of its week's; volumes count from 1."""
        return concrete(self.target.family if volume == 1 else self.target.overflow, day, volume)

    def day_of(self, path: str) -> date | None:
        """The day whose file this is, of a week its Monday; `None` when the path is not of the family, or of no day."""
        if path not in self._days:
            self._days[path] = self._told_day(path)
        return self._days[path]

    def _told_day(self, path: str) -> date | None:
        for pattern in patterns_of(self.target):
            if found := expression_of(pattern).fullmatch(path):
                return _day(found.group(1)) if found.groups() else None
        return None

    def owns(self, path: str) -> bool:
        """Whether a path is of the family."""
        return path == self.target.family or self.day_of(path) is not None

    def paths(self) -> list[str]:
        """The files of the family that exist, by day and volume.

        Raises:
            ReadFailed: something else stands in the place of one, so that nobody can tell what it holds.
        """
        return list(self._present())

    def _present(self) -> dict[str, os.stat_result]:
        """The files that exist, by day and volume, each with what the system tells of it."""
        found = dict[str, os.stat_result]()
        for pattern in patterns_of(self.target):
            found |= self._workspace.look(glob_of(pattern), whole=True)
        return {path: found[path] for path in sorted(filter(self.owns, found), key=self._place)}

    def _place(self, path: str) -> tuple[date, int, str]:
        """By day and volume; the tenth volume comes after the second."""
        if path not in self._places:
            self._places[path] = self.day_of(path) or date.min, len(path), path
        return self._places[path]

    def folders(self) -> list[str]:
        """The folders in which the family's files lie."""
        return sorted({str(PurePosixPath(pattern).parent) for pattern in patterns_of(self.target)})

    def files(self) -> list[FamilyFile]:
        """What stands in the files of the family, by day and volume."""
        return [file for path, status in self._present().items() if (file := self._parsed(path, status))]

    def file(self, path: str) -> FamilyFile | None:
        """What stands in one file; `None` when there is none."""
        try:
            status = self._workspace.locate(path).stat()
        except OSError:
            return None
        return self._parsed(path, status)

    def _parsed(self, path: str, status: os.stat_result) -> FamilyFile | None:
        stamp = (status.st_size, status.st_mtime_ns, status.st_ino)
        if path in self._kept and self._kept[path][0] == stamp:
            return self._kept[path][1]
        data = self._workspace.read(path)
        if data is None:
            return None
        file = FamilyFile(path, tuple(parse_entries(data)))
        self._kept[path] = (stamp, file)
        return file


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)  # of an ISO week it makes the Monday
    except ValueError:
        return None
