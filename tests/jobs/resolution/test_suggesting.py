"""What is not sure enough is suggested; what a person accepts is an entry like any other."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from jobs.resolution.drafting import MODEL_LINE, OFFLINE_LINE
from jobs.resolution.resolving import accept, resolve
from pipeline.drafts import Draft, EntryDraft, Notice, Skip, SuggestionDraft
from pipeline.job import OFFLINE, Inputs, Models, Refusals, Run, WrittenFiles
from schemas.entry import Entry, Kind, Trust
from schemas.extraction import Candidate, DoubtedCandidate, WordsDoubt
from schemas.suggestion import AcceptedEntry, suggestion_id
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run, offline
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=3))
LINES = {OFFLINE: OFFLINE_LINE, "a-model": MODEL_LINE}
TALK = conversation("s", START, [("owner", "the boat leaves at 8"), ("owner", "the train to Gdynia leaves at 9")])


def run(*sessions: Session, way: str = OFFLINE, entries: Sequence[Entry] = (), request: str = "") -> Run:
    """A run over the window."""
    models, written = Models(offline, way), WrittenFiles(tuple(entries))
    return job_run(WINDOW, models=models, inputs=Inputs(sessions), written=written, request=request)


def candidate(quote: str, number: int, confidence: float) -> Candidate:
    """A decision."""
    return Candidate(
        kind=Kind.DECISION, title=quote, quote=quote, quote_number=number, conclusion=quote, confidence=confidence
    )


def suggestion(drafts: Sequence[Draft]) -> SuggestionDraft:
    """The only one."""
    [only] = [draft for draft in drafts if isinstance(draft, SuggestionDraft)]
    return only


def entry_in(draft: SuggestionDraft) -> Entry:
    """The entry that a suggestion is about."""
    assert isinstance(draft.about, Entry)
    return draft.about


@table("way", LINES)
def test_the_line_depends_on_who_read(way: str) -> None:
    """What reaches it is an entry, what does not a suggestion, with the reason and without links."""
    proposals = [
        (TALK, candidate("the boat leaves at 8", 1, LINES[way])),
        (TALK, candidate("the train to Gdynia leaves at 9", 2, LINES[way] - 0.01)),
    ]
    drafts = resolve(run(TALK, way=way), proposals)
    assert [EntryDraft, SuggestionDraft] == [type(draft) for draft in drafts]
    assert ("below_the_line", ()) == (suggestion(drafts).reason, entry_in(suggestion(drafts)).supersedes)


def test_a_routine_session_only_suggests() -> None:
    """However sure."""
    routine = TALK.model_copy(update={"routine": True})
    drafts = resolve(run(routine), [(routine, candidate("the boat leaves at 8", 1, 1.0))])
    assert "routine" == suggestion(drafts).reason


def test_what_stands_is_not_suggested() -> None:
    """Nor the same again, in one message or nearly so in one session; an entry goes before, whatever came first."""
    talk = conversation("s", START, [("owner", "the boat leaves at 8"), ("owner", "well, the boat leaves at 8")])
    unsure = candidate("the boat leaves at 8", 1, 0.0)
    drafts = resolve(run(talk), [(talk, unsure), (talk, unsure), (talk, candidate("the boat leaves at 8", 2, 0.9))])
    assert [EntryDraft, Skip, Skip] == [type(draft) for draft in drafts]
    drafts = resolve(run(talk), [(talk, unsure), (talk, candidate("the boat leaves at 8", 2, 0.0))])
    assert [SuggestionDraft, Skip] == [type(draft) for draft in drafts]


def test_what_was_declined_is_not_written_either() -> None:
    """The same words at the same place, however sure a later reader is; the same words elsewhere are said again."""
    waits = suggestion(resolve(run(TALK), [(TALK, candidate("the boat leaves at 8", 1, 0.1))]))
    again = conversation("s-2", START, [("owner", "the boat leaves at 8")])
    proposals = [(talk, candidate("the boat leaves at 8", 1, 0.9)) for talk in (TALK, again)]
    declined = Refusals(declined=lambda identity: identity == waits.identity)
    entry, skip = resolve(replace(run(TALK, again), refusals=declined), proposals)
    assert isinstance(entry, EntryDraft)
    assert ("s-2", Skip("declined")) == (entry.entry.source.session_id, skip)


def test_an_accepted_one_is_linked_like_any_other() -> None:
    """It replaces an earlier entry, gets a free id, and a person is sure of it."""
    known, later = (
        conversation(name, START + timedelta(days=day), [("owner", text)])
        for name, day, text in (
            ("a", -9, "the deposit for the cabins is 20 percent"),
            ("b", 0, "the deposit for the cabins is changed to 30 percent"),
        )
    )
    before = run(known).window.model_copy(update={"start": START - timedelta(days=10)})
    text = known.messages[0].text
    [old] = resolve(
        job_run(before, offline, now=WINDOW.end, inputs=Inputs((known,))),
        [(known, candidate(text, 1, 0.9))],
    )
    assert isinstance(old, EntryDraft)
    waits = suggestion(resolve(run(later), [(later, candidate(later.messages[0].text, 1, 0.1))]))
    taken = old.entry.model_copy(update={"id": entry_in(waits).id, "trust": Trust.UNVERIFIED})
    request = AcceptedEntry(entry=entry_in(waits), identity=waits.identity).model_dump_json()
    written, *_ = accept(run(entries=[old.entry, taken], request=request))
    assert isinstance(written, EntryDraft)
    assert ((old.entry.id,), 1.0) == (written.entry.supersedes, written.entry.confidence)
    assert written.entry.id.startswith(f"{entry_in(waits).id}-")
    [again] = accept(run(entries=[old.entry, written.entry], request=request))
    assert isinstance(again, Skip)


@table(
    ("field", "words", "reason"),
    [
        ("conclusion", "The boat leaves at 9.", "unsaid_value: 9"),
        ("why", "it takes 40 minutes", "unsaid_value: 40"),
        ("impact", "be there on Friday", "unsaid_value: Friday"),
        ("finding", "boats run from 05:10", "unsaid_value: 05:10"),
    ],
)
def test_a_value_that_nobody_said_waits_for_a_person(field: str, words: str, reason: str) -> None:
    """Whatever field of a model's answer has it; the reason names it."""
    worded = candidate("the boat leaves at 8", 1, 1.0).model_copy(update={field: words})
    assert reason == suggestion(resolve(run(TALK, way="a-model"), [(TALK, worded)])).reason
    assert [EntryDraft] == [type(draft) for draft in resolve(run(TALK), [(TALK, worded)])]  # read without a model


def test_a_title_with_a_value_that_nobody_said_is_made_anew() -> None:
    """It only names what the conclusion says, and costs nothing else."""
    said = candidate("the boat leaves at 8", 1, 1.0).model_copy(
        update={"title": "The boat to Hel", "why": "it is fast"}
    )
    [draft] = resolve(run(TALK, way="a-model"), [(TALK, said)])
    assert isinstance(draft, EntryDraft)
    assert ("the boat leaves at 8", "it is fast") == (draft.entry.title.lower(), draft.entry.why)


def test_what_was_perhaps_taken_back_is_suggested_besides() -> None:
    """Whatever its confidence, it waits, and the run has a line that names the suggestion."""
    doubted = DoubtedCandidate(**candidate("the boat leaves at 8", 1, 0.95).model_dump(), doubt=WordsDoubt.TAKEN_BACK)
    drafts = resolve(run(TALK), [(TALK, doubted)])
    waiting = suggestion(drafts)
    [notice] = [draft for draft in drafts if isinstance(draft, Notice)]
    assert waiting.reason == "perhaps_taken_back"
    words = f"perhaps taken back: message 1 of session s; suggestion {suggestion_id(waiting.identity)[:8]}"
    assert notice.text == words
