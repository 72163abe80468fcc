"""Pages that show a session can be followed: their commands are run, in their order, and print what is shown."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, end_of
from tests.support.processes.forked import Command, Fork
from tests.support.processes.terminal import at_keyboard

ROOT = Path(__file__).parents[3]
PAGES = ("README.md", "docs/tutorial.md", "docs/how-to/search.md")
_NO_EMBEDDER = {"MEMORY_EMBEDDER__KIND": "none"}
_ASKED = re.compile(r"(?P<question>Type \w+ to .+:) (?P<word>\w+)")
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Step:
    """A command and the lines shown below it. `typed` is the word that answers a question of the command."""

    command: str
    shown: list[str] = field(default_factory=list)
    typed: str = ""

    def show(self, line: str) -> None:
        """Add a line of the page."""
        if asked := _ASKED.fullmatch(line):
            self.typed = asked["word"]
        self.shown.append(asked["question"] if asked else line)


@dataclass
class Reader:
    """Somebody who follows a page, in a folder of their own, and has no embedder: vectors take time to make."""

    folder: Path

    def follow(self, step: Step) -> str:
        """What a command prints; `RUN` stands for the newest run of the first job that wrote something."""
        command = step.command
        words = shlex.split(command.replace("RUN", self._newest_run()) if "RUN" in command else command)
        if words[0] == "cd":
            self.folder = self.folder / words[1]
            return ""
        return self._answered(step.typed, words) if step.typed else self._printed(words)

    def _newest_run(self) -> str:
        listed = self._printed(["memory", "runs", "--job", "micro_sync", "--json", "--limit", "500"])
        runs = map(json.loads, listed.splitlines())
        return next(str(run["run_id"]) for run in runs if run["ending"] == "done")

    def _answered(self, typed: str, words: list[str]) -> str:
        said = at_keyboard(CommandLine(self.folder), f"{typed}\n", *words[1:], **_NO_EMBEDDER)
        assert (words, 0) == (words, said.code), said.err
        return said.out + said.err

    def _printed(self, words: list[str]) -> str:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
        said = end_of(Fork(Command(words[1:], kept | _NO_EMBEDDER, self.folder)))
        assert ("memory", words, 0) == (words[0], words, said.code), said.err
        return said.out


def _steps(page: Path) -> Iterator[Step]:
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        steps = list[Step]()
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append(Step(line.removeprefix("$ ")))
            else:
                steps[-1].show(line)
        yield from steps


def _spaced(text: str) -> str:
    """Columns are as wide as their widest cell, so their spaces do not count."""
    return " ".join(text.split())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_followed(page: str, tmp_path: Path) -> None:
    """Every command of the console blocks succeeds, and prints each line that is shown."""
    reader = Reader(tmp_path)
    for step in _steps(ROOT / page):
        printed = _spaced(reader.follow(step))
        assert (step.command, [line for line in step.shown if _spaced(line) not in printed]) == (step.command, [])
