"""Suggestions: kept once, decided by a person, and gone or back as that says."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.plan import due_now
from pipeline.corrections.decide import accept, answer_about, decline, take_back
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.dry_run import scratch_copy
from pipeline.engine.partitioning.base import partition_of
from pipeline.engine.retention import prune
from pipeline.engine.suggestions import waiting
from pipeline.errors import Held, NothingToUndo
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.markdown.splice import without_block
from pipeline.reports.entries import explain, list_entries
from pipeline.reports.grid import Cell, grid
from pipeline.workspace.declined import PATH
from pipeline.workspace.locks import Locks
from schemas.entry import Entry
from schemas.suggestion import AcceptedEntry, NewEntry
from tests.support.builders.maybe_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench, endings

NewBench = Callable[..., Workbench]
DAY = date(2026, 3, 2)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A workspace in which two suggestions wait and an entry stands, all of the morning of 2 March."""
    made = new_bench(jobs=(JOB,))
    made.say(conversation("s1", MORNING, [("owner", text) for text in ("maybe: tea", "note: milk", "maybe: cake")]))
    made.run_due()
    return made


def entry_in(suggestion: KeptSuggestion) -> Entry:
    """The entry that would be written."""
    assert isinstance(suggestion.about, NewEntry)
    return suggestion.about.entry


def texts(bench: Workbench) -> list[str]:
    """What waits."""
    return [suggestion.about.words for suggestion in waiting(bench.engine)]


def written(bench: Workbench) -> list[str]:
    """What stands, and whether all of it is believed."""
    places = list_entries(bench.engine)
    assert [True] * len(places) == [place.is_verified for place in places]
    return [place.entry.conclusion for place in places]


def lose_ledger(bench: Workbench) -> Workbench:
    """The same folder after its ledger was lost."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    return bench.reopen()


def test_a_suggestion_stands_in_no_file(bench: Workbench) -> None:
    """Until somebody accepts it; the run counts it by its id alone."""
    assert ["tea", "cake"] == texts(bench)
    assert ["milk"] == written(bench)
    assert not [path for path, data in bench.pages().items() if b"tea" in data]
    [run] = [run for run in bench.engine.ledger.runs.latest() if run.outcome and run.outcome.suggested]
    assert run.outcome
    assert tuple(suggestion.id for suggestion in waiting(bench.engine)) == run.outcome.suggested
    assert "tea" not in run.outcome.model_dump_json()


def test_an_accepted_one_stands_in_the_day_of_its_message(bench: Workbench) -> None:
    """By a run of its own, with nothing in doubt; then it waits no longer."""
    [outcome] = accept(bench.engine, waiting(bench.engine)[:1])
    assert ("done", ("memory/2026-03-02.md",)) == (outcome.ending, outcome.paths)
    assert ["milk", "tea"] == sorted(written(bench))
    assert ["cake"] == texts(bench)
    [entry] = [place.entry for place in list_entries(bench.engine) if place.entry.conclusion == "tea"]
    assert 1.0 == entry.confidence
    story = explain(bench.engine, entry.id)
    assert outcome.run_id == story.run_id
    [row] = grid(bench.engine, 3)
    assert Cell.DONE == row.cells[DAY]
    assert [] == due_now(bench.engine, [JOB])


def test_the_text_is_the_persons_and_the_quote_is_not(bench: Workbench) -> None:
    """Whoever accepts may say it better."""
    accept(bench.engine, waiting(bench.engine)[:1], "We drink tea at four.")
    [entry] = [place.entry for place in list_entries(bench.engine) if "tea" in place.entry.conclusion]
    assert ("We drink tea at four.", "maybe: tea") == (entry.conclusion, entry.quote)
    assert ("We drink tea at four", True) == (entry.title, entry.id.endswith("we-drink-tea-at-four"))
    assert ["cake"] == texts(bench)


def test_undo_lets_it_wait_again(bench: Workbench) -> None:
    """And no back-fill decides in the person's place; accepted once more, it stands again."""
    [outcome] = accept(bench.engine, waiting(bench.engine)[:1])
    undo(bench.engine, outcome.run_id)
    assert ["milk"] == written(bench)
    assert ["tea", "cake"] == texts(bench)
    bench.backfill(DAY, DAY)
    assert ["milk"] == written(bench)
    accept(bench.engine, waiting(bench.engine)[:1])
    assert ["milk", "tea"] == sorted(written(bench))


def test_undo_of_the_run_that_made_them_takes_them_away(bench: Workbench) -> None:
    """What was accepted stays; the same time run again suggests the rest again."""
    [run] = [run for run in bench.engine.ledger.runs.latest() if run.outcome and run.outcome.suggested]
    accept(bench.engine, waiting(bench.engine)[:1])
    assert 2 == undo(bench.engine, run.run_id).suggestions
    assert [] == texts(bench)
    assert ["tea"] == written(bench)
    bench.backfill(DAY, DAY)
    assert ["cake"] == texts(bench)
    assert ["milk", "tea"] == sorted(written(bench))


def test_a_run_that_only_suggested_can_be_undone(new_bench: NewBench) -> None:
    """Once."""
    bench = new_bench(jobs=(JOB,))
    bench.say(conversation("s1", MORNING, [("owner", "maybe: tea")]))
    [run] = [outcome for outcome in bench.run_due() if outcome.suggested]
    assert "done" == run.ending
    undo(bench.engine, run.run_id)
    assert [] == texts(bench)
    with pytest.raises(NothingToUndo, match="has been undone"):
        undo(bench.engine, run.run_id)


def test_the_same_again_changes_nothing(bench: Workbench) -> None:
    """New messages in the same window, the same words elsewhere, a back-fill: each waits once."""
    bench.say(
        conversation("s1", MORNING, [("owner", text) for text in ("maybe: tea", "note: milk", "maybe: cake", "hm")]),
        conversation("s2", MORNING + timedelta(hours=7), [("owner", "maybe: Tea!")]),
    )
    bench.run_due()
    bench.backfill(DAY, DAY)
    assert ["tea", "cake"] == texts(bench)
    accept(bench.engine, waiting(bench.engine)[:1])
    assert ["cake"] == texts(bench)


def test_what_is_said_clearly_later_waits_no_longer(bench: Workbench) -> None:
    """The clear words are written, of this session or another, and the doubtful ones are settled while they stand."""
    bench.say(
        conversation(
            "s1", MORNING, [("owner", text) for text in ("maybe: tea", "note: milk", "maybe: cake", "note: tea")]
        ),
        conversation("s2", MORNING + timedelta(hours=7), [("owner", "maybe: bread"), ("owner", "note: Cake!")]),
        conversation("s3", MORNING + timedelta(hours=7), [("owner", "note: bread")]),
    )
    ended = bench.run_due()
    assert ["Cake!", "bread", "milk", "tea"] == sorted(written(bench))
    assert [] == texts(bench)
    assert [] == [outcome.suggested for outcome in ended if outcome.suggested]
    undo(bench.engine, ended[-1].run_id)
    assert ["cake"] == texts(bench)
    bench.backfill(DAY, DAY)
    assert [] == texts(bench)


def test_what_stands_is_not_suggested_in_the_same_words(bench: Workbench) -> None:
    """Of an earlier message too, when its time is run later."""
    bench.say(conversation("s0", MORNING - timedelta(hours=7), [("owner", "maybe: Milk.")]))
    bench.run_due()
    assert ["tea", "cake"] == texts(bench)


def test_what_was_declined_is_written_when_it_is_said_clearly(bench: Workbench) -> None:
    """To decline says that the words settled nothing, not that nobody may settle them."""
    decline(bench.engine, waiting(bench.engine))
    bench.say(conversation("s2", MORNING + timedelta(hours=7), [("owner", "maybe: cake"), ("owner", "note: tea")]))
    bench.run_due()
    assert ["milk", "tea"] == sorted(written(bench))
    assert [] == texts(bench)


def test_a_declined_one_never_comes_back(bench: Workbench) -> None:
    """Not in a back-fill, not in the same words of another session, not when the ledger is lost."""
    tea = waiting(bench.engine)[:1]
    decline(bench.engine, tea)
    assert ["cake"] == texts(bench)
    data = bench.pages()[PATH]
    assert b"tea" not in data
    assert tea[0].identity.encode() not in data
    bench.say(conversation("s2", MORNING + timedelta(hours=7), [("owner", "maybe: TEA")]))
    bench.run_due()
    assert ["cake"] == texts(bench)
    again = lose_ledger(bench)
    again.run_due()
    again.backfill(DAY, DAY)
    assert ["cake"] == texts(again)


def test_other_words_of_the_same_message_stay_declined(bench: Workbench) -> None:
    """By its identity; words that were declined elsewhere do not keep away what is said about something else."""
    tea, cake = waiting(bench.engine)
    decline(bench.engine, [tea])
    store = bench.engine.ledger.suggestions
    with bench.engine.ledger.store.transaction():
        store.drop_of_run(tea.run_id)
        for one, text in ((tea, "green tea"), (cake, "cake for all")):
            reworded = entry_in(one).model_copy(update={"conclusion": text})
            store.keep(replace(one, about=NewEntry(entry=reworded)), MORNING)
    assert ["cake for all"] == texts(bench)


def test_a_person_takes_a_line_back(bench: Workbench) -> None:
    """Without its line in `memory/declined.md` it waits again; other lines are theirs."""
    decline(bench.engine, waiting(bench.engine))
    file = bench.root / PATH
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:-1], "- my own line"]) + "\n")
    assert ["cake"] == texts(bench)


def test_an_answer_is_taken_back(bench: Workbench) -> None:
    """A declined one for a day, by its line and as often as a person likes; an accepted one by its run."""
    tea, cake = waiting(bench.engine)
    for _ in range(2):
        decline(bench.engine, [tea])
        [outcome] = accept(bench.engine, [cake])
        assert [] == texts(bench)
        take_back(bench.engine, [tea.id, cake.id], [])
        assert ["tea", "cake"] == texts(bench)
        assert ["milk"] == written(bench)
        assert [] == answer_about(bench.engine, [tea.id, cake.id], [outcome.run_id]).names


def test_what_waits_to_be_written_is_taken_back(bench: Workbench) -> None:
    """Nobody writes it then; while another process is at work it is left as it is."""
    meant = waiting(bench.engine)[:1]
    with Locks(bench.engine.workspace.lock_folder, bench.host).hold([JOB.name], "r-1", bench.clock.now()):
        assert ["locked"] == endings(accept(bench.engine, meant, wait_seconds=0))
        with pytest.raises(Held):
            take_back(bench.engine, [meant[0].id], [], 0)
    assert ["cake"] == texts(bench)
    take_back(bench.engine, [meant[0].id], [])
    bench.run_due()
    assert (["tea", "cake"], ["milk"]) == (texts(bench), written(bench))


def test_the_words_of_a_declined_one_go_after_a_day(bench: Workbench) -> None:
    """With the next run: then nothing brings it back but a back-fill. One whose line a person took out stays."""
    tea, cake = waiting(bench.engine)
    decline(bench.engine, [tea])
    bench.clock.move(timedelta(hours=23))
    decline(bench.engine, [cake])
    prune(bench.engine)
    assert [tea, cake] == bench.engine.ledger.suggestions.all()
    bench.clock.move(timedelta(hours=2))
    prune(bench.engine)
    assert [cake.id] == [one.id for one in bench.engine.ledger.suggestions.all()]
    assert [] == answer_about(bench.engine, [tea.id]).names
    file = bench.root / PATH
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if cake.id not in line))
    for _ in range(2):
        bench.clock.move(timedelta(days=2))
        prune(bench.engine)
        assert ["cake"] == texts(bench)


def test_what_a_person_deleted_is_not_suggested(bench: Workbench) -> None:
    """An accepted entry that is deleted by hand stays away, and so it does when it is forgotten."""
    accept(bench.engine, waiting(bench.engine))
    [tea, cake] = [place.entry for place in list_entries(bench.engine) if place.entry.conclusion != "milk"]
    forget(bench.engine, cake.id)
    file = bench.root / "memory" / "2026-03-02.md"
    for text in ("bread", "salt"):  # what was just written is written again once, for an editor may have lost it
        file.write_bytes(without_block(file.read_bytes(), tea.id))
        bench.say(conversation(f"of-{text}", MORNING, [("owner", f"note: {text}")]))
        bench.run_due()
    assert [] == texts(bench)
    assert ["milk", "bread", "salt"] == written(bench)


def test_forgetting_reaches_all_that_holds_the_words(bench: Workbench) -> None:
    """The entry, its request, and a suggestion with the same words, also a declined one: no byte has them."""
    words = "the gate of the garden is always locked at seven in the evening"
    for session, mark, hours in (("s2", "maybe", 7), ("s3", "note", 14)):
        bench.say(conversation(session, MORNING + timedelta(hours=hours), [("owner", f"{mark}: {words}!")]))
        bench.run_due()
        accept(bench.engine, [one for one in waiting(bench.engine) if words in one.about.words])
    bench.say(conversation("s4", MORNING + timedelta(hours=21), [("owner", f"maybe: now, {words}!")]))
    bench.run_due()
    decline(bench.engine, [one for one in waiting(bench.engine) if words in one.about.words])
    [first, second] = [place.entry.id for place in list_entries(bench.engine) if words in place.entry.conclusion]
    assert 2 == forget(bench.engine, first).suggestions
    forget(bench.engine, second)
    assert 0 == bench.engine.ledger.store.value("SELECT COUNT(*) FROM suggestions_said")
    bench.engine.ledger.store.close()
    files = (file for file in bench.root.rglob("*") if file.is_file())
    assert [] == [file.name for file in files if words.encode() in file.read_bytes()]


def test_the_ledger_lets_go_of_old_ones(bench: Workbench) -> None:
    """With the other words of people, after `retention`; what was accepted stands in its file."""
    accept(bench.engine, waiting(bench.engine)[:1])
    later = bench.reopen(clock=FixedClock(datetime(2026, 9, 4, 11, tzinfo=UTC)))
    prune(later.engine)
    assert [] == later.engine.ledger.suggestions.all()
    assert [""] == [request.body for request in later.engine.ledger.requests.of_job(JOB.name)]
    assert ["milk", "tea"] == sorted(written(later))


def test_a_crash_after_the_receipt_loses_nothing(bench: Workbench) -> None:
    """What was accepted is written by the next run, once, and is not offered meanwhile."""
    [tea, _] = waiting(bench.engine)
    body = AcceptedEntry(entry=entry_in(tea), identity=tea.identity).model_dump_json()
    request = Request("accept-1", JOB.name, "", body, bench.clock.now(), about=entry_in(tea).date)
    bench.engine.ledger.requests.keep(request)
    assert ["cake"] == texts(bench)
    assert [partition_of(request)] == [planned.partition for planned in due_now(bench.engine, [JOB])]
    again = bench.reopen()
    assert ["done"] == endings(again.run_due())
    assert ["milk", "tea"] == sorted(written(again))
    assert [] == again.run_due()


def test_two_requests_write_one_entry(bench: Workbench) -> None:
    """When two people's windows accept the same at once, the second has nothing to do."""
    tea = waiting(bench.engine)[:1]
    assert ["done", "empty"] == endings([*accept(bench.engine, tea), *accept(bench.engine, tea)])
    assert ["milk", "tea"] == sorted(written(bench))


def test_a_lost_ledger_loses_what_waits(bench: Workbench) -> None:
    """A back-fill of the time brings it back; what was accepted verifies by its message."""
    accept(bench.engine, waiting(bench.engine)[:1])
    again = lose_ledger(bench)
    again.run_due()
    assert [] == texts(again)
    again.backfill(DAY, DAY)
    assert ["cake"] == texts(again)
    assert ["milk", "tea"] == sorted(written(again))
    assert [] == again.backfill(DAY, DAY)


def test_a_copy_has_them_for_a_dry_run(bench: Workbench) -> None:
    """The list of what was declined is copied with the files."""
    decline(bench.engine, waiting(bench.engine)[:1])
    with scratch_copy(bench.root, bench.engine.workspace.layout) as copy:
        assert (bench.root / PATH).read_bytes() == Path(copy, PATH).read_bytes()
