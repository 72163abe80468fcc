"""An editor that loaded a file before our append and saves it after has deleted nothing: it is written again, once."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.absence import SOON
from pipeline.errors import UnknownEntry
from pipeline.ledger.changes import BlockState
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import remove_block
from pipeline.ports.engine import Reply
from pipeline.workspace.forgotten import read_forgotten
from tests.support.builders.scripted_page import FIRST, ScriptedPage, cut_out
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench, endings, say_apart

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"
MINE = b"# mine\n\na line of mine\n"
THEIRS = b"theirs\n"


def save(file: Path, data: bytes) -> None:
    """As many editors do: another file, renamed over the old one."""
    copy = file.with_name(f"{file.name}~")
    copy.write_bytes(data)
    copy.rename(file)


def names(bench: Workbench) -> list[str]:
    """The entries in the day's file."""
    return [block.name for block in find_blocks((bench.root / DAY).read_bytes())]


def states(bench: Workbench) -> set[BlockState]:
    """What the ledger says of the blocks of the day's file."""
    return {standing.state for standing in bench.engine.ledger.changes.in_file(DAY)}


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A person's file of the day."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    (bench.root / DAY).write_bytes(MINE)
    return bench


def lost(bench: Workbench, edits: str = "") -> bytes:
    """An editor loads the file, we append, and the editor saves what it loaded, with `edits`; what it saved."""
    loaded = (bench.root / DAY).read_bytes()
    say_apart(bench, "note: one")
    bench.run_due()
    assert 1 == len(names(bench))
    save(bench.root / DAY, loaded + edits.encode())
    return loaded + edits.encode()


@pytest.mark.parametrize("edits", ["", "typed meanwhile\n", "\n## Notatki\n\n- zażółć\n", "\n我的笔记"])
def test_what_an_old_copy_took_away_is_written_again(bench: Workbench, edits: str) -> None:
    """Word for word, behind the editor's text, with a warning; the next run has nothing to say."""
    saved = lost(bench, edits)
    say_apart(bench, "note: one", "hello")
    (outcome,) = bench.run_due()
    (name,) = names(bench)
    assert ("done", (DAY,), ()) == (outcome.ending, outcome.paths, outcome.written)
    assert name in outcome.warning
    assert "written again, this once" in outcome.warning
    assert (bench.root / DAY).read_bytes().startswith(saved)
    assert ({BlockState.LIVE}, []) == (states(bench), read_forgotten(bench.engine.workspace))
    say_apart(bench, "note: one", "hello", "hello")
    assert [("empty", "")] == [(ended.ending, ended.warning) for ended in bench.run_due()]


def test_gone_a_second_time_it_is_a_wish(bench: Workbench) -> None:
    """Whoever takes it out again has seen the warning."""
    saved = lost(bench)
    say_apart(bench, "note: one", "hello")
    bench.run_due()
    save(bench.root / DAY, saved)
    say_apart(bench, "note: one", "hello", "hello")
    bench.run_due()
    assert ([], 1) == (names(bench), len(read_forgotten(bench.engine.workspace)))
    assert {BlockState.FORGOTTEN} == states(bench)


def test_gone_later_it_is_a_wish(bench: Workbench) -> None:
    """Nobody keeps a file open for so long and means the old one."""
    lost(bench)
    (((path, name), place),) = bench.engine.ledger.changes.places().items()
    before = place.landing.moment - int((SOON + timedelta(minutes=1)).total_seconds()) * 1_000_000_000
    bench.engine.ledger.changes.place(path, name, replace(place, landing=replace(place.landing, moment=before)))
    say_apart(bench, "note: one", "hello")
    bench.run_due()
    assert ([], 1) == (names(bench), len(read_forgotten(bench.engine.workspace)))


def test_who_leaves_others_of_the_same_write_has_seen_them(bench: Workbench) -> None:
    """An old copy has nothing of it."""
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: two")]))
    bench.run_due()
    data = (bench.root / DAY).read_bytes()
    gone = find_blocks(data)[0]
    save(bench.root / DAY, remove_block(data, gone))
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: two"), ("owner", "hello")]))
    bench.run_due()
    assert [gone.name] == [tombstone.entry_id for tombstone in read_forgotten(bench.engine.workspace)]


@pytest.mark.parametrize(
    ("in_between", "saved"), [("an editor saves it", MINE), ("a line comes behind", MINE + THEIRS)]
)
def test_who_has_saved_the_entry_has_seen_it(bench: Workbench, in_between: str, saved: bytes) -> None:
    """A run found it in a file that was saved since, or the saved file has the line that came behind it: a wish."""
    say_apart(bench, "note: one")
    bench.run_due()
    data = (bench.root / DAY).read_bytes()
    if in_between == "an editor saves it":
        save(bench.root / DAY, data)
    else:
        with (bench.root / DAY).open("ab") as other:
            other.write(THEIRS)
    say_apart(bench, "note: one", "hello")
    bench.run_due()
    save(bench.root / DAY, saved)
    say_apart(bench, "note: one", "hello", "hello")
    bench.run_due()
    assert 1 == len(read_forgotten(bench.engine.workspace))


def test_a_file_written_in_place_as_it_was_before_is_an_old_copy(bench: Workbench) -> None:
    """Byte for byte; with anything else in it nobody can tell, and it is a wish."""
    say_apart(bench, "note: one")
    bench.run_due()
    (bench.root / DAY).write_bytes(MINE)
    say_apart(bench, "note: one", "hello")
    bench.run_due()
    assert (1, []) == (len(names(bench)), read_forgotten(bench.engine.workspace))
    (bench.root / DAY).write_bytes(MINE)
    say_apart(bench, "note: one", "hello", "note: three")
    bench.run_due()
    assert 1 == len(read_forgotten(bench.engine.workspace))


def test_several_writes_that_one_old_copy_took_away(bench: Workbench) -> None:
    """An editor that was opened in the morning saves after the second append."""
    say_apart(bench, "note: one", "note: two")
    bench.run_due()
    before = names(bench)
    save(bench.root / DAY, MINE + b"more of mine\n")
    say_apart(bench, "note: one", "note: two", "hello")
    bench.run_due()
    assert (before, []) == (names(bench), read_forgotten(bench.engine.workspace))


def test_what_was_undone_is_not_written_again(bench: Workbench) -> None:
    """It was lost, noted as lost by a run that could not write, and its own run was undone since."""
    say_apart(bench, "note: one")
    (run,) = [outcome for outcome in bench.run_due() if outcome.written]
    save(bench.root / DAY, MINE)
    bench.engine.ledger.changes.set_state(DAY, run.written[0], BlockState.LOST)
    undo(bench.engine, run.run_id)
    bench.say(conversation("s2", MORNING + timedelta(days=1), [("owner", "hello")]))
    bench.run_due()
    assert ([], {BlockState.UNDONE}) == (names(bench), states(bench))


def test_an_old_copy_of_a_page_bans_none_of_its_items(tmp_path: Path) -> None:
    """A page is rendered again; a line that goes a second time stays out."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "rules:", "a")
    loaded = (bench.root / FIRST).read_bytes()
    script.step(bench, "rules:", "a", "b")
    save(bench.root / FIRST, loaded + b"\nmine\n")
    script.step(bench, "rules:", "a", "b")
    lines = [block.name for block in find_blocks((bench.root / FIRST).read_bytes())]
    assert ("b" in lines, []) == (True, read_forgotten(bench.engine.workspace))
    save(bench.root / FIRST, loaded + b"\nmine\n")
    script.step(bench, "rules:", "a", "b")
    assert [f"{FIRST}#b"] == [gone.entry_id for gone in read_forgotten(bench.engine.workspace)]


def test_a_crash_between_noticing_and_writing_loses_nothing(bench: Workbench) -> None:
    """What is lost stays to be written."""
    lost(bench)
    (name,) = [standing.block.name for standing in bench.engine.ledger.changes.in_file(DAY)]
    bench.engine.ledger.changes.set_state(DAY, name, BlockState.LOST)
    say_apart(bench, "note: one", "hello")
    assert ["done"] == endings(bench.run_due())
    assert [name] == names(bench)


@pytest.mark.parametrize("state", [BlockState.LIVE, BlockState.LOST, BlockState.ALLOWED])
def test_what_would_be_written_again_can_be_forgotten(bench: Workbench, state: BlockState) -> None:
    """It stands in no file; whatever the ledger knows of it, no word of it comes back or is left."""
    said = "note: the staging server is called falcon"
    say_apart(bench, said)
    bench.run_due()
    (name,) = names(bench)
    bench.engine.ledger.answers.put_answer("k", "m", Reply(json.dumps({"quote": said})))
    save(bench.root / DAY, MINE)
    if state is BlockState.ALLOWED:
        bench.engine.ledger.changes.set_state(DAY, name, BlockState.FORGOTTEN)
    bench.engine.ledger.changes.set_state(DAY, name, state)
    receipt = forget(bench.engine, name)
    assert ((), 1, 1) == (receipt.files, receipt.changes, receipt.answers)
    assert [receipt.stand_in] == [tombstone.entry_id for tombstone in read_forgotten(bench.engine.workspace)]
    say_apart(bench, said, "hello")
    bench.run_due()
    bench.backfill(MORNING.date(), MORNING.date())
    assert (MINE, {BlockState.FORGOTTEN}) == ((bench.root / DAY).read_bytes(), states(bench))
    assert [] == [file.name for file in bench.root.rglob("*") if file.is_file() and b"falcon" in file.read_bytes()]
    with pytest.raises(UnknownEntry):
        forget(bench.engine, name)


def test_a_page_that_we_wrote_anew_is_no_old_copy(tmp_path: Path) -> None:
    """An item of an earlier run, which a person took out in place after a later one, stays out at once."""
    script = ScriptedPage()
    bench = script.bench(tmp_path)
    script.step(bench, "rules:")
    script.step(bench, "rules:", "a")
    script.step(bench, "rules:", "a", "b")
    cut_out(bench, "a")
    script.step(bench, "rules:", "a", "b", "c")
    assert [f"{FIRST}#a"] == [tombstone.entry_id for tombstone in read_forgotten(bench.engine.workspace)]
