"""Which model sees which text: no word of one source is seen by the model of another one, unless the owner says so."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import BaseModel

from jobs.daily_wrapup import JOB as WRAPUP
from jobs.micro_sync import JOB as SYNC
from jobs.retain import JOB as RETAIN
from jobs.weekly_plan import JOB as PLAN
from pipeline.backfill.plan import in_days, work_through
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.engine.runner import Runner
from pipeline.job import OFFLINE
from pipeline.model.question import Readers
from pipeline.ports.engine import Question
from pipeline.reports.entries import list_entries
from schemas.extraction import Candidate
from schemas.judgement import Judgement
from schemas.links import LinkAnswer
from schemas.outcome import Outcome
from schemas.session_answer import SessionAnswer
from schemas.settings import Settings
from schemas.summary import Merged, Part, Point
from schemas.transcript import Origin
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 2, 8, tzinfo=UTC)
OWN = {"claude_code": "claude", "codex": "codex"}
WORDS = {"claude_code": "zebra", "codex": "quagga", "other": "walrus"}
"""A word of each source that no other source has."""
LASTS = ("30", "14", "7")
KINDS = {"session", "daily_wrapup_merge", "weekly_plan", "micro_sync_links"}


def reads(question: Question) -> BaseModel:
    """Keeps whatever the owner says, and finds nothing to join."""
    if question.name != "session":
        return {"daily_wrapup_merge": Merged(), "weekly_plan": Judgement()}.get(question.name, LinkAnswer())
    shown = read_shown(question.input)
    said = [one for one in shown.messages if one.number >= shown.first_new and one.origin is Origin.OWNER]
    return SessionAnswer(
        candidates=tuple(
            Candidate.model_validate(
                {"kind": "rule", "title": one.text, "quote": one.text, "quote_number": one.number}
                | {"conclusion": one.text, "confirmation": "stated", "confidence": 0.9}
            )
            for one in said
        ),
        points=tuple(Point(part=Part.TECHNICAL, text=one.text, numbers=(one.number,)) for one in said),
    )


class TwoPrograms:
    """A week of talk in some sources, and the programs claude and codex."""

    def __init__(self, new_bench: NewBench, sources: dict[str, str], rest: str = OFFLINE, mixed: str = OFFLINE) -> None:
        self.models = {name: ScriptedModel(reads, name) for name in ("claude", "codex")}
        self.names = tuple(sources)
        own = {name: program for name, program in sources.items() if program != "undecided"}
        clock = FixedClock(START + timedelta(days=20))
        folders = tuple(MemorySource(name=name) for name in sources)
        self.bench = new_bench(
            jobs=(SYNC, WRAPUP, RETAIN, PLAN),
            clock=clock,
            settings=Settings(timezone="UTC"),
            source=folders[0],
            others=folders[1:],
            parted=Readers(dict(self.models), "claude", rest, own, mixed),
        )
        for folder in folders:
            word = WORDS[folder.name]
            for day, days in enumerate(LASTS):
                for place, text in enumerate(
                    (f"The {word} log is kept for {days} days", f"Lint the {word} part first")
                ):
                    at = START + timedelta(days=day, hours=place, minutes=self.names.index(folder.name))
                    said = [("owner", text), ("assistant", "Noted.")]
                    folder.put(conversation(f"{folder.name}-{day}-{place}", at, said))

    def run(self, parallel: int) -> list[Outcome]:
        """All of two weeks, asked ahead or not."""
        engine, first = self.bench.engine, START.date()
        engine.catalog.refresh()
        plan = in_days(engine, engine.jobs, first, first + timedelta(days=13))
        if not parallel or self.bench.parted is None:
            return list(work_through(Runner(engine), plan, again=True))
        with Prefetching(engine, self.bench.parted, plan, Limits(parallel)) as ahead:
            return list(work_through(Runner(ahead.engine), plan, again=True, before=ahead.before))

    def seen(self, program: str) -> dict[str, set[str]]:
        """The sources whose word a program has seen, by the name of the question."""
        seen = dict[str, set[str]]()
        for question in self.models[program].questions:
            sent = question.instructions + question.input
            seen.setdefault(question.name, set()).update(name for name in self.names if WORDS[name] in sent)
        return seen

    def kept(self) -> set[str]:
        """The sources of which something was written down."""
        return {place.entry.source.session_path.partition(":")[0] for place in list_entries(self.bench.engine)}


@pytest.mark.parametrize("parallel", [0, 2])
def test_a_program_sees_its_own_sources_alone(new_bench: NewBench, parallel: int) -> None:
    """In no question about sessions, days, weeks and links, asked ahead or not; all is read all the same."""
    both = TwoPrograms(new_bench, OWN)
    both.run(parallel)
    expected = {source: {kind: {source} for kind in KINDS} for source in OWN}
    assert expected == {source: both.seen(program) for source, program in OWN.items()}
    assert {*OWN} == both.kept()


def test_mixed_text_goes_where_the_owner_says(new_bench: NewBench) -> None:
    """Sessions are read by their own program; what rests on several is seen by the named one, and only there."""
    both = TwoPrograms(new_bench, OWN, mixed="claude")
    both.run(0)
    mixed = {kind: {*OWN} for kind in KINDS - {"session"}}
    assert {"session": {"claude_code"}} | mixed == both.seen("claude")
    assert {"session": {"codex"}} == {name: seen for name, seen in both.seen("codex").items() if seen}
    assert {"session"} == both.seen("codex").keys()


@pytest.mark.parametrize("mixed", [OFFLINE, "claude"])
def test_a_source_that_nobody_allowed_is_read_without_a_model(new_bench: NewBench, mixed: str) -> None:
    """Also where mixed text may be seen; the run says so, and how to allow it."""
    both = TwoPrograms(new_bench, OWN | {"other": "undecided"}, mixed=mixed)
    warned = {outcome.warning for outcome in both.run(0)} - {""}
    assert {source for name in both.models for seen in both.seen(name).values() for source in seen} == {*OWN}
    [warning] = warned
    assert warning.startswith("no model may see the words of other, which were read without one")
    assert "memory/2026-03-02.md" in both.bench.pages()


def test_a_source_that_the_owner_keeps_from_models_is_no_news(new_bench: NewBench) -> None:
    """Nothing is said of it, and no model sees it."""
    both = TwoPrograms(new_bench, {"claude_code": "claude", "codex": OFFLINE}, rest="claude")
    assert {""} == {outcome.warning for outcome in both.run(0)}
    assert {"claude_code"} == {source for seen in both.seen("claude").values() for source in seen}
    assert {} == both.seen("codex")
