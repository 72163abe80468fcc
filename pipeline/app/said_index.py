"""Keep the index of what was said up to date, where the settings want it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from pipeline.app.index import OpenIndex
from pipeline.clock import stopwatch
from pipeline.errors import Interrupted, PipelineError
from pipeline.index.context import Updated
from pipeline.index.said.update import SaidUpdated, drop_said, rebuild_said, said_report, update_said

EFFORT = 4_000_000
"""Bytes of transcripts that changed, up to which a question waits for them to be taken in: a second or two."""
EVERY_SECONDS = 10.0
"""Seconds for which a look at the transcripts counts, in a process that answers many questions."""


@dataclass(frozen=True)
class Reindexed(Updated):
    """The update of the index of files and, as `said`, that of the index of messages."""

    said: SaidUpdated = field(default_factory=SaidUpdated)


def update_said_index(opened: OpenIndex, *, full: bool = False, wait: float = 0.0, erase: bool = True) -> SaidUpdated:
    """Look at the transcripts, and take in what is new; without `search.said` the index is removed.

    With `erase` no word of messages that are gone stays in its files, however many transcripts are read for that.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested.
    """
    if not opened.settings.search.said:
        drop_said(opened.said.indexing)
        return SaidUpdated()
    opened.look_at_transcripts()
    if full:
        return rebuild_said(opened.said.indexing, wait=wait)
    return update_said(opened.said.indexing, wait=wait, erase=erase)


def said_behind(opened: OpenIndex) -> int:
    """Look at transcripts, and count the sessions that came, changed or went since the last update; errors as above."""
    if not opened.settings.search.said:
        return 0
    opened.look_at_transcripts()
    return said_report(opened.said.indexing).behind


class QuestionUpdate:
    """Takes in what was said before a question about it, as far as the question may wait for it; from several threads.

    For a process that answers where no service follows the transcripts. It takes what the ledger knows of them, and
    does not look at them: a question changes nothing but the index.
    """

    def __init__(self, opened: OpenIndex, now: Callable[[], float] = stopwatch) -> None:
        """Nothing is taken in yet; `now` is in seconds."""
        self._opened, self._now, self._lock = opened, now, Lock()
        self._looked: float | None = None
        self._notes: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        """Bring the index up to date, if some time has passed; notes on what is left."""
        with self._lock:  # else the latch of the index would refuse the second of two questions at once
            if self._looked is None or self._now() - self._looked >= EVERY_SECONDS:
                self._notes = self._update_index()
                self._looked = self._now()
            return self._notes

    def _update_index(self) -> tuple[str, ...]:
        if not self._opened.has_ledger():
            return ()
        try:
            behind = update_said(self._opened.said.indexing, EFFORT).behind
        except Interrupted:
            raise
        except PipelineError as error:  # the memory answers without it, also where the ledger is damaged
            return (f"What was said could not be brought up to date. {error}",)
        if not behind:
            return ()
        sessions = "1 session is" if behind == 1 else f"{behind} sessions are"
        return (f"{sessions} not in the index of what was said yet; `memory doctor reindex` takes them in.",)
