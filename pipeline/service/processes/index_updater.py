"""The updates of the index in the service: files are watched here, and another process updates the index.

Compacting an index takes the engine seconds in which no other thread of its process runs, and making vectors keeps the
embedder busy; no question must wait for either.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from threading import Lock, Thread
from typing import Self

from pipeline.app.detail_index import update_details
from pipeline.app.index import WEEKLY_LOCK, OpenIndex
from pipeline.app.said_index import said_behind
from pipeline.errors import Held, IndexUnavailable, Interrupted, PipelineError, ReadFailed, WriteFailed
from pipeline.index.context import JUST_LOOK, Indexing, Updated
from pipeline.index.sync.update import update
from pipeline.index.sync.watch import Looking, notices, watch
from pipeline.process.cancellation import CancellationToken
from pipeline.process.foreign import at_low_priority
from pipeline.service.processes.children import child_environment
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.workspace.locks import Locks
from schemas.exit_codes import HELD, SIGNALLED, WELL

COMMAND = (sys.executable, "-P", "-m", "pipeline.surfaces.cli.main", "reindex", "--attended", "--workspace")
"""The command that updates the index; the workspace comes last. It stops safely when its standard input ends."""
GRACE_SECONDS = 15.0
"""The seconds that this process may take to stop."""
PAUSES_SECONDS = (15.0, 60.0, 300.0, 900.0)
"""The seconds without an update after the first failure, the second, and so on."""

_WHAT = "`memory doctor reindex`"
_STOPPED = {WELL, SIGNALLED + signal.SIGINT, SIGNALLED + signal.SIGTERM}
_BLIND_LOOK_SECONDS, _BLIND_LOOKS = 2.0, 300  # while the system gives no notices; after that it is asked again


class IndexUpdater:
    """Brings the indexes up to date whenever files or transcripts have changed, as long as it is entered."""

    def __init__(
        self,
        opened: OpenIndex,
        in_use: SettingsInUse,
        *,
        command: Sequence[str] = COMMAND,
        pauses: Sequence[float] = PAUSES_SECONDS,
        look: Looking | None = None,
    ) -> None:
        """Prepare the updater; entering it starts the watch.

        Args:
            opened: the index.
            in_use: the settings it was opened with; while they do not hold, the index is left alone.
            command: the command that updates the index; its standard error is ours.
            pauses: in seconds.
            look: how changes are noticed, by the system when left out; by the clock alone while it fails.
        """
        self.problem = ""
        """The reason why the last update failed; empty if it succeeded."""
        self.looked: Updated | None = None
        """The result of the last look at the index."""
        self._safe_point = CancellationToken()
        self._indexing = replace(opened.indexing, safe_point=self._safe_point)
        self._details = replace(opened.details.indexing, safe_point=self._safe_point)
        self._opened = opened
        self._in_use, self._pauses = in_use, pauses
        self._command = [*command, str(opened.indexing.workspace.root)]
        self._locks = Locks(opened.indexing.workspace.lock_folder)
        self._stopping, self._lock = Flag(), Lock()
        searched = [
            source.path
            for source in opened.settings.transcript_sources
            if source.search and opened.settings.search.said
        ]
        self._look = look or partial(notices, stopping=self._stopping, sources=searched)
        self._child: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._thread = Thread(target=self._watch_files, name="index-care", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._safe_point.ask_to_stop(signal.SIGTERM)
        with self._lock:
            self._stopping.set()
            child = self._child
        if child:
            _close(child)
            try:
                child.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)  # with all it has started
        self._thread.join()

    def _watch_files(self) -> None:
        while not self._stopping.is_set():
            try:
                watch(self._indexing, self._is_paused, look=self._changes, work=self._update_indexes)
            except Interrupted:
                return
            except PipelineError as error:
                self._pause(str(error))
            except Exception as error:  # noqa: BLE001 - a bug must not end the care of the index in silence
                self._pause(f"The index could not be brought up to date ({type(error).__name__}: {error}).")

    def _pause(self, problem: str) -> None:
        """Leave the index alone for a while; the more failures, the longer."""
        self.problem = problem
        self._stopping.wait(self._pauses[min(self._failures, len(self._pauses) - 1)])
        self._failures += 1

    def _is_paused(self) -> bool:
        return self._locks.is_held(WEEKLY_LOCK) or not self._in_use.hold()

    def _changes(self, indexing: Indexing) -> Iterator[bool]:
        """Notices of changes from the system; if these fail, a tick of the clock, so that all files are compared."""
        while True:
            try:
                yield from self._look(indexing)
            except ReadFailed as error:
                self.problem = str(error)
            for _ in range(_BLIND_LOOKS):
                self._stopping.wait(_BLIND_LOOK_SECONDS)
                yield False

    def _update_indexes(self, indexing: Indexing) -> None:
        """Update the indexes if anything has changed."""
        self.looked = update(indexing, JUST_LOOK)
        details, _ = update_details(self._details, JUST_LOOK)
        if self.looked.behind or self.looked.waiting or details.behind or said_behind(self._opened):
            code = self._run_update()
            if code == HELD:
                raise Held(_WHAT, "another process of this workspace")
            if code not in _STOPPED:
                why = f"{_WHAT} ended with exit code {code}"
                raise IndexUnavailable(why, "The log says why.")
            self.looked = update(indexing, JUST_LOOK)
        self.problem, self._failures = "", 0

    def _run_update(self) -> int:
        """Run the update in its process. Returns the exit code."""
        with self._lock:
            if self._stopping.is_set():
                return WELL
            child = self._child = self._spawn()
        try:
            return child.wait()
        finally:
            with self._lock:
                self._child = None
            _close(child)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        inherits, quiet = child_environment(os.environ), subprocess.DEVNULL
        try:
            return subprocess.Popen(  # noqa: S603 - our own command
                at_low_priority(self._command),
                stdin=subprocess.PIPE,
                stdout=quiet,
                env=inherits,
                start_new_session=True,
            )
        except OSError as error:
            raise WriteFailed(_WHAT, error.strerror or str(error)) from error


def _close(child: "subprocess.Popen[bytes]") -> None:
    """Close its standard input, so that it stops at its next safe point."""
    with suppress(OSError):
        if child.stdin:
            child.stdin.close()
