"""The work that a person begins on the page: one process at a time, the same command that a terminal would run.

Its log begins with the words of the command and ends with its exit code, so that another service, later, says what
became of it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread

from pipeline.errors.service import UnknownWork, WorkGoesOn
from pipeline.reports.work import Mark, WorkLog, WorkReport, line_of
from pipeline.service.processes.children import Children, RunningChild
from pipeline.workspace.service_files import ServiceFolder

BY_PERSON, BY_SERVICE = "person", "service"
"""The requesters of a stop, in the log."""
CLOSING_SECONDS = 3.0
"""The seconds to wait for the end of the work when the service ends; then its supervisor ends it."""


@dataclass(frozen=True)
class WorkState:
    """A piece of work: whether it is running, the report in its log, and whether it was asked to stop."""

    id: str
    running: bool
    report: WorkReport
    stopping: bool = False


class WorkProcesses:
    """The work of one workspace. May be used from several threads."""

    def __init__(self, root: Path, children: Children) -> None:
        """`children` starts the processes."""
        self._children, self._folder = children, ServiceFolder(root).logs
        self._last: _RunningWork | None = None
        self._lock = Lock()

    def begin(self, name: str, words: Sequence[str]) -> str:
        """Begin the command of these words, which has a name of letters, digits and `_`; the id of the work.

        Raises:
            WorkGoesOn: another one goes on.
            WriteFailed: its log cannot be made, or the system has no room for a process.
        """
        with self._lock:
            if self._last and self._last.running:
                raise WorkGoesOn(self._last.id)
            first_line = line_of(Mark.BEGUN, words=["memory", *words])
            self._last = _RunningWork(self._children.start(name, *words, first_line=first_line))
            return self._last.id

    def going_on(self) -> str:
        """The id of the running work; empty without one."""
        last = self._last
        return last.id if last and last.running else ""

    def latest(self) -> str:
        """The id of the work that was begun last; empty before the first one."""
        last = self._last
        return last.id if last else ""

    def state(self, work_id: str) -> WorkState:
        """The state of a piece of work, also of an earlier service.

        Raises:
            UnknownWork: there is none, or its log has been removed.
        """
        last = self._last
        if last and last.id == work_id:
            return WorkState(work_id, last.running, last.log.read(), stopping=last.running and bool(last.by))
        file = next((file for file in self._folder.glob("*.log") if file.stem == work_id), None)
        report = WorkLog(file).read() if file else WorkReport()
        if not report.words:  # those of the service's own runs do not begin so
            raise UnknownWork(work_id)
        return WorkState(work_id, running=False, report=report)

    def stop(self, work_id: str) -> None:
        """Ask running work to stop at its next safe point; ended work stays as it is."""
        last = self._last
        if last and last.id == work_id and last.running:
            last.by = last.by or BY_PERSON
            last.child.stop()

    def close(self) -> None:
        """Stop running work, and wait a moment for its end."""
        with self._lock:
            last = self._last
        if last and last.running:
            last.by = last.by or BY_SERVICE
            last.child.let_go()
            last.noting.join(CLOSING_SECONDS)


class _RunningWork:
    """The work that was begun last, and the thread that notes its end in its log."""

    def __init__(self, child: RunningChild) -> None:
        self.child, self.log, self.by = child, WorkLog(child.log), ""
        self.noting = Thread(target=self._note_end, name="work", daemon=True)
        self.noting.start()

    @property
    def id(self) -> str:
        """The name of its log."""
        return self.child.log.stem

    @property
    def running(self) -> bool:
        """Whether its end has not been noted."""
        return self.noting.is_alive() and self.log.read().code is None

    def _note_end(self) -> None:
        code = self.child.wait()
        with suppress(OSError), self.child.log.open("a", encoding="utf-8") as stream:  # a log that is gone says nothing
            stream.write(line_of(Mark.ENDED, code=code, by=self.by))
