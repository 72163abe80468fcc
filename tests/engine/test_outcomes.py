"""How runs end: each way recorded, with its exit code."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from pipeline.backfill.plan import exit_code
from pipeline.drafts import Draft, EntryDraft, ItemDraft
from pipeline.engine.partitioning.clocked import Clocked
from pipeline.engine.runner import Runner
from pipeline.errors import (
    BudgetSpent,
    FileAway,
    Held,
    Interrupted,
    ModelUnavailable,
    RegistryRefused,
    UnknownJob,
    WriteFailed,
)
from pipeline.events import Event
from pipeline.job import EveryNth, Job, Reads, Run, Schedule, Target, Task
from pipeline.ports.engine import Question, Reply
from pipeline.process.cancellation import CancellationToken
from pipeline.process.logging import LEVEL_OF
from pipeline.scheduling.registry import check_jobs, discover, jobs_named, upstream, with_upstream
from schemas.outcome import Ending
from schemas.settings import ModelSettings, Settings
from schemas.window import Window
from tests.support.builders.cadence_jobs import ALL as CADENCES
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
WITH_MODEL = Settings(
    timezone="Europe/Warsaw", start=START, model=ModelSettings(base_url="http://127.0.0.1:9", name="m")
)


class Busy(Held):
    """A subclass ends as its class does."""


class HeldBack(ModelUnavailable):
    """The same of another."""


class Nothing(BaseModel):
    """An answer without content."""


class SilentModel:
    """A `LanguageModel` that is down."""

    name = background = "silent"

    def answer(self, question: Question) -> Reply:
        """Never."""
        raise ModelUnavailable(self.name, f"no answer to {question.name}")


def asking(run: Run) -> Sequence[Draft]:
    """The `note` job, which asks first."""
    run.models.ask([Task("t", "p", Nothing(), Nothing, Nothing, frozenset())])
    return JOB.run(run)


def failing(error: BaseException) -> Job:
    """A job that ends like this."""

    def run(_: Run) -> Sequence[Draft]:
        raise error

    return replace(JOB, run=run)


def talk(bench: Workbench, count: int = 1) -> Workbench:
    """A note in each of `count` windows."""
    bench.say(conversation("s1", MORNING, [("owner", f"note: {n}") for n in range(count)], step=timedelta(hours=6)))
    return bench


def test_a_model_that_is_down_is_waited_for(new_bench: NewBench) -> None:
    """Nothing is written, the time stays due; later, with the model back, all is done."""
    asker = replace(JOB, run=asking)
    bench = talk(new_bench(jobs=(asker,), settings=WITH_MODEL, model=SilentModel()), 2)
    outcomes = bench.run_due()
    assert ["waiting"] == [ending for ending in endings(outcomes) if ending != "empty"]  # and then left alone
    assert 4 == exit_code([outcome.ending for outcome in outcomes])
    assert {} == bench.pages()
    after = new_bench(jobs=(asker,), settings=WITH_MODEL, source=bench.source)
    assert 2 == endings(after.run_due()).count("done")


def test_after_long_enough_the_offline_way_is_taken(new_bench: NewBench) -> None:
    """Only then; the outcome says so and warns."""
    bench = talk(new_bench(jobs=(replace(JOB, run=asking),), settings=WITH_MODEL, model=SilentModel()))
    bench.run_due()
    bench.clock.move(timedelta(hours=47))
    assert "waiting" in endings(bench.run_due())
    bench.clock.move(timedelta(hours=1))
    degraded = [outcome for outcome in bench.run_due() if outcome.ending is Ending.DEGRADED]
    assert [True] == ["offline way" in outcome.warning for outcome in degraded]
    assert ["memory/2026-03-02.md"] == list(bench.pages())


def test_a_model_that_stays_away_is_given_up_for_the_job(new_bench: NewBench) -> None:
    """Not window by window: all that waits is done offline in one run, and the model is asked first each time."""
    silent = SilentModel()
    bench = talk(new_bench(jobs=(replace(JOB, run=asking),), settings=WITH_MODEL, model=silent), 5)
    bench.run_due()
    bench.clock.move(timedelta(hours=48))
    assert 5 == endings(bench.run_due()).count("degraded")
    bench.say(conversation("s2", bench.clock.now(), [("owner", "note: later")]))
    bench.clock.move(timedelta(hours=12))
    after = bench.reopen(model=None)
    assert 1 == endings(after.run_due()).count("done")
    assert after.engine.ledger.runs.waiting_since("note") is None


@pytest.mark.parametrize(
    ("error", "ending", "code"),
    [
        (BudgetSpent(9, 8, "today"), "over_budget", 5),
        (ModelUnavailable("m", "it hangs"), "waiting", 4),
        (WriteFailed("memory/x.md", "No space left on device"), "failed", 1),
        (FileAway(["memory/x.md"], 3), "unreadable", 3),
        (Held("forget", "process 1"), "locked", 75),
        (Busy("the ledger", "another process"), "locked", 75),
        (HeldBack("m", "others wait for it too"), "waiting", 4),
    ],
)
def test_an_expected_failure_is_an_outcome(new_bench: NewBench, error: Exception, ending: str, code: int) -> None:
    """Recorded with its sentence; the time stays due."""
    bench = talk(new_bench(jobs=(failing(error),)))
    (outcome,) = [ended for ended in bench.run_due() if ended.ending is not Ending.EMPTY]
    assert (ending, str(error), code) == (outcome.ending, outcome.warning, exit_code([outcome.ending]))
    record = bench.engine.ledger.runs.find(outcome.run_id)
    assert record is not None
    assert outcome == record.outcome
    after = new_bench(source=bench.source)
    assert 1 == endings(after.run_due()).count("done")


def test_a_lock_inside_a_partition_ends_the_series(new_bench: NewBench) -> None:
    """As one before it does: every other window would wait for it as long. Nothing counts as failed."""
    bench = new_bench(jobs=(failing(Held("forget", "process 1")),))
    talk(bench)
    bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", "note: two")]))
    lines = endings(bench.run_due())
    assert ("locked", 1, 0) == (lines[-1], lines.count("locked"), lines.count("failed"))
    assert 75 == exit_code([Ending(text) for text in lines])


def test_a_warning_is_an_event_of_its_own(new_bench: NewBench) -> None:
    """Whatever the ending; a run that warns of nothing has none."""
    bench = talk(new_bench(jobs=(failing(WriteFailed("memory/x.md", "no room")),)))
    bench.run_due()
    values = [fields["warning"] for event, fields in bench.events if event is Event.RUN_WARNED]
    assert [str(WriteFailed("memory/x.md", "no room"))] == values
    assert "warning" == LEVEL_OF[Event.RUN_WARNED]


def test_a_job_that_fails_the_same_way_again_and_again_is_left_alone(new_bench: NewBench) -> None:
    """On three of five days, and the rest is not tried in this series."""
    broken = failing(WriteFailed("memory/x.md", "No space left on device"))
    bench = talk(new_bench(jobs=(broken,), clock=FixedClock(MORNING + timedelta(days=5))), 20)
    assert 3 == endings(bench.run_due()).count("failed")


def test_an_interruption_is_recorded_and_raised(new_bench: NewBench) -> None:
    """The run ends where nothing is half done; what is left stays due."""
    bench = talk(new_bench(jobs=(failing(Interrupted(15)),)))
    with pytest.raises(Interrupted):
        bench.run_due()
    newest = bench.engine.ledger.runs.latest(limit=1)[0]
    assert newest.outcome is not None
    assert Ending.INTERRUPTED is newest.outcome.ending
    assert "done" in endings(new_bench(source=bench.source).run_due())


def test_a_request_to_stop_ends_before_the_next_partition(new_bench: NewBench) -> None:
    """Asked in time, nothing begins."""
    bench = talk(new_bench())
    bench.engine.safe_point.ask_to_stop(15)
    with pytest.raises(Interrupted):
        bench.run_due()
    assert [] == bench.engine.ledger.runs.latest()


def test_a_bug_in_a_job_is_recorded_and_comes_through(new_bench: NewBench) -> None:
    """It is no outcome of ours: the run is noted as failed, and the error is not hidden."""
    bench = talk(new_bench(jobs=(failing(ZeroDivisionError("oops")),)))
    with pytest.raises(ZeroDivisionError):
        bench.run_due()
    newest = bench.engine.ledger.runs.latest(limit=1)[0]
    assert newest.outcome is not None
    assert (Ending.FAILED, True) == (newest.outcome.ending, "bug" in newest.outcome.warning)


def test_what_another_has_done_is_passed_over(new_bench: NewBench) -> None:
    """Two runners with the same plan: the second finds the partition done."""
    bench = talk(new_bench())
    bench.engine.catalog.refresh()
    window = Window(start=datetime(2026, 3, 2, 5, tzinfo=UTC), end=datetime(2026, 3, 2, 11, tzinfo=UTC))
    partition = Clocked(bench.engine, bench.engine.jobs[0]).key(window)
    runner = Runner(bench.engine)
    first = runner.run(bench.engine.jobs[0], partition)
    assert first is not None
    assert "done" == first.ending
    assert runner.run(bench.engine.jobs[0], partition) is None


@table(
    ("series", "code"),
    [
        ([], 0),
        (["done", "empty", "degraded"], 0),
        (["failed", "failed"], 1),
        (["done", "failed"], 3),
        (["done", "waiting"], 4),
        (["waiting", "over_budget"], 5),
        (["done", "locked"], 75),
    ],
)
def test_the_exit_code_of_a_series(series: list[str], code: int) -> None:
    """That of its gravest outcome; `partial` when some failed and some did not."""
    assert code == exit_code([Ending(part) for part in series])


def job(name: str, family: str, *reads: str) -> Job:
    """A job with a name, a family and what it reads."""
    return Job(name, "p", Schedule("0 0 * * *"), Reads(documents=reads), Target(family), lambda _: [])


@table(
    ("jobs", "expected"),
    [
        ([job("a", "memory/{day}.md"), job("b", "memory/2026-01-01.md")], "Jobs a and b would both write"),
        ([job("a", "x/{day}.md"), job("b", "x/*.md")], "Jobs a and b would both write"),
        ([job("a", "memory/a.md"), job("a", "memory/b.md")], "Two jobs are called a"),
        ([job("a", "memory/a.md", "../secrets.md")], r"Job a wants to read '\.\./secrets\.md'"),
        ([job("a", "memory/a.md", "memory/../x")], "Job a wants to read"),
        ([job("a", "memory/a.md", ".memory/state.db")], "Job a wants to read"),
        ([job("a", "memory/a.md", "memory/b.md"), job("b", "memory/b.md", "memory/a.md")], "a -> b -> a|b -> a -> b"),
    ],
)
def test_jobs_that_do_not_go_together_are_refused(jobs: list[Job], expected: str) -> None:
    """The sentence names who and what."""
    with pytest.raises(RegistryRefused, match=expected):
        check_jobs(jobs)


def test_jobs_come_after_those_they_read() -> None:
    """Own targets are no edges; what is upstream comes along when a job is asked for."""
    jobs = check_jobs(
        [job("a", "x/{day}.md", "memory/*.md", "memory/z.md"), job("z", "memory/z.md", "memory/{day}.md")]
    )
    assert ["z", "a"] == [declared.name for declared in jobs]
    assert ["z", "a"] == [declared.name for declared in with_upstream([jobs[1]], jobs)]
    assert [] == upstream(jobs[0], jobs)
    assert list(jobs) == jobs_named([], jobs)
    with pytest.raises(UnknownJob, match=r"no job 'q'.*a, z"):
        jobs_named(["q"], jobs)


@pytest.mark.parametrize("declared", [*discover(), *CADENCES], ids=lambda item: item.name)
def test_a_job_changes_only_its_own_family(new_bench: NewBench, declared: Job) -> None:
    """Whatever it is given to read, nothing but its family, `forgotten.md`, the locks and what is derived changes."""
    known = [*discover(), *CADENCES]
    grouped = isinstance(declared.schedule, EveryNth)  # its pages are of those of another job
    jobs = with_upstream([declared], known) if grouped else [declared]
    bench = new_bench(jobs=tuple(jobs))
    others = ["MEMORY.md", "README.md", "memory/projects/p.md", "second-brain/research/r.md", "notes.txt"]
    for name in others:
        (bench.root / name).parent.mkdir(parents=True, exist_ok=True)
        (bench.root / name).write_bytes(b"mine\n")
    turns = [
        ("assistant", "Should we keep one queue for all jobs?"),
        ("owner", "Yes, we go with one queue. Decided."),
        ("owner", "Remember: the staging server is called falcon."),
        ("owner", "From now on, never deploy on a Friday."),
    ]
    bench.say(conversation("s1", MORNING, turns))
    assert set(endings(bench.run_due())) <= {"done", "empty"}
    families = [path for job in jobs for path in Runner(bench.engine).family(job).paths()]
    for file in [path for path in bench.root.rglob("*") if path.is_file()]:
        path = file.relative_to(bench.root).as_posix()
        assert path.startswith((".memory/", "memory/.locks/")) or path in {
            *others,
            "memory/forgotten.md",
            *families,
        }
    assert [b"mine\n"] * len(others) == [(bench.root / name).read_bytes() for name in others]


def test_a_bug_that_gives_an_id_of_two_words_writes_nothing(new_bench: NewBench) -> None:
    """A block that could not be found again is refused before the file is touched."""

    def run(given: Run) -> Sequence[Draft]:
        drafts = [draft for draft in JOB.run(given) if isinstance(draft, EntryDraft)]
        return [EntryDraft(draft.entry.model_copy(update={"id": "two words"}), draft.identity) for draft in drafts]

    bench = talk(new_bench(jobs=(replace(JOB, run=run),)))
    with pytest.raises(ValueError, match="not one word"):
        bench.run_due()
    assert {} == bench.pages()


def test_a_page_item_dropped_by_the_job_may_come_back(new_bench: NewBench, tmp_path: Path) -> None:
    """Only what a person took out stays out."""
    wanted = [["rules", "open"], ["rules"], ["rules", "open"], ["rules", "open"]]

    def run(given: Run) -> Sequence[Draft]:
        return [ItemDraft(name, f"## {name} {given.window.end:%H}") for name in wanted[given.window.end.hour // 6]]

    page = Job("page", "p", Schedule("0 */6 * * *"), Reads(), Target("memory/archive/page.md"), run)
    bench = new_bench(jobs=(page,), settings=Settings(start=datetime(2026, 3, 4, tzinfo=UTC)))
    file = tmp_path / "memory/archive/page.md"
    bench.clock.moment = datetime(2026, 3, 4, 6, 5, tzinfo=UTC)
    bench.run_due()
    assert b"memory:open" not in file.read_bytes()
    bench.clock.move(timedelta(hours=6))
    bench.run_due()
    assert b"memory:open" in file.read_bytes()
    text = file.read_bytes()
    file.write_bytes(text[: text.index(b"## open")])
    bench.clock.move(timedelta(hours=6))
    bench.run_due()
    assert (False, True) == (b"memory:open" in file.read_bytes(), b"## rules 18" in file.read_bytes())


@pytest.mark.parametrize(
    ("model", "ending"),
    [({"program": "claude"}, Ending.DONE), ({"base_url": "http://127.0.0.1:9", "name": "m"}, Ending.TIMED_OUT)],
)
def test_the_answers_of_a_program_take_nothing_of_a_jobs_time(
    new_bench: NewBench, model: dict[str, str], ending: Ending
) -> None:
    """Each may take minutes, and has a limit of its own; those of a server have to come in time."""
    clock = itertools.count(0, JOB.timeout.total_seconds())
    now = [next(clock)]

    def slow(_question: Question) -> Nothing:
        now[0] = next(clock)
        return Nothing()

    settings = Settings(timezone="Europe/Warsaw", start=START, model=ModelSettings.model_validate(model))
    bench = new_bench(jobs=(replace(JOB, run=asking),), model=ScriptedModel(slow), settings=settings)
    bench.say(conversation("s1", MORNING, [("owner", "note: a")]))
    bench.engine = replace(bench.engine, safe_point=CancellationToken(clock=lambda: now[0]))
    assert ending in {outcome.ending for outcome in bench.run_due()}
