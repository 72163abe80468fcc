"""What holds of the entries in an index is what the fold over the same entries says."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.standing import fold
from pipeline.index import schema as layout
from pipeline.index.document import IndexedFile, Passage
from pipeline.index.sync.points import Evidence, cut_document
from pipeline.index.sync.statuses import standings
from schemas.entry import Entry, Status, Trust
from schemas.tier import Tier
from tests.support.builders.entries import MORNING, noted

IDS = ("DECISION-a", "DECISION-b", "DECISION-c", "RULE-d")


def payloads(entries: list[Entry]) -> list[Mapping[str, Any]]:
    """What the index holds of these entries."""
    passages = [Passage(line, line, entry.id, entry.id, entry=entry) for line, entry in enumerate(entries, 1)]
    page = IndexedFile("memory/a.md", Tier.WARM, "note", "person", None, passages=passages)
    cut_file = cut_document(page, Evidence(lambda _, entry: entry))
    return [draft.payload for draft in cut_file.drafts]


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry that may know of the others."""
    others = st.lists(st.sampled_from(IDS), max_size=2, unique=True).map(tuple)
    return noted(
        draw(st.sampled_from(IDS)),
        date=MORNING + timedelta(days=draw(st.integers(0, 3))),
        confidence=draw(st.sampled_from([0.5, 0.9])),
        trust=draw(st.sampled_from(list(Trust))),
        status=draw(st.sampled_from(list(Status))),
        supersedes=draw(others),
        superseded_by=draw(others),
    ).entry


@given(st.lists(entries(), max_size=6, unique_by=lambda entry: (entry.id, entry.confidence, entry.date)))
def test_every_entry_stands_as_the_fold_says(actual: list[Entry]) -> None:
    """Status and successors of all versions of an id; what is plainly active has no standing of its own."""
    known = {point.payload[layout.ENTRY]: point.payload for point in standings(payloads(actual))}
    plain = {layout.STATUS: "active", layout.SUCCESSORS: []}
    for entry_id, state in fold(actual).states.items():
        standing = known.pop(entry_id, plain)
        assert state.status.value == standing[layout.STATUS]
        assert list(state.superseded_by) == [item for item, _ in standing[layout.SUCCESSORS]]
    assert {} == known


def test_a_standing_names_the_day_of_the_successor() -> None:
    """So that time can be turned back."""
    first, other = noted("DECISION-a").entry, noted("RULE-d").entry
    second = noted("DECISION-b", supersedes=("DECISION-a",), date=MORNING + timedelta(days=1)).entry
    (standing,) = standings(payloads([first, second, other]))
    assert standing.payload == {
        layout.SORT: layout.STANDING,
        layout.ENTRY: "DECISION-a",
        layout.STATUS: "superseded",
        layout.SUCCESSORS: [["DECISION-b", (MORNING + timedelta(days=1)).date().toordinal()]],
    }
