"""Slices of work on a workspace: the acts that wait, then windows that are due, for half a minute or one window.

A slice checks the workspace out, works with the product's own runner, and publishes. What is left goes behind the work
on other workspaces.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.app.engine import EngineOptions
from pipeline.app.opening import opened_to_run
from pipeline.backfill.plan import Planned, due_now, work_through
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import upcoming
from pipeline.engine.runner import Runner
from pipeline.errors import PipelineError
from pipeline.errors.fleet import ActBroken, CheckoutLost
from pipeline.events import Event
from pipeline.fleet.act_runner import ActRunner, refuse_act
from pipeline.fleet.acts import ACTS_AT_ONCE, WaitingActs, read_waiting_acts, set_failing_aside, settle_acts
from pipeline.fleet.checkout import Checkout, WorkEnd, end_work, fail_work, has_forgotten, lock_workspace
from pipeline.fleet.machine import Machine
from pipeline.fleet.questions import AHEAD, QuestionsUnderWay, SliceQuestions
from pipeline.fleet.queue import (
    FOR_A_PERSON,
    drop_stalled,
    give_turn,
    has_others_waiting,
    has_person_waiting,
    offer_work,
)
from pipeline.fleet.slice_store import SliceStore
from pipeline.fleet.workspaces import FleetWorkspace, find_ready, try_acts_again
from pipeline.transcripts.unreadable import source_trouble
from schemas.fleet_act import BackfillAct, SettledAct, ShortAct
from schemas.outcome import SUCCESSES, Ending, Outcome
from schemas.run_options import RunOptions

MOST_DEATHS = 3
"""After so many workers that died with a workspace nobody tries it again by itself."""
DUE_AT_ONCE = 8
"""Jobs for what is due that wait for a worker at most."""

_PARK = """
UPDATE workspace SET state = 'parked' WHERE state = 'ready' AND deaths >= %s AND NOT EXISTS (
  SELECT FROM procrastinate_jobs WHERE lock = workspace.id::text AND status = 'doing'
) RETURNING name
"""
_WAITING = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo' AND priority = 0"
_DUE = """
SELECT id FROM workspace WHERE state = 'ready' AND next_due <= %s
AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE queueing_lock = workspace.id::text AND status = 'todo')
AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE lock = workspace.id::text AND status = 'doing')
ORDER BY next_due LIMIT %s FOR UPDATE SKIP LOCKED
"""


def park_dying(connection: Connection[TupleRow]) -> list[str]:
    """Park the workspaces with which workers have died again and again; their names."""
    return [name for (name,) in connection.execute(_PARK, [MOST_DEATHS])]


def offer_due(connection: Connection[TupleRow], now: datetime) -> list[UUID]:
    """Offer work on what is due, the oldest first, as far as the queue is not full; the workspaces."""
    (waiting,) = connection.execute(_WAITING).fetchone() or (0,)
    due = [workspace for (workspace,) in connection.execute(_DUE, [now, max(0, DUE_AT_ONCE - waiting)])]
    return [workspace for workspace in due if offer_work(connection, workspace)]


LONGEST_SLICE = timedelta(seconds=30)
"""A slice begins nothing more after this time."""
LONGEST_WAIT = timedelta(seconds=5)
"""A slice begins no more windows after this time, where a person waits for a worker."""
TURN = timedelta(minutes=1)
"""A worker that has done nothing but acts for so long lets what is due come first, once."""
AGAIN = timedelta(minutes=10)
"""From a failure to the next try."""
SELDOM = timedelta(days=1)
"""From one slice to the next where nothing is due by the clock."""


@dataclass(frozen=True)
class WorkDone:
    """The work of a slice: answers of acts, and when there is something to do again, if the slice was not cut.

    `silence` is the time after the last words in which an episode ends. `failure` says which run has failed.
    """

    settled: list[SettledAct]
    next_due: datetime | None = None
    silence: timedelta = timedelta()
    failure: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether the slice ended before its work did: there is something to do at once."""
        return self.next_due is None


@dataclass(frozen=True)
class Slice:
    """A slice under way: its checkout and its store, the acts that wait, and the questions to a model."""

    checkout: Checkout
    store: SliceStore
    waiting: WaitingActs
    questions: SliceQuestions


class Worker:
    """A worker on a machine. Its `questions_under_way` go on between the slices, and have to be closed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.questions_under_way = QuestionsUnderWay(machine.database, machine.context.clock)
        self._last_due = machine.context.clock.now()
        self._went_on: datetime | None = None
        self.is_stopping = False
        """Whether the process was asked to stop: a slice under way begins nothing more."""

    def stop(self) -> None:
        """Begin nothing more in the slice under way; what is left of it is offered again."""
        self.is_stopping = True

    def look(self) -> None:
        """Offer what is due to all workers, and park what kills them; folders go that the machine needs no more."""
        self.questions_under_way.settle(all_of_them=False)
        if self.machine.busy.acquire(blocking=False):
            try:
                self.machine.evict()
            finally:
                self.machine.busy.release()
        with self.machine.database.transaction() as connection:
            drop_stalled(connection)
            parked = park_dying(connection)
            offer_due(connection, self.machine.context.clock.now())
        for name in parked:
            self.machine.context.emit(Event.WORKSPACE_PARKED, workspace=name)

    def work_on(self, workspace: UUID) -> None:
        """Do a slice of work on a workspace, if it is neither parked nor removed, and offer what is due next.

        A look offers only as many as the queue takes, every few seconds: many due workspaces would wait for looks.
        """
        with self.machine.database.transaction() as connection:
            ready = find_ready(connection, workspace)
        if ready:
            self._do_slice(ready)
        with self.machine.database.transaction() as connection:
            offer_due(connection, self.machine.context.clock.now())

    def _do_slice(self, workspace: FleetWorkspace) -> None:
        """Do a slice of work on a workspace; nothing of it holds when others take the workspace meanwhile."""
        database, now = self.machine.database, self.machine.context.clock.now()
        with self.machine.busy, suppress(CheckoutLost):
            self.machine.evict()
            checkout = self.machine.take(workspace)
            try:
                self.machine.fill(checkout)
                with database.transaction() as connection:
                    waiting = read_waiting_acts(connection, workspace.id, self._went_on)
                    ahead = 0 if self.questions_under_way.is_full else AHEAD
                    questions = SliceQuestions.read(connection, workspace.id, now, ahead)
                with closing(self.machine.open_store(checkout)) as store:
                    under_way = Slice(checkout, store, waiting, questions)
                    self._publish(under_way, self._work(under_way))
                self._went_on = self.machine.context.clock.now()
                self.questions_under_way.begin(workspace.id, questions)
            except CheckoutLost:
                raise
            except ActBroken as error:
                self._refuse(checkout, error)
            except PipelineError as error:
                self._give_up(checkout, str(error))

    def _work(self, under_way: Slice) -> WorkDone:
        """Work in the folder of a checkout until the slice is over.

        After acts it runs no window while others wait: its job came before theirs for the acts alone. Nor does it after
        something was written in the store, for whose rows others may wait.
        """
        checkout, waiting = under_way.checkout, under_way.waiting
        context = self.machine.context_of(checkout)
        begun = context.clock.now()

        def has_taken(limit: timedelta) -> bool:
            return self.is_stopping or context.clock.now() - begun >= limit

        def is_over() -> bool:
            return has_taken(LONGEST_SLICE) or (has_taken(LONGEST_WAIT) and self._has_person_waiting())

        root, options = self.machine.root_of(checkout), RunOptions(take_over=True)
        given = EngineOptions(store=under_way.store, wrap_model=under_way.questions.wrap)
        with opened_to_run(root, context, options, given=given) as engine:
            runner = ActRunner(engine, context, self.machine.database, checkout, under_way.questions)
            # Acts that are left would come behind windows of others, so they do not make room for other acts.
            settled = _carry_out(runner, waiting.short, lambda: has_taken(LONGEST_SLICE))
            if settled and is_over():
                return WorkDone(settled)
            plan = due_now(engine, engine.jobs)
            has_windows = plan or waiting.backfills
            if has_windows and (under_way.store.has_written or (settled and self._has_others_waiting(checkout))):
                return WorkDone(settled)
            if not settled:
                self._last_due = context.clock.now()
            return self._run_due(runner, plan, waiting.backfills, settled, is_over)

    def _run_due(
        self,
        runner: ActRunner,
        plan: Sequence[Planned],
        backfills: Sequence[tuple[int, BackfillAct]],
        settled: list[SettledAct],
        is_over: Callable[[], bool],
    ) -> WorkDone:
        """Run the windows that are due, then those of back-fills, until the slice is over; `settled` were acts."""
        engine, questions, endings = runner.engine, runner.questions, dict[Ending, Outcome]()
        windows = _run_windows(engine, questions, plan, endings)
        for _ in chain(windows, _run_backfills(runner, backfills, settled, endings, is_over)):
            if self.is_stopping or (is_over() and endings.keys() & SUCCESSES):  # else the next slice would try the same
                return WorkDone(settled)
        if len(settled) >= ACTS_AT_ONCE:  # more acts may wait than were read
            return WorkDone(settled)
        failed, unread = endings.keys() - SUCCESSES, _describe_unread(engine)
        due = _next_due(engine, failed=bool(questions.waits or failed or unread))
        if questions.waits:
            failed -= {Ending.WAITING}  # for a reply that comes
        failure = next((_describe_failure(run) for ending, run in endings.items() if ending in failed), unread)
        return WorkDone(settled, due, engine.settings.agents.idle, failure)

    def _has_person_waiting(self) -> bool:
        with self.machine.database.transaction() as connection:
            return has_person_waiting(connection)

    def _has_others_waiting(self, checkout: Checkout) -> bool:
        with self.machine.database.transaction() as connection:
            return has_others_waiting(connection, checkout.workspace)

    def _publish(self, under_way: Slice, work: WorkDone) -> None:
        """Publish what was done, with the answers of acts; what is left is offered again."""
        now, questions = self.machine.context.clock.now(), under_way.questions
        seen = under_way.waiting.newest
        ended = WorkEnd(now, work.next_due or now, seen, questions.now, work.silence, work.failure)

        def end(connection: Connection[TupleRow], checkout: Checkout) -> None:
            lock_workspace(connection, checkout.workspace)
            forgot = has_forgotten(under_way.checkout, checkout)
            settle_acts(connection, checkout, work.settled, now, forgot=forgot)
            # An act about what has gone would keep its words.
            tries_again = forgot and try_acts_again(connection, checkout.workspace)
            questions.publish(connection, checkout.workspace, self.questions_under_way.id, is_cut=work.is_cut)
            end_work(connection, checkout, ended)
            if work.settled and now - self._last_due >= TURN:
                give_turn(connection)
            if work.is_cut or tries_again or under_way.waiting.held:
                offer_work(connection, checkout.workspace)

        self.machine.publish(under_way.checkout, end, under_way.store)
        name = under_way.checkout.name
        for act in work.settled:
            self.machine.context.emit(Event.ACT_SETTLED, workspace=name, act=act.seq, refused=act.refused)
        if work.failure:
            self.machine.context.emit(Event.WORKSPACE_FAILED, workspace=name)

    def _refuse(self, checkout: Checkout, broken: ActBroken) -> None:
        """Refuse the act with which workers died, before anything else is tried; the next slice does the others."""
        now = self.machine.context.clock.now()
        self.machine.context.emit(Event.ACT_BROKEN, workspace=checkout.name, act=broken.seq)
        with self.machine.database.transaction() as connection:
            lock_workspace(connection, checkout.workspace)
            settle_acts(connection, checkout, [refuse_act(broken.seq, broken)], now, forgot=False)
            end_work(connection, checkout, WorkEnd(now, now, seen=0, begun=now, silence=timedelta()))
            offer_work(connection, checkout.workspace, FOR_A_PERSON)

    def _give_up(self, checkout: Checkout, failure: str) -> None:
        """Publish nothing, and try again later; without an act at once, if that alone cannot be carried out here."""
        now = self.machine.context.clock.now()
        with self.machine.database.transaction() as connection:
            fail_work(connection, checkout, failure, now + AGAIN)
            if self._went_on and set_failing_aside(connection, checkout.workspace, self._went_on):
                fail_work(connection, checkout, failure, now)
                offer_work(connection, checkout.workspace, FOR_A_PERSON)
        self.machine.context.emit(Event.WORKSPACE_FAILED, workspace=checkout.name)


def _carry_out(
    runner: ActRunner, acts: Sequence[tuple[int, ShortAct]], is_over: Callable[[], bool]
) -> list[SettledAct]:
    """Carry out acts until the slice is over; those that are aside or held are settled too where they are outdated."""
    settled = dict[int, SettledAct]()
    for seq, act in acts:
        settled[seq] = runner.run(seq, act)
        if is_over():
            break
    return [*(runner.outdated | settled).values()]


def _run_windows(
    engine: Engine, questions: SliceQuestions, plan: Sequence[Planned], endings: dict[Ending, Outcome]
) -> Iterator[None]:
    """Run the windows that are due; the slice may end after each."""
    questions.collect_ahead(engine, plan)
    for outcome in work_through(Runner(engine), plan):
        endings.setdefault(outcome.ending, outcome)
        yield


def _run_backfills(
    runner: ActRunner,
    backfills: Sequence[tuple[int, BackfillAct]],
    settled: list[SettledAct],
    endings: dict[Ending, Outcome],
    is_over: Callable[[], bool],
) -> Iterator[None]:
    """Run the windows of back-fills; the slice may end after each back-fill."""
    for seq, backfill in backfills:
        if ended := runner.run_backfill(seq, backfill, endings, is_over):
            settled.append(ended)
        yield


def _describe_failure(run: Outcome) -> str:
    """The failure of a run, for the operator: its warning, which the owner sees, may have words of the owner."""
    return f"Run {run.run_id} of {run.job} ended as {run.ending}; the list of runs of the workspace says why."


def _describe_unread(engine: Engine) -> str:
    """A sentence about a source with conversations that could not be read; empty where there is none.

    Their windows were run without them, for example as the server was restarted, and are due again once they are read.
    The reason is left out: it may have words of the owner.
    """
    names = (source.root_name for source in engine.settings.sources)
    troubled = next((name for name in names if source_trouble(engine.ledger, name)), "")
    return troubled and f"Not all conversations of {troubled} can be read; they are tried again."


def _next_due(engine: Engine, *, failed: bool) -> datetime:
    """The moment from which on there is something to do, if nobody says anything before."""
    now = engine.clock.now()
    moments = [coming.run_from for job in engine.jobs if (coming := upcoming(engine, job))]
    later = [moment for moment in moments if moment > now]  # what is due and was not run waits for something else
    return min([*later, *([now + AGAIN] if failed or len(later) < len(moments) else [])], default=now + SELDOM)
