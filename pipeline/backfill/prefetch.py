"""Questions asked ahead: while a partition is run, the model answers those of the next ones.

The partitions themselves run as always, in order of time, under their locks, and find the answers in the cache; so the
bytes written do not depend on how many questions are under way. Threads only talk to the model: transcripts, cache and
ledger are used from the thread that runs the partitions.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from pipeline.backfill.foresee import expected_tokens, foresee, goes_further
from pipeline.backfill.plan import Planned
from pipeline.backfill.silence import Spoken
from pipeline.engine.context import Engine
from pipeline.errors import BudgetSpent
from pipeline.job import Task
from pipeline.model.ask import AskAttempt, Asker, Budget, Prepaid, attempt
from pipeline.model.limiter import ConcurrencyLimiter, HeldBack, Pace, WhileWell
from pipeline.model.question import Readers, name_of
from schemas.outcome import Usage

AHEAD = 4
"""Questions, and partitions, that are looked ahead for each question that may be under way."""

_LOOK_SECONDS = 0.5


class SeriesBudget:
    """A `pipeline.model.ask.Budget`: the given one, and the tokens that one series of runs may use, in and out."""

    def __init__(
        self, given: Budget, limiters: Collection[ConcurrencyLimiter], max_tokens: int | None, prepaid: Prepaid
    ) -> None:
        """All questions of the series go through `limiters`. `prepaid` is in no book yet; `None` tokens: no limit."""
        self._given, self._limiters, self._max_tokens, self._prepaid = given, limiters, max_tokens, prepaid
        self.needed = 0

    def check(self, spent: int, ahead: int = 0) -> None:
        """Refuse when the series has no tokens left, or the budget that was given."""
        if self._max_tokens is not None and self.is_used_up:
            whose = "of this back-fill (--max-tokens)"
            raise BudgetSpent(self.tokens, self._max_tokens, whose, needed=self.needed)
        self._given.check(spent, ahead + sum(usage.tokens for usage in self._prepaid.values()))

    @property
    def tokens(self) -> int:
        """The tokens of all answers so far, in and out."""
        return sum(limiter.tokens for limiter in self._limiters)

    def holds(self, tokens: int) -> bool:
        """Whether questions that are to cost so many would stay within the limit of the series."""
        return self._max_tokens is None or not tokens or self.tokens + tokens <= self._max_tokens

    def close(self, needed: int) -> None:
        """Refuse from now on: what comes next is to cost `needed` tokens, which would go beyond the limit.

        Several jobs may come to their end in turn: what goes on has to have room for the dearest.
        """
        self.needed = max(self.needed, needed)

    @property
    def is_used_up(self) -> bool:
        """Whether the limit of the series allows no further question."""
        return self._max_tokens is not None and (bool(self.needed) or self.tokens >= self._max_tokens)

    def size(self, tasks: Iterable[Task[Any]]) -> int:
        """The estimated tokens of the questions; 0 without a limit, because only a limit needs them."""
        return 0 if self._max_tokens is None else sum(map(expected_tokens, tasks))


@dataclass(frozen=True)
class Limits:
    """The limits of questions under way at once, at least 1, and of tokens that may be used; `None` is no limit."""

    parallel: int
    max_tokens: int | None = None


@dataclass(frozen=True)
class _Asked:
    """A question under way: whose it is, the name of its model among the readers, and the tokens it is to cost."""

    place: int
    key: str
    task: Task[Any]
    reader: str
    tokens: int


class Prefetching:
    """Asks ahead for a plan while its `with` statement lasts. Run the partitions on its `engine`."""

    def __init__(self, engine: Engine, readers: Readers, plan: Sequence[Planned], limits: Limits) -> None:
        """`readers` have the models that the engine asks."""
        given = engine.asker()
        self._prepaid: Prepaid = {}
        self._limiters = {
            name: ConcurrencyLimiter(model, Pace(limits.parallel)) for name, model in readers.models.items()
        }
        self._readers = replace(readers, models=self._limiters)
        self._budget = SeriesBudget(given.budget, self._limiters.values(), limits.max_tokens, self._prepaid)
        self._given, self._plan, self._limits = engine, plan, limits
        self._asker = self._maker()
        self._spoken = Spoken(engine)
        self._pool = ThreadPoolExecutor(limits.parallel * len(self._limiters), thread_name_prefix="ahead")
        self._under_way: dict[Future[AskAttempt[Any]], _Asked] = {}
        self._next = 0
        self._again, self._looked_at = set[int](), set[int]()
        self._failed = set[str]()
        self.engine = replace(engine, asker=self._maker)

    @property
    def tokens(self) -> int:
        """The tokens of all answers so far, in and out."""
        return self._budget.tokens

    @property
    def is_used_up(self) -> bool:
        """Whether the limit of tokens allows no further question."""
        return self._budget.is_used_up

    @property
    def tokens_needed(self) -> int:
        """The tokens that the next partition is to cost, when it was not begun because of the limit; else 0."""
        return self._budget.needed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        try:
            self._hold_back()
            # Questions under way are paid for, but a stop or a failing model must not wait for their answers.
            while kind is None and any(self._limiters[asked.reader].well for asked in self._under_way.values()):
                self._wait()
        finally:
            for limiter in self._limiters.values():
                limiter.close()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._book_rest()

    def before(self, place: int, is_over: Callable[[Planned], bool]) -> None:
        """Ask for the partitions from `place` on, and wait for the answers that the one at `place` needs."""
        self._keep_ended()
        self._fill(place, is_over)
        while any(asked.place == place for asked in self._under_way.values()):
            self._wait()
            self._fill(place, is_over)

    def _maker(self, *, offline: bool = False) -> Asker:
        given = self._given.asker(offline=offline)
        if given.model is None:
            return given
        asker = Asker(self._readers, given.cache, self._budget, self._limits.parallel, self._between)
        asker.prepaid = self._prepaid
        return asker

    def _between(self) -> None:
        """Keep what has come while a run awaits answers of its own: who kills it then pays for none twice."""
        self._given.safe_point()
        self._keep_ended()

    def _fill(self, place: int, is_over: Callable[[Planned], bool]) -> None:
        """Ask for the partitions from `place` on, as far ahead as there is room; those that are past are let go."""
        self._again = {at for at in self._again if at >= place}
        self._looked_at = {at for at in self._looked_at if at >= place}
        self._next = max(self._next, place)
        while (at := self._to_look_at(place)) is not None:
            partition = self._plan[at]
            if self._spoken.during(partition.window) and not is_over(partition):
                if not self._ask(at, is_next=at == place):
                    return
                self._looked_at.add(at)
            self._again.discard(at)
            self._next = max(self._next, at + 1)

    def _to_look_at(self, place: int) -> int | None:
        if self._again:
            return min(self._again)
        room = max(len(self._under_way), len(self._looked_at)) < AHEAD * self._limits.parallel
        return self._next if self._next < len(self._plan) and (room or self._next == place) else None

    def _ask(self, at: int, *, is_next: bool) -> bool:
        """Ask what a partition will ask; `False` when nothing may be asked ahead now, and its own run has to see."""
        well = {name for name, limiter in self._limiters.items() if limiter.well}
        if not well:
            return False
        known = {asked.key for asked in self._under_way.values()} | self._failed
        foreseen = foresee(self._given, self._plan[at], self._asker).asked
        readers = {key: self._readers.name_of(task.sources) for key, task in foreseen.items()}
        tasks = {key: task for key, task in foreseen.items() if key not in known and readers[key] in well}
        if not self._may_ask(self._budget.size(tasks.values()), is_next=is_next):
            return False
        for key, task in tasks.items():
            limiter = self._limiters[readers[key]]
            future = self._pool.submit(attempt, WhileWell(limiter), task)
            self._under_way[future] = _Asked(at, key, task, readers[key], self._budget.size([task]))
        return True

    def _may_ask(self, tokens: int, *, is_next: bool) -> bool:
        reserved = sum(asked.tokens for asked in self._under_way.values())
        if tokens and not self._budget.holds(reserved + tokens):
            if is_next:
                self._budget.close(tokens)
            return False
        try:
            self._budget.check(0)
        except BudgetSpent:
            return False
        return True

    def _wait(self) -> None:
        """Wait a moment for answers, and keep those that have come."""
        self._given.safe_point()
        wait(self._under_way, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        self._keep_ended()

    def _keep_ended(self) -> None:
        """Keep the answers that have come, and look again at partitions that have other questions now."""
        kept = self._asker.kept
        for asked, ended in self._take_ended():
            failure, place = ended.failure, asked.place
            if isinstance(failure, HeldBack):
                self._next = min(self._next, place)
            elif failure and kept and kept.note_division(asked.key, asked.task, failure):
                self._again.add(place)
            elif failure:
                self._failed.add(asked.key)
                self._hold_back()
            elif any(other.place == place for other in self._under_way.values()):
                continue  # with the last answer of a partition
            elif goes_further(self._given, self._plan[place]):
                self._again.add(place)  # there may be questions that build on the answers

    def _take_ended(self) -> Iterator[tuple[_Asked, AskAttempt[Any]]]:
        for future in [future for future in self._under_way if future.done()]:
            if future in self._under_way:  # not taken back meanwhile
                asked, ended = self._under_way.pop(future), future.result()
                for booked, cost in self._asker.keep(
                    asked.key, name_of(self._limiters[asked.reader], asked.task), ended
                ).items():
                    paid = booked, asked.key
                    self._prepaid[paid] = self._prepaid.get(paid, Usage()) + cost
                yield asked, ended

    def _hold_back(self) -> None:
        """Withdraw the questions that have not been sent; their partitions are looked at again."""
        for future in [future for future in self._under_way if future.cancel()]:
            self._next = min(self._next, self._under_way.pop(future).place)

    def _book_rest(self) -> None:
        """Count the answers for partitions that were not run as spent too, with the newest run."""
        for _ in self._take_ended():
            pass
        rest: dict[str, Usage] = {}
        for (model, _), usage in self._prepaid.items():
            rest[model] = rest.get(model, Usage()) + usage
        for newest in self._given.ledger.runs.latest(limit=1) if rest else ():
            self._given.ledger.spending.note(newest.run_id, rest)
