"""`memory demo`."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said


def test_one_that_was_killed_before_its_sessions_were_there(
    demo: Path, tmp_path: Path, call: Callable[..., Said]
) -> None:
    """They come the next time, all of them."""
    root = tmp_path / "work"
    shutil.copytree(demo, root)
    (root / "sessions").rename(tmp_path / "all")
    (root / "sessions.part").mkdir()
    assert 0 == call("demo", root).code
    files = [sorted(file.relative_to(top) for file in top.rglob("*")) for top in (tmp_path / "all", root / "sessions")]
    assert files[0] == files[1]
    assert not (root / "sessions.part").exists()
