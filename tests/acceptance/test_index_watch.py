"""`memory doctor reindex --watch` as a process of its own."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest

from pipeline.app.index import open_index
from pipeline.clock import stopwatch
from pipeline.index.search.search import search
from pipeline.index.sync.update import count_behind
from pipeline.process.context import ProcessContext
from pipeline.workspace.locks import Latch
from schemas.requests import SearchRequest
from tests.support.processes.command_line import end_of
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

QUICK = {"MEMORY_INDEX__DEBOUNCE": "PT0.2S", "MEMORY_INDEX__SWEEP": "PT1H"}
SWEEPING = {"MEMORY_INDEX__DEBOUNCE": "PT1H", "MEMORY_INDEX__SWEEP": "PT0.5S"}
SOON_SECONDS = 60.0
POLL_SECONDS = 0.3  # looking into the index makes notices too: more often, and they would never rest
STOP_SECONDS = 60.0
PAUSED_SECONDS = 1.2
"""Several times what an update takes to begin when it is not held back."""


@pytest.fixture
def searched(tmp_path: Path) -> Searched:
    """A workspace of one file, not indexed."""
    searched = new_searched(tmp_path / "w", **WORDS_ALONE)
    searched.write("memory/2026-03-01.md", "# 2026-03-01\n\n- The heron nests on the jetty.\n")
    return searched


@contextmanager
def watching(searched: Searched, **rhythm: str) -> Iterator[subprocess.Popen[str]]:
    """A watch that has brought the index up to date; it is killed in the end if it is still there."""
    process = searched.memory.start("doctor", "reindex", "--watch", **rhythm)
    try:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("1 file: 1 new."):
            assert process.poll() is None
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            end_of(process)


def live(searched: Searched) -> list[str]:
    """What the index finds as it is, when it knows all files as they are: nobody is asked who would update it."""
    with open_index(searched.root, ProcessContext(WORDS_ALONE)) as opened:
        if count_behind(opened.indexing):
            return ["files that changed"]
        return sorted(hit.path for hit in search(opened.searching, SearchRequest(query="herons and otters")).hits)


def soon(holds: Callable[[], bool], process: subprocess.Popen[str], seconds: float = SOON_SECONDS) -> bool:
    """Whether something holds soon."""
    until = stopwatch() + seconds
    while not holds():
        assert process.poll() is None
        sleep(POLL_SECONDS)
        if stopwatch() > until:
            return False
    return True


def change_everything(searched: Searched, process: subprocess.Popen[str]) -> None:
    """Add, change, rename and delete a file; each time the index follows by itself."""
    first, second = "memory/2026-03-01.md", "memory/notes/animals.md"
    searched.write(second, "# Animals\n\nThe otter sleeps below the sauna.\n")
    assert soon(lambda: live(searched) == [first, second], process)
    searched.write(first, "# 2026-03-01\n\n- The stork nests on the jetty.\n")
    assert soon(lambda: live(searched) == [second], process)
    (searched.root / second).rename(searched.root / "memory" / "otters.md")
    assert soon(lambda: live(searched) == ["memory/otters.md"], process)
    (searched.root / "memory" / "otters.md").unlink()
    assert soon(lambda: live(searched) == [], process)


def test_it_follows_the_files(searched: Searched) -> None:
    """A new, a changed, a renamed and a deleted file, one in a new folder; SIGTERM, as of a service, ends it soon."""
    with watching(searched, **QUICK) as process:
        change_everything(searched, process)
        process.terminate()
        ended = end_of(process, STOP_SECONDS)
    assert (143, True) == (ended.code, "Stopped as asked" in ended.shown), ended.shown
    assert "Traceback" not in ended.err


def test_it_sweeps(searched: Searched) -> None:
    """What no notice tells of is found by looking every now and then; Ctrl-C ends it with 130."""
    with watching(searched, **SWEEPING) as process:
        searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
        assert soon(lambda: "memory/otters.md" in live(searched), process)
        process.send_signal(signal.SIGINT)
        ended = end_of(process, STOP_SECONDS)
    assert 130 == ended.code, ended.shown


def test_it_leaves_the_index_alone_while_a_weekly_job_is_at_work(searched: Searched) -> None:
    """What changes meanwhile is indexed when the job is done."""
    both = ["memory/2026-03-01.md", "memory/otters.md"]
    with watching(searched, **QUICK) as process:
        with Latch(searched.root / "memory" / ".locks" / "consolidation.lock").hold(SOON_SECONDS):
            searched.write("memory/otters.md", "# Animals\n\nThe otter sleeps below the sauna.\n")
            assert not soon(lambda: live(searched) == both, process, PAUSED_SECONDS)
        assert soon(lambda: live(searched) == both, process)
        process.terminate()
        end_of(process, STOP_SECONDS)
