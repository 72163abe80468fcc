"""What an agent proposes as an entry waits in the ledger until its session is read, and leaves it with that."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jobs import micro_sync
from pipeline.app.entry_proposals import PER_CONVERSATION, PER_DAY, propose_entry
from pipeline.corrections.decide import accept
from pipeline.corrections.forget_topic import forget_topic, topic
from pipeline.engine.retention import prune
from pipeline.engine.suggestions import waiting
from pipeline.reports.entries import list_entries
from schemas.agent_settings import AgentsSettings
from schemas.memory_change import ProposedWords
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
SAID = datetime(2026, 3, 2, 8, 1, tzinfo=UTC)
RULE = "The invoice service goes live on Tuesdays, after the standup."
TEXT = "The invoice service goes live on Tuesdays."
WORDS = ProposedWords("rule", RULE, "one")
ENDED = timedelta(minutes=2)


def opened(new_bench: NewBench, autonomy: int = 2, **fields: object) -> Workbench:
    """A workspace with an agent, two minutes after the owner said the rule to it; nothing has been read."""
    agents = AgentsSettings.model_validate({"jaskier": {"autonomy": autonomy}})
    settings = Settings(timezone="UTC", start=START, agents=agents)
    clock = FixedClock(SAID + ENDED)
    bench = new_bench(jobs=(micro_sync.JOB,), clock=clock, settings=settings, **fields)
    bench.say(talk())
    return bench


def talk(name: str = "s", said: str = RULE) -> Session:
    """The session in which it is said."""
    return conversation(name, SAID, [("owner", said), ("assistant", "All right."), ("assistant", "I noted it.")])


def continued(session: Session, text: str, pause: timedelta) -> Session:
    """The session with another message of the owner, that long after its end."""
    last = session.messages[-1]
    more = {"number": last.number + 1, "entry_ids": ("late",), "time": last.time + pause, "text": text}
    new = session.messages[0].model_copy(update=more)
    return session.model_copy(update={"messages": (*session.messages, new)})


def propose(bench: Workbench, words: ProposedWords = WORDS, text: str = TEXT) -> str:
    """What the agent is answers."""
    return propose_entry(bench.engine, "jaskier", text, words, None)


def kept(bench: Workbench) -> int:
    """How many proposals wait."""
    return len(bench.engine.ledger.entry_proposals.waiting(bench.clock.now() + timedelta(days=9)))


def read(bench: Workbench, after: timedelta = timedelta(hours=6)) -> None:
    """Run all that is due some time later."""
    bench.clock.move(after)
    bench.run_due()


def conclusions(bench: Workbench) -> list[str]:
    """Those of all entries."""
    return [one.entry.conclusion for one in list_entries(bench.engine)]


def test_it_is_an_entry_once_its_session_is_read(new_bench: NewBench) -> None:
    """Until then it waits in the ledger, also of the next process; without it nothing is written."""
    bench = opened(new_bench)
    assert "it waits until this session is read" in propose(bench)
    bench = bench.reopen()
    assert (1, {}) == (kept(bench), bench.pages())
    read(bench)
    assert ([TEXT], 0) == (conclusions(bench), kept(bench))
    assert [] == bench.run_due()

    without = opened(new_bench, root=bench.root / "without")
    read(without)
    assert [] == conclusions(without)


def test_a_crash_while_it_is_written_leaves_one_entry(new_bench: NewBench) -> None:
    """Whether the file has all of it or nothing: the proposal waits until the run is through."""
    for part in (0, 0.5, 1):
        bench = opened(new_bench, root=new_bench().root / f"part-{part}")
        propose(bench)
        engine = bench.engine
        bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(0, part)))
        with pytest.raises(Crash):
            read(bench)
        bench.engine = engine
        assert 1 == kept(bench)
        bench.run_due()
        assert ([TEXT], 0) == (conclusions(bench), kept(bench))


def test_what_nobody_said_is_refused_and_shown(new_bench: NewBench) -> None:
    """The run has it with its words; no person is asked."""
    bench = opened(new_bench)
    propose(bench, ProposedWords("rule", "never deploy on Fridays", "one"))
    read(bench)
    runs = bench.engine.ledger.runs.latest(limit=9)
    rejected = [one for run in runs if run.outcome for one in run.outcome.rejected]
    assert [("quote_not_found", "s", "never deploy on Fridays")] == [
        (one.reason, one.session_id, one.detail) for one in rejected
    ]
    assert ([], [], 0) == (conclusions(bench), waiting(bench.engine), kept(bench))


def test_a_session_that_goes_on_later_is_the_same(new_bench: NewBench) -> None:
    """Ten minutes after its end, in the same window or the next: one entry, with the message that was quoted."""
    for pause in (timedelta(minutes=10), timedelta(hours=4)):
        bench = opened(new_bench, root=new_bench().root / f"pause-{pause.seconds}")
        propose(bench)
        bench.say(continued(talk(), "and now the tests, please", pause))
        read(bench, timedelta(hours=9))
        [state] = list_entries(bench.engine)
        assert ("s", (1, 1)) == (state.entry.source.session_id, state.entry.source.message_range)


def test_it_may_come_after_the_window_of_the_words(new_bench: NewBench) -> None:
    """The agent works on for hours before it asks: the piece with the words is read later, into its own window."""
    bench = opened(new_bench)
    working = talk()
    for _ in range(9):  # never an hour of silence
        working = continued(working, "go on with the next module, please", timedelta(minutes=20))
    bench.say(working)
    bench.clock.move(timedelta(hours=2))
    propose(bench)
    read(bench, timedelta(minutes=30))
    read(bench)
    [state] = list_entries(bench.engine)
    assert (TEXT, SAID) == (state.entry.conclusion, state.entry.date)


def test_of_a_session_that_is_not_read_a_person_decides_after_a_day(new_bench: NewBench) -> None:
    """What is accepted is an entry; it says that no session is known."""
    bench = opened(new_bench)
    bench.source.remove(talk().path)
    propose(bench)
    read(bench)
    assert (1, []) == (kept(bench), waiting(bench.engine))
    read(bench, timedelta(days=1))
    [one] = waiting(bench.engine)
    assert ("session_not_read", TEXT, 0) == (one.reason, one.about.text, kept(bench))
    accept(bench.engine, [one])
    [state] = list_entries(bench.engine)
    assert ("unknown, by jaskier over mcp", TEXT) == (state.entry.source.session_id, state.entry.conclusion)


def test_the_words_of_two_sessions_wait_for_a_person(new_bench: NewBench) -> None:
    """Whoever may have meant them."""
    bench = opened(new_bench)
    bench.say(talk("other"))
    propose(bench)
    read(bench)
    assert (1, []) == (kept(bench), conclusions(bench))
    read(bench, timedelta(days=1))
    assert (["in_several_sessions"], 0) == ([one.reason for one in waiting(bench.engine)], kept(bench))


def test_a_session_of_another_agent_is_none_of_its_own(new_bench: NewBench) -> None:
    """Its words are not those of the agent that asks."""
    agents = AgentsSettings.model_validate({"jaskier": {}, "zoe": {"sources": ["memory"]}})
    bench = opened(new_bench)
    bench = bench.reopen(settings=bench.settings.model_copy(update={"agents": agents}))
    propose(bench)
    read(bench)
    assert (1, []) == (kept(bench), conclusions(bench))


@pytest.mark.parametrize(("autonomy", "waits", "reasons"), [(0, 0, []), (1, 1, ["suggests_only"]), (3, 1, [])])
def test_the_gate_decides_first(new_bench: NewBench, autonomy: int, waits: int, reasons: list[str]) -> None:
    """An agent that only reads proposes nothing, and what one that suggests proposes is never an entry by itself."""
    bench = opened(new_bench, autonomy)
    propose(bench)
    assert waits == kept(bench)
    read(bench)
    assert reasons == [one.reason for one in waiting(bench.engine)]
    assert ([TEXT] if autonomy == 3 else []) == conclusions(bench)


def test_so_many_wait_of_a_conversation_and_of_a_day(new_bench: NewBench) -> None:
    """What is proposed again is the same; the next day there is room again."""
    bench = opened(new_bench)
    answers = [propose(bench, ProposedWords("rule", f"{RULE} {n}", "one")) for n in range(PER_CONVERSATION + 1)]
    assert [False] * PER_CONVERSATION + [True] == ["not proposed" in one for one in answers]
    assert "it waits" in propose(bench, ProposedWords("rule", f"{RULE} 1", "one"))
    answers = [
        propose(bench, ProposedWords("rule", f"{RULE} {n}", f"c-{n}")) for n in range(PER_CONVERSATION, PER_DAY + 1)
    ]
    assert (PER_DAY, "not proposed" in answers[-1]) == (kept(bench), True)
    bench.clock.move(timedelta(days=1, hours=1))
    assert "it waits" in propose(bench, ProposedWords("rule", "another day", "one"))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (ProposedWords("", ""), ""),
        (ProposedWords("rule", " "), "give both"),
        (ProposedWords("", RULE), "give both"),
        (ProposedWords("rule", "word " * 500), "too long for an entry"),
    ],
)
def test_what_is_no_proposal_gets_a_sentence(new_bench: NewBench, words: ProposedWords, answer: str) -> None:
    """And nothing is kept."""
    bench = opened(new_bench)
    assert answer in propose(bench, words)
    assert 0 == kept(bench)


def test_a_secret_is_masked_before_it_is_kept(new_bench: NewBench) -> None:
    """The ledger never has it."""
    bench = opened(new_bench)
    propose(bench, ProposedWords("remember", "the key is AKIAIOSFODNN7EXAMPLQ", "one"), "key")
    [one] = bench.engine.ledger.entry_proposals.waiting(bench.clock.now() + timedelta(days=1))
    assert "AKIAIOSFODNN7EXAMPLQ" not in one.quote


def test_what_is_forgotten_while_it_waits_is_gone(new_bench: NewBench) -> None:
    """No byte of the ledger has it, and the session brings it back no more."""
    bench = opened(new_bench)
    bench.say(talk("s", RULE.replace("invoice", "Falcon")))
    propose(bench, ProposedWords("rule", RULE.replace("invoice", "Falcon"), "one"), "Falcon is deployed on Tuesdays.")
    bench.engine.catalog.refresh()
    forget_topic(bench.engine, topic(["Falcon"]))
    assert 0 == kept(bench)
    state = bench.engine.workspace.state_folder
    assert [] == [file.name for file in state.iterdir() if file.is_file() and b"Falcon" in file.read_bytes()]
    read(bench)
    assert [] == conclusions(bench)


def test_what_no_run_ever_judges_goes_with_the_retention(new_bench: NewBench) -> None:
    """As the other words in the ledger do."""
    bench = opened(new_bench)
    propose(bench)
    bench.clock.move(bench.settings.retention + timedelta(days=1))
    prune(bench.engine)
    assert 0 == kept(bench)
