"""The command line as real processes, on a workspace of its own: for tests of what only processes show."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from pipeline.markdown.blocks import find_blocks
from tests.support.processes.command_line import CommandLine, Said


def redirected(redirection: str) -> tuple[str, ...]:
    """What to put before a command so that a shell redirects its streams, as by `2>/dev/full` or `>&-`."""
    return ("sh", "-c", f'exec "$@" {redirection}', "sh")


@dataclass(frozen=True)
class RealWorkspace:
    """A workspace on disk. `environment` is added to that of every command."""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def configure(self, settings: str) -> "RealWorkspace":
        """Write `memory.toml`, and the folders that a workspace has."""
        (self.root / "memory").mkdir(parents=True, exist_ok=True)
        (self.root / "memory.toml").write_text(settings, encoding="utf-8")
        return self

    def start(self, *words: str, before: Sequence[str] = (), **environment: str) -> subprocess.Popen[str]:
        """Start `memory` with these words; `before` is a command that starts it in another way."""
        return CommandLine(self.root).start(*words, before=before, **self._variables(environment))

    def memory(self, *words: str, before: Sequence[str] = (), **environment: str) -> Said:
        """Run `memory` with these words to its end."""
        return CommandLine(self.root)(*words, before=before, **self._variables(environment))

    def _variables(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {"MEMORY_WORKSPACE": str(self.root), **self.environment, **environment}

    def pages(self) -> dict[str, bytes]:
        """Every Markdown file with its bytes."""
        return {file.relative_to(self.root).as_posix(): file.read_bytes() for file in sorted(self.root.rglob("*.md"))}

    def pages_with_lines(self) -> dict[str, bytes]:
        """Those that say something: MEMORY.md, which the first run makes, has no line at first."""
        return {path: data for path, data in self.pages().items() if path != "MEMORY.md" or b"\n- " in data}

    def torn(self) -> list[str]:
        """The blocks that are not as they were sealed."""
        return [
            f"{path}:{block.line}" for path, data in self.pages().items() for block in find_blocks(data)
            if not block.intact
        ]  # fmt: skip

    def entries(self) -> list[dict[str, Any]]:
        """What `memory show entries --json` lists."""
        return self.memory("show", "entries", "--json").records


def unlike(expected: Mapping[str, bytes], actual: Mapping[str, bytes]) -> list[str]:
    """How two sets of pages differ, line by line, line ends shown; nothing when they are the same bytes."""
    lines: list[str] = []
    for path in sorted(expected.keys() | actual.keys()):
        before, after = (
            [repr(line) for line in pages.get(path, b"").splitlines(keepends=True)] for pages in (expected, actual)
        )
        lines += unified_diff(before, after, f"expected {path}", f"actual {path}", n=2, lineterm="")
    return lines


def worker_of(process: subprocess.Popen[str]) -> int | None:
    """The worker process that a supervisor has started; `None` when there is none (yet, or any more)."""
    try:
        text = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
    except OSError:
        return None
    return int(text.split()[0]) if text.split() else None
