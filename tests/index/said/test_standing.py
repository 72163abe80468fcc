"""Words that were said show when what the memory has of them holds no more, and what took its place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.index.said.get import read_said
from pipeline.index.said.request import ALL
from pipeline.index.said.standing import marked_hits
from pipeline.ledger.changes import BlockState, Change, ChangeKind
from pipeline.markdown.entries import render_entry
from schemas.entry import Entry, Source, Status, Trust, correction_grounds
from schemas.fact import Fact
from schemas.said import SaidHit
from schemas.settings import Settings
from tests.support.builders.facts import stated
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.indexed import Indexed, said
from tests.support.workspaces.spoken import Spoken
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
FEEDER = "The heron feeder runs on port 4217, and the gate of the lake is closed at dusk."
PORT, GATE = "the heron feeder runs on port 4217", "the gate of the lake is closed at dusk"
LATER = "The heron feeder runs on port 4300 from today on."
FISH = "Herons eat fish, and little else. " + "The water is full of them this year. " * 20
QUESTION = "on which port does the heron feeder run?"


def at(session: str, first: int, last: int | None = None) -> Source:
    """Messages of a session."""
    return Source(
        session_id=session, session_path=f"memory:{session}", message_range=(first, last or first), entry_ids=("m",)
    )


@dataclass(frozen=True)
class Talk:
    """What was said, and the memory of it."""

    spoken: Spoken
    memory: Indexed

    def hits(
        self, reader: str | None = None, as_of: date | None = None, question: str = QUESTION
    ) -> dict[str, SaidHit]:
        """The hits of a question by their addresses, as a reader gets them."""
        self.memory.index()
        memory = self.memory.searching.for_reader(reader)
        return {hit.at: hit for hit in marked_hits(self.spoken.searching, memory, self.spoken.hits(question), as_of)}

    @property
    def hit(self) -> SaidHit:
        """The hit of the first message."""
        return self.hits()["said:s1#1"]


@pytest.fixture
def talk(new_bench: Callable[..., Workbench], tmp_path: Path) -> Talk:
    """Two sessions in which the port of a feeder was named, and a memory without entries."""
    bench = new_bench(root=tmp_path / "talk", settings=Settings(timezone="UTC"))
    bench.say(conversation("s1", AT, [("owner", FEEDER), ("assistant", FISH)]))
    bench.say(conversation("s2", AT + timedelta(days=1), [("owner", LATER)]))
    spoken = Spoken(bench)
    spoken.update()
    return Talk(spoken, Indexed(tmp_path / "memory"))


OLD = said("OLD", "2026-03-02", PORT, source=at("s1", 1))
SECOND = said("SECOND", "2026-03-02", GATE, source=at("s1", 1))
NEW = said("NEW", "2026-03-03", LATER, source=at("s2", 1), supersedes=("OLD",))
NEWEST = said("NEWEST", "2026-03-04", "the feeder is sold", source=at("s3", 1), supersedes=("NEW",))
CORRECTION = said(
    "CORRECTION",
    "2026-03-02",
    "It runs on port 4218.",
    source=at("s1", 1),
    corrects="OLD",
    supersedes=("OLD",),
    grounds=correction_grounds(AT + timedelta(days=1)),
)
PART = said("PART", "2026-03-03", LATER, source=at("s2", 1), supersedes_part=("OLD",))
SAME = said("SAME", "2026-03-02", FEEDER, source=at("s1", 1), supersedes=("OLD",))


def but(entry: Entry, **fields: object) -> Entry:
    """An entry with other fields."""
    return entry.model_copy(update=fields)


NOTHING = ("", False, (), ())
STANDINGS: dict[str, tuple[Sequence[Entry], tuple[str, bool, tuple[str, ...], tuple[str, ...]]]] = {
    "nothing came of it": ([], NOTHING),
    "its entry holds": ([OLD], NOTHING),
    "a later entry took its place": ([OLD, NEW], ("superseded", False, ("OLD",), ("NEW",))),
    "one in force stands at the end": ([OLD, NEW, NEWEST], ("superseded", False, ("OLD",), ("NEWEST",))),
    "what took its place was archived": (
        [OLD, but(NEW, status=Status.ARCHIVED)],
        ("superseded", False, ("OLD",), ()),
    ),
    "a person corrected it": ([OLD, CORRECTION], ("superseded", False, ("OLD",), ("CORRECTION",))),
    "a person superseded it": ([but(OLD, status=Status.SUPERSEDED)], ("superseded", False, ("OLD",), ())),
    "a person archived it": ([but(OLD, status=Status.ARCHIVED)], ("archived", False, ("OLD",), ())),
    "it waits for a review": ([but(OLD, status=Status.IN_REVIEW)], ("in_review", False, ("OLD",), ())),
    "a part was replaced": ([OLD, PART], ("superseded", True, ("OLD",), ("PART",))),
    "what replaced a part was replaced": (
        [OLD, PART, but(NEWEST, supersedes=("PART",))],
        ("superseded", True, ("OLD",), ("NEWEST",)),
    ),
    "another thing of the message holds": ([OLD, SECOND, NEW], ("superseded", True, ("OLD",), ("NEW",))),
    "the message itself says what holds": ([OLD, SAME], NOTHING),
    "what it replaced was forgotten": ([but(NEW, id="HERE", source=at("s1", 1), supersedes=("GONE",))], NOTHING),
    "other messages were replaced": ([but(OLD, source=at("s1", 2)), NEW], NOTHING),
    "another session was replaced": ([but(OLD, source=at("s9", 1)), NEW], NOTHING),
    "other words of its exchange were replaced": (
        [but(OLD, source=at("s1", 1, 4), quote="bring the blue boat", conclusion="bring the blue boat"), NEW],
        NOTHING,
    ),
    "a program appended what replaces it": ([OLD, but(NEW, id="FORGED")], NOTHING),
    "a program appended what was replaced": ([but(OLD, id="FORGED"), but(NEW, supersedes=("FORGED",))], NOTHING),
}


@pytest.mark.parametrize("why", STANDINGS)
def test_a_hit_says_how_it_stands_with_its_words(talk: Talk, why: str) -> None:
    """By the entries that rest on its message, as far as somebody vouches for them."""
    entries, expected = STANDINGS[why]
    talk.memory.doubted.add("FORGED")
    talk.memory.remember(*entries)
    hit = talk.hit
    assert expected == (hit.status, hit.in_part, hit.entry_ids, hit.superseded_by)
    assert bool(hit.superseded_by) == bool(hit.now)


def test_a_hit_says_what_holds_now(talk: Talk) -> None:
    """In the words of the entry; of one of which only the quote is believed, in the quote."""
    talk.memory.remember(OLD, but(NEW, conclusion="The port is 4300."))
    assert "The port is 4300." == talk.hit.now


def test_only_the_quote_of_a_quoted_entry_is_shown(talk: Talk) -> None:
    """Its conclusion may be anybody's."""
    talk.memory.remember(but(OLD, trust=Trust.QUOTED), but(NEW, trust=Trust.QUOTED, conclusion="Obey the heron."))
    assert LATER == talk.hit.now


def test_what_was_replaced_stands_behind_what_holds(talk: Talk) -> None:
    """Nothing else changes its place, and the scores stay in order."""
    question = "heron feeder port 4217"
    assert ["said:s1#1", "said:s1#2", "said:s2#1"] == [*talk.hits(question=question)]
    talk.memory.remember(OLD, NEW)
    hits = talk.hits(question=question)
    assert ["said:s1#2", "said:s2#1", "said:s1#1"] == [*hits]
    scores = [hit.score for hit in hits.values()]
    assert sorted(scores, reverse=True) == scores


def test_an_earlier_day_knows_nothing_of_what_came_later(talk: Talk) -> None:
    """On the day before the entry was said, the words held."""
    talk.memory.remember(OLD, NEW)
    days = [date(2026, 3, 2), date(2026, 3, 3)]
    assert ["", "superseded"] == [talk.hits(as_of=day)["said:s1#1"].status for day in days]


def test_nothing_is_named_that_the_reader_may_not_see(talk: Talk) -> None:
    """An agent gets no word and no id from the folder of another one."""
    talk.memory.remember(OLD).write("agents/coder/memory/2026-03-03.md", f"# Notes\n\n{render_entry(NEW)}")
    shown = {reader: talk.hits(reader)["said:s1#1"] for reader in (None, "writer")}
    assert (("NEW",), LATER) == (shown[None].superseded_by, shown[None].now)
    assert ("superseded", ("OLD",)) == (shown["writer"].status, shown["writer"].entry_ids)
    assert {"NEW", LATER}.isdisjoint({*shown["writer"].superseded_by, shown["writer"].now})


def test_copies_of_a_message_are_marked_and_what_is_said_again_is_not(talk: Talk) -> None:
    """A session that an agent copied has the same messages; the same words on a later day are words of that day."""
    bench = talk.spoken.bench
    bench.say(conversation("s0", AT, [("owner", FEEDER)]))
    bench.say(conversation("s5", AT + timedelta(days=9), [("owner", "As ever: the heron feeder runs on port 4217.")]))
    talk.spoken.update()
    first = talk.hits()
    (copied,) = [hit for hit in first.values() if hit.also]
    talk.memory.remember(but(OLD, source=at(copied.also[0][len("said:") : -len("#1")], 1)), NEW)
    hits = talk.hits()
    assert ({"said:s0#1", "said:s1#1"}, "superseded") == ({copied.at, *copied.also}, hits[copied.at].status)
    assert ((), "") == (hits["said:s5#1"].also, hits["said:s5#1"].status)


def test_a_fact_that_was_replaced_marks_its_words(talk: Talk) -> None:
    """By the last of the facts after it; a fact says nothing of words whose entry says it."""
    old = stated("The heron feeder runs on port 4217.", session_id="s1", numbers=(1, 1))
    later = stated(LATER, day=date(2026, 3, 3), session_id="s2", numbers=(1, 1), replaces=(old.id,))
    last: Fact = stated("The feeder is sold.", day=date(2026, 3, 4), session_id="s3", replaces=(later.id,))
    talk.memory.retain(old, later, last)
    hit = talk.hit
    assert ("superseded", (old.id,), (last.id,), last.text) == (hit.status, hit.entry_ids, hit.superseded_by, hit.now)
    talk.memory.remember(OLD)
    assert "" == talk.hit.status


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], ("taken_back", False, ("OLD",))),
        ([SECOND], ("taken_back", True, ("OLD",))),
        ([but(OLD, id="AGAIN")], ("", False, ())),
        ([but(OLD, id="AGAIN"), but(NEW, supersedes=("AGAIN",))], ("superseded", False, ("AGAIN",))),
    ],
)
def test_what_an_undo_took_out_is_marked(
    talk: Talk, entries: Sequence[Entry], expected: tuple[str, bool, tuple[str, ...]]
) -> None:
    """Unless another entry says the same of the message: then that one counts."""
    changes = talk.spoken.bench.engine.ledger.changes
    change = Change("r1", "memory/2026-03-02.md", ChangeKind.CREATE, render_entry(OLD).encode(), {"OLD": "identity"})
    changes.settle(changes.intend(change), ["OLD"])
    changes.set_state(change.path, "OLD", BlockState.UNDONE)
    talk.memory.write("memory/projects/lake.md", "A lake.\n").remember(*entries)
    hit = talk.hit
    assert expected == (hit.status, hit.in_part, hit.entry_ids)


def test_a_page_marks_its_messages(talk: Talk) -> None:
    """Those that were asked for, and their neighbours, above their text."""
    talk.memory.remember(OLD, NEW).index()
    page = read_said(talk.spoken.searching, talk.memory.searching, "said:s1#2", ALL)
    assert ["superseded", ""] == [message.status for message in page.messages]
    assert "#1 2026-03-02 08:00 owner [replaced by NEW]\n" in page.text
    assert "assistant\n" in page.text


def test_the_words_beside_a_hit_are_marked(talk: Talk) -> None:
    """The hit itself is not: it says something else."""
    talk.memory.remember(OLD, NEW)
    hit = talk.hits(question="what do herons eat?")["said:s1#2"]
    assert hit.before is not None
    assert ("", ("NEW",)) == (hit.status, hit.before.superseded_by)


def test_without_an_index_nothing_is_known(talk: Talk) -> None:
    """Hits are as they were."""
    hits = talk.spoken.hits(QUESTION)
    assert hits == list(marked_hits(talk.spoken.searching, talk.memory.searching, hits))
