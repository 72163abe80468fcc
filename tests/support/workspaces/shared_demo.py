"""The workspace of `memory demo`, made once for all processes that run tests."""

from pathlib import Path

import portalocker

from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import SECONDS


def shared_demo(folder: Path) -> Path:
    """The workspace in `folder`, which whoever comes first makes; to be copied, and never written to."""
    # Who waits, waits longer than who makes it may take, and has begun a process besides.
    with portalocker.Lock(folder / "demo.lock", timeout=2 * SECONDS):
        if not (folder / "demo" / "made").exists():
            (folder / "demo").mkdir()
            assert 0 == CalledCommand(folder / "demo")("demo", str(folder / "demo" / "work")).code
            (folder / "demo" / "made").touch()
    return folder / "demo" / "work"
