"""A workspace in which a process dies in the middle of a write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Never

from pipeline.workspace.atomic import FileWriter, Landing
from pipeline.workspace.files import Workspace


class Crash(BaseException):
    """The process is gone at this point: nothing that it would have done afterwards happens."""


@dataclass
class CrashPlan:
    """Dies at the write after `writes` others, with `part` (0 to 1) of its bytes in the file. Once only."""

    writes: int
    part: float
    crashed: bool = False

    def due(self) -> bool:
        """Whether this write is the one; counts it."""
        self.writes -= 1
        return self.writes < 0 and not self.crashed

    def crash(self) -> Never:
        """Die.

        Raises:
            Crash: always.
        """
        self.crashed = True
        raise Crash


class CrashingWorkspace(Workspace):
    """A `Workspace` whose leases follow a plan."""

    def __init__(self, real: Workspace, plan: CrashPlan) -> None:
        super().__init__(real.root)
        self._plan = plan

    @contextmanager
    def lease(self, path: str) -> Iterator[FileWriter]:
        """The right to write one file, until the plan says otherwise."""
        yield _CrashingLease(path, self.locate(path), self._plan)


@dataclass(frozen=True)
class _CrashingLease(FileWriter):
    plan: CrashPlan = field(default_factory=lambda: CrashPlan(0, 0))

    def append(self, data: bytes) -> Landing:
        """A part of the bytes, when it is time."""
        if not self.plan.due():
            return super().append(data)
        if torn := data[: round(len(data) * self.plan.part)]:
            super().append(torn)
        return self.plan.crash()

    def create(self, data: bytes) -> Landing | None:
        """Before or after, when it is time: a new file is there at once."""
        due = self.plan.due()
        made = super().create(data) if not due or self.plan.part else None
        if due:
            self.plan.crash()
        return made

    def replace(self, read: bytes, data: bytes) -> None:
        """Before or after, when it is time: a rewrite is there at once."""
        due = self.plan.due()
        if not due or self.plan.part:
            super().replace(read, data)
        if due:
            self.plan.crash()

    def remove(self, read: bytes) -> None:
        """Before or after, when it is time."""
        due = self.plan.due()
        if not due or self.plan.part:
            super().remove(read)
        if due:
            self.plan.crash()
