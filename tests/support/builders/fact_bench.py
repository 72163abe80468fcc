"""A workspace in which facts are written through the engine, as by a job of the product: the ledger knows them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from hashlib import sha256
from pathlib import Path

from jobs.entity_pages import JOB as ENTITY_PAGES
from jobs.reflect import JOB as REFLECT
from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import due_now, work_through
from pipeline.drafts import BlockDraft, Draft, Skip
from pipeline.engine.runner import Runner
from pipeline.facts.sections import render_fact
from pipeline.job import Document, Inputs, Job, OnRequest, Reads, Refusals, Run, Target
from pipeline.ledger.requests import Request
from pipeline.process.context import ProcessContext
from schemas.fact import Fact, FactKind, FactWord
from schemas.outcome import Ending, Outcome
from schemas.window import Window
from tests.support.builders.job_run import job_run, offline
from tests.support.workspaces.workbench import Workbench

FIRST = date(2026, 2, 1)


def _write(run: Run) -> Sequence[Draft]:
    """The fact of a request; its file begins with the heading, which a person might have written."""
    fact = Fact.model_validate_json(run.request)
    known = {item.name for item in run.inputs.items}
    return [Skip("known")] if fact.id in known else [BlockDraft(fact.id, render_fact(fact), identity=fact.id)]


RETAIN = Job(
    name="write_facts",
    purpose="a fact for each request",
    schedule=OnRequest(),
    reads=Reads(items=("memory/retain/*.md",)),
    writes=Target("memory/retain/{day}.md", append=True, listed=True),
    run=_write,
)
JOBS = (RETAIN, REFLECT, ENTITY_PAGES)


def fact(text: str, *names: str, day: date = FIRST, kind: FactKind = FactKind.WORLD, **fields: object) -> Fact:
    """A fact with an id that follows from its words and its day."""
    made = Fact(
        id=fact_id(f"{day} {text}"),
        kind=kind,
        entities=names,
        text=text,
        word=FactWord.OWNER,
        quote=text,
        session_id="s1",
        numbers=(1, 1),
        day=day,
    )
    return Fact.model_validate(made.model_dump() | fields)


def fact_id(text: str) -> str:
    """An id as facts have it."""
    return f"f-{sha256(text.encode()).hexdigest()[:8]}"


def fact_bench(new_bench: Callable[..., Workbench], jobs: Sequence[Job] = JOBS, **fields: object) -> Workbench:
    """A bench with the folds of facts, and with these fields; facts are written with `retain`."""
    return new_bench(jobs=tuple(jobs), **fields)


def retain(bench: Workbench, *facts: Fact) -> list[Outcome]:
    """Write facts, each into the file of its day, and render what follows."""
    for one in facts:
        put_heading(bench.root, one.day)
        at = datetime.combine(one.day, time(12), UTC)
        request = Request(f"r-{bench.engine.new_run_id(at)}", RETAIN.name, "", one.model_dump_json(), at, at)
        bench.engine.ledger.requests.keep(request)
    return bench.run_due()


def put_heading(root: Path, day: date) -> None:
    """Make the file of a day with the heading of facts."""
    file = root / "memory" / "retain" / f"{day}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_text("## Retain\n")


def lines(bench: Workbench, path: str) -> list[str]:
    """The lines of a page without marks and empty lines."""
    text = bench.pages().get(path, b"").decode()
    return [line.partition(" <!--")[0] for line in text.splitlines() if line.strip()]


def run_of(facts: Sequence[Fact], by_people: Sequence[Document] = (), removed: Collection[str] = ()) -> Run:
    """A run of a fold with these facts."""
    now = datetime(2026, 3, 4, 11, tzinfo=UTC)
    return job_run(
        Window(start=now, end=now),
        offline,
        key="all",
        inputs=Inputs(facts=tuple(facts), by_people=tuple(by_people)),
        refusals=Refusals(removed=frozenset(removed)),
    )


def write_facts(root: Path, *facts: Fact) -> None:
    """Write facts into a workspace of the product, and render what follows."""
    engine = open_engine(root, ProcessContext({}))
    prepare(engine)
    others = (job for job in engine.jobs if job.writes.family != RETAIN.writes.family)
    engine = replace(engine, jobs=(RETAIN, *others))
    for one in facts:
        at = datetime.combine(one.day, time(12), UTC)
        request = Request(f"r-{one.id}", RETAIN.name, "", one.model_dump_json(), at, at)
        put_heading(root, one.day)
        with engine.ledger.store.transaction():
            engine.ledger.requests.keep(request)
    plan = due_now(engine, [job for job in engine.jobs if job is RETAIN or job.reads.facts])
    # Facts alone make no article.
    assert {Ending.DONE, Ending.EMPTY} >= {outcome.ending for outcome in work_through(Runner(engine), plan)}
    engine.ledger.store.close()
