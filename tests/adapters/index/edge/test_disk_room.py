"""Room for the engine on its disk."""

import shutil
from pathlib import Path

import pytest

from pipeline.adapters.index.edge.store import bytes_taken, has_room, need_room
from pipeline.errors import WriteFailed


def test_what_is_free_is_room(tmp_path: Path) -> None:
    """A byte is; more than the whole disk has is not, and a sentence says how much it takes."""
    too_much = shutil.disk_usage(tmp_path).total + 1
    assert (True, False) == (has_room(tmp_path, 1), has_room(tmp_path, too_much))
    need_room(tmp_path, 1)
    with pytest.raises(WriteFailed, match=f"fewer than {too_much // 1_000_000} MB are free on its disk"):
        need_room(tmp_path, too_much)


def test_a_folder_that_is_gone_has_none(tmp_path: Path) -> None:
    """What the system says is told."""
    with pytest.raises(WriteFailed, match="No such file or directory"):
        need_room(tmp_path / "gone", 1)


def test_holes_take_no_room(tmp_path: Path) -> None:
    """What the engine sets aside and does not use is not counted."""
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10_000_000)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "full").write_bytes(b"x" * 100_000)
    assert 100_000 <= bytes_taken(tmp_path) < 1_000_000
