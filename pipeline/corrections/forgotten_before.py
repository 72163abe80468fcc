"""Entries and lines that `memory forget` took out and that stand in a file again, as out of a backup.

`memory/forgotten.md` has their identities and no word of them. An identity is made of the place of the quote in its
message, so an entry that came back is known by it, also when its transcript is gone.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.engine.context import Engine
from pipeline.entries.provenance import identities_anywhere, identities_at
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.workspace.forgotten import Tombstone, read_forgotten
from schemas.entry import Entry

KIND_AND_DAY = re.compile(r"[A-Z]+-[0-9]{8}(?![^-])")
_UNKNOWN_KIND = "ENTRY"
_LENGTH = 12  # hex digits


@dataclass(frozen=True)
class Returned:
    """An entry that stands in a file again, under the line by which it is forgotten."""

    entry: Entry
    path: str
    line: Tombstone


def stand_in(entry_id: str, identity: str) -> str:
    """The name of a forgotten entry: with the kind and the day, and none of the words."""
    match = KIND_AND_DAY.match(entry_id)
    digest = identity or hashlib.sha256(entry_id.encode()).hexdigest()
    return f"{match.group() if match else _UNKNOWN_KIND}-{digest[-_LENGTH:]}"


def forgotten_before(engine: Engine, entry: Entry, listed: Sequence[Tombstone]) -> Tombstone | None:
    """The line by which `memory forget` keeps an entry away; `None` without one."""
    lines = [
        line for line in listed if line.entry_id != entry.id and line.entry_id == stand_in(entry.id, line.identity)
    ]
    if not lines:
        return None
    session = engine.catalog.cited_session(entry.source)
    identities = {line.identity for line in lines}
    known = (one for one, _ in identities_at(entry, session)) if session else identities_anywhere(entry, identities)
    possible = {"", *identities.intersection(known)}  # without an identity the name itself is of the whole id
    return next((line for line in lines if line.identity in possible), None)


def may_return(engine: Engine) -> bool:
    """Whether an entry or a line was forgotten that an old copy of a file may bring back."""
    return any(True for _ in _erased_items(engine)) or bool(read_forgotten(engine.workspace))


def returned_entries(engine: Engine) -> Iterator[Returned]:
    """The forgotten entries that stand in daily files."""
    listed = read_forgotten(engine.workspace)
    days = {match.group().encode() for line in listed if (match := KIND_AND_DAY.match(line.entry_id))}
    others = any(line.entry_id.startswith(f"{_UNKNOWN_KIND}-") for line in listed)
    for family in (engine.family(job) for job in engine.writers if not job.writes.listed):
        for path in family.paths():
            data = engine.workspace.read(path) or b""
            if others or any(day in data for day in days):
                file = family.file(path)
                entries = [entry for _, entry in file.blocks if entry] if file else []
                for entry in entries:
                    if line := forgotten_before(engine, entry, listed):
                        yield Returned(entry, path, line)


def returned_items(engine: Engine) -> dict[str, list[Block]]:
    """The lines of pages that went with what was forgotten and stand there again as we wrote them, by path.

    The ledger knows them by a name without words, and has no text of theirs.
    """
    erased = dict[str, set[str]]()
    for block in _erased_items(engine):
        erased.setdefault(block.path, set()).add(block.name)
    returned = {
        path: [
            block
            for block in find_blocks(engine.workspace.read(path) or b"")
            if block.item and block.intact and block.name in names
        ]
        for path, names in erased.items()
    }
    return {path: blocks for path, blocks in returned.items() if blocks}


def _erased_items(engine: Engine) -> Iterator[KnownBlock]:
    standings = engine.ledger.changes.in_state(BlockState.DROPPED, BlockState.FORGOTTEN)
    return (standing.block for standing in standings if not standing.block.digest)
