"""Items that people took out of rewritten pages stay out of their page; nothing else follows from it.

`memory/forgotten.md` lists them as `path#name`; an item may come back when its line is removed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.engine.absence import put_ours, refuse_damaged, taken_by_an_old_copy
from pipeline.engine.context import Engine
from pipeline.engine.deleted_entries import retire
from pipeline.engine.earlier_versions import FileVersion
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors import PageEmptied
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.markdown.blocks import block_names
from pipeline.workspace.tombstones import read_forgotten

MANY = 5
"""From so many lines on, their removal gives a warning, and the removal of all counts as an accident."""


@dataclass(frozen=True)
class Removals:
    """Items that went out of pages: `taken_out` by a person, each as `path#name`, or `lost` to an earlier version.

    `emptied` are the pages in which nothing at all is left, of a person's lines neither.
    """

    taken_out: tuple[str, ...]
    lost: tuple[KnownBlock, ...]
    emptied: tuple[str, ...] = ()


def notice_removals(engine: Engine, paths: Sequence[str], day: date) -> Removals:
    """Note the items that a person took out of these pages, and let those be rendered again that were lost.

    Lost are the items that an earlier version of the page does not have, or a half of it. A page that is gone as a
    whole has lost nothing: it is rendered anew. The caller holds the locks of its writers.

    Raises:
        WorkspaceError: a page is no text, or holds both sides of a merge; somebody else holds the lock of
            `memory/forgotten.md`.
        PageEmptied: all of many are gone, which looks like an accident.
    """
    noticed, lost, emptied = list[str](), list[KnownBlock](), list[str]()
    for path in paths:
        data = engine.workspace.read(path)
        refuse_damaged(path, data)
        known = engine.ledger.changes.standing_in(path)
        if not (data or b"").strip():
            emptied += [path] if data is not None and known else []
            continue
        gone = _missing(engine, path, known, [other for other in paths if other != path])
        old = _of_an_earlier_version(engine, path, known, gone) if gone else []
        if old:
            _have_rendered(engine, path, old)
        lost += old
        gone = [block for block in gone if block not in old]
        # People prune a page of theirs; but with nothing of ours left it may be the page of another time.
        if MANY <= len(gone) == len(known) - len(old) and not engine.allow_shrink:
            raise PageEmptied(path, len(gone))
        if gone:
            retire(engine, gone, day, by_path=True)
        for block in gone:
            engine.emit(Event.REMOVED_BY_PERSON, item=block.name, path=path)
        noticed += [f"{path}#{block.name}" for block in gone]
    return Removals(tuple(noticed), tuple(lost), tuple(emptied))


def _missing(engine: Engine, path: str, known: Sequence[KnownBlock], others: Sequence[str]) -> list[KnownBlock]:
    """The items that stand in their page no more, nor in another volume of it."""
    present = block_names(engine.workspace.read(path))
    missing = [block for block in known if block.name not in present]
    moved = _moved_into(engine, others, path) if missing else set[str]()
    return [block for block in missing if block.name not in moved]


def _of_an_earlier_version(
    engine: Engine, path: str, known: Sequence[KnownBlock], gone: Sequence[KnownBlock]
) -> list[KnownBlock]:
    """The missing items that no person took out. The beginning of an item at the end of half a page is cut off."""
    workspace, changes = engine.workspace, engine.ledger.changes
    data = workspace.read(path) or b""
    version = FileVersion(workspace, changes, path, data, known)
    if version.torn >= 0:
        put_ours(workspace, changes, path, data, data[: version.torn])
        return list(gone)
    old_copy = taken_by_an_old_copy(workspace, changes, known, gone)
    return old_copy + version.earlier([block for block in gone if block not in old_copy])


def _have_rendered(engine: Engine, path: str, lost: Sequence[KnownBlock]) -> None:
    """Note items as lost, and a page of no day as stale; any other page is about to be rendered."""
    with engine.ledger.store.transaction():
        for block in lost:
            engine.ledger.changes.set_state(path, block.name, BlockState.LOST)
        for job in (job for job in engine.jobs if job.writes.family == path):
            partitioning_of(engine, job).mark_stale()


def _moved_into(engine: Engine, others: Sequence[str], path: str) -> set[str]:
    """The names of the items that a person has moved into other volumes of the page."""
    moved, page = set[str](), engine.first_volume(path)
    for other in others:
        if engine.first_volume(other) == page:
            ours = {block.name for block in engine.ledger.changes.standing_in(other)}
            moved |= block_names(engine.workspace.read(other)) - ours
    return moved


def notice_missing_pages(engine: Engine) -> list[str]:
    """Note pages of no day that are gone as a whole as stale; their paths."""
    gone = []
    for job in (job for job in engine.jobs if _belongs_to_no_time(job)):
        family = engine.family(job)
        written = [path for path in engine.ledger.changes.paths() if family.owns(path)]
        away = [
            path for path in written if engine.ledger.changes.standing_in(path) and not engine.workspace.stands(path)
        ]
        if away and partitioning_of(engine, job).mark_stale():
            gone += away
    return gone


def _belongs_to_no_time(job: Job) -> bool:
    return not job.writes.append and (job.is_fold or "{" not in job.writes.family)


def items_of_page(engine: Engine, path: str) -> set[str]:
    """The names of all items that we have ever put into a page, in any volume; a person added the others."""
    page, changes = engine.first_volume(path), engine.ledger.changes
    volumes = {path, *(other for other in changes.paths() if engine.first_volume(other) == page)}
    return set[str]().union(*map(changes.ever_in, volumes))


def removed_items(engine: Engine) -> dict[str, set[str]]:
    """The names of the items that are to stay out of pages, by path."""
    names = dict[str, set[str]]()
    for gone in read_forgotten(engine.workspace):
        path, mark, name = gone.entry_id.partition("#")
        if mark:
            names.setdefault(path, set()).add(name)
    return names
