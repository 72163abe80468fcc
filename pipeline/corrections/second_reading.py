"""What earlier runs wrote, read again: which entries are to be judged, and which would not be written today."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.corrections.correction import KEEPING, REVIEWING
from pipeline.engine.context import Engine
from pipeline.job import OFFLINE, Job, Run
from pipeline.ledger.changes import KnownBlock
from pipeline.ledger.runs import RunRecord
from pipeline.reports.placed_entries import PlacedEntry
from schemas.entry import Entry, Status, Trust
from schemas.transcript import Session
from schemas.window import Window

_MODEL = "model"
"""The way of a run that asked a model, whichever it was."""

_ALL = 1_000_000


@dataclass(frozen=True)
class WrittenEntry:
    """An entry of ours with its path and block, the job that writes its file, and its run, if it is known."""

    entry: Entry
    path: str
    block: KnownBlock
    job: Job
    run: RunRecord | None

    @property
    def waits(self) -> bool:
        """Whether its file says that it is in review."""
        return self.entry.status is Status.IN_REVIEW


def written_entries(engine: Engine, places: Iterable[PlacedEntry]) -> Iterator[WrittenEntry]:
    """The entries that are to be judged: ours, not changed by a person, which none has accepted, kept or archived.

    After a lost ledger nothing is known to be ours word for word: then those alone whose files say that they wait.
    """
    ledger, kept = engine.ledger, _kept(engine)
    blocks = {block.name: block for block in ledger.changes.live()}
    jobs = [(job, engine.family(job)) for job in engine.jobs if job.reading]
    run_of = cache(ledger.runs.find)
    for place in places:
        entry, block = place.entry, blocks.get(place.entry.id)
        job = next((job for job, family in jobs if family.owns(place.path)), None)
        if block is None or job is None or place.adopted or entry.status is Status.ARCHIVED or entry.id in kept:
            continue
        one = WrittenEntry(entry, place.path, block, job, run_of(block.run_id))
        accepted = one.run is not None and ledger.requests.find(one.run.key) is not None
        as_written = entry.trust.level > Trust.QUOTED.level
        if (as_written or one.waits) and not accepted:
            yield one


def _kept(engine: Engine) -> set[str]:
    """The ids of entries that a person kept when they were in review."""
    runs = (run for run in engine.ledger.runs.latest(KEEPING, _ALL) if run.undone is None and run.outcome)
    return {entry_id for run in runs if run.outcome for entry_id in run.outcome.items}


def objections(engine: Engine, written: Iterable[WrittenEntry]) -> tuple[dict[str, str], int]:
    """Why entries would not be written today, by id, and how many cannot be read.

    The runs come in the order of their time, so that each session is read once, as by a back-fill.
    """
    by_run = dict[str, list[WrittenEntry]]()
    for one in sorted(written, key=lambda one: (one.entry.date, one.entry.id)):
        by_run.setdefault(one.block.run_id, []).append(one)
    reasons, unread = dict[str, str](), 0
    for group in by_run.values():
        sessions = {one.entry.id: engine.catalog.cited(one.entry.source) for one in group}
        here = [one for one in group if sessions[one.entry.id]]
        unread += len(group) - len(here)
        cited = {session.session_id: session for session in sessions.values() if session}
        if here:
            reasons |= _of_run(engine, here, list(cited.values()))
    return reasons, unread


def _of_run(engine: Engine, group: Sequence[WrittenEntry], sessions: Iterable[Session]) -> Mapping[str, str]:
    """Why entries of one run would not be written today: judged by its window and its way."""
    job, record, now = group[0].job, group[0].run, engine.clock.now()
    window = record.window if record else Window(start=now, end=now)
    run = Run(
        key=REVIEWING,
        window=window,
        day=engine.local_now().date(),
        now=engine.local_now(),
        transcripts=tuple(engine.catalog.as_known(session, window) for session in sessions),
        documents=(),
        entries=tuple(one.entry for one in group),
        forgotten=frozenset(),
        ask=engine.asker(offline=True),
        way=_way(record),
    )
    return job.reading.review(run) if job.reading else {}


def _way(record: RunRecord | None) -> str:
    """The way of a run, as far as the ledger knows: one without a question to a model was offline."""
    outcome = record.outcome if record else None
    return OFFLINE if outcome and not outcome.asked + outcome.cached else _MODEL
