"""A back-fill in its worker process: what it takes, its orders, and asking ahead while it runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import click

from pipeline.backfill.estimate import Estimate, estimate, whole_to
from pipeline.backfill.orders import Orders, OrdersFolder, resume_words
from pipeline.backfill.plan import IsOver, Only, Planned, in_days, selected
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.job import OFFLINE
from pipeline.process.cancellation import SafePoint
from pipeline.scheduling.registry import named
from pipeline.surfaces.cli.commands.backfill import Wanted
from pipeline.surfaces.cli.ordering import Order, refuse_future
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.surfaces.cli.views.progress import say_estimate, say_left
from pipeline.surfaces.cli.working import Aid, Series, Unaided, carry_out, opened
from pipeline.workspace.files import Workspace
from schemas.outcome import Ending, Outcome

MANY = 5_000
"""Windows from which on a person is asked although nothing costs money: they take minutes."""


class Backfilling:
    """One back-fill: `look` at what it will take, or `carry_out`."""

    def __init__(self, order: Order, wanted: Wanted) -> None:
        """Nothing is read yet."""
        self._order, self._wanted = order, wanted
        self._used_up, self._has_run = False, False
        self._booked, self._needed = 0, 0

    def look(self, safe_point: SafePoint) -> bool:
        """Tell what it will take; whether a person should be asked about it.

        Raises:
            PipelineError: it cannot be begun.
        """
        with opened(self._order, safe_point) as engine:
            planned = self._plan(engine)
            told = self._tell(engine, planned) if planned else Estimate(0, 0)
        return (told.model != OFFLINE and told.questions > 0) or told.partitions >= MANY

    def carry_out(self, safe_point: SafePoint) -> int:
        """Run it; the exit code.

        Raises:
            PipelineError: it could not be begun, or had to stop.
        """
        series = Series(self._plan, again=True, aid=self._aid, left=self._left, each=self._note, nothing=self._nothing)
        return carry_out(self._order, series, safe_point)

    @cached_property
    def _kept(self) -> OrdersFolder:
        return OrdersFolder(Workspace(root_of(self._order.workspace)).state_folder)

    @cached_property
    def _orders(self) -> Orders:
        wanted = self._wanted
        if wanted.days is not None:
            return Orders(
                id=wanted.id,
                jobs=wanted.jobs,
                first=wanted.days[0],
                last=wanted.days[1],
                only=Only(wanted.only),
                parallel=wanted.parallel,
                max_tokens=wanted.max_tokens,
                tokens_left=wanted.max_tokens,
            )
        limits = {"max_tokens": wanted.max_tokens, "tokens_left": wanted.max_tokens} if wanted.max_tokens else {}
        parallel = {"parallel": wanted.parallel} if wanted.parallel else {}
        return self._kept.find(wanted.id).model_copy(update=limits | parallel)

    def _nothing(self, engine: Engine) -> str:
        others, only = len(self._open(engine)), self._orders.only
        if not others:
            return "Nothing is left to do in these days."
        return f"No window of these days is {only}; {others} others still have to run (--only all)."

    def _plan(self, engine: Engine) -> Sequence[Planned]:
        return selected(engine, self._open(engine), self._orders.only)

    def _open(self, engine: Engine) -> Sequence[Planned]:
        """All windows of the days that still have to run."""
        orders = self._orders
        wanted = named(orders.jobs, engine.jobs)
        self._refuse_limit_of_nothing(engine)
        refuse_future("--from", orders.first, local_day(engine.clock.now(), engine.zone))
        # In the registry's order, whatever the command's: it decides what comes first at the same time.
        jobs = [job for job in engine.jobs if job in wanted]
        return in_days(engine, jobs, orders.first, orders.last)

    def _refuse_limit_of_nothing(self, engine: Engine) -> None:
        """A limit that was given now limits nothing without a model; one that a resumed back-fill began with may stay.

        Raises:
            UsageError: that is so.
        """
        if self._wanted.max_tokens and engine.asker().model is None:
            message = (
                "--max-tokens limits what a model may use, and the settings name no model: the jobs work offline, and "
                "nothing is paid. Leave --max-tokens out, or set a model in memory.toml."
            )
            raise click.UsageError(message, click.get_current_context(silent=True))

    def _tell(self, engine: Engine, planned: Sequence[Planned]) -> Estimate:
        told = replace(estimate(engine, planned), whole_to=whole_to(engine, planned, self._orders.last))
        say_estimate(self._order, self._orders.id, told)
        return told

    @contextmanager
    def _aid(self, engine: Engine, planned: Sequence[Planned]) -> Iterator[Aid]:
        orders = self._orders
        with nullcontext() if self._order.dry_run else self._kept.at_work(orders.id):
            if not self._order.dry_run:
                self._kept.keep(orders)
            if not self._wanted.told:
                self._tell(engine, planned)
            with self._asking_ahead(engine, planned) as aid:
                yield aid

    @contextmanager
    def _asking_ahead(self, engine: Engine, planned: Sequence[Planned]) -> Iterator[Aid]:
        orders, model = self._orders, engine.asker().model
        if model is None:
            yield Unaided(engine)
            return
        if len(planned) == 1 and not orders.parallel and orders.tokens_left is None:
            yield Unaided(engine)  # there is nothing to be ahead of: the run asks by itself, under its lock
            return
        limits = Limits(orders.parallel or engine.settings.model.parallel, orders.tokens_left)
        ahead = Prefetching(engine, model, planned, limits)
        try:
            with ahead:
                yield _Booking(ahead, self._book)
        finally:
            self._book(ahead.tokens)
            self._used_up, self._needed = ahead.is_used_up, ahead.needed

    def _note(self, outcome: Outcome) -> None:
        if outcome.ending is Ending.LOCKED or self._has_run:
            return
        self._has_run = True
        if not self._order.dry_run:
            self._kept.replace_same(self._orders)

    def _book(self, tokens: int) -> None:
        """Keep what is left of the tokens with the orders: one that is killed knows it too."""
        orders = self._orders
        if orders.tokens_left is None or tokens == self._booked or self._order.dry_run:
            return
        self._booked = tokens
        self._kept.keep(orders.model_copy(update={"tokens_left": max(orders.tokens_left - tokens, 0)}))

    def _left(self, number: int) -> None:
        if self._order.dry_run:
            return
        orders, fresh = self._orders, not (self._has_run or self._booked or self._wanted.resume)
        if not number or fresh:
            self._kept.drop(orders.id)
        if number:
            spent = orders.model_copy(update={"tokens_left": 0}) if self._used_up else orders
            words = self._words() if fresh else resume_words(spent, self._needed)
            where = ("--workspace", str(root_of(self._order.workspace)))
            say_left(self._order, orders.id, number, (*words, *where))

    def _words(self) -> list[str]:
        """The command that was given: where nothing was run, there is nothing to go on with."""
        orders = self._orders
        words = ["memory", "backfill", *orders.jobs, "--from", str(orders.first), "--to", str(orders.last)]
        only = "" if orders.only is Only.ALL else orders.only
        given = {"--only": only, "--parallel": orders.parallel, "--max-tokens": orders.max_tokens}
        return [*words, *(str(word) for name, value in given.items() if value for word in (name, value))]


@dataclass(frozen=True)
class _Booking:
    """Asks ahead; `book` is told what all has cost so far before each partition."""

    ahead: Prefetching[Planned]
    book: Callable[[int], None]

    @property
    def engine(self) -> Engine:
        """The engine whose answers are asked ahead."""
        return self.ahead.engine

    @property
    def tokens(self) -> int:
        """What the model's answers cost so far."""
        return self.ahead.tokens

    def before(self, place: int, is_over: IsOver) -> None:
        """Ask ahead from a partition that is about to be run."""
        self.ahead.before(place, is_over)
        self.book(self.ahead.tokens)
