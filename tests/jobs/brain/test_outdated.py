"""What the entries of the workspace know as replaced leaves what an agent always knows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from jobs.agent_brain import JOB as BRAIN
from jobs.agent_journal import JOB as JOURNAL
from jobs.agent_sessions import JOB as SESSIONS
from jobs.brain.pages import outdated_lines
from jobs.micro_sync import JOB as MICRO_SYNC
from pipeline.agents.standing import MemoryLine
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.undo import undo
from pipeline.engine.partitioning.base import keep_request
from pipeline.entries.standing import fold
from pipeline.facts.corrected import corrected_lines
from pipeline.job import Job, Reads
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entries import list_entries
from schemas.agent_settings import AgentsSettings
from schemas.entry import Entry, Kind, Source, Status, Trust
from schemas.entry import correction_grounds as grounds_of
from schemas.memory_change import BrainSection, ChangeRequest, ChangeWord, MemoryChange, Operation
from schemas.settings import Settings
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
AT = datetime(2026, 3, 3, 8, tzinfo=UTC)
SAID = "the deposit goes up to 30 percent"


def entry(quote: str, day: int = 0, **fields: object) -> Entry:
    """An entry of the session of its day, of message 3."""
    source = Source(session_id=f"s{day}", session_path="m:x", message_range=(2, 4), entry_ids=(f"e{day}",))
    given = {"id": quote, "title": quote, "kind": Kind.DECISION, "date": AT + timedelta(days=day), "source": source}
    return Entry.model_validate(given | {"quote": quote, "conclusion": quote, "confidence": 0.9} | fields)


def line(quote: str = SAID, number: int = 3, **fields: object) -> MemoryLine:
    """A line that rests on a message of the first session."""
    change = MemoryChange(
        id="j-1",
        operation=Operation.DECISION,
        text=quote,
        at=AT,
        word=ChangeWord.OWNER,
        quote=quote,
        session_id="s0",
        number=number,
    )
    made = MemoryLine("j-1", BrainSection.AGREEMENTS, quote, ChangeWord.OWNER, 3, AT, 0, change=change)
    return replace(made, **fields)  # type: ignore[arg-type]  # the fields are checked by the dataclass


OLD, NEW = entry(SAID), entry("back to 20 percent", 5, supersedes=(SAID,))
CASES = {
    "replaced": (line(), (OLD, NEW), True),
    "quoted a little shorter": (line("deposit goes up to 30 percent"), (OLD, NEW), True),
    "archived by a person": (line(), (entry(SAID, status=Status.ARCHIVED),), True),
    "in force": (line(), (OLD,), False),
    "another message": (line(number=9), (OLD, NEW), False),
    "other words of the message": (line("the price list follows"), (OLD, NEW), False),
    "said again since": (line(at=AT + timedelta(days=6)), (OLD, NEW), False),
    "pinned, and replaced": (line(pinned=True), (OLD, NEW), True),
    "pinned, and archived": (line(pinned=True), (entry(SAID, status=Status.ARCHIVED),), False),
    "accepted by a person": (line(word=ChangeWord.ACCEPTED), (OLD, NEW), True),
    "replaced by what nobody vouches for": (
        line(),
        (OLD, NEW.model_copy(update={"trust": Trust.UNVERIFIED})),
        False,
    ),
}


def test_a_line_goes_with_the_entry_that_it_rests_on() -> None:
    """Not what was said again, what a person put there and archived elsewhere, or what rests on other words."""
    actual = {
        name: bool(list(outdated_lines([one], fold(entry for entry in entries if entry.trust is not Trust.UNVERIFIED))))
        for name, (one, entries, _) in CASES.items()
    }

    assert {name: gone for name, (_, _, gone) in CASES.items()} == actual


def opened(new_bench: NewBench, brain: Job) -> Workbench:
    """A workspace in which all sessions are jaskier's."""
    agents = AgentsSettings.model_validate({"jaskier": {"sources": ["memory"]}})
    settings = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC), agents=agents)
    return new_bench(jobs=(MICRO_SYNC, SESSIONS, JOURNAL, brain), settings=settings)


def test_a_brain_of_the_version_before_waits_for_a_change(new_bench: NewBench) -> None:
    """That version did not look at entries: an upgrade alone renders no page, a new entry does."""
    before = replace(BRAIN, reads=Reads(items=BRAIN.reads.items, by_people=BRAIN.reads.by_people))
    bench = opened(new_bench, before)
    bench.say(conversation("s1", AT, [("owner", "Remember that the gate is green."), ("assistant", "OK.")]))
    bench.run_due()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    pages = bench.pages()
    assert {"memory/2026-03-03.md", "agents/jaskier/memory/brain.md"} <= pages.keys()

    after = bench.reopen(jobs=(MICRO_SYNC, SESSIONS, JOURNAL, BRAIN))
    assert [] == after.run_due()
    assert pages == after.pages()

    late = AT + timedelta(minutes=3)
    after.say(conversation("s2", late, [("owner", "Remember that the fence is blue."), ("assistant", "OK.")]))
    assert BRAIN.name in [outcome.job for outcome in after.run_due()]


def test_a_line_has_the_words_of_the_correction(new_bench: NewBench) -> None:
    """At once, and the old ones again after an undo; also where a person pinned the line."""
    bench = opened(new_bench, BRAIN)
    bench.say(conversation("s1", AT, [("owner", "Remember that the gate is green."), ("assistant", "OK.")]))
    bench.clock.move(timedelta(days=1))
    bench.run_due()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    page = bench.root / "agents/jaskier/memory/brain.md"
    before = page.read_bytes()
    [entry] = [place.entry for place in list_entries(bench.engine)]
    outcomes = correct(bench.engine, correction(bench.engine, entry.id, "The gate is painted red."))
    assert (True, False) == (b"The gate is painted red." in page.read_bytes(), b"green" in page.read_bytes())
    folder = AgentFolder(bench.settings.agents, bench.engine.workspace, bench.engine.ledger, "jaskier")
    assert ["The gate is painted red."] == [line.text for line in folder.know()]

    undo(bench.engine, outcomes[0].run_id)
    assert before == page.read_bytes()


def test_a_replaced_line_of_a_person_says_what_holds(new_bench: NewBench) -> None:
    """A pin keeps it in the brain, and no agent is told that it is in force: nor after the later run is undone."""
    bench = opened(new_bench, BRAIN)
    raised = "the deposit is 30 percent for all cabins."
    back = "the deposit is 20 percent for all cabins, not 30 any more."
    bench.say(conversation("s1", AT, [("owner", f"New rule: {raised}"), ("assistant", "OK.")]))
    bench.clock.move(timedelta(days=1))
    bench.run_due()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    folder = AgentFolder(bench.settings.agents, bench.engine.workspace, bench.engine.ledger, "jaskier")
    assert [raised] == [line.text for line in folder.know()]
    pin = {"operation": Operation.PIN, "line": folder.know()[0].id, "word": ChangeWord.PERSON, "asked_by": "owner"}
    keep_request(bench.engine, JOURNAL, "pin", ChangeRequest.model_validate(pin).model_dump_json(), "jaskier")
    bench.run_due()
    bench.say(conversation("s2", AT + timedelta(days=10), [("owner", f"New rule: {back}"), ("assistant", "OK.")]))
    bench.clock.move(timedelta(days=11))
    outcomes = [*bench.run_due(), *bench.backfill(date(2026, 3, 13), date(2026, 3, 13))]

    marked = f"- {raised} (replaced 2026-03-13: New rule: {back})"
    given = folder.wake().parts[0].text.split("\n")
    assert [marked] == [line for line in given if "30 percent" in line]
    for outcome in outcomes:
        if outcome.job == JOURNAL.name and outcome.paths:
            undo(bench.engine, outcome.run_id)
    assert [marked] == [line for line in folder.wake().parts[0].text.split("\n") if "30 percent" in line]


def test_words_are_corrected_in_what_rests_on_them() -> None:
    """Also in a line of a person, and not in what was said again since or says something else."""
    at = AT + timedelta(days=5)
    new = entry("35 percent", corrects=SAID, grounds=grounds_of(at), date=AT, source=OLD.source)
    entries = fold([OLD, new])
    lines = {
        "the same words": line(),
        "pinned": line(pinned=True),
        "said again since": line(at=at + timedelta(days=1)),
        "other words": line("the price list follows"),
        "another message": line(number=9),
    }
    actual = {name for name, one in lines.items() if corrected_lines([one], entries) == {one.id: "35 percent"}}
    assert {"the same words", "pinned"} == actual
    assert [] == [name for name, one in lines.items() if list(outdated_lines([one], entries))]
