"""All candidates of a run, resolved in the order of their messages."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from jobs.resolution.resolving import correct, resolve
from pipeline.drafts import Draft, EntryDraft, Skip, StatusDraft
from pipeline.entries.provenance import identity
from pipeline.job import Answer, Inputs, Refusals, Task, WrittenFiles
from schemas.correction import CorrectedWords, CorrectionRequest
from schemas.entry import Entry, Kind, Status, Trust, correction_grounds
from schemas.extraction import Candidate
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
END = START + timedelta(days=30)
RULE = "access logs are kept for 30 days on the archive node"


def nobody(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    """Resolving asks nobody."""
    raise AssertionError(tasks)


def resolved(
    proposals: Sequence[tuple[Session, Candidate]],
    entries: Sequence[Entry] = (),
    forgotten: frozenset[str] = frozenset(),
    end: datetime = END,
    now: datetime = END,
) -> list[Draft]:
    """The drafts of a run over a month, or up to an earlier `end`."""
    window = Window(start=START, end=end)
    run = job_run(window, now=now, written=WrittenFiles(tuple(entries)), refusals=Refusals(forgotten))
    return resolve(run, proposals)


def said(text: str, session: Session, number: int = 1, **fields: object) -> tuple[Session, Candidate]:
    """A rule that the owner stated with exactly these words."""
    base = Candidate(kind=Kind.RULE, title=text, quote=text, quote_number=number, conclusion=text, confidence=0.8)
    return session, base.model_copy(update=fields)


def session(session_id: str, *texts: str, day: int = 0) -> Session:
    """A session in which the owner says the texts."""
    return conversation(session_id, START + timedelta(days=day), [("owner", text) for text in texts])


def written(drafts: Sequence[Draft]) -> list[Entry]:
    """The entries among the drafts."""
    return [draft.entry for draft in drafts if isinstance(draft, EntryDraft)]


FIRST = session("one", RULE)
[KNOWN] = written(resolved([said(RULE, FIRST)]))


def test_a_draft_carries_its_identity() -> None:
    """It is that of the quoted message and span."""
    [draft] = resolved([said(RULE, FIRST)])

    assert isinstance(draft, EntryDraft)
    assert draft.identity == identity("one", ("one-1",), (0, len(RULE)))


def test_a_day_that_none_follows_is_no_end() -> None:
    """A model writes it for what has no end: the entry is written without one."""
    drafts = resolved([said(RULE, FIRST, until=date.max)])

    assert [None] == [entry.until for entry in written(drafts)]
    assert Skip("unsaid_until") in drafts


def test_a_correction_never_has_the_id_of_what_its_entry_corrects() -> None:
    """Even when a person has deleted that from its file, and goes back to its words."""
    entry_id = KNOWN.id
    corrected = KNOWN.model_copy(
        update={"id": "RULE-20260302-other", "corrects": entry_id, "grounds": correction_grounds(START)}
    )
    words = CorrectedWords(title=KNOWN.title, conclusion=KNOWN.conclusion, quote=KNOWN.quote)
    wanted = CorrectionRequest(corrects=corrected.id, words=words, at=END, trust=Trust.OWNER, identity="ab" * 24)
    window = Window(start=START, end=END)
    run = job_run(window, written=WrittenFiles((corrected,)), request=wanted.model_dump_json())

    [entry] = written(correct(run))

    assert entry_id != entry.id
    assert entry.id.startswith(entry_id)


def test_the_same_again_is_known() -> None:
    """An entry in the files is not written twice, whatever the model calls it now."""
    assert resolved([said(RULE, FIRST, title="Another title")], [KNOWN]) == [Skip("known")]


def test_words_that_also_stand_in_a_paste_are_known() -> None:
    """The entry and the claim mean the owner's place of them."""
    rule = "invoices are kept for 30 days in the north office"
    pasted = session("one", f"> {rule}\n\nRule: {rule}")
    [known] = written(resolved([said(rule, pasted)]))

    assert resolved([said(rule, pasted)], [known]) == [Skip("known")]


def test_what_people_deleted_stays_deleted() -> None:
    """Also in a session that goes on from the one where it was said."""
    place = identity("one", ("one-1",), (0, len(RULE)))
    child = FIRST.model_copy(update={"session_id": "two", "parent": "one"})

    assert resolved([said(RULE, FIRST), said(RULE, child)], (), frozenset({place})) == [Skip("forgotten")] * 2


@table("name", ["copy", "one-1"])
def test_a_record_that_repeats_a_message_is_known_and_stays_forgotten(name: str) -> None:
    """An earlier version took it for a message of its own, and may have quoted it."""
    message = FIRST.messages[0].model_copy(update={"aliases": ("copy",)})
    talk = FIRST.model_copy(update={"messages": (message, *FIRST.messages[1:])})
    known = KNOWN.model_copy(update={"source": KNOWN.source.model_copy(update={"entry_ids": (name,)})})
    gone = frozenset({identity("one", (name,), (0, len(RULE)))})

    assert resolved([said(RULE, talk)], [known]) == [Skip("known")]
    assert resolved([said(RULE, talk)], (), gone) == [Skip("forgotten")]


def without_id(given: Session, entry_id: str = "line1-5d1f0a93c7e4") -> Session:
    """The session with a first record that has no id of its own."""
    first = given.messages[0].model_copy(update={"entry_ids": (entry_id,)})
    return given.model_copy(update={"messages": (first, *given.messages[1:])})


@table("quoted", [RULE, RULE.removeprefix("access "), RULE.removesuffix(" node")])
def test_what_an_earlier_version_forgot_stays_away(quoted: str) -> None:
    """It is known by its session, line and span; a quote a little longer or shorter is the same. No other is banned."""
    span = (RULE.index(quoted), RULE.index(quoted) + len(quoted))
    gone = frozenset({identity("one", ("line1",), span)})
    stranger = without_id(session("two", f"so {RULE}"), "line1-000000000000")

    assert resolved([said(RULE, without_id(FIRST))], (), gone) == [Skip("forgotten")]
    assert len(written(resolved([said(f"so {RULE}", stranger)], (), gone))) == 1


def test_a_copy_of_a_record_without_an_id_is_the_same_moment_and_words() -> None:
    """Of an entry that an earlier version wrote: at another moment, the same line of another session is its own."""
    [known] = written(resolved([said(RULE, without_id(FIRST, "line1"))]))
    copy = without_id(FIRST.model_copy(update={"session_id": "two"}))
    later = without_id(session("three", RULE, day=1))

    assert resolved([said(RULE, without_id(FIRST))], [known]) == [Skip("known")]
    assert resolved([said(RULE, copy)], [known]) == [Skip("repeated")]
    [again] = written(resolved([said(RULE, later)], [known]))
    assert again.reinforces == (known.id,)


def test_history_repeated_in_another_session_is_not_written_twice() -> None:
    """After a resume a new file may repeat the records of the old one."""
    copy = FIRST.model_copy(update={"session_id": "two"})

    assert resolved([said(RULE, copy)], [KNOWN]) == [Skip("repeated")]


def test_a_record_of_another_kind_is_no_copy() -> None:
    """Any file may name its records as another agent does; of two sources of one kind it may be the same session."""
    window, kinds = Window(start=START, end=END), {"memory": "codex", "moved": "codex", "foreign": "gemini_cli"}
    for source, drafts in (("moved", 0), ("gone", 0), ("foreign", 1)):
        path = KNOWN.source.model_copy(update={"session_path": f"{source}:one.jsonl", "session_id": "two"})
        known = KNOWN.model_copy(update={"source": path})
        run = job_run(window, inputs=Inputs(kinds=kinds), written=WrittenFiles((known,)))
        assert len(written(resolve(run, [said(RULE, FIRST)]))) == drafts


def test_overlapping_quotes_are_one_thing() -> None:
    """Another reading that takes a word less is no new entry."""
    assert resolved([said("kept for 30 days", FIRST)], [KNOWN]) == [Skip("near_duplicate")]


SAUNA = "The sauna is for guests of cabin 4 alone."


@table(("first", "second"), [(RULE, SAUNA), (SAUNA, RULE)])
def test_two_things_in_one_message_are_two_entries(first: str, second: str) -> None:
    """Their quotes may touch, but share nothing."""
    talk = session("one", f"{RULE}{SAUNA}")
    known = written(resolved([said(first, talk)]))

    assert [second] == [entry.quote for entry in written(resolved([said(second, talk)], known))]


@table(("first", "second"), [(f"{RULE}{SAUNA}", SAUNA), (f"{RULE}{SAUNA}", RULE), (RULE, f"e{SAUNA}")])
def test_quotes_that_share_a_letter_are_one_thing(first: str, second: str) -> None:
    """However little they have in common: the words were written down."""
    talk = session("one", f"{RULE}{SAUNA}")
    known = written(resolved([said(first, talk)]))

    assert resolved([said(second, talk)], known) == [Skip("near_duplicate")]


def test_the_opposite_is_no_duplicate() -> None:
    """A word that denies what was said a minute ago is its own entry."""
    talk = session("one", RULE, RULE.replace("are kept", "are not kept"))
    known = written(resolved([said(RULE, talk)]))

    assert len(written(resolved([said(talk.messages[1].text, talk, 2)], known))) == 1


def test_what_does_not_verify_keeps_nothing_out() -> None:
    """A block that another process wrote beforehand, of the same words or nearly so, is no reason to write nothing."""
    forged = KNOWN.model_copy(update={"id": "RULE-20260302-forged", "trust": Trust.UNVERIFIED})

    assert len(written(resolved([said(RULE, FIRST)], [forged]))) == 1


def test_nearly_equal_words_in_one_session_are_one_thing() -> None:
    """In another session they are an entry of their own that reinforces."""
    again = f"yes, {RULE}!"
    here, there = session("one", RULE, again), session("two", again, day=1)

    assert resolved([said(again, here, 2)], [KNOWN]) == [Skip("near_duplicate")]
    [entry] = written(resolved([said(again, there)], [KNOWN]))
    assert entry.reinforces == (KNOWN.id,)


def test_another_number_is_no_duplicate() -> None:
    """A correction a minute later replaces what it corrects."""
    corrected = RULE.replace("30", "40")
    both = session("one", RULE, corrected)

    old, new = written(resolved([said(RULE, both), said(corrected, both, 2)]))

    assert new.supersedes == (old.id,)


def test_two_accepted_proposals_with_the_same_yes_are_two_things() -> None:
    """A short word says nothing by itself; what it accepts does."""
    turns = [
        ("assistant", "Postgres for the queue?"),
        ("owner", "yes"),
        ("assistant", "Weekly invoices?"),
        ("owner", "yes"),
    ]
    talk = conversation("s", START, turns)
    fields: dict[str, object] = {"quote": "yes", "confirmation": "accepted"}
    one = said("Postgres holds the queue", talk, 2, support_numbers=(1,), **fields)
    two = said("Invoices go out every week", talk, 4, support_numbers=(3,), **fields)

    assert len(written(resolved([one, two]))) == 2


def test_one_title_twice_on_a_day_gives_two_ids() -> None:
    """The later message gets the suffix, in whatever order they come."""
    one = said("kept in Frankfurt", session("a", "kept in Frankfurt"), title="Backups")
    two = said("never on the office disk", session("b", "never on the office disk", day=0), title="Backups")

    ids = [entry.id for entry in written(resolved([two, one]))]

    assert ids == [entry.id for entry in written(resolved([one, two]))]
    assert ids[0] == "RULE-20260302-backups"
    assert ids[1].startswith("RULE-20260302-backups-")


def test_settled_files_learn_what_was_superseded() -> None:
    """The line of an entry older than yesterday is brought up to date; a younger one's is left alone."""
    new = said(RULE.replace("30", "14"), session("two", RULE.replace("30", "14"), day=1))
    midnight = datetime(2026, 3, 4, tzinfo=UTC)

    late = resolved([new], [KNOWN], end=midnight + timedelta(microseconds=1))
    soon = resolved([new], [KNOWN], end=midnight)

    [entry] = written(late)
    assert late[1:] == [StatusDraft(KNOWN.id, Status.SUPERSEDED, (entry.id,))]
    assert [type(draft) for draft in soon] == [EntryDraft]


def test_the_clock_settles_nothing() -> None:
    """A back-fill years later writes what the run of the day would have written; the zone tells the day."""
    new = said(RULE.replace("30", "14"), session("two", RULE.replace("30", "14"), day=1))
    end = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)

    years_later = resolved([new], [KNOWN], end=end, now=END + timedelta(days=2000))
    further_east = resolved([new], [KNOWN], end=end, now=END.astimezone(ZoneInfo("Europe/Warsaw")))

    assert [type(draft) for draft in years_later] == [EntryDraft]
    assert [type(draft) for draft in further_east] == [EntryDraft, StatusDraft]


def test_what_a_person_archived_stays() -> None:
    """No line of it is touched."""
    archived = KNOWN.model_copy(update={"status": Status.ARCHIVED})
    new = said(RULE.replace("30", "14"), session("two", RULE.replace("30", "14"), day=2))

    [draft] = resolved([new], [archived], end=START + timedelta(days=20))

    assert isinstance(draft, EntryDraft)
    assert draft.entry.supersedes == ()


def test_an_entry_holds_again_when_its_successor_is_gone() -> None:
    """A person who deletes the newer rule wants the older one."""
    stale = KNOWN.model_copy(update={"status": Status.SUPERSEDED, "superseded_by": ("RULE-20260303-gone",)})

    assert resolved([], [stale], end=START + timedelta(days=9)) == [StatusDraft(KNOWN.id, Status.ACTIVE)]


def test_no_match_gives_nothing() -> None:
    """No draft at all, so no file is touched."""
    assert resolved([], [KNOWN]) == []
