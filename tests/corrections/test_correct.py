"""A person gives an entry other words: these hold everywhere, and the old ones are history."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from jobs import daily_wrapup, micro_sync, weekly_compound, weekly_plan
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.forget import forget
from pipeline.corrections.links import unlink
from pipeline.corrections.page_lines import edit_line, editable_lines
from pipeline.corrections.undo import undo
from pipeline.errors import PipelineError, SeveralNames, UndoNewestFirst, UnknownEntry
from pipeline.errors.corrections import (
    AlreadyForgotten,
    LinkOfCorrection,
    NotInForce,
    NotOurs,
    NotWritten,
    WordsRefused,
)
from pipeline.reports.entries import list_entries, story_of_entry, subject_of
from pipeline.reports.occurrences import occurrences
from schemas.correction import LineEdit
from schemas.entry import Entry, Status, Trust
from schemas.hot_page import PATH
from schemas.reports.entries import EntryHistory
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
SAID = "New rule: the shop deposit is always 30 percent of the order."
OLD, NEW = "the shop deposit is always 30 percent of the order.", "the shop deposit is 35 percent of every order"
LATER = "the shop deposit is 40 percent, and only for large orders"
JOBS = (micro_sync.JOB, daily_wrapup.JOB, weekly_plan.JOB, weekly_compound.JOB)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """An entry that a week's plan has put on MEMORY.md."""
    made: Workbench = new_bench(jobs=JOBS)
    made.say(conversation("s1", MORNING, [("owner", SAID), ("assistant", "Noted.")]))
    later(made, days=9)
    made.run_due()
    assert OLD in page(made)
    return made


def later(bench: Workbench, **time: int) -> None:
    """Let the clock be so much after `MORNING`."""
    bench.clock.move(MORNING + timedelta(**time) - bench.clock.now())


def page(bench: Workbench) -> str:
    """MEMORY.md as it stands."""
    return (bench.root / "MEMORY.md").read_text()


def entries(bench: Workbench) -> dict[str, Entry]:
    """All entries by id, with their standing."""
    return {one.entry.id: one.entry.model_copy(update={"status": one.status}) for one in list_entries(bench.engine)}


def only(bench: Workbench) -> Entry:
    """The entry that holds."""
    [entry] = [one for one in entries(bench).values() if one.status is Status.ACTIVE]
    return entry


def given(bench: Workbench, words: str, entry_id: str = "", title: str = "") -> str:
    """Correct the entry that holds, or another one; the id of the run."""
    outcomes = correct(bench.engine, correction(bench.engine, entry_id or only(bench).id, words, title))
    return outcomes[0].run_id


def test_the_new_words_hold_in_the_daily_file_and_on_the_page(bench: Workbench) -> None:
    """As the owner's word, of the same day and message; nothing of the old words stands beside them."""
    old = only(bench)
    run_id = given(bench, NEW)
    new, history = only(bench), entries(bench)[old.id]
    assert (NEW, NEW, old.id, Trust.OWNER, 1.0) == (new.conclusion, new.quote, new.corrects, new.trust, new.confidence)
    assert (old.date, old.source, old.kind) == (new.date, new.source, new.kind)
    assert ("not stated",) * 3 == (new.why, new.finding, new.impact)
    assert (Status.SUPERSEDED, (new.id,)) == (history.status, history.superseded_by)
    assert (True, False) == (NEW in page(bench), "30 percent" in page(bench))
    [run] = bench.engine.ledger.runs.latest(limit=1)
    assert run.run_id > run_id, "the page was rendered again"


def test_an_undo_brings_the_old_words_back(bench: Workbench) -> None:
    """Every file but the log of runs is as it was."""
    before = bench.pages()
    undo(bench.engine, given(bench, NEW))
    assert before == bench.pages()


def test_a_correction_can_be_corrected(bench: Workbench) -> None:
    """Also by the id of the first words; the last words hold, and each undo goes one step back."""
    first = only(bench).id
    given(bench, NEW)
    second = given(bench, LATER, first)
    assert LATER == only(bench).conclusion
    assert (True, False) == (LATER in page(bench), "35 percent" in page(bench))
    undo(bench.engine, second)
    assert NEW == only(bench).conclusion
    assert NEW in page(bench)


def test_corrections_of_one_second_and_of_a_clock_that_is_behind(bench: Workbench) -> None:
    """The last one holds, whatever the words."""
    for words in (NEW, LATER, NEW):
        given(bench, words)
        assert words == only(bench).conclusion
    bench.clock.move(-timedelta(days=12))
    given(bench, LATER)
    assert LATER == only(bench).conclusion


def test_a_correction_is_no_link_to_take_apart(bench: Workbench) -> None:
    """It would hold still, and the entry would stay replaced when it is gone; the error names the undo."""
    old, run_id = only(bench).id, given(bench, NEW)
    before = bench.pages()
    for pair in ((old, only(bench).id), (only(bench).id, old)):
        with pytest.raises(LinkOfCorrection, match=f"memory undo {run_id}"):
            unlink(bench.engine, *pair)
    assert before == bench.pages()


def test_an_older_correction_is_not_undone_first(bench: Workbench) -> None:
    """The first words would hold beside the last ones; in their order both are taken back."""
    first, second = given(bench, NEW), given(bench, LATER)
    before = bench.pages()
    with pytest.raises(UndoNewestFirst, match=second):
        undo(bench.engine, first)
    assert before == bench.pages()
    for run_id in (second, first):
        undo(bench.engine, run_id)
    assert OLD == only(bench).conclusion


def test_the_next_plans_keep_it_on_the_page(bench: Workbench) -> None:
    """It has the place of the entry that it corrects."""
    given(bench, NEW)
    later(bench, days=23)
    bench.run_due()
    assert (True, False) == (NEW in page(bench), "30 percent" in page(bench))


def test_a_line_that_a_person_took_off_the_page_stays_off(bench: Workbench) -> None:
    """In other words too."""
    kept = "".join(line for line in page(bench).splitlines(keepends=True) if OLD not in line)
    (bench.root / "MEMORY.md").write_text(kept)
    given(bench, NEW)
    assert "percent" not in page(bench)


def test_a_later_wrap_up_tells_the_new_words(new_bench: NewBench) -> None:
    """Of the same day, made after the correction."""
    bench = new_bench(jobs=JOBS)
    bench.say(conversation("s1", MORNING, [("owner", SAID), ("assistant", "Noted.")]))
    later(bench, hours=10)
    bench.run_due()
    given(bench, NEW)
    later(bench, days=1)
    bench.run_due()
    [text] = [data.decode() for path, data in bench.pages().items() if path.endswith("-wrapup.md")]
    lines = [line for line in text.splitlines() if "decision-" in line]
    assert [True] == [NEW in line for line in lines if "superseded" not in line]


def test_its_story_has_both(bench: Workbench) -> None:
    """Of either id."""
    old = only(bench)
    given(bench, NEW)
    stories = [story_of_entry(bench.engine, entry_id) for entry_id in (old.id, only(bench).id)]
    assert [(OLD, NEW), (NEW, OLD)] == [
        (story.conclusion, (story.before or story.after)[0].conclusion)
        for story in stories
        if isinstance(story, EntryHistory)
    ]


def test_what_says_the_same_gives_way(new_bench: NewBench) -> None:
    """Also when it was said later than what was corrected, or is read later than that."""
    bench = new_bench(jobs=(micro_sync.JOB,))
    bench.say(conversation("s1", MORNING, [("owner", SAID)]))
    bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", SAID)]))
    later(bench, days=4)
    bench.run_due()
    first = min(entries(bench).values(), key=lambda entry: entry.date)
    given(bench, NEW, first.id)
    assert NEW == only(bench).conclusion
    bench.say(conversation("s3", MORNING + timedelta(days=2), [("owner", SAID)]))
    bench.run_due()
    assert (4, NEW) == (len(entries(bench)), only(bench).conclusion)


def test_what_is_said_after_it_replaces_it(new_bench: NewBench) -> None:
    """A correction is a word of its time, and an undo of it then frees nothing."""
    bench = new_bench(jobs=(micro_sync.JOB,))
    bench.say(conversation("s1", MORNING, [("owner", SAID)]))
    later(bench, days=1)
    bench.run_due()
    run_id = given(bench, NEW)
    again = "New rule: from now on the shop deposit is always 20 percent of every order."
    bench.say(conversation("s2", MORNING + timedelta(days=2), [("owner", again)]))
    later(bench, days=3)
    bench.run_due()
    assert "20 percent" in only(bench).conclusion
    undo(bench.engine, run_id)
    assert "20 percent" in only(bench).conclusion


@pytest.mark.parametrize("which", ["old", "new"])
def test_forgetting_either_erases_both(bench: Workbench, which: str) -> None:
    """And an undo of the first run brings no word back."""
    old = only(bench)
    given(bench, NEW)
    forget(bench.engine, old.id if which == "old" else only(bench).id)
    with pytest.raises(PipelineError):
        undo(bench.engine, bench.engine.ledger.runs.latest(limit=100)[-1].run_id)
    bench.run_due()
    assert {} == entries(bench)
    assert [] == [path for path, data in bench.pages().items() if b"percent" in data]
    assert b"percent" not in (bench.root / ".memory" / "state.db").read_bytes()


def pin(bench: Workbench) -> None:
    """Pin the line of the entry."""
    data = (bench.root / "MEMORY.md").read_bytes()
    [line] = [line for line in editable_lines(data).values() if OLD in line.text]
    edit_line(bench.engine, line.name, line.text, LineEdit.PIN)


def test_a_pinned_line_says_the_new_words(bench: Workbench) -> None:
    """Once, pinned still and in its place; an undo brings the old words back."""
    pin(bench)
    before = page(bench)
    run_id = given(bench, NEW)
    assert before.replace(OLD, NEW).partition("<!--m:")[0] == page(bench).partition("<!--m:")[0]
    assert (1, 0) == (page(bench).count(NEW), page(bench).count("30 percent"))
    later(bench, days=30)
    bench.run_due()
    assert 1 == page(bench).count(f"{NEW} ([2026-03-02](memory/2026-03-02.md)) (pinned) <!--m:")
    undo(bench.engine, run_id)
    assert before == page(bench)


def test_forgetting_reaches_a_pinned_line(bench: Workbench) -> None:
    """The words of it are ours, and not the person's."""
    pin(bench)
    entry_id = only(bench).id
    [place] = [place for place in occurrences(bench.engine, subject_of(bench.engine, entry_id)) if place.path == PATH]
    assert place.where in forget(bench.engine, entry_id).removed
    assert [] == [path for path, text in bench.pages().items() if b"percent" in text]
    assert b"percent" not in (bench.root / ".memory" / "state.db").read_bytes()


REFUSED = [
    ("", "there is nothing in the words"),
    (" \t\n ", "there is nothing in the words"),
    ("...", "there is nothing in the words"),
    (OLD, "says this already"),
    (f"  {OLD.replace(' ', '  ')}\n", "says this already"),
    ("x" * 2_001, "at most 2,000"),
    ("the key is hunter2secret", "a secret in the words"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED)
def test_words_that_cannot_stand_are_refused(bench: Workbench, words: str, why: str) -> None:
    """With a sentence, and nothing changes."""
    bench = bench.reopen(secrets=("hunter2secret",))
    before = bench.pages()
    with pytest.raises(WordsRefused, match=why):
        correction(bench.engine, only(bench).id, words)
    assert before == bench.pages()


def test_words_on_several_lines_stand_on_one(bench: Workbench) -> None:
    """So no line of them passes for a field of the entry."""
    given(bench, "the deposit is 35 percent\n- trust: owner\n- corrects: X\u202e")
    assert "the deposit is 35 percent - trust: owner - corrects: X" == only(bench).conclusion


def test_a_title_alone_leaves_the_words(bench: Workbench) -> None:
    """And what was said around them."""
    old = only(bench)
    given(bench, "", title="Deposits of the shop")
    new = only(bench)
    assert ("Deposits of the shop", old.conclusion, old.impact) == (new.title, new.conclusion, new.impact)


def test_names_that_cannot_be_corrected(bench: Workbench) -> None:
    """Each with its own sentence."""
    entry = only(bench)
    with pytest.raises(UnknownEntry):
        correction(bench.engine, "DECISION-20200101-nothing", NEW)
    forget(bench.engine, entry.id)
    with pytest.raises(UnknownEntry):
        correction(bench.engine, entry.id, NEW)


def test_an_entry_that_a_person_deleted_is_not_corrected(bench: Workbench) -> None:
    """The sentence says how it comes back."""
    entry = only(bench)
    (bench.root / "memory" / f"{entry.date:%Y-%m-%d}.md").write_text("# Mine\n")
    bench.say(conversation("s2", MORNING + timedelta(days=9), [("owner", "New rule: tea is always served warm.")]))
    later(bench, days=10)
    bench.run_due()
    with pytest.raises(AlreadyForgotten, match=r"memory/forgotten\.md"):
        correction(bench.engine, entry.id, NEW)


def test_a_replaced_entry_is_not_corrected(bench: Workbench) -> None:
    """The sentence names the one that holds."""
    entry = only(bench)
    again = "New rule: from now on the shop deposit is always 20 percent of the order."
    bench.say(conversation("s2", MORNING + timedelta(days=9), [("owner", again)]))
    later(bench, days=11)
    bench.run_due()
    with pytest.raises(NotInForce, match=f"replaced by {only(bench).id}; correct that one"):
        correction(bench.engine, entry.id, NEW)


def test_a_forged_entry_is_not_corrected(bench: Workbench) -> None:
    """It counts for nothing."""
    path = bench.root / "memory" / "2026-03-02.md"
    forged = path.read_text().partition("## ")[2].replace("deposit", "discount").replace("RULE-", "DECISION-")
    path.write_text(f"{path.read_text()}\n## {forged}")
    [forgery] = [entry_id for entry_id in entries(bench) if entry_id.startswith("DECISION-")]
    with pytest.raises(NotOurs):
        correction(bench.engine, forgery, NEW)


def test_a_short_beginning_that_several_have(bench: Workbench) -> None:
    """Names all of them."""
    given(bench, NEW)
    with pytest.raises(SeveralNames):
        correction(bench.engine, "RULE-2026", LATER)


def test_an_entry_that_changed_meanwhile(bench: Workbench) -> None:
    """Nothing is written over it."""
    wanted = correction(bench.engine, only(bench).id, NEW)
    given(bench, LATER)
    with pytest.raises(NotWritten):
        correct(bench.engine, wanted)
    assert LATER == only(bench).conclusion
