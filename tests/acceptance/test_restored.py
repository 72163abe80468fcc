"""A restored workspace is the same memory: every command that reads gives the same answer."""

import shutil
from itertools import takewhile
from pathlib import Path

from tests.support.golden import LAST, ROWS, GoldenWorkspace, command_answers

FIRST_THAT_WRITES = "undo"
"""In the table of golden rows; those before it only read."""
OF_THE_PLACE = {"doctor", "workspaces"}
"""They tell of the index, of locks and of the back-up itself, which are no memory."""


def test_every_answer_is_the_same(tmp_path: Path) -> None:
    """Of all golden commands that read, before a back-up and after the restore of it."""
    golden = GoldenWorkspace(tmp_path)
    golden.make(LAST)
    reading = takewhile(lambda name: name != FIRST_THAT_WRITES, ROWS["commands"])
    names = [name for name in reading if name not in OF_THE_PLACE]
    before = golden.masked(command_answers(golden, "--json", only=names))
    assert 0 == golden.call("backup", "saved", "--workspace", str(golden.root)).code
    golden.root.rename(tmp_path / "before")
    said = golden.call("restore", "saved", "--into", str(golden.root), "--yes")
    assert 0 == said.code, said.shown
    shutil.copytree(tmp_path / "before" / "sessions", golden.root / "sessions")  # which are the agents'
    assert 0 == golden.call("doctor", "reindex", "--workspace", str(golden.root)).code
    after = golden.masked(command_answers(golden, "--json", only=names))
    assert [] == [name for name in names if before[name] != after[name]]
