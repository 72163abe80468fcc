"""`memory show lines`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import Said
from tests.support.tables import table

DAY = "memory/2026-02-02.md"
WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}


def test_a_file(filled: Path, call: Callable[..., Said]) -> None:
    """A path gives all of it."""
    said = call("show", "lines", DAY, "--workspace", filled, **WORDS_ALONE)
    assert (0, (filled / DAY).read_text(encoding="utf-8")) == (said.code, said.out)


@pytest.mark.parametrize(("lines", "first", "last"), [("L3", 3, 3), ("L3-L5", 3, 5), ("L3-5", 3, 5)])
def test_lines_of_a_file(lines: str, first: int, last: int, filled: Path, call: Callable[..., Said]) -> None:
    """`#Lx` is one line, `#Lx-Ly` are those from x to y, as a hit names them."""
    written = (filled / DAY).read_text(encoding="utf-8").splitlines()
    said = call("show", "lines", f"{DAY}#{lines}", "--workspace", filled, **WORDS_ALONE)
    assert written[first - 1 : last] == said.out.splitlines()


def test_an_entry_by_its_id(filled: Path, call: Callable[..., Said]) -> None:
    """The whole of it, with or without an index; and with what is known of it."""
    first = call("show", "entries", "--json", "--workspace", filled).records[0]
    before = call("show", "lines", first["id"], "--workspace", filled, **WORDS_ALONE)
    assert call("doctor", "reindex", "--workspace", filled, **WORDS_ALONE).code == 0
    after = call("show", "lines", first["id"], "--json", "--workspace", filled, **WORDS_ALONE)
    hit = json.loads(after.out)
    assert before.out.rstrip("\n") == hit["text"]
    assert (first["id"], "owner", "active", "") == tuple(
        hit[name] for name in ("entry_id", "trust", "status", "uncertain")
    )
    assert (first["path"], first["line"]) == (hit["path"], hit["start_line"])


def test_of_several_entries_that_begin_so_none_is_shown(filled: Path, call: Callable[..., Said]) -> None:
    """They are listed with their titles."""
    file = filled / "memory" / "2026-02-02.md"
    rule, remember = (record["id"] for record in call("show", "entries", "--json", "--workspace", filled).records)
    assert "RULE-" in call("show", "lines", rule[:9], "--workspace", filled).out
    file.write_text(file.read_text().replace(remember, f"{rule}-more"))
    said = call("show", "lines", rule[:9], "--workspace", filled)
    assert (2, True) == (said.code, "More than one entry begins with 'RULE-2026'; name one of them:\n" in said.err)
    assert f"\n  {rule}-more  " in said.err


def test_what_a_search_names_can_be_read(filled: Path, call: Callable[..., Said]) -> None:
    """The lines of a hit are the same by `get`."""
    said = call("search", "septic truck", "--k", 1, "--json", "--workspace", filled, **WORDS_ALONE)
    hit = json.loads(said.out)["hits"][0]
    place = f"{hit['path']}#L{hit['start_line']}-L{hit['end_line']}"
    assert hit["text"] == call("show", "lines", place, "--workspace", filled, **WORDS_ALONE).out.rstrip("\n")


@table(
    ("place", "why"),
    [
        ("nothing-of-the-sort", "is no file that can be shown, nor the id of an entry or a fact"),
        (f"{DAY}#L9999", "goes beyond the end of the file, which has"),
        (f"{DAY}#L5-L3", "names no lines"),
        (f"{DAY}#L0", "names no lines"),
        ("memory/2026-02-03.md#L1", "names no file that can be shown"),
        ("memory.toml", "is not one of the texts that are indexed"),
        ("sessions/s-one.jsonl", "is not one of the texts that are indexed"),
        ("../w/memory.toml", "is not a path inside the workspace"),
        (".memory/state.db", "lies in the folder of what is derived"),
    ],
)
def test_what_cannot_be_shown_is_wrong_use(place: str, why: str, filled: Path, call: Callable[..., Said]) -> None:
    """A sentence says why; settings, transcripts and what lies elsewhere are never shown."""
    said = call("show", "lines", place, "--workspace", filled, **WORDS_ALONE)
    assert (2, "") == (said.code, said.out)
    assert why in said.err
