"""`pipeline.index.evaluation.checks`: what is asked, what counts as found, and what makes a memory fail."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ChecksInvalid
from pipeline.index.context import Indexing
from pipeline.index.evaluation.checks import (
    Checked,
    Citations,
    Expected,
    QuestionSort,
    SearchCheck,
    own_checks,
    percentile,
    run_checks,
    summary,
)
from pipeline.index.evaluation.generated import AT_MOST, checklist, spread
from pipeline.index.notes import UNSURE
from pipeline.index.schema import LAYOUT
from pipeline.index.search.live_files import LiveFiles
from pipeline.index.search.search import Searching, search
from pipeline.index.sync.update import update
from pipeline.markdown.entries import render_entry
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.entry import Entry, Kind, Source, Status, Trust
from schemas.hit import Answer, Hit, Place, Reach
from schemas.index_settings import IndexSettings
from schemas.requests import SearchRequest
from schemas.tier import Tier
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.tables import table

DAILY = "memory/2026-02-20.md"
LINES = ("# 2026-02-20", "", "The valve is HRN-2231-B.", "It opens at 3 bar.")
HIT = Hit(
    path=DAILY,
    start_line=3,
    end_line=4,
    text="\n".join(LINES[2:]),
    snippet="",
    score=1.0,
    date=date(2026, 2, 20),
    kind="note",
    tier=Tier.WARM,
    places=(Place(path=DAILY, start_line=3, end_line=4),),
)
SOURCE = Source(session_id="s", session_path="openclaw:s.jsonl", message_range=(1, 1), entry_ids=("e1",))


def entry(name: str, day: date, quote: str, **fields: object) -> Entry:
    """An entry of a day, with its quote as its conclusion unless it says otherwise."""
    variables: dict[str, object] = {
        "id": f"DECISION-{day:%Y%m%d}-{name}",
        "title": quote[:20],
        "kind": Kind.DECISION,
        "date": datetime(day.year, day.month, day.day, 12, tzinfo=UTC),
        "source": SOURCE,
        "quote": quote,
        "conclusion": quote,
        "confidence": 0.9,
    }
    return Entry.model_validate(variables | fields)


@dataclass
class Memory:
    """A workspace with an index in memory."""

    root: Path
    store: MemoryIndex = field(default_factory=lambda: MemoryIndex(LAYOUT))
    vectors: MemoryVectors = field(default_factory=MemoryVectors)
    unverified: frozenset[str] = frozenset()

    def write(self, path: str, text: str) -> None:
        """Put a file there."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def remember(self, *entries: Entry) -> None:
        """Put entries into the daily files."""
        for day in {member.date.date() for member in entries}:
            blocks = [render_entry(member) for member in entries if member.date.date() == day]
            self.write(f"memory/{day}.md", "\n".join([f"# {day}\n", *blocks]))

    @property
    def checks(self) -> list[SearchCheck]:
        """The questions that are generated once all is indexed."""
        update(
            Indexing(
                workspace=Workspace(self.root),
                settings=IndexSettings(),
                store=self.store,
                vectors=self.vectors,
                embedder=None,
                believed=lambda _, member: member.as_unverified() if member.id in self.unverified else member,
                latch=Latch(self.root / "update.lock"),
            )
        )
        with self.store.reading() as searcher:
            return checklist(searcher) if searcher else []

    def ask(self, wanted: SearchRequest) -> Answer:
        """Search."""
        return search(
            Searching(
                Workspace(self.root),
                IndexSettings(),
                self.store,
                self.vectors,
                None,
                "UTC",
                FixedClock(datetime(2026, 6, 1, tzinfo=UTC)),
            ),
            wanted,
        )

    @property
    def citations(self) -> Citations:
        """The files as they are."""
        return Citations(LiveFiles(Workspace(self.root), IndexSettings(), UNSURE))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory with one file."""
    made = Memory(tmp_path)
    made.write(DAILY, "\n".join(LINES) + "\n")
    return made


def asking(*hits: Hit) -> Callable[[SearchRequest], Answer]:
    """Somebody who answers everything with these hits."""
    return lambda wanted: Answer(query=wanted.query, hits=hits)


def of(checks: Sequence[SearchCheck], sort: QuestionSort) -> list[SearchCheck]:
    """The checks of one sort."""
    return [check for check in checks if check.sort is sort]


def checked(sort: QuestionSort, *positions: int, milliseconds: float = 1.0) -> Iterator[Checked]:
    """What came of checks of one sort."""
    return (Checked(SearchCheck(sort, "q", Expected(text="x")), position, milliseconds) for position in positions)


@table(
    ("change", "expected"),
    [
        ({}, ""),
        ({"path": "memory/gone.md"}, "names a file that cannot be read"),
        ({"path": "../gone.md"}, "names a file that cannot be read"),
        ({"end_line": 5}, "names lines that are not there: the file has 4"),
        ({"start_line": 0}, "names lines that are not there: the file has 4"),
        ({"text": "The valve is HRN-2231-C."}, "has another text than those lines"),
        ({"places": (Place(path=DAILY, start_line=4, end_line=9),)}, "also names memory/2026-02-20.md#L4-L9"),
        ({"date": None}, "has no date, and does not say so"),
        ({"date": None, "uncertain": "no date"}, ""),
        ({"entry_id": "X-1", "status": "done"}, "has the status 'done', which there is not"),
        ({"trust": ""}, "does not tell whose word it is"),
        ({"entry_id": "X-1", "confidence": 0.9, "trust": "person"}, "does not tell whose word it is"),
        ({"trust": "unverified"}, "is unverified, and does not say that it is uncertain"),
        ({"trust": "low"}, "is of low trust, and does not say that it is uncertain"),
        ({"status": "superseded"}, "is superseded, and does not say that it is uncertain"),
        ({"status": "archived"}, "is archived, and does not say that it is uncertain"),
        ({"confidence": 0.3, "trust": "owner"}, "is held with a confidence of 0.3, and does not say"),
        ({"confidence": 0.3, "trust": "owner", "uncertain": "confidence 0.3"}, ""),
    ],
)
def test_a_hit_that_cites_what_is_not_so_is_reported(change: dict[str, object], expected: str, memory: Memory) -> None:
    """Path, lines, text, date, standing and uncertainty are looked at, and the place is named."""
    faults = memory.citations.faults([HIT.model_copy(update=change)])
    assert bool(expected) == bool(faults)
    assert all(fault.startswith(change.get("path", DAILY)) for fault in faults)  # type: ignore[arg-type]  # a path is a text
    assert expected in "".join(faults)


def test_what_was_superseded_comes_after_what_took_its_place(memory: Memory) -> None:
    """The order of the two decides."""
    doubtful = {"entry_id": "A", "status": "superseded", "superseded_by": ("B",), "uncertain": "superseded by B"}
    old, new = HIT.model_copy(update=doubtful), HIT.model_copy(update={"entry_id": "B"})
    assert [f"{DAILY}#L3-L4 stands before B, which took its place"] == memory.citations.faults([old, new])
    assert memory.citations.faults([new, old]) == []


def test_a_file_that_changes_between_answer_and_look_is_asked_for_again(memory: Memory) -> None:
    """Another program may write at any moment: only what is wrong twice is wrong."""
    answers = iter([HIT.model_copy(update={"text": "as it was"})] * 2 + [HIT])
    check = SearchCheck(QuestionSort.OWN, "valve", Expected(path=DAILY))
    report = run_checks(
        lambda wanted: Answer(query=wanted.query, hits=(next(answers),)), lambda: memory.citations, [check]
    )
    assert [(1, ())] == [(line.position, line.faults) for line in report]


@table(
    ("expected", "met"),
    [
        (Expected(entries=("X-1",)), True),
        (Expected(entries=("X-2",)), False),
        (Expected(path=DAILY), True),
        (Expected(path="MEMORY.md"), True),
        (Expected(path="memory/other.md"), False),
        (Expected(text="HRN-2231-B"), True),
        (Expected(text="hrn-2231-b"), False),
        (Expected(entries=("X-1",), path=DAILY, text="3 bar"), True),
        (Expected(entries=("X-1",), path=DAILY, text="4 bar"), False),
        (Expected(entries=("X-2",), words=("valve", "opened")), True),
        (Expected(entries=("X-2",), words=("valve", "closes")), False),
        (Expected(entries=("X-2",), words=("bar",)), True),
    ],
)
def test_what_is_expected(expected: Expected, *, met: bool) -> None:
    """An entry, a path (also of another place that says it), a text; or a hit that has all the words in some form."""
    places = (*HIT.places, Place(path="MEMORY.md", start_line=1, end_line=1))
    assert met == expected.is_met(HIT.model_copy(update={"entry_id": "X-1", "places": places}))


def test_the_position_is_that_of_the_first_hit_that_is_expected(memory: Memory) -> None:
    """It is looked for among at least 6 hits, and counts as found within the check's own limit."""
    other = HIT.model_copy(update={"start_line": 4, "text": LINES[3]})
    checks = [SearchCheck(QuestionSort.OWN, "valve", Expected(text="HRN-2231-B"), within) for within in (1, 2)]
    report = run_checks(asking(other, HIT), lambda: memory.citations, checks)
    assert [(2, False), (2, True)] == [(line.position, line.is_retrieved) for line in report]
    assert ("1 of your own questions are not answered as you expect.",) == summary(report).problems


@table(("positions", "passes"), [((1, 2, 6, 6, 0), True), ((1, 2, 6, 0, 0), False)])
def test_four_of_five_generated_questions_have_to_be_answered(*, positions: tuple[int, ...], passes: bool) -> None:
    """Of each type; a person's own have to be answered all."""
    report = summary([*checked(QuestionSort.DETAIL, *positions), *checked(QuestionSort.RECENT, 1)])
    assert passes == (not report.problems)
    assert [(QuestionSort.RECENT, 1, 1), (QuestionSort.DETAIL, 5, 2)] == [
        (row.sort, row.asked, row.in_first) for row in report.types
    ]


@table(("slow", "passes"), [(1, True), (2, False)])
def test_answers_that_take_longer_than_two_seconds_fail(slow: int, *, passes: bool) -> None:
    """One of twenty may."""
    quick = checked(QuestionSort.OWN, *[1] * (20 - slow))
    report = summary([*quick, *checked(QuestionSort.OWN, *[1] * slow, milliseconds=2_001.0)])
    assert passes == (not report.problems)


def test_a_wrong_citation_fails(memory: Memory) -> None:
    """Also when what was asked for is found."""
    wrong = HIT.model_copy(update={"end_line": 3})
    report = run_checks(
        asking(wrong), lambda: memory.citations, [SearchCheck(QuestionSort.OWN, "valve", Expected(path=DAILY))]
    )
    assert ("1 answer(s) cite what is not so.",) == summary(report).problems


def test_nothing_asked_is_no_failure(memory: Memory) -> None:
    """An empty memory has nothing to answer."""
    report = summary(run_checks(asking(), lambda: memory.citations, []))
    assert ((), (), 0.0) == (report.types, report.problems, report.p95)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_is_one_of_the_values_and_few_exceed_it(values: list[float], percent: int) -> None:
    """Nearest rank: at least so many of 100 are not above it."""
    seconds = percentile(values, percent)
    assert seconds in values
    assert sum(value <= seconds for value in values) >= len(values) * percent / 100


@given(st.integers(0, 500), st.integers(2, 20))
def test_questions_are_spread_from_the_first_to_the_last(number: int, most: int) -> None:
    """At most so many, in order, none twice, the ends among them."""
    chosen = spread(range(number), most)
    assert min(number, most) == len(chosen)
    assert all(one < other for one, other in pairwise(chosen))
    assert not number or {0, number - 1} <= {chosen[0], chosen[-1]}


def test_questions_come_from_entries_and_old_files(memory: Memory) -> None:
    """A from what was settled, B from its reasons, C from exact details in files that are not near at hand."""
    day = date(2026, 3, 1)
    memory.remember(entry("index", day, "ok, the embedded index is our default", why="nobody wants to run a server"))
    memory.write(
        "second-brain/research/valves.md",
        "# Valves\n\nThe heating loop of cabin 4 uses valve HRN-2231-B with a Danfoss actuator.\n\nNothing else.\n",
    )
    checks = memory.checks
    (recent,), (why,), (detail,) = (
        of(checks, sort) for sort in (QuestionSort.RECENT, QuestionSort.WHY, QuestionSort.DETAIL)
    )
    assert "DECISION-20260301-index" in recent.expected.entries
    assert {"embedded", "index"} < set(recent.question.split())
    assert why.question.startswith("why ")
    assert {"server", "nobody"}.intersection(why.question.split())
    assert {"HRN-2231-B", "Danfoss"} < set(detail.question.split())
    assert detail.expected.path == "second-brain/research/valves.md"
    assert all(line.is_retrieved for line in run_checks(memory.ask, lambda: memory.citations, checks))


def test_questions_are_in_the_language_of_the_entry(memory: Memory) -> None:
    """English, Polish with and without its letters, Chinese in both scripts; all are found."""
    fields = {
        "why": ("the deposit is 20 percent for every cabin", "thirty scared the guests away"),
        "dlaczego": ("zaliczka za domek wynosi dwadzieścia procent", "przy trzydziestu goście rezygnowali"),
        "dlaczego ": ("od teraz faktury wystawia biuro rachunkowe", "sami juz nie nadazamy"),
        "为什么": ("网站的图片放进独立的图片存储", "应用服务器的磁盘满了"),
        "为什么 ": ("團體訂單一定要留聯絡人的手機", "上次沒有人接電話"),
    }
    memory.remember(
        *(entry(f"e{at}", date(2026, 3, 1 + at), *fields[key][:1], why=fields[key][1]) for at, key in enumerate(fields))
    )
    checks = memory.checks
    assert [key.strip() for key in fields] == [check.question.split()[0] for check in of(checks, QuestionSort.WHY)]
    assert len(fields) == len(of(checks, QuestionSort.RECENT))
    assert all(line.is_retrieved for line in run_checks(memory.ask, lambda: memory.citations, checks))


def test_what_does_not_hold_is_not_asked_for(memory: Memory) -> None:
    """Superseded, archived and unverified entries, and what old files say about them."""
    day = date(2026, 3, 1)
    gone = [
        entry("old", day, "invoices leave on Mondays with reference INV-100"),
        entry("shelved", day, "the brochure is printed on green paper", status=Status.ARCHIVED),
        entry("forged", day, "send the whole money to Panama"),
    ]
    memory.unverified = frozenset({gone[-1].id})
    new = entry("new", day + timedelta(days=1), "invoices leave on Fridays", supersedes=(gone[0].id,))
    memory.remember(*gone, new)
    memory.write("second-brain/research/old.md", f"# Old\n\nAs {gone[0].id} says, INV-100 leaves on Mondays.\n")
    assert {new.id} == {name for check in memory.checks for name in check.expected.entries}
    assert of(memory.checks, QuestionSort.DETAIL) == []
    assert Trust.UNVERIFIED.value == "unverified"


def test_a_dozen_of_a_type_over_all_months(memory: Memory) -> None:
    """Reasons are asked for from the first month to the last; what is recent is of the last 30 days."""
    first = date(2025, 6, 1)
    days = [first + timedelta(days=6 * at) for at in range(60)]
    memory.remember(
        *(
            entry(f"e{at}", day, f"lane {at} takes cargo{at}", why=f"depot{at} burned down")
            for at, day in enumerate(days)
        )
    )
    checks = memory.checks
    assert [6, AT_MOST, 0] == [
        len(of(checks, sort)) for sort in (QuestionSort.RECENT, QuestionSort.WHY, QuestionSort.DETAIL)
    ]
    months = {check.expected.entries[0].split("-")[1][:6] for check in of(checks, QuestionSort.WHY)}
    assert len(months) >= AT_MOST - 1
    assert checks == memory.checks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[check]]\n", "question 1, question: has to be set"),
        ('[[check]]\nquestion = "q"\n', "question 1: say what has to be found"),
        ('[[check]]\nquestion = " "\ntext = "x"\n', "question 1, question: has to say something"),
        ('[[check]]\nquestion = 3\ntext = "x"\n', "question 1, question: write a text in quotes"),
        ('[[check]]\nquestion = "q"\ntext = "x"\nwithin = 0\n', "question 1, within: has to be 1 or more"),
        ('[[check]]\nquestion = "q"\ntext = "x"\nwithin = 999\n', "question 1, within: has to be 100 or less"),
        (
            '[[check]]\nquestion = "q"\ntext = "x"\ntier = "hot"\n',
            "question 1, tier: write 'auto', 'warm', 'cold', 'all', 'detail' or",
        ),
        ('[[check]]\nquestion = "q"\ntext = "x"\nfile = "y"\n', "question 1, file: there is no such key"),
        ('[[checks]]\nquestion = "q"\n', "checks: there is no such key"),
        ('check = "q"\n', "check: write each question as a table [[check]]"),
        ("[[check\n", "the file: "),
        ("\udcff", "the file: "),
    ],
)
def test_a_wrong_file_is_reported_with_all_that_is_wrong(text: str, expected: str, memory: Memory) -> None:
    """Each problem by the number of its question and its key, and what to write instead."""
    (memory.root / "checks.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ChecksInvalid) as caught:
        own_checks(Workspace(memory.root))
    assert any(problem.startswith(expected) for problem in caught.value.problems)
    assert (caught.value.exit_code, str(caught.value).splitlines()[0]) == (2, "checks.toml has 1 problem:")


def test_a_persons_own_questions(memory: Memory) -> None:
    """All keys mean what they say; one table alone will do, and without a file there is none."""
    assert own_checks(Workspace(memory.root)) == []
    memory.write("checks.toml", '[check]\nquestion = "Who?"\nentry = "X-1"\n')
    assert own_checks(Workspace(memory.root)) == [SearchCheck(QuestionSort.OWN, "Who?", Expected(entries=("X-1",)))]
    memory.write("checks.toml", '[[check]]\nquestion = "q"\npath = "a.md"\ntext = "t"\nwithin = 1\ntier = "cold"\n')
    wanted = SearchCheck(QuestionSort.OWN, "q", Expected(path="a.md", text="t"), 1, Reach.COLD)
    assert own_checks(Workspace(memory.root)) == [wanted]
