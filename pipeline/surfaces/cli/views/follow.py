"""Following runs as they begin and end, by looking at the ledger once a second."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event

from pipeline.ledger.runs import RunRecord, Runs

SECONDS = 1.0
_AT_ONCE = 200  # runs that may begin between two looks


def pause() -> None:
    """Wait until the next look."""
    Event().wait(SECONDS)


@dataclass(frozen=True)
class Happening:
    """A run that has just begun, or ended."""

    record: RunRecord

    @property
    def name(self) -> str:
        """Which of the two."""
        return "ended" if self.record.ended else "began"


def follow(runs: Runs, job: str = "", between: Callable[[], None] = pause) -> Iterator[Happening]:
    """The beginnings and ends of runs from now on, and the runs under way; for ever.

    Args:
        runs: the ledger's.
        job: the only job to follow; all without.
        between: waits until the next look.
    """
    reported = {(record.run_id, True) for record in _latest(runs, job) if record.ended}
    while True:
        for record in _latest(runs, job):
            happened = (record.run_id, record.ended is not None)
            if happened not in reported:
                reported.add(happened)
                yield Happening(record)
        between()


def until_ended(
    runs: Runs, run_id: str, alive: Callable[[RunRecord], bool], between: Callable[[], None] = pause
) -> RunRecord | None:
    """The run once it has ended, or its process is gone; `None` when it is not known (any more)."""
    while (record := runs.find(run_id)) and not record.ended and alive(record):
        between()
    return runs.find(run_id)


def _latest(runs: Runs, job: str) -> list[RunRecord]:
    return runs.latest(job, _AT_ONCE)[::-1]
