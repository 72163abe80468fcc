"""The standing of entries in the index follows what other files say of them."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pipeline.index import schema as layout
from pipeline.index.context import Indexing, Updated
from pipeline.index.sync.update import update
from pipeline.markdown.entries import render_entry
from pipeline.ports.index import Where
from tests.support.builders.entries import noted
from tests.support.workspaces.index_bench import DisturbedIndex, contents, indexing_of, made_anew, memory_indexing

LONG_AGO = 1_700_000_000


def write(root: Path, path: str, text: str) -> Path:
    """A file, last changed long ago."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (LONG_AGO, LONG_AGO))
    return file


def test_an_entry_gives_way_to_its_successor(tmp_path: Path) -> None:
    """The standing of entries in other files follows, and comes back when the successor goes."""
    first, second = noted("DECISION-a").entry, noted("DECISION-b", supersedes=("DECISION-a",)).entry
    later = second.model_copy(update={"date": second.date + timedelta(days=3)})
    write(tmp_path, "memory/2026-03-02.md", render_entry(first))
    indexing = memory_indexing(tmp_path)
    update(indexing)
    assert {"DECISION-a": ("active", [])} == standings(indexing)
    file = write(tmp_path, "memory/2026-03-05.md", render_entry(later))
    update(indexing)
    superseded = ("superseded", [["DECISION-b", later.date.date().toordinal()]])
    assert {"DECISION-a": superseded, "DECISION-b": ("active", [])} == standings(indexing)
    assert made_anew(indexing) == contents(indexing.store)
    file.unlink()
    update(indexing)
    assert {"DECISION-a": ("active", [])} == standings(indexing)


def standings(indexing: Indexing) -> dict[str, tuple[str, list[object]]]:
    """Status and successors by the ids of the entries."""
    passages = contents(indexing.store, Where(any_of={layout.SORT: (layout.PASSAGE,)})).values()
    known = contents(indexing.store, Where(any_of={layout.SORT: (layout.STANDING,)})).values()
    return {passage[layout.ENTRY]: ("active", []) for passage in passages} | {
        standing[layout.ENTRY]: (standing[layout.STATUS], standing[layout.SUCCESSORS]) for standing in known
    }


def test_an_entry_that_does_not_verify_has_no_say(tmp_path: Path) -> None:
    """It is indexed as unverified, and changes nothing of a verified one; once it verifies, it does."""
    first, second = noted("DECISION-a").entry, noted("DECISION-b", supersedes=("DECISION-a",)).entry
    later = second.model_copy(update={"date": second.date + timedelta(days=3)})
    write(tmp_path, "memory/2026-03-02.md", render_entry(first))
    write(tmp_path, "memory/2026-03-05.md", render_entry(later))
    store = DisturbedIndex()
    known = {"DECISION-a"}
    indexing = replace(
        indexing_of(tmp_path, store, None),
        believed=lambda block, entry: entry if block.name == entry.id in known else entry.as_unverified(),
    )
    update(indexing)
    assert ("active", []) == standings(indexing)["DECISION-a"]
    known.add("DECISION-b")
    (tmp_path / "memory/2026-03-05.md").touch()
    assert Updated(files=2, passages=1) == update(indexing)
    assert "superseded" == standings(indexing)["DECISION-a"][0]
