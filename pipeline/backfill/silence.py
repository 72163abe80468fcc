"""The windows of a plan in which nobody spoke: they are found without a look into a transcript, and run together."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from pipeline.engine.context import Engine
from pipeline.errors import Interrupted, PipelineError
from pipeline.ledger.coverage import merge
from schemas.outcome import Outcome
from schemas.window import Window

if TYPE_CHECKING:
    from pipeline.backfill.plan import IsOver, Planned
    from pipeline.engine.runner import Runner

_TOGETHER = 1_000
"""The most windows that are run together: between those a request to stop is heard."""


class Spoken:
    """The times of sessions, which name the empty windows of a year quickly."""

    def __init__(self, engine: Engine, *, machines: bool = False) -> None:
        """Without `machines`, of those that a person takes part in. The catalog must have been refreshed."""
        self._spans = sorted(
            (record.first, record.last, record.session or "")
            for record in engine.catalog.listing()
            if record.first and record.last and (machines or not record.machine)
        )
        self._latest = list(accumulate((last for _, last, _ in self._spans), max))

    def during(self, window: Window) -> bool:
        """Whether some session has messages around a window."""
        begun = bisect_left(self._spans, window.end, key=lambda span: span[0])
        return begun > 0 and self._latest[begun - 1] >= window.start

    def sessions(self, windows: Sequence[Window]) -> int:
        """The number of sessions with messages around any of the windows."""
        stretches = merge(windows)
        return len({session for first, last, session in self._spans if _met(stretches, first, last)})


def _met(stretches: Sequence[Window], first: datetime, last: datetime) -> bool:
    place = bisect_right(stretches, first, key=lambda stretch: stretch.end)
    return place < len(stretches) and stretches[place].start <= last


class IdleRuns:
    """The runs of a plan in which nothing was said: those up to the next message are made together.

    They write no file, so their order does not count; where one of them has something to read after all, what comes
    behind it and depends on its job is left to its turn.
    """

    def __init__(self, runner: "Runner", plan: Sequence["Planned"], *, again: bool) -> None:
        """The catalog must have been refreshed."""
        self._runner, self._plan, self._again = runner, plan, again
        self._ended = dict[int, Outcome | None]()

    def run_from(self, place: int, is_over: "IsOver") -> Outcome | None:
        """The outcome of a partition of the plan, if there is nothing to read in it; it and the next ones are run."""
        if place not in self._ended:
            self._ended = {}
            by_job = dict[tuple[int, str], list[int]]()
            for at in self._places_from(place, is_over):
                planned = self._plan[at]
                by_job.setdefault((self._ranks[planned.job.name], planned.partition.subject), []).append(at)
            until = len(self._plan)
            for _, places in sorted(by_job.items()):
                if before := [at for at in places if at < until]:
                    ended = self._run_together(before)
                    until = min([until, *(at for at, outcome in ended.items() if outcome is None)])
                    self._ended |= ended
        return self._ended.pop(place, None)

    def _places_from(self, place: int, is_over: "IsOver") -> Iterator[int]:
        for at in range(place, min(place + _TOGETHER, len(self._plan))):
            planned = self._plan[at]
            reads = planned.job.clock and planned.job.reads.transcripts
            is_request = planned.partition.key in self._requests
            if not reads or is_request or self._spoken.during(planned.window) or is_over(planned):
                return  # what is spoken there is asked again under the locks
            yield at

    def _run_together(self, places: Sequence[int]) -> dict[int, Outcome | None]:
        """The outcomes by place; `None` where the partition has to be run by itself."""
        job, keys = self._plan[places[0]].job, [self._plan[at].partition for at in places]
        try:
            ended = {outcome.key: outcome for outcome in self._runner.run_idle(job, keys, again=self._again)}
        except Interrupted:
            raise
        except PipelineError:  # the run of each finds it as well, and says so
            return dict.fromkeys(places)
        return {at: ended.get(key.key) for at, key in zip(places, keys, strict=True)}

    @cached_property
    def _ranks(self) -> dict[str, int]:
        """The places of jobs in an order in which each comes after those that it depends on."""
        return {job.name: rank for rank, job in enumerate(self._runner.engine.jobs)}

    @cached_property
    def _requests(self) -> set[str]:
        """The keys of partitions that are requests."""
        requests = self._runner.engine.ledger.requests
        return {
            request.id for job in self._runner.engine.jobs if job.on_request for request in requests.of_job(job.name)
        }

    @cached_property
    def _spoken(self) -> Spoken:
        return Spoken(self._runner.engine, machines=True)
