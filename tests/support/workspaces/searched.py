"""A workspace on disk that is indexed and asked by the command line alone."""

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.index.search.live_files import lines_of
from schemas.hit import Answer, Hit
from tests.support.processes.command_line import Said
from tests.support.processes.commands import RealWorkspace
from tests.support.processes.preparation import reading

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
"""The environment of a workspace whose index goes by words alone."""


@dataclass(frozen=True)
class Searched:
    """A workspace, and ways to write into it and to ask it. What is asked has to be answered."""

    memory: RealWorkspace

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.memory.root

    @property
    def index(self) -> Path:
        """Where its index lives."""
        return self.root / ".memory" / "index"

    def copied(self, root: Path) -> "Searched":
        """A copy in another folder, index and all, for one test to spoil."""
        shutil.copytree(self.root, root, ignore=shutil.ignore_patterns("bell"))  # a named pipe, which cannot be copied
        return Searched(RealWorkspace(root, self.memory.environment))

    def write(self, path: str, text: str) -> Path:
        """Put a text into the workspace, in place of the one there is."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def ask(self, question: str, *options: str, before: Sequence[str] = (), **environment: str) -> Answer:
        """The answer to a question."""
        return answer_of(self.memory.memory("search", "--json", *options, "--", question, before=before, **environment))

    def ask_all(self, questions: Iterable[str], *options: str) -> list[Answer]:
        """The answers to many questions, by one process."""
        asked = self.root / ".memory" / "asked.jsonl"
        asked.write_text("".join(json.dumps({"query": question}) + "\n" for question in questions), encoding="utf-8")
        said = well(self.memory.memory("search", "--stdin", "--json", *options, before=reading(asked)))
        return [Answer.model_validate_json(line) for line in said.out.splitlines()]

    def reindex(self, *options: str, before: Sequence[str] = (), **environment: str) -> dict[str, Any]:
        """What `memory doctor reindex --json` tells."""
        said = well(self.memory.memory("doctor", "reindex", "--json", *options, before=before, **environment))
        report: dict[str, Any] = json.loads(said.out)
        return report

    def cites(self, hit: Hit) -> bool:
        """Whether a hit's text is exactly the lines that it names, as they are now."""
        lines = lines_of((self.root / hit.path).read_bytes())
        return hit.text == "\n".join(lines[hit.start_line - 1 : hit.end_line])


def new_searched(root: Path, settings: str = "", **environment: str) -> Searched:
    """An empty workspace whose days are those of UTC; `settings` come after that, `environment` to each command."""
    return Searched(RealWorkspace(root, environment).configure(f'timezone = "UTC"\n{settings}'))


def answer_of(said: Said) -> Answer:
    """What a search with `--json` answered; it has to have done so."""
    return Answer.model_validate_json(well(said).out)


def well(said: Said) -> Said:
    """What a command said that has to have ended well."""
    if said.code or "Traceback" in said.err:
        message = f"exit code {said.code}: {said.shown}"
        raise AssertionError(message)
    return said
