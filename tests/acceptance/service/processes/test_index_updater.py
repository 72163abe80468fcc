"""The service keeps the index fresh, by another process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import sleep

import pytest

from pipeline.app.index import IndexOptions, open_index
from pipeline.clock import stopwatch
from pipeline.errors import Interrupted, ReadFailed
from pipeline.index.context import Indexing
from pipeline.index.sync.update import count_behind
from pipeline.process.cancellation import CancellationToken
from pipeline.process.context import ProcessContext
from pipeline.service.processes.index_updater import COMMAND, IndexUpdater
from pipeline.service.socket.client import ask
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.workspace.locks import Latch
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.processes.waiting import SOON_SECONDS, soon
from tests.support.servers.local_server import local_server

QUICK = 'timezone = "UTC"\n[embedder]\nkind = "none"\n[index]\ndebounce = "PT0.2S"\nsweep = "PT{sweep}S"\n'
PAUSED_SECONDS = 1.0
POLL_SECONDS = 0.2  # looking into the index makes notices too: more often, and they would never rest

NOTING = """
import os, sys
with open(sys.argv[2], "a") as log:
    log.write(f"{os.getpid()}\\n")
told = sys.argv[1]
if told == "wait":
    sys.stdin.read()
    with open(sys.argv[2] + ".stopped", "w"):
        sys.exit(143)
if told == "stubborn":
    import time
    time.sleep(600)
sys.exit(int(told))
"""
"""Stands in for `memory doctor reindex`: notes that it was called, and ends as it is told."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of one note, not indexed."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory.toml").write_text(QUICK.format(sweep=3600))
    (tmp_path / "memory" / "2026-03-01.md").write_text("# March\n\n- The heron sleeps here.\n")
    return tmp_path


@contextmanager
def caring(root: Path, *command: str, pauses: tuple[float, ...] = (0.1, 0.2)) -> Iterator[IndexUpdater]:
    """The index cared for, and its workspace answered for, as in the service."""
    with open_index(root, ProcessContext({}), IndexOptions(linger=60)) as opened:
        in_use = SettingsInUse(root, {}, opened.settings)
        updater = IndexUpdater(opened, in_use, command=command or COMMAND, pauses=pauses)
        with local_server(root, opened, in_use), updater:
            yield updater


def noting(root: Path, expected: str) -> tuple[str, ...]:
    """A command that ends as told."""
    return sys.executable, "-c", NOTING, expected, str(root / ".memory" / "called")


def called(root: Path) -> list[int]:
    """The processes that were called."""
    file = root / ".memory" / "called"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def fresh(root: Path, seconds: float = SOON_SECONDS) -> bool:
    """Whether the index comes to know all files as they are; nobody is asked who would update it."""

    def is_fresh() -> bool:
        sleep(POLL_SECONDS)
        with open_index(root, ProcessContext({})) as opened:
            return count_behind(opened.indexing) == 0

    return soon(is_fresh, seconds)


def test_it_follows_the_files(root: Path) -> None:
    """A first index, a new file and a deleted one; the service answers by it."""
    note = root / "memory" / "2026-03-02.md"
    with caring(root) as updater:
        assert fresh(root)
        note.write_text("- The otter sleeps here.\n")
        assert fresh(root)
        reply = ask(root, "search", {"query": "otter", "k": 1}) or {}
        assert ["- The otter sleeps here."] == [hit["text"] for hit in reply["hits"]]
        note.unlink()
        assert fresh(root)
        assert "" == updater.problem


def test_it_follows_what_is_said(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A message is found without a sweep, by the notice of its transcript."""
    talk, lines = tmp_path_factory.mktemp("talk"), ClaudeLines()
    source = f'[[sources]]\nkind = "claude_code"\npath = "{talk}"\n'
    (root / "memory.toml").write_text(f"{QUICK.format(sweep=3600)}{source}")
    asked = {"query": "grebe", "tier": "said"}
    with caring(root):
        assert fresh(root)
        lines.user("Which boat is called grebe?")
        lines.write(talk / "-p" / "one.jsonl")
        assert soon(lambda: bool((ask(root, "search", asked) or {})["said"]))


def test_nothing_is_started_when_nothing_is_to_do(root: Path) -> None:
    """A sweep looks at the files in the service itself."""
    (root / "memory.toml").write_text(QUICK.format(sweep=0.2))
    with caring(root):
        assert fresh(root)
    with caring(root, *noting(root, "0")):
        sleep(PAUSED_SECONDS)
        assert [] == called(root)
        (root / "memory" / "x.md").write_text("new\n")
        assert soon(lambda: bool(called(root)))


def test_it_leaves_the_index_alone_while_a_weekly_job_is_at_work(root: Path) -> None:
    """What changes meanwhile is taken in when the job is done."""
    with caring(root):
        assert fresh(root)
        with Latch(root / "memory" / ".locks" / "consolidation.lock").hold(SOON_SECONDS):
            (root / "memory" / "x.md").write_text("# X\n\nnew\n")
            assert not fresh(root, PAUSED_SECONDS)
        assert fresh(root)


def test_it_leaves_the_index_alone_while_other_settings_hold(root: Path) -> None:
    """Two that index by different settings would undo each other's work."""
    with caring(root, *noting(root, "0")):
        (root / "memory.toml").write_text('timezone = "Asia/Shanghai"\n')
        before = len(called(root))
        (root / "memory" / "x.md").write_text("# X\n\nnew\n")
        sleep(PAUSED_SECONDS)
        assert len(called(root)) - before <= 1  # one may have been under way


def test_a_failure_is_reported_and_tried_again(root: Path) -> None:
    """After a pause, again and again; once it goes well nothing is wrong any more."""
    with caring(root, *noting(root, "1")) as updater:
        assert soon(lambda: len(called(root)) >= 3)
        assert soon(lambda: "`memory doctor reindex` ended with exit code 1. The log says why." in updater.problem)
    with caring(root, *noting(root, "75")) as updater:
        before = len(called(root))
        assert soon(lambda: len(called(root)) >= before + 2)  # another is at it: no failure
        assert "" == updater.problem


def test_a_command_that_cannot_be_started_is_a_failure(root: Path) -> None:
    """As on a system that has no room for one more process."""
    with caring(root, "/nowhere/at/all") as updater:
        assert soon(lambda: "Cannot write `memory doctor reindex`: No such file" in updater.problem)


def test_it_stops_soon(root: Path) -> None:
    """The process at work is asked to stop, and waited for; none is left."""
    with caring(root, *noting(root, "wait")):
        assert soon(lambda: bool(called(root)))
    assert (root / ".memory" / "called.stopped").exists()  # by itself: nobody had to kill it
    (pid,) = called(root)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux tells whose child a process is")
def test_nothing_outlives_a_killed_service(root: Path) -> None:
    """The real command stops by itself when the service is gone."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[4])!r}); from pathlib import Path\n"
        "from tests.acceptance.service.processes.test_index_updater import caring\n"
        f"with caring(Path({str(root)!r}), *{noting(root, 'wait')!r}): sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as service:
        assert soon(lambda: bool(called(root)))
        service.send_signal(signal.SIGKILL)
    (pid,) = called(root)
    assert soon(lambda: not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_bytes())


def test_a_stop_of_the_service_is_not_one_of_the_index(root: Path) -> None:
    """Its safe point is its own: what asks the service to stop may leave with-blocks first."""
    safe_point = CancellationToken()
    with open_index(root, ProcessContext({}, safe_point=safe_point)) as opened:
        with IndexUpdater(opened, SettingsInUse(root, {}, opened.settings), command=noting(root, "0")):
            safe_point.ask_to_stop(15)
            assert soon(lambda: bool(called(root)))
        with pytest.raises(Interrupted):
            opened.indexing.safe_point()


def test_a_bug_does_not_end_the_care(root: Path) -> None:
    """It is told, and after a pause the files are followed again."""
    calls, seen = list[int](), Event()

    def fail_once(_: Indexing) -> Iterator[bool]:
        calls.append(len(calls))
        if len(calls) == 1:
            raise LookupError("ouch")  # noqa: EM101 - any text
        seen.wait(SOON_SECONDS)
        while True:
            yield False

    with open_index(root, ProcessContext({})) as opened:
        in_use, pauses = SettingsInUse(root, {}, opened.settings), (0.0,)
        with IndexUpdater(opened, in_use, command=noting(root, "75"), pauses=pauses, look=fail_once) as updater:
            assert soon(lambda: "LookupError: ouch" in updater.problem)
            seen.set()
            assert soon(lambda: bool(called(root)))


def test_without_notices_it_goes_by_the_clock(root: Path) -> None:
    """A system that has no more of them to give ends nothing: it is told, and the files are looked at all the same."""

    def fail(_: Indexing) -> Iterator[bool]:
        yield False
        raise ReadFailed(str(root), "changes there cannot be followed")

    with open_index(root, ProcessContext({})) as opened:
        in_use = SettingsInUse(root, {}, opened.settings)
        with IndexUpdater(opened, in_use, command=noting(root, "75"), look=fail) as updater:
            assert soon(lambda: bool(called(root)))
            assert "changes there cannot be followed" in updater.problem
            began = stopwatch()
        assert stopwatch() - began < SOON_SECONDS
