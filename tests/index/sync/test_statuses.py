"""What holds of the entries in an index is what the fold over the same entries says."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.clock import stopwatch
from pipeline.entries.standing import fold
from pipeline.index import schema as layout
from pipeline.index.document import IndexedFile, Passage
from pipeline.index.sync.points import cut
from pipeline.index.sync.statuses import changed_standings
from schemas.entry import Entry, Status, Trust
from schemas.hit import Tier
from tests.support.builders.entries import MORNING, noted

IDS = ("DECISION-a", "DECISION-b", "DECISION-c", "RULE-d")


def payloads(entries: list[Entry]) -> dict[str, Mapping[str, Any]]:
    """What the index holds of these entries, by the ids of their points."""
    passages = [Passage(line, line, entry.id, entry.id, entry=entry) for line, entry in enumerate(entries, 1)]
    cut_file = cut(
        IndexedFile("memory/a.md", Tier.WARM, "note", "person", None, passages=passages), lambda _, entry: entry
    )
    return {draft.id: draft.payload for draft in cut_file.drafts}


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
    """Status and successors of all versions of an id; a second fold finds nothing to change."""
    held = payloads(actual)
    after = {text: {**payload, **changed_standings(held).get(text, {})} for text, payload in held.items()}
    states = fold(actual).states
    assert {payload[layout.ENTRY]: payload[layout.STATUS] for payload in after.values()} == {
        entry_id: state.status.value for entry_id, state in states.items()
    }
    assert {payload[layout.ENTRY]: [item for item, _ in payload[layout.SUCCESSORS]] for payload in after.values()} == {
        entry_id: list(state.superseded_by) for entry_id, state in states.items()
    }
    assert {} == changed_standings(after)


def test_only_what_changed_is_reported() -> None:
    """With the day of the successor, so that time can be turned back."""
    first, other = noted("DECISION-a").entry, noted("RULE-d").entry
    second = noted("DECISION-b", supersedes=("DECISION-a",), date=MORNING + timedelta(days=1)).entry
    (changed,) = changed_standings(payloads([first, second, other])).values()
    assert changed == {
        layout.STATUS: "superseded",
        layout.SUCCESSORS: [["DECISION-b", (MORNING + timedelta(days=1)).date().toordinal()]],
    }


def test_ten_thousand_entries_are_folded_in_a_moment() -> None:
    """Light enough to be done after each update that brought an entry."""
    known = payloads([noted("DECISION-a").entry])
    (payload,) = known.values()
    many = {str(number): {**payload, layout.ENTRY: f"DECISION-{number}"} for number in range(10_000)}
    began = stopwatch()
    assert {} == changed_standings(many)
    assert stopwatch() - began < 5  # 0.3 s on a machine with nothing else to do
