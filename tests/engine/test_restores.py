"""Halves of files, backups and branches: what is missing in them is no wish, and what comes back counts as before."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corrections.forget import forget
from pipeline.engine.deletions import notice_returns
from pipeline.errors import FileDamaged
from pipeline.events import Event
from pipeline.ledger.changes import BlockState
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.splice import remove_block
from pipeline.reports.entries import list_entries
from pipeline.reports.entry_book import EntryBooks
from pipeline.workspace.forgotten import read_forgotten
from tests.support.builders.scripted_page import FIRST, ScriptedPage
from tests.support.marks import examples
from tests.support.ports.memory_source import conversation
from tests.support.tables import table
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"
FORGOTTEN = "memory/forgotten.md"
LINES = tuple(f"{name}=the {name} of the house" for name in ("door", "roof", "lamp", "well", "barn", "gate"))
NAMES = {line.partition("=")[0] for line in LINES}


@contextmanager
def rendered(*lines: str) -> Iterator[tuple[ScriptedPage, Workbench, Path]]:
    """A page with these lines."""
    root, page = Path(tempfile.mkdtemp(prefix="memory-restores-")), ScriptedPage()
    bench = page.bench(root)
    try:
        page.step(bench, *lines)
        yield page, bench, root / FIRST
    finally:
        bench.engine.ledger.store.close()
        shutil.rmtree(root)


def names(file: Path) -> set[str]:
    """The names of the items in a page."""
    return {block.name for block in find_blocks(file.read_bytes())}


def without(data: bytes, name: str) -> bytes:
    """The page without one item, as a person takes it out."""
    return remove_block(data, next(block for block in find_blocks(data) if block.name == name))


@table("share", [0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
def test_half_a_page_takes_nothing_out(share: float) -> None:
    """It is written again with a warning, without the beginning of the line that broke off; the backup fits then."""
    with rendered(*LINES) as (page, bench, file):
        whole = file.read_bytes()
        file.write_bytes(whole[: int(len(whole) * share)])
        outcome = page.step(bench, *LINES)
        assert (whole, []) == (file.read_bytes(), read_forgotten(bench.engine.workspace))
        assert "written again, this once" in outcome.warning
        file.write_bytes(whole)
        assert ("empty", "") == (page.step(bench, *LINES).ending, page.step(bench, *LINES).warning)
        assert [] == read_forgotten(bench.engine.workspace)


def test_a_page_cut_between_two_lines_is_half_a_page_once() -> None:
    """Who has taken the last lines out has been told, and does so again."""
    with rendered(*LINES) as (page, bench, file):
        blocks = find_blocks(file.read_bytes())
        file.write_bytes(file.read_bytes()[: blocks[-2].start])
        page.step(bench, *LINES)
        assert names(file) == NAMES
        file.write_bytes(file.read_bytes()[: blocks[-2].start])
        page.step(bench, *LINES)
        assert {block.name for block in blocks[-2:]} == NAMES - names(file)


def test_an_older_page_takes_nothing_out() -> None:
    """A line in words that we have replaced since, or one that we took out: no person writes those with our check."""
    with rendered("door=is red", "roof=is old") as (page, bench, file):
        backup = file.read_bytes()
        page.step(bench, "door=is blue", "lamp=is new")
        now = file.read_bytes()
        file.write_bytes(backup)
        page.step(bench, "door=is blue", "lamp=is new")
        assert ({"door", "lamp"}, []) == (names(file), read_forgotten(bench.engine.workspace))
        assert now == file.read_bytes()


@table("ended", [b"", b"\n"])
def test_a_line_that_a_person_takes_out_stays_out(ended: bytes) -> None:
    """The first, a middle and the last one; with and without a last line end; also after another run."""
    for name in ("door", "lamp", "gate"):
        with rendered(*LINES) as (page, bench, file):
            file.write_bytes(without(file.read_bytes(), name).rstrip(b"\n") + ended)
            page.step(bench, *LINES)
            page.step(bench, *LINES)
            assert NAMES - names(file) == {name}
            assert [f"{FIRST}#{name}"] == [gone.entry_id for gone in read_forgotten(bench.engine.workspace)]


def test_an_emptied_page_is_written_anew_with_a_warning() -> None:
    """Nobody else would say that a person's lines are gone."""
    with rendered(*LINES) as (page, bench, file):
        whole = file.read_bytes()
        file.write_bytes(b"")
        assert f"{FIRST} was empty" in page.step(bench, *LINES).warning
        assert (whole, []) == (file.read_bytes(), read_forgotten(bench.engine.workspace))


@table(
    "damaged",
    [
        lambda data: data.decode().encode("utf-16"),
        lambda data: data[:40] + b"\0" * (len(data) - 40),
        lambda data: b"<<<<<<< HEAD\n" + data + b"=======\n" + data + b">>>>>>> laptop\n",
    ],
)
def test_nothing_is_written_into_a_damaged_page(damaged: Callable[[bytes], bytes]) -> None:
    """It fails with the line, and bans nothing; mended, it goes on."""
    with rendered(*LINES) as (page, bench, file):
        whole = file.read_bytes()
        file.write_bytes(broken := damaged(whole))
        outcome = page.step(bench, *LINES[:-1])
        assert ("unreadable", broken) == (outcome.ending, file.read_bytes())
        assert ", in line " in outcome.warning
        file.write_bytes(whole)
        bench.run_due()
        assert (NAMES - {"gate"}, []) == (names(file), read_forgotten(bench.engine.workspace))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("truncate"), st.floats(0, 1)),
        st.tuples(st.just("restore"), st.integers(0, 9)),
        st.tuples(st.just("delete"), st.integers(0, 9)),
        st.tuples(st.just("render"), st.integers(1, len(LINES))),
    ),
    max_size=8,
)


@settings(max_examples=examples(10), deadline=None)
@given(steps=STEPS)
def test_in_any_order_nothing_that_came_back_is_banned(steps: list[tuple[str, float]]) -> None:
    """Truncated, restored, pruned line by line, rendered: a line that stands is not listed, and a wish stays one."""
    with rendered(*LINES) as (page, bench, file):
        snapshots, wishes = [file.read_bytes()], set[str]()
        for what, where in steps:
            if what == "truncate":
                file.write_bytes(file.read_bytes()[: int(len(file.read_bytes()) * where)])
            elif what == "restore":
                file.write_bytes(snapshots[int(where) % len(snapshots)])
                wishes -= names(file)
            elif what == "delete" and (standing := sorted(names(file))):
                wishes.add(name := standing[int(where) % len(standing)])
                file.write_bytes(without(file.read_bytes(), name))
                page.step(bench, *LINES)
                assert name not in names(file)
            page.step(bench, *LINES[: int(where)] if what == "render" else LINES)
            snapshots.append(file.read_bytes())
            listed = {gone.entry_id.rpartition("#")[2] for gone in read_forgotten(bench.engine.workspace)}
            assert set() == listed & names(file)
            assert wishes <= listed


def say(bench: Workbench, *texts: str) -> None:
    """The owner says one thing a minute, and it is run."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts]))
    bench.run_due()


NOTES = tuple(f"note: {name} is painted" for name in ("door", "roof", "lamp", "well"))


@pytest.mark.parametrize("share", [0.3, 0.45, 0.6])
def test_half_a_day_counts_as_away(new_bench: NewBench, share: float) -> None:
    """Nothing is banned, nothing is appended to it, and the whole file fits again."""
    bench = new_bench()
    say(bench, *NOTES)
    whole = (bench.root / DAY).read_bytes()
    (bench.root / DAY).write_bytes(half := whole[: int(len(whole) * share)])
    say(bench, *NOTES, "note: the gate is oiled")
    assert (half, []) == ((bench.root / DAY).read_bytes(), read_forgotten(bench.engine.workspace))
    (bench.root / DAY).write_bytes(whole)
    bench.run_due()
    entries = [place.entry.conclusion for place in list_entries(bench.engine)]
    assert [*(note.removeprefix("note: ") for note in NOTES), "the gate is oiled"] == entries
    assert {BlockState.LIVE} == {one.state for one in bench.engine.ledger.changes.in_file(DAY)}


def test_a_day_out_of_a_backup_gets_back_what_came_since(new_bench: NewBench) -> None:
    """Its time is that of the backup, before the run that wrote the rest."""
    bench = new_bench()
    say(bench, NOTES[0])
    backup = (bench.root / DAY).read_bytes()
    say(bench, *NOTES[:2])
    for placed in bench.engine.ledger.changes.places():
        bench.engine.ledger.changes.place(*placed, None)  # the time of an editor's old copy is over
    (bench.root / DAY).write_bytes(backup)
    os.utime(bench.root / DAY, (MORNING.timestamp(), MORNING.timestamp()))
    say(bench, *NOTES[:2], "hello")
    assert [] == read_forgotten(bench.engine.workspace)
    assert 2 == len(find_blocks((bench.root / DAY).read_bytes()))


def test_what_was_forgotten_does_not_come_back_with_an_emptied_list(new_bench: NewBench) -> None:
    """Of the list as a whole nobody has thought; of a line in it somebody has."""
    bench = new_bench()
    say(bench, *NOTES)
    erased, deleted = find_blocks((bench.root / DAY).read_bytes())[:2]
    forget(bench.engine, erased.name)
    data = (bench.root / DAY).read_bytes()
    (bench.root / DAY).write_bytes(without(data, deleted.name))
    say(bench, *NOTES, "hello")
    assert 2 == len(read_forgotten(bench.engine.workspace))
    (bench.root / FORGOTTEN).write_bytes(b"")
    bench.run_due()
    assert b"door" not in (bench.root / DAY).read_bytes()
    assert b"roof is painted" in (bench.root / DAY).read_bytes()


def test_a_list_that_cannot_be_read_allows_nothing(new_bench: NewBench) -> None:
    """Nothing is run before somebody has looked at it."""
    bench = new_bench()
    say(bench, *NOTES)
    forget(bench.engine, find_blocks((bench.root / DAY).read_bytes())[0].name)
    listed = (bench.root / FORGOTTEN).read_bytes()
    (bench.root / FORGOTTEN).write_bytes(listed.decode().encode("utf-16"))
    with pytest.raises(FileDamaged, match=r"forgotten\.md is UTF-16"):
        notice_returns(bench.engine)
    (bench.root / FORGOTTEN).write_bytes(listed)
    bench.run_due()
    assert b"door" not in (bench.root / DAY).read_bytes()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_nothing_is_appended_to_another_encoding(new_bench: NewBench, encoding: str) -> None:
    """It would be no text any more, and nobody would find it."""
    bench = new_bench()
    say(bench, NOTES[0])
    whole = (bench.root / DAY).read_bytes()
    (bench.root / DAY).write_bytes(wide := whole.decode().encode(encoding))
    bench.say(conversation("s1", MORNING, [("owner", note) for note in NOTES[:2]]))
    (outcome,) = bench.run_due()
    assert ("unreadable", wide, []) == (
        outcome.ending,
        (bench.root / DAY).read_bytes(),
        read_forgotten(bench.engine.workspace),
    )
    assert "UTF-16" in outcome.warning
    (bench.root / DAY).write_bytes(whole)
    bench.clock.move(timedelta(hours=1))
    bench.run_due()
    assert 2 == len(find_blocks((bench.root / DAY).read_bytes()))


def test_a_conflict_is_left_alone_and_counts_once(new_bench: NewBench) -> None:
    """What is new stands behind it; of an entry that both sides have, one counts."""
    bench = new_bench()
    say(bench, *NOTES[:2])
    data = (bench.root / DAY).read_bytes()
    at = find_blocks(data)[1].start
    theirs = data[at:].replace(b"confidence: 0.9", b"confidence: 0.8")
    open_conflict = data[:at] + b"<<<<<<< HEAD\n" + data[at:] + b"=======\n" + theirs + b">>>>>>> laptop\n"
    (bench.root / DAY).write_bytes(open_conflict)
    say(bench, *NOTES[:3])
    assert (bench.root / DAY).read_bytes().startswith(open_conflict)
    assert [note.removeprefix("note: ") for note in NOTES[:3]] == [
        place.entry.conclusion for place in EntryBooks().of(bench.engine).texts
    ]


@pytest.mark.parametrize("name", ["2026-03-02 (Conflicted copy laptop)", "2026-03-02 2", "Copy of 2026-03-02"])
def test_what_is_forgotten_leaves_the_copies_too(new_bench: NewBench, name: str) -> None:
    """The receipt names them, and an entry of a copy was never one of its own."""
    bench, copy = new_bench(), f"memory/{name}.md"
    say(bench, *NOTES[:2])
    (bench.root / copy).write_bytes((bench.root / DAY).read_bytes())
    door, _ = (place.entry for place in list_entries(bench.engine))
    receipt = forget(bench.engine, door.id)
    assert {DAY, copy} <= set(receipt.files)
    assert (b"door" in (bench.root / copy).read_bytes(), b"roof" in (bench.root / copy).read_bytes()) == (False, True)


@pytest.mark.parametrize("transcript", ["stands", "is gone"])
def test_what_was_forgotten_does_not_come_back_with_its_file(new_bench: NewBench, transcript: str) -> None:
    """It is erased again, under the line that keeps it away, and told; the others have their standing."""
    bench = new_bench()
    say(bench, *NOTES)
    backup = (bench.root / DAY).read_bytes()
    forget(bench.engine, find_blocks(backup)[0].name)
    after, listed = (bench.root / DAY).read_bytes(), (bench.root / FORGOTTEN).read_bytes()
    if transcript == "is gone":
        bench.source.remove(next(bench.source.files()).path)
    (bench.root / DAY).write_bytes(backup)
    bench.run_due()
    assert (after, listed) == ((bench.root / DAY).read_bytes(), (bench.root / FORGOTTEN).read_bytes())
    assert [{"name": read_forgotten(bench.engine.workspace)[0].entry_id, "path": DAY}] == [
        fields for event, fields in bench.events if event is Event.ERASED_AGAIN
    ]
    assert all(one.is_verified for one in list_entries(bench.engine))


def test_what_is_allowed_again_may_come_back_with_its_file(new_bench: NewBench) -> None:
    """Its line is out of the list, and so nothing keeps it away."""
    bench = new_bench()
    say(bench, *NOTES)
    backup = (bench.root / DAY).read_bytes()
    forget(bench.engine, find_blocks(backup)[0].name)
    (bench.root / DAY).write_bytes(backup)
    (bench.root / FORGOTTEN).write_bytes(b"# Forgotten\n")
    bench.run_due()
    assert backup == (bench.root / DAY).read_bytes()
