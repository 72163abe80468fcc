"""The job in the engine: pages on disk, late messages, edits, deletions, volumes and lost transcripts."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jobs.daily_wrapup import JOB
from pipeline.ports.engine import Question
from schemas.evidence import EvidenceKind, RecordEvidence, Todo
from schemas.session_answer import SessionAnswer
from schemas.summary import Merged, Part, Point
from schemas.transcript import Session
from tests.support.builders import note_job
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]

DAY = date(2026, 3, 2)
PAGE = "second-brain/summaries/2026-03-02-wrapup.md"
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
EVENING = MORNING + timedelta(hours=12)


JOBS = (note_job.JOB, JOB)


def talk(*said: str, session_id: str = "b83e6f14-aa") -> Session:
    """What the owner says that morning, a message a minute; all of it stands in the agent's list in the end."""
    session = conversation(session_id, MORNING, [("owner", text) for text in said], zone="Europe/Warsaw")
    return with_todos(session, *said)


def with_todos(session: Session, *todos: str) -> Session:
    """The session with a list of the agent's, at its last message."""
    last = session.messages[-1]
    items = tuple(Todo(text=text) for text in todos)
    listed = RecordEvidence(kind=EvidenceKind.TODOS, number=last.number, time=last.time, todos=items)
    return session.model_copy(update={"evidence": (listed,)})


def lines(bench: Workbench, path: str = PAGE) -> list[str]:
    """The page without its marks."""
    text = bench.pages()[path].decode()
    return [re.sub(r" <!-- memory:.*-->", "", line) for line in text.splitlines() if line]


def bullets(bench: Workbench, path: str = PAGE) -> list[str]:
    """The words of the list items, without the sessions by their first words."""
    items = [line for line in lines(bench, path) if line.startswith("- ") and " of yours, " not in line]
    texts = [re.sub(r" \((\[DECISION|session ).*", "", line) for line in items]
    return [text.removeprefix("- ").removeprefix("agent: ") for text in texts]


def doubt(session_id: str) -> Session:
    """A session that leaves something open."""
    return conversation(session_id, MORNING, [("owner", "who pays?")], zone="Europe/Warsaw")


def edit(bench: Workbench, pattern: str, new: str) -> None:
    """What a person does to the page."""
    file = bench.root / PAGE
    text, count = re.subn(pattern, new, file.read_text(encoding="utf-8"))
    assert 1 == count
    file.write_text(text, encoding="utf-8")


def test_a_night_writes_the_page_of_the_day(new_bench: NewBench) -> None:
    """With the decisions that were written that day, after them; a second run changes nothing."""
    bench = new_bench(jobs=JOBS)
    bench.say(talk("note: everything is in UTC", "Buy flour"))

    bench.run_due()

    [decision] = [line for line in lines(bench) if "DECISION" in line]
    assert re.fullmatch(
        r"- everything is in UTC \(\[DECISION-20260302-\w+\]\(\.\./\.\./memory/2026-03-02\.md\); "
        r"session b83e6f14-aa, message 1\)",
        decision,
    )
    assert ["everything is in UTC", "note: everything is in UTC", "Buy flour"] == bullets(bench)
    before = bench.pages()
    assert [] == bench.run_due()
    bench.backfill(DAY, DAY)
    assert before == bench.pages()


def test_days_without_people_have_no_page(new_bench: NewBench) -> None:
    """And nothing is left due by them."""
    bench = new_bench(jobs=JOBS)
    bench.say(conversation("m", MORNING, [("owner", "report")], machine=True))

    assert {"empty"} == set(endings(bench.run_due()))
    assert {} == bench.pages()


def test_a_late_message_renders_the_page_again_around_a_persons_edits(new_bench: NewBench) -> None:
    """What they changed stays, what they added stays in its place, what they deleted does not come back."""
    bench = new_bench(jobs=JOBS)
    bench.say(talk("Buy flour", "Buy yeast", "Buy salt"))
    bench.run_due()
    edit(bench, "agent: Buy flour", "Buy rye flour")
    edit(bench, r"- agent: Buy yeast.*\n", "- mine\n")

    bench.say(talk("Buy flour", "Buy yeast", "Buy salt", "Buy oil"))
    bench.run_due()

    assert ["Buy rye flour", "mine", "Buy salt", "Buy oil"] == bullets(bench)
    assert "actions: 3" in lines(bench)


def test_nothing_is_lost_with_a_transcript(new_bench: NewBench) -> None:
    """Agents delete theirs; the page stays as it is when the day is done again, with or without something new."""
    bench = new_bench(jobs=JOBS)
    bench.say(talk("Buy flour"), talk("Sell cake", session_id="c0ffee00-bb"))
    bench.run_due()
    before = bench.pages()

    bench.source.remove("b83e6f14-aa.jsonl")
    bench.source.remove("c0ffee00-bb.jsonl")
    bench.backfill(DAY, DAY)
    assert before == bench.pages()

    bench.say(talk("Sell cake", "Sell bread", session_id="c0ffee00-bb"))
    bench.run_due()
    assert ["Buy flour", "Sell bread", "Sell cake"] == sorted(bullets(bench))
    assert 'sessions: ["c0ffee00-bb", "b83e6f14-aa"]' in lines(bench)


def test_a_day_without_its_transcript_has_the_page_of_its_entries(new_bench: NewBench, tmp_path: Path) -> None:
    """The page names the session that nobody could read; when the transcript is back, it is like any other page."""
    bench, whole = (new_bench(jobs=JOBS, root=tmp_path / name, clock=FixedClock(EVENING)) for name in ("a", "b"))
    gone, here = talk("note: everything is in UTC", "Buy flour"), talk("Sell cake", session_id="c0ffee00-bb")
    for one in (bench, whole):
        one.say(gone, here)
        one.run_due()
        one.clock.move(timedelta(days=1))
    bench.source.remove("b83e6f14-aa.jsonl")
    bench.source.remove("c0ffee00-bb.jsonl")

    bench.run_due()
    assert ["everything is in UTC"] == bullets(bench)
    assert "sessions: []" in lines(bench)
    [note] = [line for line in lines(bench) if line.startswith("The transcripts of")]
    assert note.endswith(": b83e6f14-aa.")

    bench.say(here)
    bench.run_due()
    assert ["everything is in UTC", "Sell cake"] == bullets(bench)
    assert note in lines(bench)

    bench.say(gone)
    bench.run_due()
    whole.run_due()
    assert whole.pages()[PAGE] == bench.pages()[PAGE]


def test_a_day_without_transcript_and_without_entry_of_ours_has_no_page(new_bench: NewBench, tmp_path: Path) -> None:
    """What another program appended to the daily file is no entry of the day."""
    bench, forger = (new_bench(jobs=JOBS, root=tmp_path / name, clock=FixedClock(EVENING)) for name in ("a", "b"))
    forger.say(talk("note: everything is in UTC"))
    forger.run_due()
    daily = bench.root / "memory/2026-03-02.md"
    bench.run_due()
    daily.parent.mkdir(exist_ok=True)
    daily.write_bytes((forger.root / "memory/2026-03-02.md").read_bytes())

    bench.clock.move(timedelta(days=1))

    assert {"empty"} == set(endings(bench.run_due()))
    assert PAGE not in bench.pages()


def test_a_long_day_goes_on_in_volumes(new_bench: NewBench) -> None:
    """No file is longer than it may be, and nothing is left out."""
    small = replace(JOB, writes=replace(JOB.writes, lines=60))
    bench = new_bench(jobs=(small,))
    said = [f"Buy flour of type {number}" for number in range(150)]
    bench.say(*(talk(*said[first : first + 10], session_id=f"s{first}") for first in range(0, 150, 10)))

    bench.run_due()

    pages = sorted(bench.pages())
    assert 3 <= len(pages)
    assert all(page.count(b"\n") <= 70 for page in bench.pages().values())
    assert sorted(said) == sorted(bullet for path in pages for bullet in bullets(bench, path))
    before = bench.pages()
    bench.backfill(DAY, DAY)
    assert before == bench.pages()


def test_a_model_answers_and_is_named(new_bench: NewBench) -> None:
    """Its points stand with their sources; what it asks for beyond the day is rejected, and the outcome says so."""

    def answer(question: Question) -> SessionAnswer | Merged:
        if question.name == "daily_wrapup_merge":
            return Merged()
        good = Point(part=Part.LOOP, text="Nobody knows who pays", numbers=(1,))
        return SessionAnswer(points=(good, Point(part=Part.NEXT, text="Obey", numbers=(77,))))

    bench = new_bench(jobs=(JOB,), model=ScriptedModel(answer))
    bench.say(doubt("s"), doubt("t"))

    outcomes = bench.run_due()

    assert ["Nobody knows who pays"] * 2 == bullets(bench)
    assert "extraction: scripted" in lines(bench)
    assert ["outside_session"] * 2 == [rejection.reason for outcome in outcomes for rejection in outcome.rejected]


def test_a_number_outside_costs_only_itself(new_bench: NewBench) -> None:
    """A point that names a message of the talk, and one that is nowhere, stands on the first."""
    point = Point(part=Part.LOOP, text="Nobody knows who pays", numbers=(1, 77))
    bench = new_bench(jobs=(JOB,), model=ScriptedModel(lambda _question: SessionAnswer(points=(point,))))
    bench.say(doubt("s"))

    outcomes = bench.run_due()

    assert ["Nobody knows who pays"] == bullets(bench)
    assert [()] * len(outcomes) == [outcome.rejected for outcome in outcomes]


@pytest.mark.parametrize("secret", ["hunter2", "correct horse"])
def test_no_secret_gets_onto_the_page(new_bench: NewBench, secret: str) -> None:
    """What rests on one is left out."""
    bench = new_bench(jobs=JOBS, secrets=(secret,))
    bench.say(talk(f"The password is {secret}", "Buy flour"))

    bench.run_due()

    assert ["Buy flour"] == bullets(bench)
    assert not any(secret.encode() in page for page in bench.pages().values())


def test_a_day_is_a_local_day(new_bench: NewBench) -> None:
    """What is said after midnight in Warsaw is of the next day, though it is not yet midnight in UTC."""
    bench = new_bench(jobs=JOBS)
    for name, day, text in (("s", 1, "Buy flour"), ("t", 2, "Buy yeast")):
        session = conversation(name, datetime(2026, 3, day, 23, 30, tzinfo=UTC), [("owner", text)])
        bench.say(with_todos(session, text))

    bench.run_due()

    assert ["Buy flour"] == bullets(bench)
    assert ["Buy yeast"] == bullets(bench, PAGE.replace("02-wrapup", "03-wrapup"))


def test_years_later_the_page_is_the_same(new_bench: NewBench, tmp_path: Path) -> None:
    """Nothing in it depends on when it is written."""
    pages = []
    for days in (0, 400):
        bench = new_bench(jobs=JOBS, root=tmp_path / str(days))
        bench.say(talk("note: everything is in UTC", "Buy flour"))
        bench.clock.move(timedelta(days=days))
        bench.backfill(DAY, DAY)
        pages.append(bench.pages())

    assert pages[0] == pages[1]
    assert PAGE in pages[0]
