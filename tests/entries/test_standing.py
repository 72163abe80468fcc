"""The fold: what holds now."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.entries.standing import Doubt, EntryState, LinkFault, find_linked, fold
from schemas.entry import Entry, Kind, Source, Status, Trust, correction_grounds
from tests.support.marks import examples
from tests.support.tables import table

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
    standing = fold([entry("A", 0), entry("B", 1, supersedes=("A",)), entry("C", 2, supersedes=("B",))])

    assert [active.id for active in standing.active()] == ["C"]


def test_an_entry_written_late_names_its_successor() -> None:
    """`superseded_by` in the earlier entry counts like `supersedes` in the later one."""
    states = fold([entry("B", 1), entry("A", 0, superseded_by=("B",), status=Status.SUPERSEDED)]).states

    assert states["A"].status is Status.SUPERSEDED
    assert states["A"].superseded_by == ("B",)


def test_the_later_message_wins_in_a_cycle() -> None:
    """Two entries that supersede each other are decided by time, and the link against time is a finding."""
    standing = fold([entry("A", 0, supersedes=("B",)), entry("B", 1, supersedes=("A",))])

    assert [active.id for active in standing.active()] == ["B"]
    assert standing.findings == (LinkFault("A", "B", Doubt.AGAINST_TIME),)


def test_of_corrections_in_a_circle_the_last_one_holds() -> None:
    """The id of a corrected entry that is gone was given to the correction that went back to its words."""
    back, away = (correction_grounds(START + timedelta(days=day)) for day in (2, 1))
    now = fold([entry("TABS", corrects="SPACES", grounds=back), entry("SPACES", corrects="TABS", grounds=away)])

    assert {"SPACES": "TABS"} == now.corrected
    assert ["TABS"] == [active.id for active in now.active()]
    assert "TABS" == now.in_force("SPACES")


def test_an_unknown_id_is_a_finding() -> None:
    """A link that leads nowhere changes nothing."""
    standing = fold([entry("A", supersedes=("GONE",), reinforces=("LOST",))])

    assert standing.states["A"].status is Status.ACTIVE
    assert standing.findings == (LinkFault("A", "GONE", Doubt.UNKNOWN), LinkFault("A", "LOST", Doubt.UNKNOWN))


def test_an_entry_whose_successor_is_gone_holds_again() -> None:
    """Deleting the successor takes back what it did."""
    standing = fold([entry("A", status=Status.SUPERSEDED, superseded_by=("GONE",))])

    assert standing.states["A"].status is Status.ACTIVE


def test_a_status_set_by_hand_stays() -> None:
    """A person who writes `superseded` without naming a successor, or `archived`, is believed."""
    standing = fold([entry("A", status=Status.SUPERSEDED), entry("B", status=Status.ARCHIVED)])

    assert [state.status for state in standing.states.values()] == [Status.SUPERSEDED, Status.ARCHIVED]


def test_the_version_that_counts_is_known() -> None:
    """Among those that are given, and no other."""
    sure, other = entry("A", confidence=0.9), entry("A")
    standing = fold([sure, other])

    assert [True, False] == [standing.counts(sure), standing.counts(other)]


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


@table("trust", [Trust.QUOTED, Trust.UNVERIFIED])
def test_a_forged_entry_replaces_nothing(trust: Trust) -> None:
    """An entry cannot silence or strengthen one that is believed more."""
    forged = entry("F", 5, supersedes=("A",), reinforces=("B",), trust=trust)
    standing = fold([entry("A"), entry("B"), forged])

    assert standing.states["A"].status is Status.ACTIVE
    assert standing.states["B"].reinforced_by == ()
    assert {finding.doubt.value for finding in standing.findings} == {trust.value}


@table("confidence", [0.0, 0.8, 1.0])
@table("status", Status)
@table("trust", [Trust.QUOTED, Trust.UNVERIFIED])
def test_a_forged_version_has_no_say(trust: Trust, status: Status, confidence: float) -> None:
    """Whatever it claims, the version that is believed most counts."""
    true, later = entry("A", 1), entry("B", 2)
    forged = entry("A", 3, trust=trust, status=status, confidence=confidence, superseded_by=("B",), title="forged")

    for entries in ([true, forged, later], [forged, true, later]):
        assert fold(entries).states["A"] == EntryState(true, Status.ACTIVE)


def test_of_what_is_quoted_the_surest_version_counts() -> None:
    """It comes before one of which nothing is known."""
    quoted, unknown = entry("A", trust=Trust.QUOTED, confidence=0.1), entry("A", trust=Trust.UNVERIFIED, confidence=1.0)

    assert fold([unknown, quoted]).states["A"].entry == quoted


def test_an_accepted_version_counts_like_one_of_the_owner() -> None:
    """Both are ours, word for word: the surer counts."""
    accepted = entry("A", trust=Trust.ACCEPTED, confidence=0.9)

    assert fold([entry("A"), accepted]).states["A"].entry == accepted
    assert fold([entry("A"), entry("B", 1, trust=Trust.ACCEPTED, supersedes=("A",))]).active() == (
        entry("B", 1, trust=Trust.ACCEPTED, supersedes=("A",)),
    )


def test_a_copy_ends_no_entry() -> None:
    """Of versions that are the same but for their status, the one that holds counts."""
    for status in (Status.ARCHIVED, Status.SUPERSEDED):
        assert fold([entry("A"), entry("A", status=status)]).states["A"].status is Status.ACTIVE
    ended = [entry("A", status=Status.ARCHIVED), entry("A", status=Status.SUPERSEDED)]
    assert fold(ended).states["A"].status is Status.SUPERSEDED


def test_our_own_word_counts_of_what_is_believed_less() -> None:
    """An entry may say what it replaces, and what took its place, also when a person has changed the other since."""
    changed = entry("A", 0, trust=Trust.QUOTED)
    assert fold([changed, entry("B", 1, supersedes=("A",))]).states["A"].superseded_by == ("B",)
    successor = entry("B", 1, trust=Trust.QUOTED)
    assert fold([entry("A", 0, superseded_by=("B",)), successor]).states["A"].superseded_by == ("B",)
    forged = entry("B", 1, trust=Trust.UNVERIFIED)
    assert fold([entry("A", 0, superseded_by=("B",)), forged]).states["A"] == EntryState(
        entry("A", 0, superseded_by=("B",)), Status.ACTIVE
    )


def test_an_entry_may_say_of_itself_that_it_gave_way() -> None:
    """That touches no other."""
    changed = entry("A", 0, trust=Trust.QUOTED, superseded_by=("B",))

    assert fold([changed, entry("B", 1)]).states["A"].superseded_by == ("B",)


@table("trust", [Trust.QUOTED, Trust.UNVERIFIED])
def test_a_link_is_turned_round_by_time_among_equals_alone(trust: Trust) -> None:
    """What we replaced does not come back by claiming a later day, and what is ours does not go by a false link."""
    ours = entry("B", 1, supersedes=("A",))
    assert fold([entry("A", 2, trust=trust), ours]).states["B"].status is Status.ACTIVE
    early = entry("A", 0, trust=trust, supersedes=("B",))
    assert fold([early, entry("B", 1)]).states["A"].superseded_by == ()


def test_equals_of_less_trust_replace_one_another() -> None:
    """After a lost ledger nothing is known word for word, and what was replaced stays replaced."""
    old, new = (
        entry("A", trust=Trust.QUOTED),
        entry("B", 1, trust=Trust.QUOTED, supersedes=("A",), reinforces=("A",)),
    )
    assert fold([old, new]).states["A"] == EntryState(old, Status.SUPERSEDED, ("B",), ("B",))


def test_an_entry_cannot_replace_itself() -> None:
    """Such a link is a finding."""
    standing = fold([entry("A", supersedes=("A",))])

    assert standing.states["A"].status is Status.ACTIVE
    assert standing.findings == (LinkFault("A", "A", Doubt.ITSELF),)


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
    standing = fold(entries)
    place = list(standing.states)

    for entry_id, state in standing.states.items():
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


FORGED = st.lists(
    st.builds(
        entry,
        st.sampled_from("ABCDEXY"),
        st.integers(-3, 9),
        supersedes=st.lists(st.sampled_from("ABCDEXY"), max_size=3).map(tuple),
        superseded_by=st.lists(st.sampled_from("ABCDEXY"), max_size=3).map(tuple),
        reinforces=st.lists(st.sampled_from("ABCDEXY"), max_size=3).map(tuple),
        status=st.sampled_from(Status),
        trust=st.just(Trust.UNVERIFIED),
        confidence=st.sampled_from([0.0, 1.0]),
        title=st.just("forged"),
    ),
    max_size=8,
)


@given(ENTRIES, FORGED)
def test_what_does_not_verify_changes_no_state_of_what_does(entries: list[Entry], forged: list[Entry]) -> None:
    """Whatever it says, and whatever id it takes."""
    sure = [member for member in entries if member.trust is not Trust.UNVERIFIED]
    before, after = fold(sure).states, fold([*sure, *forged]).states

    assert {entry_id: after[entry_id] for entry_id in before} == dict(before)


@given(ENTRIES, FORGED)
def test_what_is_quoted_changes_no_state_of_what_is_ours(entries: list[Entry], forged: list[Entry]) -> None:
    """Nor does any link of it, whatever days it claims; only what we say of it ourselves counts."""
    ours = [member for member in entries if member.trust.level == Trust.OWNER.level]
    named = {linked for member in ours for linked in member.superseded_by}
    quoted = [member.model_copy(update={"trust": Trust.QUOTED}) for member in forged if member.id not in named]
    before, after = fold(ours).states, fold([*ours, *quoted]).states

    assert {entry_id: after[entry_id] for entry_id in before} == dict(before)


@table("links", [({"superseded_by": ("B",)}, {}), ({}, {"supersedes": ("A",)})])
def test_what_is_in_review_replaces_nothing(links: tuple[dict[str, object], dict[str, object]]) -> None:
    """Whichever of the two has the link; the doubt says why."""
    earlier, later = entry("A"), entry("B", 1, status=Status.IN_REVIEW)
    standing = fold([earlier.model_copy(update=links[0]), later.model_copy(update=links[1])])

    assert (Status.ACTIVE, Status.IN_REVIEW) == tuple(standing.states[name].status for name in "AB")
    assert [Doubt.IN_REVIEW] == [fault.doubt for fault in standing.findings]


def test_what_is_in_review_stays_so_when_it_is_replaced() -> None:
    """A person decides about it; a livelier copy of it counts."""
    standing = fold([entry("A", status=Status.IN_REVIEW), entry("B", 1, supersedes=("A",))])
    assert (Status.IN_REVIEW, ("B",)) == (standing.states["A"].status, standing.states["A"].superseded_by)
    copies = fold([entry("A", status=Status.IN_REVIEW), entry("A")])
    assert Status.ACTIVE is copies.states["A"].status


def test_what_was_said_to_end_is_archived_after_its_last_day() -> None:
    """On its last day it holds; what was replaced or put away before stays so; without a day to ask about all holds."""
    until = START.date() + timedelta(days=5)
    entries = [
        entry("A", until=until),
        entry("B", until=until),
        entry("C", 1, supersedes=("B",)),
        entry("D", until=until, status=Status.IN_REVIEW),
    ]
    active = {after: [one.id for one in fold(entries, until + timedelta(days=after)).active()] for after in (0, 1)}
    assert {0: ["A", "C"], 1: ["C"]} == active
    later = fold(entries, until + timedelta(days=1)).states
    assert [Status.ARCHIVED, Status.SUPERSEDED, Status.IN_REVIEW] == [later[name].status for name in "ABD"]
    assert fold(entries).states["A"].status is Status.ACTIVE


_IDS = st.sampled_from(("A", "B", "C", "D", "GONE"))
_LINKED = st.builds(
    lambda name, day, status, trust, links: entry(name, day, status=status, trust=trust, **links),
    _IDS.filter(lambda name: name != "GONE"),
    st.integers(0, 5),
    st.sampled_from(Status),
    st.sampled_from(Trust),
    st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(("supersedes", "superseded_by", "reinforces"), st.tuples(_IDS)),
            "corrects": _IDS,
        },
    ),
)


@settings(max_examples=examples(200))
@given(st.lists(_LINKED, max_size=8))
def test_only_links_change_the_state_of_an_entry(entries: list[Entry]) -> None:
    """The fold of the entries with a link and of those that they name is a part of the fold of all."""
    whole, part = fold(entries), fold(find_linked(entries))

    assert (whole.findings, whole.corrected) == (part.findings, part.corrected)
    for name, state in whole.states.items():
        assert state == part.states.get(name, EntryState(state.entry, state.entry.status))
