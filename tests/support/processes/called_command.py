"""The command `memory` called in this process, away from the settings of whoever runs the tests."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from pipeline.process.cancellation import CancellationToken
from pipeline.process.supervisor import WorkerObserver
from pipeline.surfaces.cli.main import cli
from pipeline.surfaces.cli.terminal.error_handler import run_guarded
from pipeline.surfaces.cli.terminal.person import AGENTS
from tests.support.processes.command_line import OF_MACHINE, CommandLine, Said


def without_worker(
    work: Callable[[CancellationToken], int], *, lifeline: int | None, observer: WorkerObserver | None
) -> int:
    """Do the work of `run` or `backfill` here: this process has threads, and a fork copies only one."""
    assert lifeline is None, "what is attended is a process: start it"
    if observer:
        observer.prepare_worker(lambda message: observer.receive(json.loads(json.dumps(message))))
    return work(CancellationToken())


@dataclass(frozen=True)
class CalledCommand(CommandLine):
    """Calls `memory` in this process, in `folder`, or in `home`; `start` begins a process, and so does `before`."""

    folder: Path | None = None

    def __call__(self, *words: object, before: Sequence[str] = (), answer: str = "", **variables: str) -> Said:
        """Call a command to its end; `answer` is its stdin."""
        if before:
            return super().__call__(*words, before=before, **variables)
        ours = {name: None for name in os.environ if name.startswith(OF_MACHINE) or name in AGENTS}
        runner = CliRunner(env={**ours, "HOME": str(self.home), "TZ": "UTC", **variables})
        with chdir(self.folder or self.home), runner.isolation(answer) as streams:
            code = run_guarded(
                lambda: cli.main([*map(str, words)], prog_name="memory", standalone_mode=False, obj=without_worker)
            )
            return Said(code, streams[0].getvalue().decode(), streams[1].getvalue().decode())
