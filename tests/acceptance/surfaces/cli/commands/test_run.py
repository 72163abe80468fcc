"""`memory run` waits for another, and ends when it is asked to."""

import signal
from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from pipeline.clock import SystemClock
from pipeline.workspace.locks import Locks
from tests.support.processes.command_line import CommandLine
from tests.surfaces.cli.commands.test_run import NOON


def test_waits_for_another_run(workspace: Path, memory: CommandLine) -> None:
    """With `--wait` the command goes on as soon as the lock is free."""
    locks = Locks(workspace / "memory" / ".locks")
    with locks.hold(["micro_sync"], "another", SystemClock().now()):
        waiting = memory.start("run", "--at", NOON, "--wait", 60, "--workspace", workspace)
        with pytest.raises(TimeoutExpired):
            waiting.wait(2)
    assert "1 done" in waiting.communicate(timeout=60)[0]
    assert waiting.returncode == 0


def test_a_request_to_stop_ends_it_well(workspace: Path, memory: CommandLine) -> None:
    """SIGTERM ends a run at a safe point: 143, a sentence, and what was not finished stays due."""
    year = ("--from", "2025-02-01", "--to", "2026-01-31")
    process = memory.start("backfill", "micro_sync", *year, "--json", "--workspace", workspace)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    output = process.communicate(timeout=60)[1].splitlines()[-1]
    assert (process.returncode, output) == (143, "memory: Stopped as asked. What was not finished stays due.")
    assert 0 < len(memory("show", "runs", "--limit", 9999, "--json", "--workspace", workspace).records) < 365 * 8
