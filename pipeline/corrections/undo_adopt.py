"""The way back of a move by `memory doctor adopt`, for an undo, or after a crash in the middle of it.

A move is two changes under one run: the archive grows, then the page shrinks. Text goes out of the archive only when it
stands in the page. `engine.recovery` cannot settle such a change: it looks in a single file for our blocks, and the
person's text has none, so only both files together show whether it was moved.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from pipeline.corrections.undo_blocks import Receipt
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors import ChangedMeanwhile, NothingToUndo, UndoNewestFirst
from pipeline.ledger.changes import BlockState, Change, ChangeKind
from pipeline.ledger.runs import RunRecord
from pipeline.markdown.blocks import block_names
from pipeline.markdown.moved import MovedLines, places, put_back, read_archived, without_archived
from schemas.hot_page import PATH
from schemas.outcome import Ending, Outcome
from schemas.window import PartitionKey

ADOPTION = "adopt"
"""The name of the runs of `memory doctor adopt` in the ledger; it is no job."""

EDITED_ITEM = "item"
"""The identity, in a change, of our items that were moved, for a person had edited them."""


_TIME = timedelta(minutes=5)
_ALL = 1_000_000


@contextmanager
def holding(engine: Engine, run_id: str) -> Iterator[None]:
    """Hold the locks of the only writer of the page and of its archive; half-made moves are settled first."""
    names = [name for job in engine.jobs if job.writes.family == PATH for name in (job.name, *job.locks)]
    with engine.locks.hold([ADOPTION, *names], run_id, engine.clock.now() + _TIME):
        for record in engine.ledger.runs.latest(ADOPTION, _ALL):
            if record.outcome is None:
                settle(engine, record.run_id, done_outcome(record.run_id, record.partition))
        yield


def undo_adoption(engine: Engine, record: RunRecord) -> Receipt:
    """Take back a run of `memory doctor adopt`: the restored pieces, and the copies that are left in the archive."""
    with holding(engine, record.run_id):
        archive, page = _changes(engine, record.run_id)
        now = engine.ledger.runs.find(record.run_id)
        if archive is None or (now and now.undone):
            raise NothingToUndo(record.run_id, "has been undone" if archive else "moved nothing")
        _refuse_older(engine, record)
        restored = _bring_back(engine, archive, page)
        left = _take_out(engine, archive, read_archived(archive.after, PATH, archive.run_id))
        if page:
            _expect(engine, page)
        with engine.ledger.store.transaction():
            engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
            render_again(engine)
    return Receipt(
        restored=tuple(f"{PATH}, {piece.name}" for piece in restored),
        left=tuple(f"{archive.path}, {piece.name}" for piece in left),
    )


def settle(engine: Engine, run_id: str, done: Outcome, *, untouched: bool = False) -> bool:
    """End a move that stopped half-way: pieces that still stand in the page go out of the archive.

    When a piece has left the page, the run ends with `done`; whether one has. With `untouched`, no piece has, whatever
    the page holds.
    """
    archive, page = _changes(engine, run_id)
    if archive is None:
        return False
    data = engine.workspace.read(PATH) or b""
    pieces = read_archived(archive.after, PATH, run_id)
    there = engine.workspace.read(archive.path) or b""
    gone = [] if untouched or (page and page.before == data) else _missing(data, pieces, page)
    # A piece that never came into the archive was not moved either: a person changed it in the page.
    moved = [piece for piece in gone if without_archived(there, [piece], PATH, run_id)[0] != there]
    _take_out(engine, archive, [piece for piece in pieces if piece not in moved], torn=not moved)
    if page:
        _expect(engine, page)
    for change in filter(None, (archive, page)):
        engine.ledger.changes.settle(change, ()) if moved else engine.ledger.changes.drop(change.number)
    if moved:
        render_again(engine)
        engine.ledger.runs.end(done.model_copy(update={"paths": (archive.path, PATH)}), engine.clock.now())
    return bool(moved)


def done_outcome(run_id: str, partition: PartitionKey, written: Sequence[str] = ()) -> Outcome:
    """The outcome of a run of `memory doctor adopt` that moved the pieces `written`."""
    return Outcome(
        job=ADOPTION,
        key=partition.key,
        window=partition.window,
        ending=Ending.DONE,
        run_id=run_id,
        written=tuple(written),
        paths=(PATH,),
    )


def render_again(engine: Engine) -> bool:
    """Let the page's writer fit its items into the new room; whether `memory run` does so.

    It does not when the writer has not run yet, or not since `start`, or when a person took back its last run.
    """
    writers = [partitioning_of(engine, job) for job in engine.jobs if job.writes.family == PATH]
    stale = [partitioning for partitioning in writers if partitioning.mark_stale()]
    return any(partitioning.due() for partitioning in stale)


def _refuse_older(engine: Engine, record: RunRecord) -> None:
    for later in engine.ledger.runs.latest(ADOPTION, _ALL):
        if later.run_id == record.run_id:
            return
        if later.undone is None and engine.ledger.changes.of_run(later.run_id):
            raise UndoNewestFirst(record.run_id, later.run_id)


def _changes(engine: Engine, run_id: str) -> tuple[Change | None, Change | None]:
    """The changes of the archive and of the page, made or intended by the run."""
    intended = (change for change in engine.ledger.changes.intended_changes() if change.run_id == run_id)
    changes = [*engine.ledger.changes.of_run(run_id), *intended]
    archive = next((change for change in changes if change.path != PATH), None)
    return archive, next((change for change in changes if change.path == PATH), None)


def _missing(data: bytes, pieces: Sequence[MovedLines], page: Change | None) -> list[MovedLines]:
    """The pieces that stand in the page less often than before; a text may stand there more than once."""
    before = (page.before if page else None) or b""
    return [
        piece for piece in pieces if len(places(data, piece.text)) < max(1, len(places(before, piece.text)))
    ]  # fmt: skip


def _bring_back(engine: Engine, archive: Change, page: Change | None) -> list[MovedLines]:
    """Put the missing pieces into the page; these pieces."""
    pieces = read_archived(archive.after, PATH, archive.run_id)
    before, after = (page.before or b"", page.after) if page else (b"", b"")
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(PATH)
        now = data or b""
        missing = [] if page and now == before else _missing(now, pieces, page)
        whole = before if page and now == after else put_back(now, before, after, missing)
        if whole == now or (_create(engine, whole) if data is None else engine.workspace.put_file(PATH, data, whole)):
            return missing
    raise ChangedMeanwhile(PATH)


def _create(engine: Engine, whole: bytes) -> bool:
    """Make the page anew; `False` when another process did meanwhile.

    A person who took the whole page away did not take out single items: the next run writes all of them again.
    """
    changes = engine.ledger.changes
    known = changes.expected_in(PATH)
    for standing in known:
        changes.set_state(PATH, standing.block.name, BlockState.DROPPED)
    made = engine.workspace.put_file(PATH, None, whole)
    changes.restore(known if not made else ())
    return made


def _take_out(engine: Engine, archive: Change, pieces: Sequence[MovedLines], *, torn: bool = False) -> list[MovedLines]:
    """Take pieces out of the archive; the pieces that are left, for somebody changed them.

    With `torn`, the appended text may stand there without its end.
    """
    size, grown = archive.size, archive.after
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(archive.path)
        if data is None:
            return []
        breaks_off = torn and len(data) < size + len(grown) and grown.startswith(data[size:])
        rest, left = without_archived(data[:size] if breaks_off else data, pieces, PATH, archive.run_id)
        is_ours = archive.kind is ChangeKind.CREATE or size > len(rest)
        is_empty = is_ours and rest.strip() in {b"", heading(archive.path)}
        if rest == data or engine.workspace.put_file(archive.path, data, None if is_empty else rest):
            return left
    raise ChangedMeanwhile(archive.path)


def heading(path: str) -> bytes:
    """The first line of an archive."""
    return f"# Moved out of {PATH} on {path.removesuffix('.md')[-len('2026-01-31') :]}".encode()


def _expect(engine: Engine, page: Change) -> None:
    """Note the edited items that stand in the page again."""
    present = block_names(engine.workspace.read(PATH))
    live = {block.name for block in engine.ledger.changes.live() if block.path == PATH}
    for name, sort in page.identities.items():
        if sort == EDITED_ITEM and name in present - live:
            # It stands there with the text of the person, which is not known to be ours.
            engine.ledger.changes.set_state(PATH, name, BlockState.RECOVERED)
