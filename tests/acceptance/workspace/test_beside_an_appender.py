"""Another process appends to today's file while runs append, undo and rewrite.

It opens the file for each line, as agents do. The case of a process that keeps the file open all along is told in
docs/explanation/writing.md.
"""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.drafts import Draft, StatusDraft
from pipeline.errors import ChangedMeanwhile
from pipeline.job import Run
from pipeline.markdown.blocks import find_blocks
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.processes.waiting import soon
from tests.support.workspaces.workbench import Workbench

MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
APPEND = """
import os, sys, time
number = 0
while not os.path.exists(sys.argv[2]):
    if os.path.exists(sys.argv[3]):
        os.rename(sys.argv[3], sys.argv[4])
        while os.path.exists(sys.argv[4]):
            time.sleep(0.001)
    if number >= 300 * os.path.getsize(sys.argv[5]):
        time.sleep(0.001)
        continue
    descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(descriptor, b"theirs %07d\\n" % number)
    os.close(descriptor)
    number += 1
    if number == 20:
        print(number, flush=True)
    if number % 20 == 0:
        time.sleep(0.05)
print(number)
"""
"""It appends 300 lines a round, so that the file is no longer on a slow machine; a round is a byte in its last file."""


def turning(run: Run) -> list[Draft]:
    """The `note` job, which turns the status of the entries of earlier windows over and over."""
    other = {Status.ACTIVE: Status.SUPERSEDED, Status.SUPERSEDED: Status.ACTIVE}
    earlier = [entry for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *(StatusDraft(entry.id, other[entry.status]) for entry in earlier)]


def until_it_rests(root: Path, rewrite: Callable[[], object]) -> None:
    """Try a rewrite until the other leaves a moment for it, as the message says.

    On a machine that takes longer for a rewrite than the other rests, it is asked to rest between two lines at last.
    """
    for _ in range(5):
        with suppress(ChangedMeanwhile):
            rewrite()
            return
    (root / "rest").touch()
    assert soon((root / "resting").exists)
    try:
        rewrite()
    finally:
        (root / "resting").unlink()


def work(bench: Workbench, number: int) -> None:
    """Three more entries; then an undo, or a forget."""
    said = [("owner", f"note: {number}-{part}") for part in range(3)]
    bench.say(conversation(f"s{number}", MORNING, said, step=timedelta(hours=3)))
    until_it_rests(bench.root, partial(bench.backfill, MORNING.date(), MORNING.date()))
    if number % 3 == 1:
        runs = [
            run for run in bench.engine.ledger.runs.latest() if run.outcome and run.outcome.written and not run.undone
        ]
        until_it_rests(bench.root, partial(undo, bench.engine, runs[0].run_id))
    if number % 3 == 2:
        until_it_rests(bench.root, partial(forget, bench.engine, list_entries(bench.engine)[0].entry.id))


def test_another_process_appends_all_the_time(new_bench: Callable[..., Workbench]) -> None:
    """Every line of it is there afterwards, once and whole, and every block of ours is intact.

    What it appends in the moment of a rename may come to stand behind what it appends next.
    """
    bench = new_bench(jobs=(replace(JOB, run=turning),))
    (bench.root / "memory").mkdir()
    names = (DAY, "stop", "rest", "resting", "rounds")
    (bench.root / "rounds").write_bytes(b".")
    command = [sys.executable, "-c", APPEND, *(str(bench.root / name) for name in names)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            for number in range(12):
                work(bench, number)
                (bench.root / "rounds").write_bytes(b"." * (number + 2))
        finally:
            (bench.root / "stop").touch()
        count = int(other.communicate(timeout=60)[0].split()[-1])
    data = bench.pages()[DAY]
    lines = [line for line in data.split(b"\n") if b"theirs" in line]
    assert [b"theirs %07d" % number for number in range(count)] == sorted(lines)
    blocks = find_blocks(data)
    assert all(block.intact for block in blocks)
    assert len({block.name for block in blocks}) == len(blocks) > 12
