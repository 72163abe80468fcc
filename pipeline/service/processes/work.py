"""The work that a person begins on the page: one process at a time, the same command that a terminal would run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from pipeline.errors.service import UnknownWork, WorkGoesOn
from pipeline.service.processes.children import Children, RunningChild
from pipeline.workspace.service_files import ServiceFolder


@dataclass(frozen=True)
class WorkState:
    """A piece of work: its log, whether it goes on, and its exit code, which only this service knows."""

    id: str
    log: Path
    running: bool
    code: int | None


class WorkProcesses:
    """The work of one workspace. May be used from several threads."""

    def __init__(self, root: Path, children: Children) -> None:
        """Nothing is begun yet."""
        self._children, self._folder = children, ServiceFolder(root).logs
        self._lock = Lock()
        self._begun = dict[str, RunningChild]()

    def begin(self, name: str, words: Sequence[str]) -> str:
        """Begin the command of these words, which has a name of letters, digits and `_`; the id of the work.

        Raises:
            WorkGoesOn: another one goes on.
            WriteFailed: its log cannot be made, or the system has no room for a process.
        """
        with self._lock:
            going_on = next((id_ for id_, child in self._begun.items() if child.ended() is None), "")
            if going_on:
                raise WorkGoesOn(going_on)
            child = self._children.start(name, *words)
            self._begun[child.log.stem] = child
        return child.log.stem

    def going_on(self) -> str:
        """The id of the work that goes on; empty when none does."""
        with self._lock:
            return next((id_ for id_, child in self._begun.items() if child.ended() is None), "")

    def state(self, work_id: str) -> WorkState:
        """How a piece of work stands, also one that an earlier service began.

        Raises:
            UnknownWork: there is none, or its log has been removed.
        """
        log = next((file for file in self._logs() if file.stem == work_id), None)
        if log is None:
            raise UnknownWork(work_id)
        with self._lock:
            child = self._begun.get(work_id)
            code = child.ended() if child else None
        return WorkState(work_id, log, child is not None and code is None, code)

    def stop(self, work_id: str) -> None:
        """Ask it to stop at its next safe point; what has ended is left as it is."""
        with self._lock:
            child = self._begun.get(work_id)
            if child and child.ended() is None:
                child.stop()

    def close(self) -> None:
        """Ask all to stop. Their lifelines end with the service, so nothing is left behind."""
        with self._lock:
            for child in self._begun.values():
                if child.ended() is None:
                    child.stop()

    def _logs(self) -> Sequence[Path]:
        return sorted(self._folder.glob("*.log"), reverse=True)
