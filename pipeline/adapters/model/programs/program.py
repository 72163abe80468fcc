"""The form of a program that answers questions, and of its replies."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.ports.engine import Question

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")


@dataclass(frozen=True)
class ProgramQuestion:
    """A question for a program: the name of the model, empty for its own choice, and our folder, which it works in."""

    question: Question
    model: str
    folder: Path


@dataclass(frozen=True)
class ProgramOutput:
    """The end of a program: its exit code, negative for a signal, and its output; `late` where we ended it."""

    code: int
    out: str
    err: str
    late: bool = False


@dataclass(frozen=True)
class ProgramReply:
    """The reply of a program: words, or a `problem`; either cost its tokens.

    A problem that `waits` needs the owner, or time: he has to sign in, or a limit of his account has to end.
    """

    text: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    problem: str = ""
    waits: bool = False
    busy: bool = False
    late: bool = False
    too_long: bool = False


@dataclass(frozen=True)
class Login:
    """Whether somebody is signed in to a program, and how it pays: by a subscription, or by a key."""

    signed_in: bool
    by_key: bool = False


class ModelProgram(Protocol):
    """A program that answers one question and ends."""

    @property
    def name(self) -> str:
        """The name of its file, and in `model.program`."""

    @property
    def small(self) -> str:
        """The name of its cheapest model, whatever its version; empty where it has no such name."""

    @property
    def variables(self) -> frozenset[str]:
        """The variables of the environment that it may have beside the common ones."""

    def login(self, environment: Mapping[str, str]) -> Path:
        """The file of its login, which it renews by itself; it need not exist."""

    def prepare(self, folder: Path, environment: Mapping[str, str], executable: Path) -> dict[str, str]:
        """Make in our folder what it needs; the variables that it gets on top of those it may have.

        Raises:
            ProgramRefused: it cannot be asked without its tools or its memory.
            OSError: the system refuses.
        """

    @property
    def status(self) -> tuple[str, ...]:
        """The arguments that ask for its login, which costs nothing."""

    def read_status(self, ended: ProgramOutput) -> Login:
        """The login that it reports."""

    def arguments(self, asked: ProgramQuestion) -> list[str]:
        """The arguments behind its name. The input of the question is its stdin.

        Raises:
            OSError: a file for it cannot be written.
        """

    def read(self, ended: ProgramOutput) -> ProgramReply | None:
        """The reply in its output; `None` when there is none."""


class ProgramRefused(Exception):
    """A program cannot be asked; the text says why, and completes a sentence."""


def objects_in(output: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in an output, a line each; banners and colours around them do not matter."""
    for line in re.split("[\r\n]", output):  # a string of JSON may hold any other end of a line
        plain = _ANSI.sub("", line).strip()
        if plain.startswith("{"):
            try:
                value = json.loads(plain)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


def count_in(usage: object, *names: str) -> int:
    """The sum of some counts of tokens; what is no count is none."""
    counts = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    return sum(count for count in counts if type(count) is int and count > 0)
