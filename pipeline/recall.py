"""Reading what is remembered: entries with their standing, and the story of one of them. Nothing here writes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.engine import Engine
from pipeline.errors import UnknownEntry
from pipeline.family import Family
from pipeline.ledger.runs import RunRecord
from pipeline.state import Finding, Fold, fold
from pipeline.verification import is_verified, trusted, written_blocks
from schemas.entry import Entry, Status
from schemas.transcript import Message


@dataclass(frozen=True)
class Place:
    """An entry where it stands. `adopted` says that a person changed it; `status` is what the fold says now."""

    entry: Entry
    path: str
    line: int
    verified: bool
    adopted: bool
    status: Status
    text: str


@dataclass(frozen=True)
class Story:
    """All that is known of one entry. `source` are the words it rests on, redacted; `None` when the source is gone."""

    place: Place
    run: RunRecord | None
    superseded_by: tuple[str, ...]
    reinforced_by: tuple[str, ...]
    findings: tuple[Finding, ...]
    source: tuple[Message, ...] | None


def list_entries(engine: Engine) -> list[Place]:
    """Every entry of the daily files, by day and place in the file."""
    places = list(_places(engine))
    states = folded(places).states
    return [_with_status(place, states[place.entry.id].status) for place in places]


def folded(places: list[Place]) -> Fold:
    """The fold over entries; one that does not verify has no trust, and so no say over those that do."""
    return fold(trusted(place.entry, verified=place.verified) for place in places)


def explain(engine: Engine, entry_id: str) -> Story:
    """The story of one entry.

    Raises:
        UnknownEntry: no entry has this id.
    """
    places = list(_places(engine))
    fold_now = folded(places)
    place = next((each for each in places if each.entry.id == entry_id), None)
    if place is None:
        raise UnknownEntry(entry_id, _similar(entry_id, places))
    state = fold_now.states[entry_id]
    known = {block.name: block for block in engine.ledger.changes.live()}
    return Story(
        place=_with_status(place, state.status),
        run=engine.ledger.runs.find(known[entry_id].run_id) if entry_id in known else None,
        superseded_by=state.superseded_by,
        reinforced_by=state.reinforced_by,
        findings=tuple(finding for finding in fold_now.findings if entry_id in {finding.entry_id, finding.target}),
        source=_source(engine, place.entry),
    )


def _places(engine: Engine) -> Iterator[Place]:
    written = written_blocks(engine.ledger.changes)
    for job in engine.jobs:
        if not job.writes.append:
            continue
        for file in Family(engine.workspace, job.writes).files():
            for block, entry in file.blocks:
                if entry:
                    yield Place(
                        entry=entry,
                        path=file.path,
                        line=block.line,
                        verified=is_verified(block, entry, written, engine.catalog),
                        adopted=not block.intact,
                        status=entry.status,
                        text=block.text,
                    )


def _with_status(place: Place, status: Status) -> Place:
    return replace(place, status=status)


def _source(engine: Engine, entry: Entry) -> tuple[Message, ...] | None:
    session = engine.catalog.session(entry.source.session_id)
    if session is None:
        return None
    wanted = set(entry.source.entry_ids)
    return tuple(message for message in session.conversation if wanted.intersection(message.entry_ids))


def _similar(entry_id: str, places: list[Place]) -> list[str]:
    """Up to five ids to offer for one that is unknown: those that share a word with it."""
    words = set(entry_id.lower().split("-"))
    scored = sorted(places, key=lambda place: -len(words.intersection(place.entry.id.lower().split("-"))))
    return [place.entry.id for place in scored[:5]]
