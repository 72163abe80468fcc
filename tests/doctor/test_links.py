"""The check of the links between entries."""

from collections.abc import Callable
from dataclasses import replace

from jobs import micro_sync
from pipeline.doctor.entries import check_fallen_links
from pipeline.doctor.run_check import NAMED
from pipeline.drafts import Draft, EntryDraft
from pipeline.job import Run
from schemas.checkup import Health
from tests.support.builders.linked_entries import START, said_on
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]


def old_version(run: Run) -> list[Draft]:
    """A job that links every entry to all that are there."""
    known = tuple(entry.id for entry in run.written.entries)
    sessions = run.inputs.transcripts
    messages = [message for session in sessions for message in session.messages if message.time in run.window]
    base = sessions[0]
    drafts = []
    for message in messages:
        source = said_on(0, "x").source.model_copy(
            update={
                "session_id": base.session_id,
                "session_path": base.session_path,
                "entry_ids": message.entry_ids,
            }
        )
        entry = said_on(0, message.text, id=f"RULE-{message.number}", source=source, date=message.time)
        drafts.append(EntryDraft(entry.model_copy(update={"supersedes": known}), f"{message.number:048x}"))
    return list(drafts)


def bench_of(new_bench: NewBench, *texts: str) -> Workbench:
    """A workspace in which each text replaced all before it."""
    made: Workbench = new_bench(jobs=(replace(micro_sync.JOB, run=old_version),))
    turns = [("owner", text) for text in texts]
    made.say(conversation("s", START, turns, step=(START - START.replace(hour=5))))
    made.run_due()
    return made


def test_links_that_stand_are_no_finding(new_bench: NewBench) -> None:
    """The same subject with another value."""
    bench = bench_of(new_bench, "loki keeps logs for 30 days", "loki keeps logs for 14 days")
    assert [] == list(check_fallen_links(bench.engine))


def test_links_that_would_not_be_made_today_are_named(new_bench: NewBench) -> None:
    """With what judges them again; of many only some by name."""
    things = ("bells", "kites", "drums", "ropes", "lamps")
    bench = bench_of(new_bench, *(f"the {thing} hang in the hall" for thing in things))
    checks = list(check_fallen_links(bench.engine))
    assert NAMED + 1 == len(checks)
    assert {Health.WARN} == {check.health for check in checks}
    assert "RULE-2 supersedes RULE-1: today's judgement would not link them" == checks[0].message
    assert all("memory doctor --relink" in check.advice for check in checks)
