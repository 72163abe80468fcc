"""Forget an entry: out of the Markdown, the ledger and the cache, and never extracted again."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.commit import ATTEMPTS
from pipeline.deletions import retire
from pipeline.engine import Engine
from pipeline.errors import ChangedMeanwhile, UnknownEntry
from pipeline.family import Family
from pipeline.ledger.changes import KnownBlock
from pipeline.markdown.splice import without_block
from pipeline.provenance import identity_of
from pipeline.recall import list_entries, similar_ids
from pipeline.recovery import recover
from schemas.entry import Entry

OUT_OF_REACH = ("the transcript itself", "git history of the workspace", "backups and synced copies", "old log files")


@dataclass(frozen=True)
class Receipt:
    """What was reached. The counts are of places: files, stored changes, cached answers.

    `stand_in` is the name under which the entry stands in `memory/forgotten.md`: ids are made of an entry's words, so
    the id goes too. `linked_from` are entries whose links still name the id.
    """

    entry_id: str
    stand_in: str
    files: tuple[str, ...]
    changes: int
    answers: int
    linked_from: tuple[str, ...]
    out_of_reach: tuple[str, ...] = OUT_OF_REACH


def forget(engine: Engine, entry_id: str) -> Receipt:
    """Remove an entry everywhere we can reach, also one that can no longer be read as an entry.

    Raises:
        UnknownEntry: no block has this id.
        Held: somebody is at work on the files.
    """
    names = tuple(name for job in engine.jobs for name in (job.name, *job.locks))
    longest = max(job.timeout for job in engine.jobs)
    with engine.locks.hold(names, "forget", engine.clock.now() + longest):
        families = [Family(engine.workspace, job.writes) for job in engine.jobs if job.writes.append]
        for family in families:
            recover(engine.workspace, engine.ledger, family.owns)
        found = [(file.path, entry) for family in families for file in family.files() for block, entry in file.blocks
                 if block.name == entry_id]  # fmt: skip
        if not found:
            raise UnknownEntry(entry_id, similar_ids(engine, entry_id))
        entries = [entry for _, entry in found if entry]
        known = _known(engine, entry_id, found[0][0], entries)
        stand_in = _stand_in(entry_id, known.identity)
        paths = tuple(dict.fromkeys(path for path, _ in found))
        retire(engine, [replace(known, name=stand_in)], engine.local_now().date())
        with engine.ledger.store.transaction():
            changes = engine.ledger.changes.erase(entry_id, stand_in)
            engine.ledger.runs.erase(entry_id, stand_in)
            engine.ledger.changes.know(replace(known, name=stand_in), "forgotten")
            answers = engine.ledger.answers.scrub([text for entry in entries for text in _texts(entry)])
        for path in paths:
            _remove(engine, path, entry_id)
        engine.ledger.store.compact()
        linked = tuple(place.entry.id for place in list_entries(engine) if entry_id in _links(place.entry))
    return Receipt(entry_id, stand_in, paths, changes, answers, linked)


def _links(entry: Entry) -> set[str]:
    return {*entry.supersedes, *entry.superseded_by, *entry.reinforces}


def _stand_in(entry_id: str, identity: str) -> str:
    """A name that tells the kind and the day, and none of the words."""
    told = "-".join(entry_id.split("-")[:2])
    return f"{told}-{(identity or hashlib.sha256(entry_id.encode()).hexdigest())[-12:]}"


def _known(engine: Engine, entry_id: str, path: str, entries: Sequence[Entry]) -> KnownBlock:
    """The block with its identity, from the ledger or, where it does not know, from the source."""
    for block in engine.ledger.changes.live():
        if block.name == entry_id and block.identity:
            return block
    for entry in entries:
        session = engine.catalog.session(entry.source.session_id)
        if identity := identity_of(entry, session) if session else None:
            return KnownBlock(entry_id, path, "", identity, "forget")
    return KnownBlock(entry_id, path, "", "", "forget")


def _remove(engine: Engine, path: str, entry_id: str) -> None:
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(path) or b""
        left = without_block(data, entry_id)
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
