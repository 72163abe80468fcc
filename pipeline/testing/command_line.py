"""The command `memory` in a real process, away from the settings of whoever runs the tests."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_COMMAND = (sys.executable, "-m", "pipeline.surfaces.cli.main")
_PREFIX = "MEMORY_"


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


def bare_environment(home: Path, **variables: str) -> dict[str, str]:
    """This process's environment without any `MEMORY_*`, with a home folder of its own, and `variables`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_PREFIX)}
    return kept | {"HOME": str(home), "TZ": "UTC"} | variables


@dataclass(frozen=True)
class CommandLine:
    """Runs `memory` in a process of its own."""

    home: Path
    seconds: float = 120

    def __call__(self, *words: object, **variables: str) -> Said:
        """Run one command to its end, which must come within `seconds`; `words` are what follows `memory`."""
        done = subprocess.run(  # noqa: S603 - our own command
            self.words(*words),
            env=bare_environment(self.home, **variables),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=self.seconds,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def start(self, *words: object, **variables: str) -> subprocess.Popen[str]:
        """Start a command and go on; its output is in pipes."""
        return subprocess.Popen(  # noqa: S603 - our own command
            self.words(*words),
            env=bare_environment(self.home, **variables),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def words(self, *words: object) -> list[str]:
        """The words of the process."""
        return [*_COMMAND, *map(str, words)]
