"""The fold: what holds now."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.state import Doubt, Finding, fold
from schemas.entry import Entry, Kind, Source, Status, Trust

START = datetime(2026, 2, 1, 9, tzinfo=UTC)
SOURCE = Source(session_id="s", session_path="memory:s", message_range=(1, 1), entry_ids=("a",))


def entry(entry_id: str, day: int = 0, **fields: object) -> Entry:
    """An entry whose message is `day` days after the start."""
    base = Entry(
        id=entry_id,
        title=entry_id,
        kind=Kind.RULE,
        date=START + timedelta(days=day),
        source=SOURCE,
        quote="q",
        conclusion="c",
        confidence=0.8,
    )
    return base.model_copy(update=fields)


def test_an_entry_alone_is_active() -> None:
    """Nothing contradicts it."""
    assert fold([entry("A")]).states["A"].status is Status.ACTIVE


def test_a_later_entry_supersedes() -> None:
    """The earlier one gives way and knows to whom."""
    states = fold([entry("A", 0), entry("B", 1, supersedes=("A",))]).states

    assert states["A"].status is Status.SUPERSEDED
    assert states["A"].superseded_by == ("B",)
    assert states["B"].status is Status.ACTIVE


def test_a_replaced_entry_does_not_come_back() -> None:
    """When the successor is replaced in its turn, only the last one holds."""
    found = fold([entry("A", 0), entry("B", 1, supersedes=("A",)), entry("C", 2, supersedes=("B",))])

    assert [active.id for active in found.active()] == ["C"]


def test_an_entry_written_late_names_its_successor() -> None:
    """`superseded_by` in the earlier entry counts like `supersedes` in the later one."""
    states = fold([entry("B", 1), entry("A", 0, superseded_by=("B",), status=Status.SUPERSEDED)]).states

    assert states["A"].status is Status.SUPERSEDED
    assert states["A"].superseded_by == ("B",)


def test_the_later_message_wins_in_a_cycle() -> None:
    """Two entries that supersede each other are decided by time, and the link against time is a finding."""
    found = fold([entry("A", 0, supersedes=("B",)), entry("B", 1, supersedes=("A",))])

    assert [active.id for active in found.active()] == ["B"]
    assert found.findings == (Finding("A", "B", Doubt.AGAINST_TIME),)


def test_an_unknown_id_is_a_finding() -> None:
    """A link that leads nowhere changes nothing."""
    found = fold([entry("A", supersedes=("GONE",), reinforces=("LOST",))])

    assert found.states["A"].status is Status.ACTIVE
    assert found.findings == (Finding("A", "GONE", Doubt.UNKNOWN), Finding("A", "LOST", Doubt.UNKNOWN))


def test_an_entry_whose_successor_is_gone_holds_again() -> None:
    """Deleting the successor takes back what it did."""
    found = fold([entry("A", status=Status.SUPERSEDED, superseded_by=("GONE",))])

    assert found.states["A"].status is Status.ACTIVE


def test_a_status_set_by_hand_stays() -> None:
    """A person who writes `superseded` without naming a successor, or `archived`, is believed."""
    found = fold([entry("A", status=Status.SUPERSEDED), entry("B", status=Status.ARCHIVED)])

    assert [state.status for state in found.states.values()] == [Status.SUPERSEDED, Status.ARCHIVED]


def test_what_is_archived_stays_archived_when_it_is_replaced() -> None:
    """A person's word comes first; the successor is still named."""
    states = fold([entry("A", 0, status=Status.ARCHIVED), entry("B", 1, supersedes=("A",))]).states

    assert states["A"].status is Status.ARCHIVED
    assert states["A"].superseded_by == ("B",)


def test_saying_it_again_is_counted() -> None:
    """An entry knows, in the order of time, who said the same again."""
    again = [entry("C", 2, reinforces=("A",)), entry("B", 1, reinforces=("A",))]

    assert fold([*again, entry("A")]).states["A"].reinforced_by == ("B", "C")


def test_the_surer_version_of_an_id_counts_and_then_the_newer() -> None:
    """Two versions of one id, as a merge leaves them, are one entry."""
    sure = entry("A", 0, confidence=0.9, title="sure")
    newer = entry("A", 3, title="newer")
    older = entry("A", 1, title="older")

    assert fold([older, sure, newer]).states["A"].entry == sure
    assert fold([newer, older]).states["A"].entry == newer


def test_a_forged_entry_replaces_nothing() -> None:
    """An unverified entry cannot silence or strengthen a verified one."""
    forged = entry("F", 5, supersedes=("A",), reinforces=("B",), trust=Trust.UNVERIFIED)
    found = fold([entry("A"), entry("B"), forged])

    assert found.states["A"].status is Status.ACTIVE
    assert found.states["B"].reinforced_by == ()
    assert {finding.doubt for finding in found.findings} == {Doubt.UNVERIFIED}


def test_an_entry_cannot_replace_itself() -> None:
    """Such a link is a finding."""
    found = fold([entry("A", supersedes=("A",))])

    assert found.states["A"].status is Status.ACTIVE
    assert found.findings == (Finding("A", "A", Doubt.ITSELF),)


IDS = st.sampled_from("ABCDE")
LINKS = st.lists(IDS, max_size=3).map(tuple)
ENTRIES = st.lists(
    st.builds(
        entry,
        IDS,
        st.integers(0, 3),
        supersedes=LINKS,
        superseded_by=LINKS,
        reinforces=LINKS,
        status=st.sampled_from(Status),
        trust=st.sampled_from(Trust),
        confidence=st.sampled_from([0.5, 0.8]),
    ),
    max_size=8,
)


@given(ENTRIES, st.randoms())
def test_the_order_of_the_files_does_not_matter(entries: list[Entry], chance: object) -> None:
    """The same entries in any order fold to the same state."""
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis gives a random.Random

    assert fold(shuffled) == fold(entries)


@given(ENTRIES)
def test_what_is_superseded_is_never_active(entries: list[Entry]) -> None:
    """Whoever has a successor gives way, to somebody later, and some entry always remains."""
    found = fold(entries)
    place = list(found.states)

    for entry_id, state in found.states.items():
        assert not (state.superseded_by and state.status is Status.ACTIVE)
        assert all(place.index(successor) > place.index(entry_id) for successor in state.superseded_by)


@given(ENTRIES)
def test_writing_the_states_down_changes_nothing(entries: list[Entry]) -> None:
    """Folding again what a fold decided gives the same states."""
    states = fold(entries).states
    written = [
        state.entry.model_copy(update={"status": state.status, "superseded_by": state.superseded_by})
        for state in states.values()
    ]

    assert {k: s.status for k, s in fold(written).states.items()} == {k: s.status for k, s in states.items()}
