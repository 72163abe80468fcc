"""What every erasure does: hold all jobs, find the files in reach, write them anew, and overwrite words in logs."""

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.corrections.erase import Erased, erased
from pipeline.corrections.scrub import Scrubbed, scrub
from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.recovery import recover
from pipeline.engine.rewrite import page_or_none, put_page
from pipeline.entries.matcher import Matcher
from pipeline.errors import ChangedMeanwhile
from pipeline.reports.occurrences import copies_of_ours, our_paths
from pipeline.transcripts.kept_talk import FOLDER as KEPT_TALK
from pipeline.workspace.atomic import sweep
from pipeline.workspace.layout import INDEX_FOLDER
from pipeline.workspace.listing import list_files
from pipeline.workspace.service_files import ServiceFolder
from pipeline.workspace.tokens import FILE as TOKENS

OUT_OF_REACH = (
    "transcripts that the agents keep themselves",
    "git history of the workspace",
    "backups and synced copies",
    "logs outside of .memory/",
)


@contextmanager
def all_held(engine: Engine) -> Iterator[None]:
    """Hold the locks of all jobs, with their interrupted changes settled and no temporary file left."""
    names = tuple(name for job in engine.jobs for name in (job.name, *job.locks))
    longest = max(job.timeout for job in engine.jobs)
    with engine.locks.hold(names, "forget", engine.clock.now() + longest):
        for family in (engine.family(job) for job in engine.jobs):
            recover(engine.workspace, engine.ledger, family.owns)
            for folder in family.folders():  # a temporary file of a killed process may hold the whole page
                sweep(engine.workspace.root / folder)
        yield


def reached_by(engine: Engine, subject: Matcher, stand_in: str) -> dict[str, Erased]:
    """The files that change, by path: pages and copies of our files first."""
    grown, reached = [engine.family(job) for job in engine.jobs if job.writes.append], dict[str, Erased]()
    paths = [*our_paths(engine), *copies_of_ours(engine)]
    for path in sorted(paths, key=lambda path: any(family.owns(path) for family in grown)):
        data = engine.workspace.read(path) or b""
        part = erased(data, subject, stand_in)
        if part.data != data:
            reached[path] = part
    return reached


def rewrite(engine: Engine, subject: Matcher, stand_in: str, path: str) -> None:
    """Take it out of one file."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path)
        after = erased(data or b"", subject, stand_in).data
        if data is None or after == data or put(engine, path, data, after):
            return
    raise ChangedMeanwhile(path)


def put(engine: Engine, path: str, before: bytes, after: bytes) -> bool:
    """Put a file without what is erased in place of `before`; `False` when it has other contents by now."""
    if any(job.writes.append and engine.family(job).owns(path) for job in engine.jobs):
        return put_ours(engine.workspace, engine.ledger.changes, path, before, page_or_none(before, after))
    return put_page(engine.workspace, path, before, after)


def out_of_the_logs(engine: Engine, subject: Matcher) -> Scrubbed:
    """Overwrite the words in `.memory/`, but not in the ledger, the index and what it is made of: the caller does that.

    Nor in files that have none of them, and which a program reads.
    """
    workspace, ledger = engine.workspace, engine.ledger.store.path
    state = workspace.state_folder
    service = ServiceFolder(workspace.root)
    read_on = [workspace.root / TOKENS, service.lock, service.state, service.address]
    apart = [ledger, state / INDEX_FOLDER, state / KEPT_TALK, *read_on]
    return scrub(workspace.root, state, subject.forms, apart)


def out_of_reach(engine: Engine) -> Iterator[str]:
    """Where it may stand that no erasure gets to: texts that could not be read, and those outside of the workspace."""
    yield from OUT_OF_REACH
    settings = engine.settings.indexed
    yield from (f"{extra.name}: ({extra.path})" for extra in settings.extra_paths)
    unreadable = list_files(engine.workspace, settings, extra=False).unreadable
    yield from (f"{file.path} ({file.why})" for file in unreadable)
