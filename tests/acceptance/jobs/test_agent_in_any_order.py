"""Requests, sessions, decisions, edits and lost processes in any order: what an agent knows keeps its rules."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from jobs.agent_brain import JOB as BRAIN
from jobs.agent_context import JOB as CONTEXT
from jobs.agent_journal import JOB as JOURNAL
from jobs.agent_sessions import JOB as SESSIONS
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.undo import undo
from pipeline.engine.partitioning.base import keep_request
from pipeline.engine.suggestions import waiting
from pipeline.language.tokens import count_tokens
from pipeline.reports.agents import AgentFolder
from schemas.agent_settings import AgentsSettings
from schemas.memory_change import ChangeRequest, ChangeWord, Operation
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
LIMIT = 120
THINGS = ("the boat leaks", "the sauna is closed", "the lake road floods", "the cat is called Tom", "the roof is new")
PAGE = "agents/jaskier/memory/brain.md"


class AgentAtWork(RuleBasedStateMachine):
    """One agent at level 2, whose steps take an hour each."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        agents = {"jaskier": {"sources": ["memory"], "brain_tokens": LIMIT}}
        self.bench = Workbench(
            root=Path(self.folder.name),
            jobs=(SESSIONS, JOURNAL, BRAIN, CONTEXT),
            clock=FixedClock(START),
            settings=Settings(start=START - timedelta(days=1), agents=AgentsSettings.model_validate(agents)),
        )
        self.steps, self.edited = 0, False
        self.accepted = set[str]()

    def teardown(self) -> None:
        """Every run is taken back, the last first: nothing of ours is left."""
        try:
            self.take_all_back()
        finally:
            self.bench.engine.ledger.store.close()
            self.folder.cleanup()

    def take_all_back(self) -> None:
        """Undo what stands; a person's edits stay, so after one of these nothing is compared."""
        runs = [run for run in self.bench.engine.ledger.runs.latest(limit=10_000) if not run.undone]
        for run in runs if not self.edited else ():
            if run.job != BRAIN.name and self.bench.engine.ledger.changes.of_run(run.run_id):
                undo(self.bench.engine, run.run_id)
        self.bench.run_due()
        left = {path: data for path, data in self.bench.pages().items() if path.startswith("agents/")}
        assert self.edited or left == {}

    def moved(self) -> datetime:
        """The time of the next step."""
        self.steps += 1
        self.bench.clock.moment = START + timedelta(hours=self.steps)
        return self.bench.clock.moment

    @rule(thing=st.sampled_from(THINGS), operation=st.sampled_from([Operation.CORE, Operation.DELETE]))
    def a_tool_asks(self, thing: str, operation: Operation) -> None:
        """For a line, or to take one out."""
        at = self.moved()
        body = ChangeRequest(operation=operation, text=thing, asked_by="jaskier", over="mcp").model_dump_json()
        keep_request(self.bench.engine, JOURNAL, f"r-{self.steps}-{at:%H}", body, "jaskier")
        self.bench.run_due()

    @rule(thing=st.sampled_from(THINGS))
    def the_owner_talks(self, thing: str) -> None:
        """A session, which is over an hour later."""
        at = self.moved()
        self.bench.say(conversation(f"s{self.steps}", at, [("owner", f"Remember that {thing}."), ("assistant", "OK")]))
        self.moved()
        self.bench.run_due()

    @rule(yes=st.booleans())
    def a_person_decides(self, yes: bool) -> None:  # noqa: FBT001 - drawn
        """About all that waits."""
        self.moved()
        wait = waiting(self.bench.engine)
        if yes and wait:
            accept(self.bench.engine, wait)
        elif wait:
            decline(self.bench.engine, wait)
        self.bench.run_due()

    @rule(place=st.integers(0, 9), operation=st.sampled_from([Operation.PIN, Operation.UNPIN]))
    def a_person_pins(self, place: int, operation: Operation) -> None:
        """One of the lines that stand, or ends a pin."""
        self.moved()
        if known := list(self.folder_of_agent().standings().lines):
            person = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"}
            wanted = ChangeRequest.model_validate({"operation": operation, "line": known[place % len(known)], **person})
            keep_request(self.bench.engine, JOURNAL, f"p-{self.steps}", wanted.model_dump_json(), "jaskier")
        self.bench.run_due()

    @rule(words=st.sampled_from(["My own line.", "Another of mine."]))
    def a_person_writes(self, words: str) -> None:
        """Into the brain."""
        page = self.bench.root / PAGE
        if page.exists():
            page.write_text(f"{page.read_text()}\n{words}\n")
            self.edited = True
        self.bench.run_due()

    @rule()
    def the_process_is_lost(self) -> None:
        """And another one goes on."""
        self.bench = self.bench.reopen()

    def folder_of_agent(self) -> AgentFolder:
        """What the agent may ask for."""
        engine = self.bench.engine
        return AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, "jaskier")

    @invariant()
    def the_brain_is_the_fold(self) -> None:
        """All that stands is in mind or in the archive, nothing else is; a second look changes nothing."""
        standing = {line.text for line in self.folder_of_agent().standings().lines.values()}
        archive = (self.bench.root / PAGE).with_name("brain_archive.md")
        pages = "".join(file.read_text() for file in (self.bench.root / PAGE, archive) if file.exists())
        removed = {line for line in standing if line not in pages}
        assert removed == set()
        before = self.bench.pages()
        self.bench.run_due()
        assert before == self.bench.pages()

    @invariant()
    def pinned_lines_come_first(self) -> None:
        """Of our lines of each section on the page."""
        pins = {name: line for name, line in self.folder_of_agent().standings().lines.items() if line.pinned}
        known = [line for line in self.folder_of_agent().know() if line.in_mind and line.id]
        file = self.bench.root / PAGE
        page = file.read_text() if file.exists() else ""
        for line in known if pins else ():
            first = [one for one in known if one.section == line.section and one.pinned]
            assert line.pinned or all(page.index(one.text) < page.index(line.text) for one in first)

    @invariant()
    def limits_hold(self) -> None:
        """Ours take what a person's lines leave."""
        brain = next((part.text for part in self.folder_of_agent().wake().parts if part.name == "brain"), "")
        theirs = "\n".join(line for line in brain.splitlines() if "written in the file" in line)
        assert count_tokens(brain) <= max(LIMIT, count_tokens(theirs)) or "- " not in brain.replace(theirs, "")

    @invariant()
    def what_waits_stands_nowhere(self) -> None:
        """Unless the same words stand by another's."""
        engine = self.bench.engine
        standing = {line.text for line in self.folder_of_agent().standings().lines.values()}
        texts = {change.shown.title for change in waiting(engine)} - standing
        brain = "".join(part.text for part in self.folder_of_agent().wake().parts if part.name == "brain")
        assert not [text for text in texts if text in brain]


def test_an_agents_memory_keeps_its_rules() -> None:
    """Whatever happens in whatever order; at the end all of it can be taken back."""
    how = hypothesis_settings(max_examples=12, stateful_step_count=10, deadline=None)
    run_state_machine_as_test(AgentAtWork, settings=how)
