"""A back-fill: which windows it runs, what they will take, asking ahead while it runs, and how it is gone on with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta

from pipeline.backfill.batches import BatchedQuestions
from pipeline.backfill.estimate import BackfillBudget, estimate, whole_to
from pipeline.backfill.orders import OrdersFolder, first_words, resume_words
from pipeline.backfill.plan import IsOver, Planned, all_open, newest_first, refuse_future, scope, to_run
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.backfill.series import Estimated, Left, NothingToRun, RunEnded, SeriesEvent
from pipeline.backfill.work import Assistant, NoPrefetch, run_series
from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.errors import Interrupted, ModelUnavailable, NothingToRead, RequestRefused
from pipeline.events import Event
from pipeline.model.ask import Asker
from pipeline.model.question import Readers
from pipeline.scheduling.registry import jobs_named, readers_of
from schemas.outcome import Ending
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest

PORTION = 16
"""Windows, two days of most jobs, after which a back-fill that goes on by itself lets the jobs of the day come."""

_LIMIT_OF_NOTHING = (
    "{field} limits what a model may use, and the settings name no model: the jobs work offline, and "
    "nothing is paid. Leave {field} out, or set a model in memory.toml."
)


class Backfill:
    """A back-fill on an engine: an `estimate` of what it will take, or `run` it."""

    def __init__(
        self, engine: Engine, request: BackfillRequest, options: RunOptions, *, new_limit: bool = False
    ) -> None:
        """Look whether it can be done.

        Args:
            engine: has looked at the transcripts; for a dry run, on a copy of the workspace.
            request: a new one, or one that was kept, as it is to go on.
            options: how it is run.
            new_limit: the limit of tokens was given now, and not when a kept one began.
        """
        self._folder = OrdersFolder(engine.workspace.state_folder)
        self._resumed = self._folder.knows(request.id)
        self._request = request if self._resumed else self._folder.resume_same(request)
        self._options, self._until = options, engine.clock.now()
        self._given = engine
        engine = replace(engine, asker=self._asker)
        self._engine = engine if options.dry_run else replace(engine, backfill=self._request.id)
        self._used_up, self._has_run, self._waits = False, False, False
        self._booked, self._needed = 0, 0
        jobs = jobs_named(request.jobs, engine.jobs)
        if new_limit and engine.asker().model is None:
            field = "max_tokens"
            raise RequestRefused(field, _LIMIT_OF_NOTHING)
        if request.first:
            today = local_day(engine.clock.now(), engine.zone)
            refuse_future("first", request.first.isoformat(), late=request.first > today)
        reasons = engine.catalog.unreadable_sources() if readers_of(jobs) else None
        if reasons is not None:
            raise NothingToRead(reasons)

    def estimate(self) -> Estimated | None:
        """The estimate; `None` when there is nothing to run."""
        planned = self._plan()
        return self._estimate_of(self._portion(planned), len(planned)) if planned else None

    def run(self, *, estimated: bool = False) -> Iterator[SeriesEvent]:
        """Run it; `estimated` means that the estimate has been shown already."""
        planned = self._plan()
        if not planned:
            self._engine.emit(Event.NOTHING_DUE)
            yield NothingToRun(self._why_nothing())
            yield from self._windows_left(0)
            return
        try:
            yield from self._run_stored(planned, estimated=estimated)
        except Interrupted:
            yield from self._windows_left(len(self._plan()))
            raise
        yield from self._windows_left(len(self._plan()))

    def _plan(self) -> Sequence[Planned]:
        """The windows that are left to run, without those closed since it began; a talk at its end is cut there."""
        planned = to_run(self._engine, self._request)
        planned = [item for item in planned if not item.job.clock or item.window.end <= self._until]
        if whole := scope(self._engine, self._request):
            end = day_start(whole.last + timedelta(days=1), self._engine.zone)
            self._engine = replace(self._engine, horizon=min(end, self._until))
        return newest_first(planned, self._engine.zone) if self._engine.settings.model.programs else planned

    def _asker(self, *, offline: bool = False) -> Asker:
        """The given engine's, with the limit of back-fills."""
        asker = self._given.asker(offline=offline)
        asker.budget = BackfillBudget(asker.budget, self._given)
        return asker

    def _portion(self, planned: Sequence[Planned]) -> Sequence[Planned]:
        """The windows to run before it stops; where it goes on by itself, the jobs of the day come in between."""
        limits = (self._request.max_windows, PORTION if self._request.waits else None)
        return planned[: min(filter(None, limits), default=None)]

    def _why_nothing(self) -> str:
        others, only = len(all_open(self._engine, self._request)), self._request.only
        if scope(self._engine, self._request) is None:
            return "No session has a message yet; `memory show transcripts` lists what is read."
        if not others:
            return "Nothing is left to do." if self._request.is_open else "Nothing is left to do in these days."
        return f"No window of these days is {only}; {others} others still have to run (--only all)."

    def _estimate_of(self, planned: Sequence[Planned], left: int) -> Estimated:
        """The estimate of a plan, which is all that is left, or a portion of it."""
        request, whole = self._request, scope(self._engine, self._request)
        expected = estimate(self._engine, planned)
        if request.last:
            expected = replace(expected, whole_to=whole_to(self._engine, planned, request.last))
        days = (whole.first, whole.last) if whole and request.is_open else None
        return Estimated(request.id, expected, days, later=left - len(planned))

    def _run_stored(self, planned: Sequence[Planned], *, estimated: bool) -> Iterator[SeriesEvent]:
        """Run the windows while the request is stored and its lock is held."""
        dry_run, wait = self._options.dry_run, self._options.wait
        at_work = nullcontext() if dry_run else self._folder.at_work(self._request.id)
        # No other back-fill asks a program ahead meanwhile: both would pay for the same answers.
        is_alone = self._engine.settings.model.programs and not dry_run
        with at_work, self._folder.asking_program(wait) if is_alone else nullcontext():
            if not dry_run:
                self._folder.keep(self._request)
            portion = self._portion(planned)
            if not estimated:
                yield self._estimate_of(portion, len(planned))
            self._send_batches(planned)
            with self._assistant(portion) as assistant:
                for event in run_series(assistant, portion, again=True, wait_seconds=wait):
                    yield event
                    if isinstance(event, RunEnded):
                        self._note_ending(event.outcome.ending)

    def _send_batches(self, planned: Sequence[Planned]) -> None:
        """Take what batches have brought, and send what else is asked, where the settings want it so."""
        engine, model = self._engine, self._engine.asker().model
        if engine.batches is None or model is None or self._options.dry_run:
            return
        questions = BatchedQuestions(engine, engine.batches, model, planned)
        try:
            questions.settle()
            questions.send(self._request.tokens_left)
        except ModelUnavailable as failure:  # what is in a batch waits
            engine.emit(Event.BATCH_DELAYED, reason=failure.reason)

    @contextmanager
    def _assistant(self, planned: Sequence[Planned]) -> Iterator[Assistant]:
        request, engine, readers = self._request, self._engine, self._engine.asker().readers
        # Of a single window there is nothing to be ahead of: the run asks by itself, under its lock.
        alone = len(planned) == 1 and not request.parallel and request.tokens_left is None
        if readers is None or alone:
            yield NoPrefetch(engine)
            return
        limits = Limits(request.parallel or engine.settings.model.most_at_once, request.tokens_left)
        ahead = _BookedPrefetching(self, readers, planned, limits)
        try:
            with ahead:
                yield ahead
        finally:
            self.book(ahead.tokens)
            self._used_up, self._needed = ahead.is_used_up, ahead.tokens_needed

    def _note_ending(self, ending: Ending) -> None:
        self._waits |= ending in {Ending.WAITING, Ending.OVER_BUDGET}
        if ending is Ending.LOCKED or self._has_run:
            return
        self._has_run = True
        if not self._options.dry_run:
            self._folder.replace_same(self._request)

    @property
    def engine(self) -> Engine:
        """The engine that it was made for."""
        return self._engine

    def book(self, tokens: int) -> None:
        """Keep what is left of the tokens with the request, so that one that is killed knows it too.

        `tokens` were used so far.
        """
        request = self._request
        if request.tokens_left is None or tokens == self._booked or self._options.dry_run:
            return
        self._booked = tokens
        self._folder.keep(request.model_copy(update={"tokens_left": max(request.tokens_left - tokens, 0)}))

    def _windows_left(self, windows: int) -> Iterator[Left]:
        if self._options.dry_run:
            return
        request, fresh = self._request, not (self._has_run or self._booked or self._resumed)
        if not windows or fresh:
            self._folder.drop(request.id)
        if windows:
            # Where nothing was run there is nothing to go on with: the command is the one that begins.
            spent = request.model_copy(update={"tokens_left": 0}) if self._used_up else request
            words = first_words(request) if fresh else resume_words(spent, self._needed)
            waits = not fresh and not self._used_up and (request.waits or self._waits)
            if waits and not request.waits:
                self._folder.keep(self._folder.find(request.id).model_copy(update={"waits": True}))
            yield Left(request.id, windows, (*words, "--workspace", str(self._engine.workspace.root)), by_itself=waits)


class _BookedPrefetching(Prefetching):
    """Asks ahead, and books the tokens spent so far before each partition."""

    def __init__(self, backfill: Backfill, readers: Readers, planned: Sequence[Planned], limits: Limits) -> None:
        super().__init__(backfill.engine, readers, planned, limits)
        self._backfill = backfill

    def before(self, place: int, is_over: IsOver) -> None:
        """Ask ahead from a partition that is about to be run."""
        super().before(place, is_over)
        self._backfill.book(self.tokens)
