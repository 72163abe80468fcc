"""Which files a root holds."""

import os
from pathlib import Path

import pytest

from pipeline.adapters.sources.kind import named_folder
from pipeline.adapters.sources.reading.files import file_inside, is_lines, list_files
from pipeline.errors import ReadFailed
from pipeline.ledger import open_ledger
from pipeline.ledger.transcripts import FileRecord
from tests.support.tables import table


def paths(root: Path) -> list[str]:
    """The paths of all `.jsonl` files."""
    return [file.path for file in list_files(root, is_lines)]


def test_a_variable_names_a_folder(tmp_path: Path) -> None:
    """Also one in the home folder; an empty one names none."""
    named = [named_folder({"X": value}, "X", tmp_path) for value in ("/srv/x", "~/x", "")]
    assert [Path("/srv/x"), Path.home() / "x", tmp_path] == named
    assert tmp_path == named_folder({}, "X", tmp_path)


def test_folders_below_are_walked(tmp_path: Path) -> None:
    """Paths are relative, in POSIX form, and sorted as whole paths."""
    for path in ("b.jsonl", "a/z.jsonl", "a/b/c.jsonl", "a.jsonl", "a/notes.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"12345")
    assert paths(tmp_path) == ["a.jsonl", "a/b/c.jsonl", "a/z.jsonl", "b.jsonl"]
    (first, *_) = list_files(tmp_path, lambda name: name == "b.jsonl")
    assert [first.size, first.mtime_ns] == [5, (tmp_path / "b.jsonl").stat().st_mtime_ns]


def test_a_broken_date_of_a_file_fits_into_the_ledger(tmp_path: Path) -> None:
    """File systems go on until 2446."""
    (tmp_path / "a.jsonl").touch()
    os.utime(tmp_path / "a.jsonl", (0, 15_000_000_000))
    ledger = open_ledger(tmp_path / "state.db")
    [file] = list_files(tmp_path, is_lines)
    ledger.files.note([FileRecord("x", file, None, None, None)])
    assert {"a.jsonl": file} == ledger.files.by_path("x")
    ledger.store.close()


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    """A folder is walked once, however many links lead to it."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.jsonl").touch()
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert paths(tmp_path) == ["a/x.jsonl"]


def test_a_pipe_is_listed_and_not_read(tmp_path: Path) -> None:
    """What would wait for ever when it is read is refused, so that it is told of; a file that was there is not gone."""
    os.mkfifo(tmp_path / "p.jsonl")
    assert paths(tmp_path) == ["p.jsonl"]
    with pytest.raises(ReadFailed, match="no regular file"):
        file_inside(tmp_path, "p.jsonl")


def test_a_name_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    """A path stands on one line of an entry, in UTF-8."""
    (tmp_path / "a\nb.jsonl").touch()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")).touch()
    assert paths(tmp_path) == []


@table("path", ["../x.jsonl", "/etc/passwd", "a/../../x", "a\x00b", "\udcff"])
def test_a_path_cannot_lead_out(tmp_path: Path, path: str) -> None:
    """What an entry names is looked for inside the root only."""
    with pytest.raises(ReadFailed):
        file_inside(tmp_path, path)


def test_folders_aside_are_not_entered(tmp_path: Path) -> None:
    """Nor is anything below them; a file of such a name is a file."""
    for name in ("aside/a.jsonl", "b/aside/c.jsonl", "b/d.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert ["b/d.jsonl"] == [file.path for file in list_files(tmp_path, lambda _: True, {"aside"}) if "." in file.path]
