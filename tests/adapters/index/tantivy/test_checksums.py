"""What is done before an index is opened or changed when the last time did not go well."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.adapters.index.tantivy.opening import META, WRITING
from pipeline.errors import IndexUnavailable
from tests.support.ports.search_contract import Stored, named, point
from tests.support.processes.word_index import live, replace_file, store_in


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    """An index of three points, after a change that did not go well."""
    stored = Stored(store_in(tmp_path), [point(number, "a") for number in (1, 2, 3)])
    with stored.store.writing() as index:
        index.delete([named(1)])
    (live(tmp_path) / WRITING).touch()
    return stored


def test_what_was_left_does_not_hinder_the_next_change(stored: Stored, tmp_path: Path) -> None:
    """The engine takes no file whose name it needs, and never removes some of its own."""
    (segment,) = live(tmp_path).glob("*.term")
    next_change = json.loads((live(tmp_path) / META).read_bytes())["opstamp"] + 1
    names = [f"{segment.stem}.{next_change}.del", ".tmpAbc123", f"{'ab' * 16}.store"]
    for name in names:
        (live(tmp_path) / name).write_bytes(b"half of")
    with stored.store.writing() as index:
        index.delete([named(2)])
    assert not [name for name in names[1:] if (live(tmp_path) / name).exists()]
    assert [3] == [*stored.held()]


def test_the_note_stays_until_a_change_goes_well(stored: Stored, tmp_path: Path) -> None:
    """Whatever ends the block."""
    note = live(tmp_path) / WRITING
    with pytest.raises(KeyboardInterrupt), stored.store.writing():
        raise KeyboardInterrupt
    assert note.exists()
    with stored.store.writing():
        pass
    assert not note.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:0],
        lambda data: data[:9] + b"?" + data[10:],
        lambda data: bytes(len(data)),
    ],
    ids=["shorter", "empty", "other", "zeros"],
)
@pytest.mark.parametrize("kind", ["del", "fast", "fieldnorm", "idx", "pos", "store", "term"])
def test_a_damaged_file_is_noticed(stored: Stored, tmp_path: Path, kind: str, damage: Callable[[bytes], bytes]) -> None:
    """Whichever it is, before the engine reads it; a build does not need it."""
    (file,) = live(tmp_path).glob(f"*.{kind}")
    replace_file(file, damage(file.read_bytes()))
    with pytest.raises(IndexUnavailable, match=f"{kind} is damaged"), stored.store.writing():
        pass
    assert [7] == [*Stored(stored.store, [point(7)]).held()]


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"segments": [{}]}', b'{"segments": 1}', b"\0" * 99, None])
def test_a_damaged_list_of_files_is_noticed(stored: Stored, tmp_path: Path, content: bytes | None) -> None:
    """And so is none at all."""
    if content is None:
        (live(tmp_path) / META).unlink()
    else:
        replace_file(live(tmp_path) / META, content)
    with pytest.raises(IndexUnavailable, match="json is damaged"), stored.store.writing():
        pass


def test_a_reader_that_died_makes_the_next_one_look(stored: Stored, tmp_path: Path) -> None:
    """What the engine would not notice is an error then, and else the note is removed."""
    (file,) = live(tmp_path).glob("*.store")
    note = live(tmp_path) / f"opening-{ended()}"
    note.touch()
    assert [2, 3] == sorted(stored.held())
    assert not note.exists()
    replace_file(file, file.read_bytes()[:9] + b"?" + file.read_bytes()[10:])
    note.touch()
    for _ in range(2):
        with pytest.raises(IndexUnavailable, match="store is damaged"), stored.store.reading():
            pass
    assert [7] == [*Stored(stored.store, [point(7)]).held()]


def ended() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid


def test_a_reader_that_lives_is_no_reason_to_look(stored: Stored, tmp_path: Path) -> None:
    """Readers open the index side by side; and of who does so nothing is left."""
    note = live(tmp_path) / f"opening-{os.getppid()}"
    note.touch()
    (file,) = live(tmp_path).glob("*.fieldnorm")
    replace_file(file, b"?" + file.read_bytes()[1:])
    assert [2, 3] == sorted(stored.held())
    assert [note] == [*live(tmp_path).glob("opening-*")]
