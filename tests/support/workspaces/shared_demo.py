"""The workspace of `memory demo`, made once for all processes that run tests."""

import shutil
from pathlib import Path

import portalocker

from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import SECONDS


def shared_demo(folder: Path) -> Path:
    """The workspace in `folder`, which whoever comes first makes; to be copied, and never written to.

    Beside it, the file `made` has what the command said.
    """
    # Who waits, waits longer than who makes it may take, and has begun a process besides.
    with portalocker.Lock(folder / "demo.lock", timeout=2 * SECONDS):
        if not (folder / "demo" / "made").exists():
            (folder / "demo").mkdir()
            said = CalledCommand(folder / "demo")("demo", "--all", str(folder / "demo" / "work"))
            assert (0, "") == (said.code, said.err)
            (folder / "demo" / "made").write_text(said.out, encoding="utf-8")
    return folder / "demo" / "work"


def copy_transcripts(demo: Path, root: Path) -> Path:
    """The transcripts of the demo in a workspace, `root`, in which no job has run."""
    shutil.copytree(demo, root, ignore=shutil.ignore_patterns("memory", "state.db*", "second-brain"))
    (root / "memory").mkdir()
    return root
