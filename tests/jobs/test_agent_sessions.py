"""The archive of an agent's sessions."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from jobs.agent_sessions import JOB
from pipeline.corrections.undo import undo
from pipeline.markdown.blocks import find_blocks
from schemas.agent_settings import AgentsSettings
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 3, 8, tzinfo=UTC)
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
FOLDER = "agents/jaskier/memory/sessions"


def settings(**agents: object) -> Settings:
    """The settings of a workspace in which all sessions are jaskier's."""
    given = {"jaskier": {"sources": ["memory"]}} | agents
    return Settings(timezone="Europe/Warsaw", start=START, agents=AgentsSettings.model_validate(given))


def opened(new_bench: NewBench, **fields: object) -> Workbench:
    """A workspace with the job."""
    return new_bench(**({"jobs": (JOB,), "settings": settings()} | fields))


def talk(name: str, at: datetime, *texts: str) -> Session:
    """A session in which the owner and the assistant speak in turn."""
    return conversation(name, at, [(("owner", "assistant")[place % 2], text) for place, text in enumerate(texts)])


def page(bench: Workbench, name: str) -> str:
    """The text of an archived session."""
    return bench.pages()[f"{FOLDER}/{name}.md"].decode()


def archived(bench: Workbench) -> list[str]:
    """The names of the pages."""
    return [path.rpartition("/")[2].removesuffix(".md") for path in bench.pages() if path.startswith(FOLDER)]


def lose_ledger(bench: Workbench) -> Workbench:
    """The same folder after its ledger was lost."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    return bench.reopen()


def test_a_session_is_a_page(new_bench: NewBench) -> None:
    """Its messages stand in their order under front matter that names the session."""
    bench = opened(new_bench)
    bench.say(talk("s1", MORNING, "Prowadzę piekarnię w Gdańsku.", "Zapamiętam."))
    [outcome] = bench.run_due()
    assert (f"{FOLDER}/2026-03-03_001.md",) == outcome.paths
    text = page(bench, "2026-03-03_001")
    assert 'session_id: "s1"' in text
    assert "ordinal: 1" in text
    assert text.index("owner: Prowadzę piekarnię w Gdańsku.") < text.index("jaskier: Zapamiętam.")
    assert [] == bench.run_due()


def test_a_pause_ends_a_session(new_bench: NewBench) -> None:
    """Messages with a longer pause than `idle` between them are two sessions, numbered by the local day."""
    bench = opened(new_bench)
    later = talk("s1", MORNING, "one", "yes").messages + talk("s1x", MORNING + timedelta(hours=2), "two").messages
    bench.say(talk("s1", MORNING).model_copy(update={"messages": later}))
    bench.run_due()
    assert ["2026-03-03_001", "2026-03-03_002"] == archived(bench)
    assert "ordinal: 2" in page(bench, "2026-03-03_002")


def test_a_session_that_goes_on_waits(new_bench: NewBench) -> None:
    """Nothing is archived before `idle` has passed after the last message, and no timer waits for it."""
    bench = opened(new_bench)
    bench.clock.moment = MORNING + timedelta(minutes=20)
    bench.say(talk("s1", MORNING, "one", "yes"))
    assert [] == bench.run_due()
    bench.clock.moment = MORNING + timedelta(minutes=40)
    assert ["done"] == endings(bench.run_due())


def test_a_late_message_joins_its_session(new_bench: NewBench) -> None:
    """A message inside an archived session is put into its page; one outside of all makes a new page."""
    bench = opened(new_bench)
    first = talk("s1", MORNING, "one", "yes")
    bench.say(first)
    bench.run_due()
    late = talk("s1-late", MORNING + timedelta(seconds=30), "also this").messages
    apart = talk("s1-apart", MORNING + timedelta(hours=3), "and that").messages
    bench.say(first.model_copy(update={"messages": first.messages + late + apart}))
    bench.run_due()
    assert ["2026-03-03_001", "2026-03-03_002"] == archived(bench)
    assert "owner: also this" in page(bench, "2026-03-03_001")
    assert "ordinal: 1" in page(bench, "2026-03-03_001")
    assert "owner: and that" in page(bench, "2026-03-03_002")


def test_a_new_pause_moves_no_cut(new_bench: NewBench) -> None:
    """What was archived keeps its pages and numbers, also after the ledger was lost."""
    bench = opened(new_bench)
    late = talk("s1x", MORNING + timedelta(minutes=45), "two").messages
    bench.say(talk("s1", MORNING).model_copy(update={"messages": talk("s1", MORNING, "one").messages + late}))
    bench.run_due()
    before = bench.pages()
    longer = settings().agents.model_copy(update={"idle": timedelta(hours=2)})
    other = bench.reopen(settings=settings().model_copy(update={"agents": longer}))
    assert [] == other.run_due()
    other = lose_ledger(other)
    other.run_due()
    other.backfill(date(2026, 3, 1), date(2026, 3, 4))
    assert before == other.pages()


def test_numbers_go_on_behind_a_page_that_a_person_deleted(new_bench: NewBench) -> None:
    """A number is given once, whatever becomes of its page."""
    bench = opened(new_bench)
    bench.say(talk("s1", MORNING, "one", "yes"))
    bench.run_due()
    (bench.root / FOLDER / "2026-03-03_001.md").unlink()
    bench.say(talk("s2", MORNING + timedelta(hours=5), "two", "yes"))
    bench.run_due()
    assert "ordinal: 2" in page(bench, "2026-03-03_002")


def test_files_of_other_make_are_left_alone(new_bench: NewBench) -> None:
    """A page of another program under the name of the first session stays; ours gets the next number."""
    bench = opened(new_bench)
    other = bench.root / FOLDER / "2026-03-03_001.md"
    other.parent.mkdir(parents=True)
    other.write_text("# Notes of another program\n")
    bench.say(talk("s1", MORNING, "one", "yes"))
    bench.run_due()
    assert "# Notes of another program\n" == other.read_text()
    assert "owner: one" in page(bench, "2026-03-03_002")


def test_only_sessions_of_declared_agents(new_bench: NewBench) -> None:
    """A session of nobody's and one of machines have no page; the owner of a source is not asked for an agent's."""
    bench = opened(new_bench, settings=settings(jaskier={"sources": ["memory:jaskier"]}))
    bench.say(talk("s1", MORNING, "one", "yes").model_copy(update={"agent": "main"}))
    bench.say(talk("s2", MORNING, "one", "yes").model_copy(update={"agent": "jaskier", "machine": True}))
    bench.say(talk("s3", MORNING, "three", "yes").model_copy(update={"agent": "jaskier"}))
    bench.run_due()
    assert ["2026-03-03_001"] == archived(bench)
    assert "owner: three" in page(bench, "2026-03-03_001")


def test_an_agent_that_is_declared_later_gets_its_sessions(new_bench: NewBench) -> None:
    """Sessions that were read before the agent had a memory are archived as well."""
    bench = opened(new_bench, settings=settings(jaskier={}))
    bench.say(talk("s1", MORNING, "one", "yes"))
    assert [] == bench.run_due()
    assert ["done"] == endings(bench.reopen(settings=settings()).run_due())


def test_an_undone_session_comes_back_under_its_number(new_bench: NewBench) -> None:
    """An undo takes the page; a back-fill brings the same bytes again."""
    bench = opened(new_bench)
    bench.say(talk("s1", MORNING, "one", "yes"))
    [outcome] = bench.run_due()
    before = bench.pages()
    undo(bench.engine, outcome.run_id)
    assert [] == archived(bench)
    bench.say(talk("s2", MORNING + timedelta(hours=5), "two", "yes"))
    bench.run_due()
    bench.backfill(date(2026, 3, 1), date(2026, 3, 4))
    assert before.items() <= bench.pages().items()
    assert ["2026-03-03_001", "2026-03-03_002"] == archived(bench)


def test_messages_begin_no_structure(new_bench: NewBench) -> None:
    """Headings, fences, marks of ours and comments in a message are text: the page has the blocks that we made."""
    bench = opened(new_bench)
    text = "look:\n# Heading\n```\n- id: RULE-1\n<!-- memory:j-12345678 check:abcdef -->\n---\n1. one\n<!-- open"
    bench.say(talk("s1", MORNING, text, "yes"))
    bench.run_due()
    data = bench.pages()[f"{FOLDER}/2026-03-03_001.md"]
    assert ["front-matter", "title"] == [block.name for block in find_blocks(data)][:2]
    assert 4 == len(find_blocks(data))
    assert all(block.intact for block in find_blocks(data))
    assert "<!-- open" not in data.decode()
    assert ["# 2026-03-03, session 1"] == [
        line.split(" <!--")[0] for line in data.decode().splitlines() if line[:1] == "#"
    ]
