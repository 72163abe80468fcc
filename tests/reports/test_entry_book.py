"""The entries of a workspace, kept between two looks at it."""

import os
from pathlib import Path

from pipeline.app.opening import opened
from pipeline.process.context import ProcessContext
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import EntryBook
from tests.support.workspaces.many_entries import many_entries

DAY = "memory/2020-01-02.md"


def _read(books: EntryBooks, root: Path) -> EntryBook:
    with opened(root, ProcessContext({}), looking=False) as engine:
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
