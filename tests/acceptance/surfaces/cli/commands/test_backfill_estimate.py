"""`memory backfill` asks the person at a terminal before it starts."""

import os
import pty
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from tests.support.processes.command_line import SECONDS, Said, bare_environment
from tests.support.processes.forked import Command, Fork
from tests.support.processes.preparation import controlled
from tests.support.servers.behaviours import answering
from tests.support.servers.model_server import ScriptedServer

DAY = "memory/2026-02-02.md"
WORDS = ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that finds nothing."""
    with ScriptedServer(answering(lambda _request: {"candidates": []})) as opened:
        yield opened


def model(server: ScriptedServer) -> dict[str, str]:
    """The settings of a model, as variables."""
    fields = {"BASE_URL": server.base_url, "NAME": "m", "ATTEMPTS": "1"}
    return {f"MEMORY_MODEL__{name}": value for name, value in fields.items()}


class Terminal:
    """A person at a terminal, who gives one answer when asked."""

    def __init__(self, home: Path, answer: str) -> None:
        """`answer` is typed at the first question."""
        self._home, self._answer = home, answer
        self.seen = ""

    def __call__(self, *words: object, **variables: str) -> Said:
        """Run a command; its stderr is the terminal."""
        ours, theirs = pty.openpty()
        environment = bare_environment(self._home, **variables)
        command = Command([*map(str, words)], environment, self._home, controlled()[2:])
        with Fork(command, stdin=theirs, stderr=theirs) as process:
            os.close(theirs)
            reading = Thread(target=self._read, args=(ours,))
            reading.start()
            out, _ = process.communicate(timeout=SECONDS)
            reading.join(SECONDS)
        os.close(ours)
        return Said(process.returncode, out, self.seen)

    def _read(self, ours: int) -> None:
        asked = False
        while data := _some(ours):
            self.seen += data.decode()
            if "Go on? [y/N]" in self.seen and not asked:
                asked = True
                os.write(ours, f"{self._answer}\n".encode())


def _some(descriptor: int) -> bytes:
    """What a terminal shows next; nothing when everybody has left it."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


@pytest.fixture
def person(home: Path) -> Callable[[str], Terminal]:
    """A person with an answer."""
    return lambda answer: Terminal(home, answer)


def test_a_person_is_asked(workspace: Path, person: Callable[[str], Terminal], server: ScriptedServer) -> None:
    """No: nothing is asked of the model, nothing written, exit code 1. Yes: it runs, and has told its size once."""
    no = person("n")(*WORDS, "--workspace", workspace, **model(server))
    assert (1, [], "") == (no.code, server.requests, no.out)
    yes = person("y")(*WORDS, "--workspace", workspace, **model(server))
    assert (0, 1) == (yes.code, len(server.requests)), yes.err
    assert (1, 1) == (yes.err.count("8 windows over 1 session"), yes.err.count("Go on?"))
    assert "8 of 8 windows" in yes.err
    assert "8 of 8 windows  120 tokens" in yes.err


def test_nobody_is_asked_who_said_yes_or_pays_nothing(
    workspace: Path, person: Callable[[str], Terminal], server: ScriptedServer
) -> None:
    """`--yes` skips the question; without a model there is none."""
    offline = person("n")(*WORDS, "--dry-run", "--workspace", workspace)
    assert (0, 0) == (offline.code, offline.err.count("Go on?"))
    assert f"+++ b/{DAY}" in offline.out
    yes = person("n")(*WORDS, "--yes", "--workspace", workspace, **model(server))
    assert (0, 0, 1) == (yes.code, yes.err.count("Go on?"), len(server.requests))


def test_a_person_is_asked_who_names_no_days(workspace: Path, person: Callable[[str], Terminal]) -> None:
    """With `--all` also without a model: there may be years. The bar says how long it still takes."""
    no = person("n")("backfill", "--all", "--workspace", workspace)
    assert (1, 1, "") == (no.code, no.err.count("Go on?"), no.out)
    yes = person("y")("backfill", "--all", "--max-windows", 9, "--workspace", workspace)
    assert (0, 1, True) == (yes.code, yes.err.count("Go on?"), "9 of 9 windows" in yes.err), yes.err
