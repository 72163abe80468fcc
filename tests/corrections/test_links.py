"""Links that a person takes apart, and links that are judged again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs import micro_sync
from pipeline.corrections.forget import forget
from pipeline.corrections.links import fallen, relink, unlink
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, EntryDraft
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.errors import ModelUnavailable, NothingToUndo, UnknownEntry
from pipeline.errors.corrections import LinkOfPerson, NotLinked
from pipeline.job import Run
from pipeline.ports.engine import Question
from pipeline.reports.entries import list_entries, story_of_entry
from schemas.entry import Entry, Status
from schemas.links import LinkAnswer, LinkVerdict
from schemas.reports.entries import EntryHistory
from schemas.session_answer import SessionAnswer
from tests.support.builders.link_rows import linked
from tests.support.builders.rule_reader import rules_in
from tests.support.ports.fences import unfenced
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
LIST = "memory/unlinked.md"
ARCHIVE, LAB = "the imaging archive keeps nightly backups for 35 days", "the lab keeps nightly backups for 53 days"


def reader(verdict: LinkVerdict | None = LinkVerdict.REPLACES, name: str = "scripted") -> ScriptedModel:
    """A model that takes every new message for a rule, and says the same of every pair."""

    def answer(question: Question) -> SessionAnswer | LinkAnswer:
        if question.name == "micro_sync_links":
            return linked(unfenced(question.input), lambda *_: verdict, "the same backups")
        return SessionAnswer(candidates=rules_in(question))

    return ScriptedModel(answer, name)


def said(bench: Workbench, *texts: str, hours: int = 24) -> None:
    """The owner says each text in a session of its own, a day apart."""
    for place, text in enumerate(texts):
        bench.say(conversation(f"s{place}", MORNING + timedelta(hours=place * hours), [("owner", text)]))


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A wrong link: the lab has taken the place of the archive."""
    made: Workbench = new_bench(jobs=(micro_sync.JOB,), model=reader())
    said(made, ARCHIVE, LAB)
    made.run_due()
    return made


def entries(bench: Workbench) -> list[Entry]:
    """All entries with their standing, in the order of their days."""
    return [place.entry.model_copy(update={"status": place.status}) for place in list_entries(bench.engine)]


def test_what_was_replaced_holds_again(bench: Workbench) -> None:
    """In the files of both; the pair stands in a list that people read, and in the log of runs."""
    archive, lab = entries(bench)
    assert ((archive.id,), Status.SUPERSEDED) == (lab.supersedes, archive.status)
    done = unlink(bench.engine, archive.id, lab.id)
    archive, lab = entries(bench)

    assert ((), Status.ACTIVE, "") == (lab.supersedes, archive.status, lab.grounds)
    assert f"{archive.id} message:" in bench.pages()[LIST].decode() or lab.id in bench.pages()[LIST].decode()
    record = bench.engine.ledger.runs.find(done.run_id)
    assert record is not None
    assert ("unlink", "done") == (record.job, record.outcome.ending.value if record.outcome else "")


def test_a_back_fill_does_not_link_them_again(bench: Workbench) -> None:
    """The run that linked them is undone and run again: the model says what it said."""
    archive, lab = entries(bench)
    unlink(bench.engine, lab.id, archive.id)
    writer = next(block.run_id for block in bench.engine.ledger.changes.live() if block.name == lab.id)
    undo(bench.engine, writer)
    bench.backfill(date(2026, 3, 2), date(2026, 3, 4))

    assert [((), Status.ACTIVE), ((), Status.ACTIVE)] == [(one.supersedes, one.status) for one in entries(bench)]


def test_it_outlives_the_ledger(bench: Workbench, new_bench: NewBench) -> None:
    """The list and the files are all there is to it."""
    archive, lab = entries(bench)
    unlink(bench.engine, lab.id, archive.id)
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    again: Workbench = new_bench(source=bench.source, clock=bench.clock, jobs=bench.jobs, model=reader())
    again.engine.catalog.refresh()
    rebuild_if_lost(again.engine)
    again.backfill(date(2026, 3, 2), date(2026, 3, 4))

    assert [(), ()] == [one.supersedes for one in entries(again)]
    with pytest.raises(NotLinked):
        unlink(again.engine, lab.id, archive.id)


def test_undo_puts_the_link_back_to_the_byte(bench: Workbench) -> None:
    """The line leaves the list, and the same pair can be taken apart again."""
    before = bench.pages()
    archive, lab = entries(bench)
    done = unlink(bench.engine, lab.id, archive.id)
    undone = undo(bench.engine, done.run_id)

    assert before == {path: data for path, data in bench.pages().items() if path != LIST}
    assert (set(undone.restored) <= {lab.id, archive.id}, lab.id in bench.pages()[LIST].decode()) == (True, False)
    with pytest.raises(NothingToUndo):
        undo(bench.engine, done.run_id)
    assert unlink(bench.engine, lab.id, archive.id).removed


def test_a_correction_that_was_killed_before_its_end_is_undone_too(bench: Workbench) -> None:
    """Its files are as they were; only the list keeps its line, for nobody knows which one it wrote."""
    before = bench.pages()
    archive, lab = entries(bench)
    run_id = unlink(bench.engine, lab.id, archive.id).run_id
    killed = "UPDATE runs SET ended = NULL, ending = NULL, outcome = NULL WHERE id = ?"
    bench.engine.ledger.store.write(killed, (run_id,))
    undo(bench.engine, run_id)
    assert before == {path: data for path, data in bench.pages().items() if path != LIST}
    with pytest.raises(NothingToUndo):
        undo(bench.engine, run_id)


def test_what_fell_along_is_freed_too(new_bench: NewBench) -> None:
    """An entry that repeats the replaced one had no other reason to fall."""
    verdicts = {ARCHIVE: LinkVerdict.SAME, LAB: LinkVerdict.REPLACES}

    def answer(question: Question) -> SessionAnswer | LinkAnswer:
        if question.name == "micro_sync_links":
            return linked(unfenced(question.input), lambda later, _: verdicts.get(later, LinkVerdict.SAME))
        made = reader().answer(question)
        return SessionAnswer.model_validate_json(made.text)

    bench: Workbench = new_bench(jobs=(micro_sync.JOB,), model=ScriptedModel(answer))
    said(bench, ARCHIVE, f"as before, {ARCHIVE}", LAB, hours=4)
    bench.run_due()
    first, again, lab = entries(bench)
    assert {first.id, again.id} == set(lab.supersedes)
    unlink(bench.engine, lab.id, lab.supersedes[0])

    assert [Status.ACTIVE] * 3 == [one.status for one in entries(bench)]


def test_entries_without_a_link_or_a_name_are_refused(bench: Workbench) -> None:
    """Nothing is written then."""
    archive, lab = entries(bench)
    before = bench.pages()
    for pair, error in (((lab.id, lab.id), NotLinked), (("RULE-nobody", archive.id), UnknownEntry)):
        with pytest.raises(error):
            unlink(bench.engine, *pair)

    assert before == bench.pages()


def test_what_a_person_changed_is_left_to_the_person(bench: Workbench) -> None:
    """An adopted entry is never rewritten; the error names the line to edit."""
    archive, lab = entries(bench)
    page = bench.root / "memory/2026-03-03.md"
    page.write_text(page.read_text().replace("impact: not stated", "impact: mine"))
    with pytest.raises(LinkOfPerson, match="by hand"):
        unlink(bench.engine, lab.id, archive.id)

    assert LIST not in bench.pages()


def test_forget_leaves_no_word_of_an_entry_behind(bench: Workbench) -> None:
    """Ids and grounds are made of its words."""
    archive, lab = entries(bench)
    forget(bench.engine, archive.id)
    assert "grounds" not in bench.pages()["memory/2026-03-03.md"].decode()
    undone = entries(bench)

    assert [lab.id] == [one.id for one in undone]


def test_explain_names_the_grounds_on_both_sides(bench: Workbench) -> None:
    """The model, its verdict and its reason."""
    archive, lab = entries(bench)
    stories = [story_of_entry(bench.engine, one.id) for one in (archive, lab)]
    grounds = "the model scripted judged `replaces`: the same backups"

    assert all(isinstance(story, EntryHistory) for story in stories)
    assert [[(lab.id, archive.id, grounds)]] * 2 == [
        [(link.later, link.earlier, link.grounds) for link in story.rests_on]
        for story in stories
        if isinstance(story, EntryHistory)
    ]


def _old_links(new_bench: NewBench, model: ScriptedModel | None = None) -> Workbench:
    """A workspace in which an earlier version linked the two by its own judgement."""

    def links(run: Run) -> Sequence[Draft]:
        drafts = micro_sync.JOB.run(run)
        update = {"supersedes": tuple(entry.id for entry in run.written.entries), "grounds": ""}
        return [
            replace(one, entry=one.entry.model_copy(update=update)) if isinstance(one, EntryDraft) else one
            for one in drafts
        ]

    bench: Workbench = new_bench(jobs=(replace(micro_sync.JOB, run=links),), model=reader(None))
    said(bench, ARCHIVE, LAB)
    assert {"done"} <= set(endings(bench.run_due()))
    return bench.reopen(model=model)


def test_links_that_would_not_be_made_today_are_listed_and_judged_again(new_bench: NewBench) -> None:
    """One run, which undo takes back; afterwards every link stands."""
    bench = _old_links(new_bench)
    archive, lab = entries(bench)
    before = bench.pages()
    assert [(lab.id, "supersedes", archive.id)] == [
        (link.carrier, link.kind, link.target) for link in fallen(bench.engine)
    ]
    assert before == bench.pages()
    done = relink(bench.engine)
    assert done is not None
    assert [Status.ACTIVE] * 2 == [one.status for one in entries(bench)]
    assert ([], None) == (fallen(bench.engine), relink(bench.engine))
    undo(bench.engine, done.run_id)

    assert before == bench.pages()


def test_a_model_that_agrees_gives_the_link_its_grounds(new_bench: NewBench) -> None:
    """The link stands then; one that fails changes nothing."""
    bench = _old_links(new_bench, ScriptedModel.failing(name="other"))
    before = bench.pages()
    with pytest.raises(ModelUnavailable):
        relink(bench.engine)
    assert before == bench.pages()
    bench = bench.reopen(model=reader(name="other"))

    assert relink(bench.engine) is None
