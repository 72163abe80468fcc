"""What mending does when the system, or somebody at work, is in its way."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.doctor.machine import close_to_others, remove_siblings, tidy_index
from pipeline.errors import Held, WriteFailed
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.workspaces.index_bench import memory_indexing


def test_a_folder_that_cannot_be_closed_is_reported(tmp_path: Path) -> None:
    """With the system's own word."""
    with pytest.raises(WriteFailed, match="No such file"):
        close_to_others(tmp_path / "gone")


def test_folders_that_are_not_there_hold_nothing(tmp_path: Path) -> None:
    """A job that has never written has no folder."""
    assert "removed 0 temporary file(s)" == remove_siblings(tmp_path, ["memory", "second-brain/summaries"])


def test_an_index_is_settled_when_nobody_is_at_it(tmp_path: Path) -> None:
    """Who builds has it to themselves."""
    vectors = MemoryVectors()
    indexing = replace(memory_indexing(tmp_path), vectors=vectors)
    tidy_index(indexing)
    assert 1 == vectors.settled
    with indexing.latch.hold(0), pytest.raises(Held):
        tidy_index(indexing, seconds=0.0)
