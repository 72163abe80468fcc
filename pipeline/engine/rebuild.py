"""A lost ledger is rebuilt from the Markdown files, as far as they hold its contents."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pipeline.clock import day_start, local_day
from pipeline.drafts import EntryDraft, StatusDraft
from pipeline.engine.context import Engine
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.engine.partitioning import partitioning_of
from pipeline.engine.partitioning.base import KeyedPartitioning, ids_seen
from pipeline.engine.partitioning.clocked import schedule_of
from pipeline.entries.provenance import identity_of
from pipeline.entries.standing import fold
from pipeline.events import Event
from pipeline.job import AfterEpisode, Inputs, Job, Refusals, Run, WrittenFiles
from pipeline.ledger.changes import REBUILT as RUN
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.ledger.coverage import State, merge, subtract
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.entries import parse_entries, render_entry
from pipeline.scheduling.windows import closed_until, window_around
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.forgotten import read_forgotten
from pipeline.workspace.locks import Waiting
from pipeline.workspace.unlinked import read_unlinked
from schemas.entry import Entry
from schemas.window import PartitionKey, Window


@dataclass(frozen=True)
class QuotedEntry:
    """An entry in a file of ours whose quote stands at its source, with the `identity` of that place."""

    path: str
    block: Block
    entry: Entry
    identity: str


def proven(engine: Engine, job: Job, quoted: Sequence[QuotedEntry], windows: Iterable[Window]) -> set[tuple[str, str]]:
    """The blocks of entries that the job writes today of the same windows, by name and digest.

    Their status, which people set, is no part of it, and a later entry that replaced one may be noted in it. What was
    deleted or forgotten is not proven; whether it stood when a later entry was linked is not known, so both are tried.
    """
    gone = frozenset(
        known for tombstone in read_forgotten(engine.workspace) for known in (tombstone.identity, tombstone.entry_id)
    ) - {""}
    asked = sorted(set(windows), key=lambda window: window.start)
    ours = set[tuple[str, str]]()
    for forgotten in dict.fromkeys((gone, frozenset[str]())):
        written = _entries_made_again(engine, job, asked, forgotten)
        states = fold(written.values()).states
        texts = {
            identity: [entry, entry.model_copy(update={"superseded_by": states[entry.id].superseded_by})]
            for identity, entry in written.items()
            if identity not in gone
        }
        ours |= {
            (quoted_entry.block.name, quoted_entry.block.digest)
            for quoted_entry in quoted
            if _is_written_again(quoted_entry, texts.get(quoted_entry.identity, ()))
        }
    return ours


def _entries_made_again(
    engine: Engine, job: Job, windows: Iterable[Window], forgotten: AbstractSet[str]
) -> dict[str, Entry]:
    """The entries that the job makes of windows, by identity, as if it ran for the first time."""
    written = dict[str, Entry]()
    for window in windows:
        engine.safe_point()
        for draft in job.run(_run_of_window(engine, window, written.values(), forgotten)):
            if isinstance(draft, EntryDraft):
                # As a later run reads it out of its file.
                [(_, read)] = parse_entries(render_entry(draft.entry).encode())
                written[draft.identity] = read or draft.entry
            elif isinstance(draft, StatusDraft):
                update = {"status": draft.status, "superseded_by": draft.superseded_by}
                mine = (identity for identity, entry in written.items() if entry.id == draft.entry_id)
                written |= {identity: written[identity].model_copy(update=update) for identity in list(mine)}
    return written


def _run_of_window(engine: Engine, window: Window, entries: Collection[Entry], forgotten: AbstractSet[str]) -> Run:
    """The run of the job over a window, as far as the transcripts tell."""
    sessions = without_forgotten(engine.workspace, engine.catalog.sessions(window))
    return Run(
        key="",
        window=window,
        day=local_day(window.start, engine.zone),
        now=engine.local_now(),
        models=engine.models(engine.asker(offline=True)),
        inputs=Inputs(sessions, kinds=engine.catalog.kinds),
        written=WrittenFiles(tuple(entries)),
        refusals=Refusals(frozenset(forgotten), unlinked=frozenset(read_unlinked(engine.workspace))),
    )


def _is_written_again(quoted: QuotedEntry, entries: Iterable[Entry]) -> bool:
    status = {"status": quoted.entry.status}
    texts = (render_entry(entry.model_copy(update=status)) for entry in entries)
    return any(block.digest == quoted.block.digest for text in texts for block, _ in parse_entries(text.encode()))


LOCK = "rebuild"
LOCK_SECONDS = 600.0


@dataclass(frozen=True)
class _JobContent:
    """The contents of a job's files: our blocks, and the windows and partitions that are done."""

    job: Job
    blocks: tuple[KnownBlock, ...]
    ours: AbstractSet[tuple[str, str]] = frozenset()
    """The blocks that are ours word for word, by name and digest; of the others nothing proves that."""
    done: frozenset[Window] = frozenset()
    keyed: tuple[PartitionKey, ...] = ()


@dataclass(frozen=True)
class _JobHistory:
    """The rows to note of a job: the messages `seen` in each window that is done, and the `unknown` time."""

    content: _JobContent
    seen: Mapping[Window, Mapping[str, Sequence[str]]]
    unknown: tuple[Window, ...]


def rebuild_if_lost(engine: Engine) -> bool:
    """Rebuild the ledger when it has no run although the files hold blocks of ours; whether that was so.

    The catalog must have been refreshed. Windows with verified entries are done, and so are days and weeks with a page.
    All other time since `start` is unknown, and so is the time between done windows before `start`, which were
    back-filled; only an explicit back-fill runs unknown time. Unverified entries do not count: another process may have
    written them.
    """
    if engine.ledger.runs.latest(limit=1):
        return False
    with engine.locks.hold([LOCK], RUN, engine.clock.now(), Waiting(LOCK_SECONDS, engine.safe_point)):
        if engine.ledger.runs.latest(limit=1) or engine.ledger.coverage.jobs():
            return False
        contents = [_content(engine, job) for job in engine.jobs]
        if not any(content.blocks for content in contents):
            return False
        # A window with `start` in it was not back-filled: it runs by itself.
        start = engine.settings.start
        done = merge(window for content in contents for window in content.done if start is None or window.end <= start)
        backfilled = [Window(start=done[0].start, end=done[-1].end)] if done else []
        _note_histories(engine, [_history(engine, content, backfilled) for content in contents])
    engine.emit(Event.LEDGER_REBUILT, jobs=[content.job.name for content in contents if content.blocks])
    return True


def prove_again(engine: Engine) -> int:
    """Look once more for entries that their sources prove, as when transcripts are back; how many are ours by that.

    Raises:
        Held: another process is at work on it.
    """
    jobs = [job for job in engine.writers if not job.writes.listed]
    with engine.locks.hold([LOCK, *(job.name for job in jobs)], RUN, engine.clock.now()):
        contents = [_entries(engine, job) for job in jobs]
        ours = [block for content in contents for block in content.blocks if (block.name, block.digest) in content.ours]
        known = {block: engine.ledger.changes.standings_of([block.name]) for block in ours}
        # Of which nothing is known, or no more than that they stand in their files.
        new = [block for block in ours if all(one.state is BlockState.RECOVERED for one in known[block])]
        with engine.ledger.store.transaction():
            for block in new:
                engine.ledger.changes.know(block)
    return len(new)


def _content(engine: Engine, job: Job) -> _JobContent:
    if not job.writes.append:
        return _pages(engine, job)
    if not job.writes.listed:
        return _entries(engine, job)
    # An item says what it rests on, and not in which run it was written: what is run again is not written twice.
    return _JobContent(job, _blocks({path: _items(engine, path) for path in engine.family(job).paths()}))


def _history(engine: Engine, content: _JobContent, backfilled: Sequence[Window]) -> _JobHistory:
    schedule = schedule_of(engine, content.job)
    closed = closed_until(schedule, engine.zone, engine.clock.now()) if schedule else None
    if closed is None:
        return _JobHistory(content, {}, ())
    # A window that has not closed is run again: it may hold messages that no run has read.
    done = sorted((window for window in content.done if window.end <= closed), key=lambda window: window.start)
    start = engine.settings.start
    asked = [*backfilled, Window(start=start, end=closed)] if start and start < closed else backfilled
    spans = [Window(start=span.start, end=min(span.end, closed)) for span in asked if span.start < closed]
    unknown = [left for span in merge(spans) for left in subtract(span, done)]
    read = engine.catalog.sessions if content.job.reads.transcripts else lambda _: ()
    return _JobHistory(content, {window: ids_seen(read(window), window) for window in done}, tuple(unknown))


def _note_histories(engine: Engine, histories: Sequence[_JobHistory]) -> None:
    """Note all rows in one transaction: a ledger that is rebuilt in part would not count as lost."""
    with engine.ledger.store.transaction():
        for history in histories:
            name = history.content.job.name
            for block in history.content.blocks:
                ours = (block.name, block.digest) in history.content.ours
                engine.ledger.changes.know(block, BlockState.LIVE if ours else BlockState.RECOVERED)
            for window, seen in history.seen.items():
                engine.ledger.coverage.cover(name, window, State.COVERED, RUN, seen)
            for window in history.unknown:
                engine.ledger.coverage.cover(name, window, State.UNKNOWN, RUN, {})
            for partition in history.content.keyed:
                partitioning = partitioning_of(engine, history.content.job)
                partitioning.cover(partition, RUN, partitioning.sessions(partition))
        # Nobody knows what the jobs that follow others made of the episodes of these: a back-fill runs them.
        for job in (job for job in engine.jobs if isinstance(job.schedule, AfterEpisode)):
            for partition in partitioning_of(engine, job).due_or_left():
                engine.ledger.keyed.cover(job.name, partition, State.UNKNOWN, RUN, {})
        engine.ledger.rebuilds.note(engine.clock.now())


def _entries(engine: Engine, job: Job) -> _JobContent:
    quoted = list(_quoted_entries(engine, engine.family(job)))
    schedule = schedule_of(engine, job)
    known = (
        (window_around(schedule, engine.zone, quoted_entry.entry.date) for quoted_entry in quoted) if schedule else ()
    )
    windows = frozenset(known)
    ours = proven(engine, job, quoted, windows)
    blocks = [
        KnownBlock(quoted_entry.entry.id, quoted_entry.path, quoted_entry.block.digest, quoted_entry.identity, RUN)
        for quoted_entry in quoted
    ]
    blocks.sort(key=lambda block: (block.name, block.digest) in ours)  # of one name in a file ours comes last
    if schedule is None:
        keys = partitioning_of(engine, job).due_or_left()
        # The episodes of which an entry quotes a message.
        cited = [(one.entry.date, f"{engine.catalog.cited_id(one.entry.source)}@") for one in quoted]
        done = [key for key in keys if any(day in key.window and key.key.startswith(name) for day, name in cited)]
        return _JobContent(job, tuple(blocks), keyed=tuple(done))
    return _JobContent(job, tuple(blocks), ours, windows)


def _pages(engine: Engine, job: Job) -> _JobContent:
    """Pages with items of ours. The time of a page that belongs to no day is not known."""
    family, schedule = engine.family(job), schedule_of(engine, job)
    items = {path: _items(engine, path) for path in family.paths()}
    if schedule is None:
        partitioning = partitioning_of(engine, job)
        if family.has_pages or not isinstance(partitioning, KeyedPartitioning):  # a page with a name tells no partition
            return _JobContent(job, _blocks(items))
        pages = [path for path, blocks in items.items() if blocks]
        return _JobContent(job, _blocks(items), keyed=tuple(partitioning.find_by_pages(pages)))
    days = {day for path, blocks in items.items() if blocks and (day := family.day_of(path))}
    return _JobContent(
        job,
        _blocks(items),
        done=frozenset(window_around(schedule, engine.zone, day_start(day, engine.zone)) for day in days),
    )


def _blocks(items: Mapping[str, Sequence[Block]]) -> tuple[KnownBlock, ...]:
    return tuple(KnownBlock(item.name, path, item.digest, "", RUN) for path, blocks in items.items() for item in blocks)


def _items(engine: Engine, path: str) -> list[Block]:
    return [block for block in find_blocks(engine.workspace.read(path) or b"") if block.item and block.intact]


def _quoted_entries(engine: Engine, family: TargetFiles) -> Iterator[QuotedEntry]:
    for file in family.files():
        for block, entry in file.blocks:
            session = engine.catalog.cited_session(entry.source) if entry else None
            identity = identity_of(entry, session) if entry and session else None
            if entry and identity:
                yield QuotedEntry(file.path, block, entry, identity)
