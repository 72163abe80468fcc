"""The review of what earlier versions wrote: listed, put before a person, decided, and taken back."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs import micro_sync, weekly_compound, weekly_plan
from pipeline.corrections.correction import KEEPING
from pipeline.corrections.decide import accept, accepted_report, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.review import is_due, note_nothing, review, suggest
from pipeline.corrections.undo import undo
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.engine.suggestions import waiting
from pipeline.errors import NothingToUndo
from pipeline.markdown.splice import without_block
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from schemas.session_answer import SessionAnswer
from tests.support.builders import earlier_version
from tests.support.builders.rule_reader import rules_in
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAYS = (date(2026, 3, 2), date(2026, 3, 4))
RULE = "from now on never delete a log of the loki server before 30 days are over"
QUESTION, HARNESS = "what time is it in lima now?", "always deploy with two replicas from now on"
DAY = "memory/2026-03-02.md"
LIST = "memory/declined.md"


def say(bench: Workbench, *turns: tuple[str, str], name: str = "s1", hours: int = 0) -> None:
    """A session of these turns."""
    bench.say(conversation(name, MORNING + timedelta(hours=hours), turns))


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Three entries of an earlier version: a rule, a question, and what a harness said in the owner's place."""
    made: Workbench = new_bench(jobs=(earlier_version.JOB,))
    say(made, *(("owner", text) for text in (RULE, QUESTION, HARNESS)))
    made.run_due()
    assert 3 == len(list_entries(made.engine))
    return updated(made)


def updated(bench: Workbench) -> Workbench:
    """The workspace with the product of today, whose readers know the harness."""
    now = bench.reopen(jobs=(micro_sync.JOB,))
    say(now, ("owner", RULE), ("owner", QUESTION), ("machine", HARNESS))
    now.engine.catalog.refresh()
    return now


def listed(bench: Workbench) -> dict[str, str]:
    """The reasons of what a review lists, by its words."""
    return {one.entry.conclusion: one.reason for one in review(bench.engine).entries}


def standing(bench: Workbench) -> dict[str, Status]:
    """The status of each entry, by its words."""
    return {place.entry.conclusion: place.status for place in list_entries(bench.engine)}


def texts(bench: Workbench) -> list[str]:
    """What waits."""
    return [one.about.words for one in waiting(bench.engine)]


JUNK = {QUESTION: "not_settled", HARNESS: "not_owner"}


def test_a_list_changes_nothing(bench: Workbench) -> None:
    """What today's reading would write is not in it."""
    before = bench.pages()
    assert listed(bench) == JUNK
    assert (before, []) == (bench.pages(), waiting(bench.engine))


def test_what_is_listed_waits_in_its_file(bench: Workbench) -> None:
    """With another status, and nothing else of it changed; it is not listed again."""
    before = bench.pages()
    done = suggest(bench.engine)
    assert {RULE: Status.ACTIVE, QUESTION: Status.IN_REVIEW, HARNESS: Status.IN_REVIEW} == standing(bench)
    assert [QUESTION, HARNESS] == texts(bench)
    assert [b"in_review", b"in_review"] == _changed(before[DAY], bench.pages()[DAY])
    assert {} == listed(bench)
    assert not suggest(bench.engine)
    record = bench.engine.ledger.runs.find(done.run_id)
    assert record
    assert ("review", 2) == (record.job, len(record.outcome.suggested) if record.outcome else 0)


def _changed(before: bytes, after: bytes) -> list[bytes]:
    """The last word of each line that is another one, beside the seals."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return [now.split()[-1] for then, now in pairs if then != now and b" check: " not in now]


def test_undo_of_a_review_is_to_the_byte(bench: Workbench) -> None:
    """Nothing waits any more, and the next review lists the same."""
    before = bench.pages()
    done = suggest(bench.engine)
    undone = undo(bench.engine, done.run_id)
    assert (2, 2) == (len(undone.restored), undone.suggestions)
    assert (before, [], JUNK) == (bench.pages(), texts(bench), listed(bench))
    with pytest.raises(NothingToUndo):
        undo(bench.engine, done.run_id)


def test_what_a_person_accepts_is_kept_for_good(bench: Workbench) -> None:
    """It holds again, in the person's own words, and is not reviewed any more; until that is taken back."""
    suggest(bench.engine)
    [question] = [one for one in waiting(bench.engine) if one.about.words == QUESTION]
    [outcome] = accept(bench.engine, [question], "Lima matters.")
    assert (outcome.run_id,) == accepted_report([question], [outcome]).run_ids
    assert Status.ACTIVE is standing(bench)["Lima matters."]
    assert [1.0] == [one.entry.confidence for one in list_entries(bench.engine) if "Lima" in one.entry.conclusion]
    assert [HARNESS] == texts(bench)
    assert {} == listed(bench)
    assert (KEEPING, {}) == (outcome.job, {name: why for name, why in listed(bench).items() if "Lima" in name})
    undo(bench.engine, outcome.run_id)
    assert [QUESTION, HARNESS] == texts(bench)


def test_what_a_person_declines_leaves_its_file_for_good(bench: Workbench) -> None:
    """No back-fill brings it back; undo does, to the byte."""
    suggest(bench.engine)
    before = bench.pages()
    [run_id] = decline(bench.engine, waiting(bench.engine))
    assert ([RULE], []) == (list(standing(bench)), texts(bench))
    assert QUESTION.encode() not in bench.pages()[DAY] + bench.pages()[LIST]
    bench.run_due()
    bench.backfill(*DAYS)
    assert ([RULE], []) == (list(standing(bench)), texts(bench))
    undone = undo(bench.engine, run_id)
    assert 2 == len(undone.restored)
    assert before[DAY] == bench.pages()[DAY]
    assert [QUESTION, HARNESS] == texts(bench)
    assert b"salt:" not in bench.pages()[LIST]


def test_an_undo_puts_a_declined_one_behind_what_came_since(bench: Workbench) -> None:
    """What others wrote into the file stays where it is."""
    suggest(bench.engine)
    [run_id] = decline(bench.engine, waiting(bench.engine))
    file = bench.root / DAY
    file.write_text(file.read_text() + "\nmy own line\n")
    undo(bench.engine, run_id)
    assert {QUESTION, HARNESS, RULE} == set(standing(bench))
    assert "my own line" in file.read_text()
    assert [QUESTION, HARNESS] == texts(bench)


def test_what_a_person_changed_is_not_reviewed(bench: Workbench) -> None:
    """Nor what a person archived."""
    file = bench.root / DAY
    [first, second] = [one.entry.id for one in review(bench.engine).entries]
    parts = file.read_text().split("\n## ")
    changed = [part.replace("impact: not stated", "impact: mine") if first in part else part for part in parts]
    file.write_text("\n## ".join(part.replace("active", "archived") if second in part else part for part in changed))
    assert {} == listed(bench)


def test_what_a_person_accepted_as_a_suggestion_is_not_reviewed(new_bench: NewBench) -> None:
    """A person is sure of it, whatever today's reading says."""
    bench: Workbench = new_bench(jobs=(micro_sync.JOB,))
    asks = "Option A: blue theme. Option B: red theme. Which one?"
    say(bench, ("assistant", asks), ("owner", "A"), ("assistant", "Fine."))
    bench.run_due()
    [accepted] = accept(bench.engine, waiting(bench.engine))
    assert (1, {}) == (len(accepted.written), listed(bench))


def test_a_wrong_successor_replaces_nothing_while_it_waits(new_bench: NewBench) -> None:
    """What it had replaced holds again; when a person keeps it, it is replaced again."""
    junk = f"{earlier_version.REPLACING}is it raining?"
    bench: Workbench = new_bench(jobs=(earlier_version.JOB,))
    say(bench, ("owner", RULE))
    say(bench, ("owner", junk), name="s2", hours=24)
    bench.run_due()
    assert Status.SUPERSEDED is standing(bench)[RULE]
    bench = bench.reopen(jobs=(micro_sync.JOB,))
    bench.engine.catalog.refresh()
    done = suggest(bench.engine)
    assert ([junk], ()) == ([one.entry.conclusion for one in done.entries], done.links)
    assert {RULE: Status.ACTIVE, junk: Status.IN_REVIEW} == standing(bench)
    [outcome] = accept(bench.engine, waiting(bench.engine))
    assert {RULE: Status.SUPERSEDED, junk: Status.ACTIVE} == standing(bench)
    undo(bench.engine, outcome.run_id)
    assert {RULE: Status.ACTIVE, junk: Status.IN_REVIEW} == standing(bench)


def test_forgetting_reaches_what_is_in_review(bench: Workbench) -> None:
    """The suggestion goes too, and no byte of the workspace has its words."""
    suggest(bench.engine)
    [entry] = [place.entry for place in list_entries(bench.engine) if place.entry.conclusion == QUESTION]
    assert 1 == forget(bench.engine, entry.id).suggestions
    assert [HARNESS] == texts(bench)
    bench.engine.ledger.store.close()
    files = (file for file in bench.root.rglob("*") if file.is_file())
    assert [] == [file.name for file in files if QUESTION.encode() in file.read_bytes()]


def test_an_entry_in_review_that_a_person_deletes_waits_no_more(bench: Workbench) -> None:
    """The file says what is to be decided."""
    suggest(bench.engine)
    [question] = [one for one in waiting(bench.engine) if one.about.words == QUESTION]
    file = bench.root / DAY
    file.write_bytes(without_block(file.read_bytes(), question.shown.entry_id))
    assert [HARNESS] == texts(bench)


def test_a_lost_ledger_loses_the_list_and_not_the_status(bench: Workbench) -> None:
    """What the files mark is listed again, where its words are known to be the owner's, and can be decided."""
    suggest(bench.engine)
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    again = bench.reopen()
    again.engine.catalog.refresh()
    assert rebuild_if_lost(again.engine)
    assert {QUESTION: "in_review"} == listed(again)
    assert [] == texts(again)
    suggest(again.engine)
    assert [QUESTION] == texts(again)
    accept(again.engine, waiting(again.engine))
    assert Status.ACTIVE is standing(again)[QUESTION]
    assert {} == listed(again)


def test_what_cannot_be_read_again_stays(bench: Workbench) -> None:
    """It is counted."""
    bench.source.remove("s1.jsonl")
    bench.engine.catalog.refresh()
    reviewed = review(bench.engine)
    assert ((), 3) == (reviewed.entries, reviewed.unread)


def reader() -> ScriptedModel:
    """A model that takes every new message of the owner for a rule."""
    return ScriptedModel(lambda question: SessionAnswer(candidates=rules_in(question)))


def test_of_what_a_model_read_only_the_speaker_is_judged(new_bench: NewBench) -> None:
    """The offline reading would not come to it, and need not."""
    bench: Workbench = new_bench(jobs=(micro_sync.JOB,), model=reader())
    say(bench, ("owner", RULE), ("owner", "the blue theme it is"), ("owner", HARNESS))
    bench.run_due()
    assert 3 == len(standing(bench))
    assert {} == listed(bench)
    say(bench, ("owner", RULE), ("owner", "the blue theme it is"), ("machine", HARNESS))
    bench.engine.catalog.refresh()
    assert {HARNESS: "not_owner"} == listed(bench)


def test_it_is_due_until_somebody_has_looked(bench: Workbench) -> None:
    """And again when the review is taken back; never for what today's reading wrote."""
    assert is_due(bench.engine)
    done = suggest(bench.engine)
    assert not is_due(bench.engine)
    undo(bench.engine, done.run_id)
    assert is_due(bench.engine)


def test_a_list_of_nothing_is_noted_once(new_bench: NewBench) -> None:
    """Only where one was due; it cannot be undone, for it changed nothing."""
    bench: Workbench = new_bench(jobs=(earlier_version.JOB,))
    say(bench, ("owner", RULE))
    bench.run_due()
    bench = bench.reopen(jobs=(micro_sync.JOB,))
    bench.engine.catalog.refresh()
    assert (is_due(bench.engine), {}) == (True, listed(bench))
    for _ in range(2):
        note_nothing(bench.engine)
    [run] = bench.engine.ledger.runs.latest("review")
    assert not is_due(bench.engine)
    with pytest.raises(NothingToUndo, match="changed nothing"):
        undo(bench.engine, run.run_id)
    say(
        bench,
        ("owner", "from now on never delete an image of the registry before 90 days are over"),
        name="s2",
        hours=24,
    )
    bench.run_due()
    assert (2, False) == (len(standing(bench)), is_due(bench.engine))


STANDING_QUESTION = "why is the office lamp always on at night?"


def week(number: int) -> FixedClock:
    """A Tuesday, so many weeks after the first one."""
    return FixedClock(MORNING + timedelta(weeks=number, days=1))


def page(bench: Workbench) -> str:
    """The page that an agent reads first."""
    return bench.pages()["MEMORY.md"].decode()


def test_what_is_in_review_leaves_the_page_with_the_next_plan(new_bench: NewBench) -> None:
    """And comes back when a person keeps it: the plans say why."""
    jobs = (weekly_plan.JOB, weekly_compound.JOB)
    bench: Workbench = new_bench(jobs=(earlier_version.JOB, *jobs), clock=week(1))
    say(bench, ("owner", STANDING_QUESTION))
    bench.run_due()
    assert STANDING_QUESTION in page(bench)
    bench = bench.reopen(jobs=(micro_sync.JOB, *jobs))
    bench.engine.catalog.refresh()
    suggest(bench.engine)
    bench = bench.reopen(clock=week(2))
    bench.run_due()
    assert STANDING_QUESTION not in page(bench)
    plan = bench.pages()["memory/archive/weekly-2026-W11.md"].decode()
    assert "it waits for a person's decision" in plan
    accept(bench.engine, waiting(bench.engine))
    bench = bench.reopen(clock=week(3))
    bench.run_due()
    assert STANDING_QUESTION in page(bench)


def test_what_is_new_and_what_stands_are_decided_together(bench: Workbench) -> None:
    """The new one is written, the other one kept; each by a run of its own."""
    asks = "Option A: blue theme. Option B: red theme. Which one?"
    say(bench, ("assistant", asks), ("owner", "A"), ("assistant", "Fine."), name="s2", hours=24)
    bench.run_due()
    suggest(bench.engine)
    assert ["new", "entry", "entry"] == [one.about.form for one in waiting(bench.engine)]
    kept, written = accept(bench.engine, waiting(bench.engine))
    assert (KEEPING, "micro_sync", 1) == (kept.job, written.job, len(written.written))
    assert ([], {Status.ACTIVE}) == (waiting(bench.engine), set(standing(bench).values()))
    undo(bench.engine, written.run_id)
    undo(bench.engine, kept.run_id)
    assert 1 == len(decline(bench.engine, waiting(bench.engine)))
    assert ([], [RULE]) == (waiting(bench.engine), list(standing(bench)))
