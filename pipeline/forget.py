"""Forget an entry: out of the Markdown, the ledger and the cache, and never extracted again."""

import json
from dataclasses import dataclass

from pipeline.commit import ATTEMPTS
from pipeline.deletions import retire
from pipeline.engine import Engine
from pipeline.errors import ChangedMeanwhile
from pipeline.ledger.changes import KnownBlock
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import parse_entry
from pipeline.markdown.splice import remove_block
from pipeline.provenance import identity_of
from pipeline.recall import Place, explain, list_entries
from pipeline.recovery import recover
from schemas.entry import Entry

OUT_OF_REACH = ("the transcript itself", "git history of the workspace", "backups and synced copies", "old log files")


@dataclass(frozen=True)
class Receipt:
    """What was reached. The counts are of places: files, stored changes, cached answers."""

    entry_id: str
    files: tuple[str, ...]
    changes: int
    answers: int
    out_of_reach: tuple[str, ...] = OUT_OF_REACH


def forget(engine: Engine, entry_id: str) -> Receipt:
    """Remove an entry everywhere we can reach.

    Raises:
        UnknownEntry: no entry has this id.
        Held: somebody is at work on the files.
    """
    names = tuple(name for job in engine.jobs for name in (job.name, *job.locks))
    longest = max(job.timeout for job in engine.jobs)
    with engine.locks.hold(names, "forget", engine.clock.now() + longest):
        recover(engine.workspace, engine.ledger)
        place = explain(engine, entry_id).place
        retire(engine, [_known(engine, place)], engine.local_now().date())
        paths = tuple(dict.fromkeys(each.path for each in list_entries(engine) if each.entry.id == entry_id))
        for path in paths:
            _remove(engine, path, entry_id)
        texts = _texts(place.entry)
        with engine.ledger.store.transaction():
            changes = engine.ledger.changes.scrub([f"- id: {entry_id}{end}".encode() for end in ("\n", "\r\n")])
            answers = engine.ledger.answers.scrub(texts)
        engine.ledger.store.compact()
    return Receipt(entry_id, paths, changes, answers)


def _known(engine: Engine, place: Place) -> KnownBlock:
    """The block with its identity, from the ledger or, where it does not know, from the source."""
    entry = place.entry
    for block in engine.ledger.changes.live():
        if block.name == entry.id and block.identity:
            return block
    session = engine.catalog.session(entry.source.session_id)
    identity = identity_of(entry, session) if session else None
    return KnownBlock(entry.id, place.path, "", identity or "", "forget")


def _remove(engine: Engine, path: str, entry_id: str) -> None:
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path) or b""
        left = data
        for block in reversed(find_blocks(data)):
            if block.name == entry_id and parse_entry(block):
                left = remove_block(left, block)
        if left == data:
            return
        try:
            with engine.workspace.lease(path) as lease:
                lease.replace(data, left)
        except ChangedMeanwhile:
            continue
        return
    raise ChangedMeanwhile(path)


def _texts(entry: Entry) -> list[str]:
    """What a cached answer would hold of the entry, as text and as JSON writes it."""
    return [entry.quote, json.dumps(entry.quote, ensure_ascii=False)[1:-1]] if entry.quote else []
