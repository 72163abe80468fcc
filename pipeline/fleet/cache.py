"""The cache of a machine: a folder for each workspace that it had. One that goes is fetched again when it is due."""

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from pipeline.errors import Held
from pipeline.errors.fleet import FleetCacheTaken
from pipeline.workspace.locks import Latch

_LOCK = "lock"


@contextmanager
def hold_cache(folder: Path) -> Iterator[None]:
    """Hold the cache of a process, which no other process may use meanwhile.

    Raises:
        FleetCacheTaken: another one has it.
        WriteFailed: the system refuses.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(Latch(folder / _LOCK).hold(0))
        except Held as error:
            raise FleetCacheTaken(str(folder)) from error
        yield


@dataclass(frozen=True)
class CacheLimits:
    """The most `folders` of a cache, and the bytes of its disk that stay `free` of it where that can be."""

    folders: int = 1_000
    free: int = 1 << 30


@dataclass(frozen=True)
class Cache:
    """The folders in `root`, by the ids of workspaces."""

    root: Path
    limits: CacheLimits = CacheLimits()

    def folder(self, workspace: UUID) -> Path:
        """The folder of a workspace, which may not be there."""
        return self.root / str(workspace)

    def workspaces(self) -> list[UUID]:
        """The workspaces that have a folder, those used longest ago first."""
        if not self.root.is_dir():
            return []
        with os.scandir(self.root) as entries:
            ours = [entry for entry in entries if entry.is_dir(follow_symlinks=False) and _is_uuid(entry.name)]
            known = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name) for entry in ours)
        return [UUID(name) for _, name in known]

    def note_use(self, workspace: UUID) -> None:
        """Note that a folder is used now."""
        os.utime(self.folder(workspace))

    def is_over(self, folders: int) -> bool:
        """Whether so many folders are too many, or the disk has too little room."""
        return folders > self.limits.folders or shutil.disk_usage(self.root).free < self.limits.free

    def evict(self, kept: Collection[UUID]) -> list[UUID]:
        """Remove folders of workspaces that are not `kept`, then the oldest until the limits hold; which."""
        cached = self.workspaces()
        gone = [workspace for workspace in cached if workspace not in kept]
        for workspace in gone:
            shutil.rmtree(self.folder(workspace))
        left = [workspace for workspace in cached if workspace in kept]
        while left and self.is_over(len(left)):
            gone.append(left.pop(0))
            shutil.rmtree(self.folder(gone[-1]))
        return gone


def _is_uuid(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
