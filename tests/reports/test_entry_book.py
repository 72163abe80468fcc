"""The entries of a workspace, kept between two looks at it."""

import os
import sys
from collections import Counter
from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import render_entry
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import explain
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import EntryBook
from schemas.entry import Status, Trust
from schemas.reports.entries import EntryHistory
from tests.support.workspaces.many_entries import an_entry_after, many_entries

DAY = "memory/2020-01-02.md"
OLD = "DECISION-20200103-thing-3"
"""An entry of the last day, which nothing replaces."""


def test_a_change_of_the_ledger_is_seen(tmp_path: Path) -> None:
    """However soon it follows, and though no file changed: the ledger decides whose word an entry is."""
    root, books = many_entries(tmp_path / "work", 30), EntryBooks()
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        block = find_blocks((root / DAY).read_bytes())[3]
        unknown = books.of(engine)
        for known, trust in ((BlockState.LIVE, Trust.OWNER), (BlockState.DROPPED, Trust.UNVERIFIED)):
            engine.ledger.changes.know(KnownBlock(block.name, DAY, block.digest, "", "run-1"), known)
            book = books.of(engine)
            place = book.counting(block.name)
            assert place
            assert trust == place.entry.trust
        assert unknown.places == book.places


def test_a_story_is_the_same_as_without_what_is_kept(tmp_path: Path) -> None:
    """Also after what stands elsewhere about the entry has changed, and after its place has."""
    root, books = many_entries(tmp_path / "work", 30), EntryBooks()
    name = "DECISION-20200102-thing-3"
    for path, text in (("MEMORY.md", f"{name}\n"), ("MEMORY.md", "nothing"), (DAY, f"\n{(root / DAY).read_text()}")):
        (root / path).write_text(text)
        with open_for_reading(root, ProcessContext({}), looking=False) as engine:
            kept = explain(engine, name, books)
            assert explain(engine, name) == kept
        assert (text == f"{name}\n") == any(place.path == "MEMORY.md" for place in kept.places)


def _read(books: EntryBooks, root: Path) -> EntryBook:
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        return books.of(engine)


def test_it_is_kept_while_nothing_changes(tmp_path: Path) -> None:
    """Who opens the workspace again gets the same."""
    root, books = many_entries(tmp_path / "work", 30), EntryBooks()
    _read(books, root)  # the first one to open it makes the ledger
    first = _read(books, root)
    assert 30 == len(first.places)
    assert first is _read(books, root)


def test_a_change_is_seen(tmp_path: Path) -> None:
    """Also one that leaves the size and is made within the same second, a file that goes, and one that comes."""
    root, books = many_entries(tmp_path / "work", 30), EntryBooks()
    _read(books, root)
    file = root / DAY
    before, text = file.stat(), file.read_text()
    file.write_text(text.replace("thing-3", "thing-X"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert "DECISION-20200102-thing-X" in {place.entry.id for place in _read(books, root).places}
    file.unlink()
    assert 20 == len(_read(books, root).places)
    file.write_text(text)
    assert 30 == len(_read(books, root).places)


def test_an_added_entry_is_seen_at_once(tmp_path: Path) -> None:
    """With what it says of an entry in another file, for as long as it stands; what it leaves alone is kept."""
    root, books = many_entries(tmp_path / "work", 30), EntryBooks()
    before, later = _read(books, root), root / "memory/2020-01-04.md"
    later.write_text(an_entry_after(OLD))
    with_it = _read(books, root)
    later.unlink()
    after = _read(books, root)
    assert [Status.ACTIVE, Status.SUPERSEDED, Status.ACTIVE] == [_status(book) for book in (before, with_it, after)]
    assert (before.places, 31) == (after.places, len(with_it.places))
    assert before.places[0] is with_it.places[0]


def test_the_blocks_of_the_ledger_are_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    """A person's file alone is no reason to read what the ledger knows of all others."""
    root, books, calls = many_entries(tmp_path / "work", 30), EntryBooks(), Counter[str]()
    for _ in range(2):  # the first one to open it makes the ledger
        _read(books, root)
    (root / "memory/2020-01-04.md").write_text(an_entry_after(OLD))
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: calls.update([frame.f_code.co_name] if event == "call" else []))
    try:
        book = _read(books, root)
    finally:
        sys.setprofile(before)
    assert 31 == len(book.places)
    assert (0, 0, 1) == (calls["own_digests"], calls["standing_blocks"], calls["book"])


def _status(book: EntryBook) -> Status:
    return next(place.status for place in book.texts if place.entry.id == OLD)


def test_what_replaces_a_part_is_named_at_both(tmp_path: Path) -> None:
    """With what it rests on; what is not verified replaces nothing of what is."""
    root = many_entries(tmp_path / "work", 30)
    later, earlier = "DECISION-20200103-thing-2", "DECISION-20200102-thing-3"
    page = root / "memory/2020-01-03.md"
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        own = next(place.entry for place in EntryBooks().of(engine).texts if place.entry.id == later)
        changed = own.model_copy(update={"supersedes_part": (earlier,), "grounds": "x", "trust": Trust.OWNER})
        (block,) = [block for block in find_blocks(page.read_bytes()) if block.name == later]
        page.write_text(page.read_text().replace(block.text, render_entry(changed)))
        for name, path, by in ((earlier, DAY, ()), (later, "memory/2020-01-03.md", (later,))):
            digest = next(one.digest for one in find_blocks((root / path).read_bytes()) if one.name == name)
            engine.ledger.changes.know(KnownBlock(name, path, digest, "", "run-1"), BlockState.LIVE)
            new, old = explain(engine, later), explain(engine, earlier)
            assert isinstance(new, EntryHistory)
            assert isinstance(old, EntryHistory)
            assert ((earlier,), by) == (new.supersedes_part, old.part_superseded_by)
            assert [(later, earlier, "x")][: len(by)] == [
                (link.later, link.earlier, link.grounds) for link in old.rests_on if link.later == later
            ]
