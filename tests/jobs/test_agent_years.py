"""Years of sessions before an agent was declared: a back-fill alone archives them, and says first what it takes."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

from jobs.agent_brain import JOB as BRAIN
from jobs.agent_context import JOB as CONTEXT
from jobs.agent_journal import JOB as JOURNAL
from jobs.agent_l1 import JOB as L1
from jobs.agent_l2 import JOB as L2
from jobs.agent_sessions import JOB as SESSIONS
from pipeline.agents.standing import stand
from pipeline.backfill.estimate import estimate
from pipeline.backfill.plan import due_now, in_days, work_through
from pipeline.engine.runner import Runner
from schemas.agent_settings import AgentsSettings
from schemas.memory_change import ChangeWord, MemoryChange, Operation
from schemas.session_answer import SessionExtraction
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = datetime(2026, 1, 5, 8, tzinfo=UTC)
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
JOBS = (SESSIONS, CONTEXT, JOURNAL, BRAIN, L1, L2)
PAGES = "agents/jaskier/memory/sessions/"
DAYS = (date(2026, 1, 1), date(2026, 3, 4))


class Counting(MemorySource):
    """A source that counts how often a file is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def read(self, path: str) -> Sequence[Session]:
        """The session of a file."""
        self.reads += 1
        return super().read(path)


def spoken(new_bench: NewBench, days: int, **fields: object) -> Workbench:
    """A workspace of a year, whose agent was declared now, with a session on each of so many days before."""
    agents = AgentsSettings.model_validate({"jaskier": {"sources": ["memory"]}})
    settings = Settings(timezone="UTC", start=START, agents=agents)
    bench = new_bench(**({"jobs": JOBS, "settings": settings, "declared": NOW, "source": Counting()} | fields))
    for day in range(days):
        said = [("owner", f"Remember that key {day} hangs behind door {day}."), ("assistant", "Noted.")]
        bench.say(conversation(f"s{day}", FIRST + timedelta(days=day), said))
    return bench


def archived(bench: Workbench) -> list[str]:
    """The names of the archived sessions."""
    return [path.removeprefix(PAGES).removesuffix(".md") for path in bench.pages() if path.startswith(PAGES)]


def test_nothing_from_before_an_agent_was_declared_runs_by_itself(new_bench: NewBench) -> None:
    """Not a page is written for sessions that were over; the one that went on then is archived when it has ended."""
    bench = spoken(new_bench, 20)
    bench.say(conversation("now", NOW - timedelta(minutes=5), [("owner", "Good morning."), ("assistant", "Hello.")]))
    assert ([], {}) == (bench.run_due(), bench.pages())
    bench.clock.moment = NOW + timedelta(hours=1)
    bench.run_due()
    assert ["2026-03-04_001"] == archived(bench)
    assert [] == bench.run_due()


def test_a_late_message_brings_no_earlier_session_in(new_bench: NewBench) -> None:
    """A session that goes on after years is archived from where it goes on."""
    bench = spoken(new_bench, 3)
    said = [("owner", "Remember that key 0 hangs behind door 0."), ("assistant", "Noted.")]
    turns = conversation("s0", FIRST, said).messages
    later = conversation("s0", NOW, [("owner", "And the boat?"), ("assistant", "It leaks.")]).messages
    moved = [one.model_copy(update={"number": one.number + 2, "entry_ids": (f"x{one.number}",)}) for one in later]
    bench.say(conversation("s0", FIRST, said).model_copy(update={"messages": (*turns, *moved)}))
    bench.clock.moment = NOW + timedelta(hours=2)
    bench.run_due()
    assert ["2026-03-04_001"] == archived(bench)
    assert "key 0" not in bench.pages()[f"{PAGES}2026-03-04_001.md"].decode()


def test_a_backfill_archives_what_was_before(new_bench: NewBench) -> None:
    """In the order of time, with all that follows it; afterwards nothing is due, and nothing is read again."""
    bench = spoken(new_bench, 12)
    bench.backfill(*DAYS)
    assert [f"2026-01-{5 + day:02}_001" for day in range(12)] == archived(bench)
    brain = bench.pages()["agents/jaskier/memory/brain.md"].decode()
    assert "key 11 hangs" in brain
    assert {"L1_001", "L1_002"} == {path[-9:-3] for path in bench.pages() if "/L1/" in path}
    assert isinstance(bench.source, Counting)
    before = bench.source.reads
    assert ([], []) == (due_now(bench.engine, bench.engine.jobs), in_days(bench.engine, bench.engine.jobs, *DAYS))
    assert before == bench.source.reads


def test_a_backfill_of_the_sessions_estimates_what_follows_them(new_bench: NewBench) -> None:
    """The questions are those that are asked for facts and the last session: one for each session, counted exactly."""
    model = ScriptedModel(lambda _question: SessionExtraction())
    bench = spoken(new_bench, 4, model=model)
    bench.engine.catalog.refresh()
    plan = in_days(bench.engine, [job for job in bench.engine.jobs if job.name == SESSIONS.name], *DAYS)
    assert [SESSIONS.name, CONTEXT.name, JOURNAL.name] * 4 == [item.job.name for item in plan]
    estimated = estimate(bench.engine, plan)
    assert (12, 4, 4) == (estimated.partitions, estimated.sessions, estimated.questions)
    assert ([], {}) == (model.questions, bench.pages())
    list(work_through(Runner(bench.engine), plan, again=True))
    assert 4 == len(model.questions)


def test_an_agent_that_only_reads_asks_nothing(new_bench: NewBench) -> None:
    """Its sessions are archived, and the estimate says so."""
    model = ScriptedModel(lambda _question: SessionExtraction())
    agents = AgentsSettings.model_validate({"jaskier": {"sources": ["memory"], "autonomy": 0}})
    settings = Settings(timezone="UTC", start=START, agents=agents)
    bench = spoken(new_bench, 2, model=model, settings=settings, jobs=(SESSIONS, JOURNAL))
    bench.engine.catalog.refresh()
    plan = in_days(bench.engine, bench.engine.jobs, *DAYS)
    assert 0 == estimate(bench.engine, plan).questions
    list(work_through(Runner(bench.engine), plan, again=True))
    assert (2, []) == (len(archived(bench)), model.questions)


def test_an_agent_that_is_declared_again_begins_again(new_bench: NewBench) -> None:
    """What was said while it was not declared is a back-fill's; what it has stays."""
    bench = spoken(new_bench, 3, declared=START)
    bench.run_due()
    before = archived(bench)
    agents = bench.engine.ledger.agents
    agents.note((), NOW)
    bench.say(conversation("gone", NOW - timedelta(days=3), [("owner", "Anybody there?"), ("assistant", "No.")]))
    agents.note(("jaskier",), NOW)
    bench.run_due()
    assert (before, {"jaskier": NOW}) == (archived(bench), agents.since())


def test_a_journal_of_years_is_counted_up_in_one_pass() -> None:
    """Twenty thousand lines, of which each tenth is said again, and each hundredth taken back."""
    changes = list[MemoryChange]()
    for number in range(20_000):
        operation = Operation.DELETE if number % 100 == 99 else Operation.CORE
        target = f"j-{number - 5:08x}" if operation is Operation.DELETE else ""
        words = number - 1 if number % 10 == 1 else number
        about = {"id": f"j-{number:08x}", "operation": operation, "target": target, "text": f"Key {words}"}
        changes.append(MemoryChange.model_validate(about | {"at": NOW, "word": ChangeWord.OWNER}))
    standings = stand(changes)
    assert (20_000 - 2_000 - 2 * 200, 200) == (len(standings.lines), len(standings.replaced))
    assert standings.saying("key 10!") is standings.lines["j-0000000a"]
    assert 2 == standings.lines["j-0000000a"].said
