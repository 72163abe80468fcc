"""The rule by which sessions are cut into pieces: what the jobs and the settings of a workspace make of it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from pipeline.clock import day_start, local_day
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.job import Job, PerEpisode, Period
from pipeline.ledger import Ledger
from pipeline.ports.engine import Clock
from pipeline.scheduling.registry import readers_of
from pipeline.scheduling.windows import second_edge
from pipeline.transcripts.pieces import Pieces
from schemas.entry import Source
from schemas.settings import JobSettings, Settings
from schemas.transcript import Session


def reserve_cited(engine: Engine) -> None:
    """Give cited ids to the kinds of their entries, in a ledger that is new or of an earlier version.

    Comes before the look at the sources. Entries that the ledger knows word for word come first: any process may append
    others.
    """
    if not engine.ledger.session_kinds.empty():
        return
    ours, cited = engine.ledger.changes.own_digests(), list[tuple[Source, bool]]()
    for family in (engine.family(job) for job in engine.jobs if job.writes.append):
        with suppress(ReadFailed):  # what stands there is reported where entries are read
            blocks = [part for file in family.files() for part in file.blocks]
            cited += [(entry.source, (block.name, block.digest) in ours) for block, entry in blocks if entry]
    engine.catalog.reserve([source for source, is_ours in cited if is_ours])
    engine.catalog.reserve([source for source, _ in cited])


SILENCE = timedelta(hours=1)
"""The silence after which a talk is taken to be over."""


def cutting(jobs: Sequence[Job], settings: Settings, ledger: Ledger, clock: Clock) -> Pieces:
    """The pieces of a workspace.

    A piece ends at the latest with the second tick of the job that reads entries out of transcripts, or at midnight. No
    piece reaches beyond an episode: where the episodes of a session end with a shorter silence, its pieces do too.
    """

    def silence(session: Session) -> timedelta:
        agent = settings.agents.of_session(session.source, session.agent)
        return min([SILENCE, *([settings.agents.idle] if agent else []), *shortest])

    shortest = [job.schedule.idle for job in jobs if isinstance(job.schedule, PerEpisode) and not job.per_agent]
    return Pieces(ledger.pieces, clock, readers_of(jobs), silence, _latest_end(jobs, settings))


def _latest_end(jobs: Sequence[Job], settings: Settings) -> Callable[[datetime], datetime]:
    """The moment before which a piece ends that begins then."""
    for job in jobs:
        if job.clock and job.period is Period.TICK and job.reads.transcripts and job.writes.append:
            cron = settings.jobs.get(job.name, JobSettings()).schedule or job.clock.cron
            return partial(second_edge, cron, settings.timezone)
    return lambda first: day_start(local_day(first, settings.timezone) + timedelta(days=1), settings.timezone)
