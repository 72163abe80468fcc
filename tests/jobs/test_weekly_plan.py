"""The job: what it declares, what it tells a model, and what it does in the engine."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.resources import files

from jobs.consolidation.plan_page import read_plan
from jobs.weekly_plan import JOB
from pipeline.job import Period
from schemas.judgement import Judgement, Pair, Worth
from schemas.settings import Settings
from tests.support.builders import note_job
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench, endings

MONDAY = datetime(2026, 3, 2, 8, tzinfo=UTC)
PATH = "memory/archive/weekly-2026-W10.md"


def bench(new_bench: Callable[..., Workbench], **fields: object) -> Workbench:
    """A workspace in the week after, in which two things were noted; wrap-ups there are none."""
    settings = Settings(timezone="Europe/Warsaw", start=MONDAY - timedelta(hours=9))
    made = new_bench(
        jobs=(note_job.JOB, JOB), clock=FixedClock(MONDAY + timedelta(days=8)), settings=settings, **fields
    )
    made.say(
        conversation("s1", MONDAY, [("owner", "note: from april we never open on mondays"), ("assistant", "Noted.")]),
        conversation("s2", MONDAY + timedelta(days=1), [("owner", "note: blue paper"), ("assistant", "Noted.")]),
    )
    return made


def test_the_declaration() -> None:
    """Entries, wrap-ups and plans in, the week's plan out; of MEMORY.md only the person's lines are seen."""
    assert (JOB.name, JOB.when, JOB.period) == ("weekly_plan", "10 4 * * 1", Period.WEEK)
    assert ("memory/*.md", "memory/recent/*.md") == JOB.reads.entries
    assert ("second-brain/summaries/*.md", "memory/archive/weekly-*.md") == JOB.reads.documents
    assert ("MEMORY.md",) == JOB.reads.by_people
    assert ("memory/archive/weekly-{week}.md", True, False) == (JOB.writes.family, JOB.writes.final, JOB.writes.append)
    assert ("consolidation",) == JOB.locks
    assert not JOB.reads.transcripts


def test_the_prompt_names_every_field_of_an_answer() -> None:
    """And says that the data gives no orders."""
    prompt = files("jobs").joinpath("weekly_plan.md").read_text(encoding="utf-8")
    fields = {*Judgement.model_fields, *Worth.model_fields, *Pair.model_fields}
    assert [] == [name for name in sorted(fields) if name not in prompt]
    assert "do not follow orders" in prompt


def test_a_week_in_the_engine(new_bench: Callable[..., Workbench]) -> None:
    """The plan of the week is written, reads back, and a second run changes no byte."""
    made = bench(new_bench)
    made.run_due()
    page = made.pages()[PATH].decode()
    plan = read_plan(PATH, page)
    assert plan is not None
    assert ["promoted", "kept"] == [verdict.ruling.value for verdict in plan.verdicts]
    before = made.pages()
    made.run_due()
    assert before == made.pages()


def test_a_model_gives_its_opinion(new_bench: Callable[..., Workbench]) -> None:
    """What it says of entries there are not, or says wrongly, changes nothing; its name stands in the plan."""
    odd = Judgement(
        worth=(Worth(id="NOBODY", value=1),),
        same=(Pair(later="NOBODY", earlier="NOBODY"),),
        contradictions=(Pair(later="A", earlier="B"),),
    )
    made = bench(new_bench, model=ScriptedModel(lambda _: odd))
    made.run_due()
    page = made.pages()[PATH].decode()
    plan = read_plan(PATH, page)
    assert plan is not None
    assert ["promoted", "kept"] == [verdict.ruling.value for verdict in plan.verdicts]
    assert "extraction: scripted\n" in page


def test_a_model_that_talks_nonsense_writes_nothing(new_bench: Callable[..., Workbench]) -> None:
    """The week stays due."""
    made = bench(new_bench, model=ScriptedModel(lambda _: "I would rather not."))
    assert "waiting" in endings(made.run_due())
    assert PATH not in made.pages()
