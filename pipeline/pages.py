"""Rewritten pages: the whole file is rendered again, with every line of a person kept."""

from collections.abc import Callable, Sequence

from pipeline.commit import ATTEMPTS
from pipeline.engine import Engine
from pipeline.errors import ChangedMeanwhile, ShrinkRefused
from pipeline.job import SectionDraft
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import Section, render_page

Render = Callable[[str], Sequence[SectionDraft]]
"""From the page as it stands to the sections wanted; called again when the page changes meanwhile."""


def rewrite_page(engine: Engine, run_id: str, path: str, render: Render) -> list[str]:
    """Bring a page up to date; the names of the sections that changed. The caller holds the lock of its only writer.

    Raises:
        ChangedMeanwhile: somebody kept writing to it.
        ShrinkRefused: entries would be lost.
        WriteFailed: the system refuses.
    """
    for _ in range(ATTEMPTS):
        before = engine.workspace.read(path)
        drafts = render((before or b"").decode(errors="replace"))
        after = render_page(before or b"", [Section(each.name, each.text) for each in drafts], _deleted(engine, path))
        if after == (before or b""):
            return []
        _refuse_loss(engine, path, before or b"", after)
        changed = _changed(before or b"", after)
        kind = ChangeKind.CREATE if before is None else ChangeKind.REPLACE
        identities = dict.fromkeys(changed, "")
        for name in _names(before or b"") - _names(after):
            # Dropped by us, and noted first: after a crash it must not look as if a person had deleted it.
            engine.ledger.changes.retire(path, name, "dropped")
        change = engine.ledger.changes.intend(Change(run_id, path, kind, after, identities, before=before))
        if _put(engine, path, before, after):
            engine.ledger.changes.settle(change, changed)
            return changed
        engine.ledger.changes.drop(change.number)
    raise ChangedMeanwhile(path)


def _put(engine: Engine, path: str, before: bytes | None, after: bytes) -> bool:
    with engine.workspace.lease(path) as lease:
        if before is None:
            return lease.create(after)
        try:
            lease.replace(before, after)
        except ChangedMeanwhile:
            return False
    return True


def _deleted(engine: Engine, path: str) -> frozenset[str]:
    """The sections that we wrote and a person took out."""
    known = {block.name for block in engine.ledger.changes.live() if block.path == path}
    return frozenset(known - _names(engine.workspace.read(path) or b""))


def _names(data: bytes) -> set[str]:
    return {block.name for block in find_blocks(data)}


def _changed(before: bytes, after: bytes) -> list[str]:
    old = {block.name: block.digest for block in find_blocks(before) if block.section}
    return [block.name for block in find_blocks(after) if block.section and old.get(block.name) != block.digest]


def _refuse_loss(engine: Engine, path: str, before: bytes, after: bytes) -> None:
    kept = {block.name for block in find_blocks(after)}
    lost = [block.name for block in find_blocks(before) if not block.section and block.name not in kept]
    if lost and not engine.allow_shrink:
        archives = b"".join(
            engine.workspace.read(each) or b"" for each in engine.workspace.select("memory/archive/*.md")
        )
        if missing := [name for name in lost if f"- id: {name}\n".encode() not in archives]:
            raise ShrinkRefused(path, missing)
