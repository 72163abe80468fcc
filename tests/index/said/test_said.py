"""What was said is found as it stands in its transcript: cited, with its neighbours, and only as long as it may be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.forget_topic import forget_topic, topic, traces
from pipeline.engine.cutting import cutting
from pipeline.errors import ReadFailed, UnknownPlace
from pipeline.index.said.passages import LONGEST, parts
from pipeline.index.said.request import ALL, SaidAccess
from pipeline.index.said.search import ANSWER_CHARACTERS, ANSWER_JOINED, search_said
from pipeline.index.said.update import TAKEN_OUT
from pipeline.reports.entries import list_entries
from pipeline.scheduling.registry import discover
from pipeline.transcripts.catalog import Catalog
from schemas.requests import SearchRequest
from schemas.settings import Settings, SourceSettings
from schemas.transcript import Session, TranscriptFile
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.plain_redactor import PlainRedactor
from tests.support.tables import table
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
TALK = (
    ("owner", "Where do we keep the heron pictures? " + "I looked in every drawer. " * 25),
    ("assistant", "They are in the bucket called lagoon."),
    ("tool", "heron heron heron"),
    ("owner", "Thanks, move them to the attic later. " + "There is room for more of them. " * 20),
)


@pytest.fixture
def spoken(new_bench: NewBench) -> Spoken:
    """A workspace in which `TALK` was said in one session."""
    bench = new_bench(settings=Settings(timezone="Europe/Warsaw"))
    bench.say(conversation("s1", AT, TALK, zone="Europe/Warsaw", agent="main", project="~/code/shop"))
    return Spoken(bench)


def test_a_hit_shows_the_message_and_those_around_it(spoken: Spoken) -> None:
    """It is cited by session, numbers and local time; no word of a tool is found."""
    assert 3 == spoken.update().passages
    hit = spoken.hits("which bucket is called lagoon")[0]
    assert ("said:s1#2", "2026-03-02T09:01:00+01:00", "assistant") == (hit.at, hit.time.isoformat(), hit.speaker)
    assert (TALK[1][1], "~/code/shop") == (hit.text, hit.project)
    assert hit.before is not None
    assert hit.after is not None
    assert (1, True) == (hit.before.number, hit.before.text.endswith("I looked in every drawer."))
    assert (4, True) == (hit.after.number, hit.after.text.startswith("Thanks, move them to the attic later."))
    assert ["said:s1#1"] == [one.at for one in spoken.hits("heron") if "heron" in one.text]


def test_several_messages_of_a_hit_name_their_speakers(spoken: Spoken) -> None:
    """So that nobody is taken for another; the hit is cited by the one that answers best."""
    talk = [("owner", "Which boat is ours?"), ("assistant", "The one called grebe."), ("owner", "Right.")]
    spoken.bench.say(conversation("s2", AT, talk, zone="Europe/Warsaw"))
    spoken.update()
    hit = spoken.hits("the boat called grebe")[0]
    assert ("said:s2#1-3", 2, "assistant", "The one called grebe.") == (hit.at, hit.number, hit.speaker, hit.snippet)
    assert ["owner: Which boat is ours?", "assistant: The one called grebe.", "owner: Right."] == hit.text.split("\n")


def test_an_address_shows_the_message_among_others(spoken: Spoken) -> None:
    """One before and one after it, and nothing for an address of nothing."""
    spoken.update()
    page = spoken.page("said:s1#2")
    assert ([1, 2, 4], (2, 2)) == ([message.number for message in page.messages], page.message_range)
    for place in ("said:s1#3", "said:s2#1", "said:s1", "said:s1#x"):
        with pytest.raises(UnknownPlace):
            spoken.page(place)


def test_a_page_names_the_messages_that_it_shows(spoken: Spoken) -> None:
    """Of very many only the first ones."""
    spoken.bench.say(conversation("s2", AT, [("owner", "A word.")] * 600))
    spoken.update()
    page = spoken.page("said:s2#2-600")
    assert ("said:s2#2-500", (2, 500), 500) == (page.at, page.message_range, page.messages[-1].number)


def test_as_of_a_day_only_what_was_said_by_then_answers(spoken: Spoken) -> None:
    """The day itself counts, and no other limit is needed."""
    spoken.update()
    requests = [SearchRequest(query="lagoon", as_of=day) for day in (date(2026, 3, 1), date(2026, 3, 2))]
    assert [False, True] == [bool(search_said(spoken.searching, wanted, ALL).hits) for wanted in requests]


def test_only_what_changed_is_put_in(spoken: Spoken) -> None:
    """A session that grew brings its new messages, an unchanged one nothing, and a rewound one loses what was said."""
    spoken.update()
    assert 0 == spoken.update().passages
    more = (*TALK, ("assistant", "Moved the osprey pictures."))
    spoken.bench.say(conversation("s1", AT, more, zone="Europe/Warsaw", agent="main", project="~/code/shop"))
    assert 1 == spoken.update().passages
    assert "said:s1#5" == spoken.hits("osprey")[0].at
    spoken.bench.say(conversation("s1", AT, TALK[:2], zone="Europe/Warsaw", agent="main", project="~/code/shop"))
    spoken.update()
    assert [] == spoken.hits("osprey")
    spoken.bench.source.remove("s1.jsonl")
    assert 1 == spoken.update().gone
    assert [] == spoken.hits("lagoon")


class NotingRedactor(PlainRedactor):
    """A redactor that notes what it looks through."""

    def __init__(self, *secrets: str) -> None:
        super().__init__(*secrets)
        self.seen: list[str] = []

    def redact(self, text: str, before: Sequence[str] = ()) -> str:
        """The text, masked."""
        self.seen.append(text)
        return super().redact(text, before)


def test_only_new_words_are_looked_through(spoken: Spoken) -> None:
    """And those in which something was found before: also when the index is made anew because something goes."""
    engine, redactor = spoken.bench.engine, NotingRedactor("attic")
    pieces = cutting((), engine.settings, engine.ledger, engine.clock)
    spoken.bench.engine = replace(engine, catalog=Catalog([spoken.bench.source], engine.ledger, redactor, pieces))
    spoken.update()
    redactor.seen.clear()
    more = (*TALK, ("assistant", "Moved the osprey pictures."))
    spoken.bench.say(conversation("s1", AT, more, zone="Europe/Warsaw", agent="main", project="~/code/shop"))
    spoken.update()
    texts = {text for _, text in more}
    assert [TALK[3][1], more[-1][1]] == [text for text in redactor.seen if text in texts]
    redactor.seen.clear()
    spoken.bench.say(conversation("s2", AT, [("owner", "Bye.")]))
    spoken.update()
    spoken.bench.source.remove("s2.jsonl")
    assert TAKEN_OUT == spoken.update().rebuilt
    assert [TALK[3][1]] == [text for text in redactor.seen if text in texts]


class DetachedSource(MemorySource):
    """A source on a disk: nothing of it can be `listed`, or its files cannot be `read`, while it is away."""

    away = ""

    def files(self) -> Iterator[TranscriptFile]:
        """The files."""
        if self.away == "listed":
            raise ReadFailed(self.name, "the disk is away")
        return super().files()

    def read(self, path: str) -> Sequence[Session]:
        """The sessions of a file."""
        if self.away:
            raise ReadFailed(path, "the disk is away")
        return super().read(path)


@table("away", ["listed", "read"])
def test_what_could_not_be_read_is_taken_in_later(new_bench: NewBench, away: str) -> None:
    """An index that was made while a disk was away gets its sessions once it is there, though no file has changed."""
    bench = new_bench()
    source, engine = DetachedSource(conversation("s1", AT, TALK)), bench.engine
    pieces = cutting((), engine.settings, engine.ledger, engine.clock)
    bench.engine = replace(engine, catalog=Catalog([source], engine.ledger, PlainRedactor(), pieces))
    spoken = Spoken(bench)
    spoken.update()
    source.away = away
    spoken.indexing.store.drop()
    spoken.update()
    assert (1, []) == (spoken.report.behind, spoken.hits("lagoon"))
    source.away = ""
    spoken.update()
    assert (0, "said:s1#2") == (spoken.report.behind, spoken.hits("lagoon")[0].at)
    assert 0 == spoken.update().read


def test_an_edited_message_answers_by_its_new_words(spoken: Spoken) -> None:
    """Before the next update what stood there is no hit any more, for its text is read from the source."""
    spoken.update()
    edited = (TALK[0], ("assistant", "They are in the bucket called harbour."), *TALK[2:])
    spoken.bench.say(conversation("s1", AT, edited, zone="Europe/Warsaw"))
    spoken.bench.engine.catalog.refresh()
    assert [] == [hit for hit in spoken.hits("lagoon") if "lagoon" in hit.text]
    spoken.update()
    assert ("said:s1#2", []) == (spoken.hits("harbour")[0].at, spoken.hits("lagoon"))


def test_copies_of_a_message_are_one_hit(spoken: Spoken) -> None:
    """Its places stand in `also`; a short answer that is given again is another message."""
    for name in ("s2", "s3", "s4"):
        spoken.bench.say(conversation(name, AT, TALK, zone="Europe/Warsaw"))
    spoken.update()
    (hit, *others) = [hit for hit in spoken.hits("the bucket called lagoon") if "lagoon" in hit.text]
    assert ([], 3) == (others, len(hit.also))


def test_nothing_off_the_record_is_shown(spoken: Spoken) -> None:
    """Also as a neighbour, and when it was indexed before."""
    spoken.update()
    aside = (*TALK, ("owner", "My brother lost his pelican."), ("owner", "That is off the record."))
    spoken.bench.say(conversation("s1", AT, aside, zone="Europe/Warsaw"))
    spoken.update()
    assert [] == spoken.hits("pelican")
    assert "pelican" not in "".join(hit.model_dump_json() for hit in spoken.hits("attic"))
    with pytest.raises(UnknownPlace):
        spoken.page("said:s1#5")


WHEN_GONE = {
    "off the record": (*TALK, ("owner", "My brother lost his pelican."), ("owner", "That is off the record.")),
    "edited": (*TALK, ("owner", "My brother lost nothing.")),
    "taken back": TALK,
    "vanished": None,
}


@pytest.mark.parametrize("now", WHEN_GONE.values(), ids=WHEN_GONE)
def test_a_message_that_goes_leaves_the_files(spoken: Spoken, now: Sequence[tuple[str, str]] | None) -> None:
    """The update that takes it out leaves no term and no byte of it; what stays is found as before."""
    text = conversation("s2", AT, [*TALK, ("owner", "My brother lost his pelican.")], zone="Europe/Warsaw")
    spoken.bench.say(text)
    spoken.update()
    assert spoken.holds("pelican")
    if now is None:
        spoken.bench.source.remove("s2.jsonl")
    else:
        spoken.bench.say(conversation("s2", AT, now, zone="Europe/Warsaw"))
    assert TAKEN_OUT == spoken.update().rebuilt
    assert (False, []) == (spoken.holds("pelican"), spoken.hits("pelican"))
    assert spoken.hits("lagoon")
    assert "" == spoken.update().rebuilt


def test_many_transcripts_are_erased_when_it_is_asked_for(spoken: Spoken) -> None:
    """An update in a hurry says that it owes it; the next one with time does it, though nothing has changed."""
    spoken.bench.say(conversation("s2", AT, [("owner", "My brother lost his pelican.")]))
    spoken.update()
    spoken.bench.source.remove("s2.jsonl")
    first = spoken.update(most=1)
    assert (True, True, []) == (first.owed, spoken.holds("pelican"), spoken.hits("pelican"))
    assert spoken.update(most=1).owed
    later = spoken.update(most=1, erase=True)
    assert (False, TAKEN_OUT, False) == (later.owed, later.rebuilt, spoken.holds("pelican"))


def test_a_long_message_is_one_hit(spoken: Spoken) -> None:
    """Its parts that answer are joined, and what stands between them is left out by a mark."""
    filling = "\n\n".join(f"Paragraph {number} is about nothing that matters here." * 8 for number in range(8))
    text = f"The boat called grebe is green.\n\n{filling}\n\nThe boat called grebe has a motor."
    spoken.bench.say(conversation("s2", AT, [("owner", "Tell me."), ("assistant", text)], zone="Europe/Warsaw"))
    spoken.update()
    (hit, *others) = [one for one in spoken.hits("the boat called grebe") if "grebe" in one.text]
    assert ("said:s2#2", []) == (hit.at, others)
    assert ["green", "motor"] == [word for word in ("green", "motor") if word in hit.text]
    assert ("\n…\n" in hit.text, len(hit.text) <= ANSWER_JOINED) == (True, True)


def test_an_answer_in_many_messages_is_one_hit(spoken: Spoken) -> None:
    """Agents answer between the calls of their tools; the owner's next word begins another."""
    steps = [
        ("assistant", f"Step {number}: the grebe is painted. " + "It takes a while. " * 40) for number in (1, 2, 3)
    ]
    talk = [("owner", "Begin."), *steps, ("owner", "Good."), ("assistant", "The grebe is dry.")]
    spoken.bench.say(conversation("s2", AT, talk, zone="Europe/Warsaw"))
    spoken.update()
    hits = [one for one in spoken.hits("grebe") if "grebe" in one.text]
    assert 2 == len(hits)
    assert 1 == sum("painted" in hit.text for hit in hits)


def test_the_answer_to_a_question_of_the_owner_is_shown(spoken: Spoken) -> None:
    """Of a long one the place that says most of the question, though it came some messages later."""
    long = "Nothing of note. " * 120 + "\n\nThe ferry of the lighthouse leaves at noon.\n\n" + "Nothing of note. " * 120
    asked = "When does the ferry of the lighthouse leave? " + "I never remember it. " * 30
    talk = [("owner", asked), ("assistant", "Let me look."), ("tool", "ferry"), ("assistant", long)]
    spoken.bench.say(conversation("s2", AT, talk, zone="Europe/Warsaw"))
    spoken.update()
    hit = next(one for one in spoken.hits("when does the ferry of the lighthouse leave", k=1))
    assert hit.after is None or "leaves at noon" in f"{hit.text} {hit.after.text}"
    assert hit.after is None or len(hit.after.text) <= ANSWER_CHARACTERS


def test_a_secret_is_masked(new_bench: NewBench) -> None:
    """It is in no byte of the index, and in no hit."""
    bench = new_bench(secrets=("hunter2hunter2",))
    bench.say(conversation("s1", AT, [("owner", "The heron login is hunter2hunter2, keep it.")]))
    spoken = Spoken(bench)
    spoken.update()
    (hit,) = spoken.hits("heron login")
    assert (False, False) == ("hunter2" in hit.model_dump_json(), spoken.holds("hunter2"))


def test_a_topic_is_forgotten_though_only_a_transcript_has_it(spoken: Spoken) -> None:
    """It is counted before, noted in the list, and in no byte of the index then."""
    spoken.update()
    assert spoken.holds("lagoon")
    seen = traces(spoken.bench.engine, topic(["lagoon"]))
    assert ("said:s1#2",) == seen.said
    assert ("said:s1#2",) == forget_topic(spoken.bench.engine, topic(["lagoon"])).said
    assert spoken.erase()
    assert (False, []) == (spoken.holds("lagoon"), spoken.hits("lagoon"))
    assert 0 == spoken.update().passages


def test_a_forgotten_entry_takes_its_message_and_what_repeats_it(new_bench: NewBench) -> None:
    """The quoted message, and the answer that says its words; another message stays."""
    clock, settings = (
        FixedClock(AT + timedelta(days=1)),
        Settings(timezone="Europe/Warsaw", start=AT - timedelta(days=1)),
    )
    bench = new_bench(jobs=discover(), clock=clock, settings=settings)
    said = "Remember: the staging server is called falcon and lives in Gdansk."
    talk = [("owner", said), ("assistant", f"Noted: {said}"), ("owner", "And the weather is fine today.")]
    bench.say(conversation("s1", AT, talk))
    bench.run_due()
    spoken = Spoken(bench)
    spoken.update()
    assert spoken.holds("falcon")
    entry_id = next(place.entry.id for place in list_entries(bench.engine) if "falcon" in place.entry.quote)
    assert ("said:s1#1", "said:s1#2") == forget(bench.engine, entry_id).said
    spoken.erase()
    assert (False, []) == (spoken.holds("falcon"), spoken.hits("falcon"))
    assert "said:s1#3" == spoken.hits("weather")[0].at


def test_a_source_that_is_not_searched_leaves_the_index(new_bench: NewBench) -> None:
    """Also when that is set later: no byte of it is left after the next update."""
    source = SourceSettings(kind="memory", path="talk", name="memory")
    bench = new_bench(settings=Settings(sources=(source,)))
    bench.say(conversation("s1", AT, TALK))
    spoken = Spoken(bench)
    spoken.update()
    assert spoken.hits("lagoon")
    apart = source.model_copy(update={"search": False})
    later = Spoken(bench.reopen(settings=Settings(sources=(apart,))))
    later.update()
    assert (False, []) == (later.holds("lagoon"), later.hits("lagoon"))


@table(
    ("access", "shown"),
    [
        (ALL, True),
        (SaidAccess(("memory",), (), ("~/code/shop",)), True),
        (SaidAccess(("memory:main",), (), ("~/code/shop",)), True),
        (SaidAccess(("memory:other",), (), ("~/code/shop",)), False),
        (SaidAccess(("memory",), ("memory:main",), ("~/code/shop",)), False),
        (SaidAccess(("codex",), (), ("~/code/shop",)), False),
        (SaidAccess(("memory",), (), ("~/code/blog",)), False),
        (SaidAccess(()), False),
    ],
)
def test_who_may_be_shown_it(spoken: Spoken, access: SaidAccess, *, shown: bool) -> None:
    """An agent gets what was said to itself, in its project: neither a hit nor an address of another."""
    spoken.update()
    assert shown == bool(spoken.hits("lagoon", access))
    if not shown:
        with pytest.raises(UnknownPlace):
            spoken.page("said:s1#2", access)


def test_a_paste_of_megabytes_is_cut(spoken: Spoken) -> None:
    """Into parts that are all of it, none of them long, and each is found; a hit is no longer for it."""
    pasted = "x" * 1_000_000 + " the needle is a cormorant. " + "words and words, " * 100_000
    spans = list(parts(pasted))
    assert pasted == "".join(pasted[start:end] for start, end in spans)
    assert max(end - start for start, end in spans) <= LONGEST
    spoken.bench.say(conversation("s2", AT, [("owner", pasted)]))
    spoken.update()
    (hit, *_) = spoken.hits("cormorant")
    assert ("said:s2#1", True) == (hit.at, len(hit.text) <= ANSWER_JOINED)


def test_a_bounded_update_takes_the_newest_first(spoken: Spoken) -> None:
    """The others are counted, and taken by the next one."""
    spoken.update()
    for day in (1, 2, 3):
        spoken.bench.say(conversation(f"d{day}", AT + timedelta(days=day), [("owner", f"The day {day} of the ibis.")]))
    first = spoken.update(most=1)
    assert (1, 2, "said:d3#1") == (first.read, first.behind, spoken.hits("ibis")[0].at)
    assert 0 == spoken.update().behind


SUMMED_UP = (
    ("owner", "Which bucket has the heron pictures?"),
    ("assistant", "The one called lagoon."),
    ("summary", "## Key decisions\n- Heron pictures: bucket lagoon, backups on Sundays.\n- Contact: +48 601 222 333."),
    ("owner", "Right."),
    ("summary", "## Key decisions\n- Heron pictures: bucket lagoon. Backups on Sundays."),
)


def test_a_summary_has_the_trust_of_notes(spoken: Spoken) -> None:
    """With its session, time and number; never joined with words that were said, and one of a session."""
    spoken.bench.say(conversation("s2", AT, SUMMED_UP, zone="Europe/Warsaw"))
    spoken.update()
    notes = [hit for hit in spoken.hits("backups on Sundays of the bucket lagoon") if hit.trust]
    assert [("agent's note", "summary", True)] == [(one.trust, one.speaker, "Sundays" in one.text) for one in notes]
    assert notes[0].at in {"said:s2#3", "said:s2#5"}
    said = [hit for hit in spoken.hits("heron pictures bucket lagoon") if not hit.trust]
    assert said
    assert "summary:" not in "".join(hit.text for hit in said)


def test_a_summary_is_masked_and_shown_with_its_neighbours(new_bench: NewBench) -> None:
    """An address shows it as what it is."""
    spoken = Spoken(new_bench(secrets=("hunter2hunter2",)))
    talk = (*SUMMED_UP[:2], ("summary", "The bucket is lagoon, its password hunter2hunter2."))
    spoken.bench.say(conversation("s2", AT, talk))
    spoken.update()
    page = spoken.page("said:s2#3")
    assert ["assistant", "summary"] == [message.speaker for message in page.messages]
    assert (True, False) == ("lagoon" in page.messages[1].text, "hunter2" in page.text)


RETELLING = {
    "off the record": ("owner", "My brother lost his pelican. That is off the record."),
    "forgotten": ("owner", "My brother lost his pelican."),
}


@pytest.mark.parametrize("why", RETELLING)
def test_a_summary_goes_with_what_it_may_tell_again(spoken: Spoken, why: str) -> None:
    """In other words too; what was summed up before that is found as before."""
    talk = [
        ("owner", "Hello."),
        ("summary", "A greeting with gusto."),
        RETELLING[why],
        ("summary", "A bird is missing."),
    ]
    spoken.bench.say(conversation("s2", AT, talk, zone="Europe/Warsaw"))
    spoken.update()
    if why == "forgotten":
        subject = topic(["pelican"])
        assert "said:s2#3" in traces(spoken.bench.engine, subject).said
        forget_topic(spoken.bench.engine, subject)
        spoken.update()
    assert (["said:s2#2"], []) == ([one.at for one in spoken.hits("gusto")], spoken.hits("missing"))
    with pytest.raises(UnknownPlace):
        spoken.page("said:s2#4")
