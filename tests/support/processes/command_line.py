"""The command `memory` in a real process, away from the settings of whoever runs the tests."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.surfaces.cli.terminal.person import AGENTS
from tests.support.processes.forked import Command, Fork
from tests.support.processes.preparation import PREPARED

_COMMAND = (sys.executable, "-m", "pipeline.surfaces.cli.main")
OF_MACHINE = ("MEMORY_", "OPENAI_")
"""How variables begin that set our product or a model."""
_AT_START = ("PYTHON", "LANG", "LC_")
"""What Python reads as it starts."""
SECONDS = 600.0
"""How long a command of a test may take before the test fails."""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The objects of a `--json` listing."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def shown(self) -> str:
        """What a person saw: stdout, and stderr without the log lines."""
        return "\n".join([self.out, *(line for line in self.err.splitlines() if not line.startswith("{"))])

    @property
    def log(self) -> list[dict[str, Any]]:
        """The log lines."""
        return [json.loads(line) for line in self.err.splitlines() if line.startswith("{")]


def bare_environment(home: Path, **variables: str) -> dict[str, str]:
    """This process's environment without what sets our product, a model or an agent, with a home folder of its own."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(OF_MACHINE)}
    kept = {name: value for name, value in ours.items() if name not in AGENTS}
    return kept | {"HOME": str(home), "TZ": "UTC"} | variables


def end_of(process: subprocess.Popen[str], seconds: float = SECONDS) -> Said:
    """Wait until a command, and every process it started, has closed its output."""
    out, err = process.communicate(timeout=seconds)
    return Said(process.returncode, out, err)


@dataclass(frozen=True)
class CommandLine:
    """Runs `memory` in a process of its own: a fork, unless it is about how Python starts."""

    home: Path
    seconds: float = SECONDS

    def __call__(self, *words: object, before: Sequence[str] = (), **variables: str) -> Said:
        """Run one command to its end, which must come within `seconds`; `words` are what follows `memory`."""
        process = self.start(*words, before=before, **variables)
        try:
            return end_of(process, self.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def start(self, *words: object, before: Sequence[str] = (), **variables: str) -> subprocess.Popen[str]:
        """Start a command and go on; its output is in pipes. `before` is a command that starts it in another way."""
        environment = bare_environment(self.home, **variables)
        prepared = before[:2] == PREPARED
        if (prepared or not before) and not any(name.startswith(_AT_START) for name in variables):
            return Fork(Command([*map(str, words)], environment, self.home, before[2:]))
        return subprocess.Popen(
            [*before, *self.words(*words)],
            env=environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def words(self, *words: object) -> list[str]:
        """The words of the process."""
        return [*_COMMAND, *map(str, words)]
