"""Every command of every how-to page is run, in the order of its page, in a copy of the demo's workspace.

A page shows ids of a workspace that nobody has: `Page.values` says which of the demo's stand for them. A command that
cannot be run in a test stands in `NOT_HERE`, with the reason.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.acceptance.docs.test_tutorial import PAGES as SHOWN
from tests.support.processes.command_line import CommandLine, Said, bare_environment, end_of
from tests.support.processes.forked import Command, Fork
from tests.support.processes.terminal import at_keyboard, on_terminal
from tests.support.workspaces.served_demo import ServedWorkspace, served

FOLDER = Path(__file__).parents[3] / "docs" / "how-to"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"^```console$", re.MULTILINE)
_SHELL = re.compile(r"[|<>$~{&;]|^(?!memory )")
"""What a shell has to read: all but a plain call of ours."""
_COMMENT = re.compile(r" +# .*$")
_SETTINGS = {"MEMORY_EMBEDDER__KIND": "none", "EDITOR": "cp words"}
_ADDRESS = "http://127.0.0.1:9464"
_PAGES = sorted({path.name for path in FOLDER.glob("*.md")} - {"fleet.md"})
"""The pages but that on a fleet, which `test_fleet.py` follows."""

NOT_HERE = {
    r"systemctl|loginctl|journalctl": "needs systemd",
    r"memory serve install ": "is refused below /tmp: tests/surfaces/cli/commands/test_install.py",
    r"memory serve\b": "goes on until it is stopped: tests/acceptance/test_serve.py",
    r"memory open\b": "needs a browser: tests/acceptance/surfaces/cli/commands/test_open.py",
    r"--follow": "goes on until Ctrl-C",
    r"memory (config )?model (try|use) |memory doctor --ask": "needs a model: tests/clients/test_models.py",
    r"memory ship": "needs a server: tests/acceptance/surfaces/cli/commands/test_ship.py",
    r"hf download|qmd |ssh ": "is a program of others",
    r"^claude |^gemini ": "is a program of others: tests/clients/test_plugins.py",
    r"memory (backup|restore) ": "needs another disk: tests/acceptance/docs/test_back_up.py",
    r"memory backfill --resume|memory undo --backfill": "needs a back-fill that was stopped: "
    "tests/acceptance/surfaces/cli/commands/test_undo_backfill.py",
    r"memory show entities merge": "needs an entity that is called like a command",
    r"memory forget about ": "is about things that the demo does not know: "
    "tests/acceptance/surfaces/cli/commands/test_forget_about.py",
    r"--reason|suggestions accept --kind": "needs suggestions of that sort: "
    "tests/acceptance/surfaces/cli/commands/test_suggestions.py",
    r"memory undo 2026-03 ": "needs a page of a month: tests/surfaces/cli/commands/test_undo.py",
    r"memory doctor adopt .*--seen": "names a state of a page: tests/surfaces/cli/commands/test_adopt.py",
}
"""Commands that cannot be run here, and why."""


@dataclass(frozen=True)
class Value:
    """A value that stands for a name on a page: a field of an answer with `--json`, of the first record that fits.

    With `once` it is asked for a single time, because a command of the page changes the answer.
    """

    question: str
    field: str = "id"
    where: tuple[str, object] | None = None
    at: int = 0
    once: bool = False


@dataclass(frozen=True)
class Page:
    """What a page needs to be followed: commands before its own, values of the demo, and answers of a person.

    The answers are those to a question of commands that begin so.
    """

    first: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)


_SESSION, _ENTRY = (
    Value("memory show transcripts --json"),
    Value("memory show entries --json", where=("status", "active")),
)
_ENDED = ("ending", "done")
_RUN = Value("memory show runs --job micro_sync --limit 500 --json", "run_id", _ENDED)
_NPM = "printf '#!/bin/sh\\nseq 1 2000\\necho npm error code ERESOLVE\\n' > npm; chmod +x npm"
_MODEL = """cat >> memory.toml <<'END'
[model]
program = "claude"
[[sources]]
kind = "codex"
path = "."
END"""
_DETAIL = Value("memory store list --json", "key")
_TOKEN = {"memory config token add": ""}
PAGES = {
    "add-a-source.md": Page(values={"SESSION": _SESSION}),
    "call-it-over-http.md": Page(typed=_TOKEN),
    "entities.md": Page(
        values={
            "Peter": Value("memory show entities --json", "name", once=True),
            "Piotr": Value("memory show entities --json", "name", at=1, once=True),
            "f-31ab09cd": Value("memory recall --kind world --json"),
        },
        typed={"memory forget": "y"},
    ),
    "give-an-agent-a-memory.md": Page(
        values={"j-4f1c02aa": Value("memory agents know jaskier --json")},
        typed={"memory agents remember": "remember", "memory agents pin": "pin", "memory agents unpin": "unpin"},
    ),
    "keep-large-outputs-outside.md": Page(first=(_NPM,), values={"cmd_npm-install_3f9a1c22d0": _DETAIL}),
    "make-room-in-memory-md.md": Page(
        first=(r"for n in 1 2 3 4 5 6 7; do printf '\n## Mine %s\n\nText.\n' $n; done >> MEMORY.md",),
        values={"RUN": _RUN},
    ),
    "review-suggestions.md": Page(
        first=("echo 'Breakfast is in the big house.' > words",),
        values={
            "4f1c02aa": Value("memory suggestions --json"),
            "90ab3d11": Value("memory suggestions --json", at=1),
        },
        typed={
            "memory suggestions decide": "stop",
            "memory suggestions accept": "accept",
            "memory suggestions edit": "accept",
        },
    ),
    "search-from-an-agent.md": Page(typed={"memory agents connect": "y"}),
    "see-what-it-does.md": Page(values={"20260304T12": _RUN}),
    "ship-transcripts.md": Page(typed=_TOKEN),
    "teams.md": Page(typed=_TOKEN),
    "undo-and-forget.md": Page(
        values={
            "ID": _ENTRY,
            "RUN": _RUN,
            "2026-W10": Value("memory show runs --job weekly_plan --limit 500 --json", "key", _ENDED),
            "A": Value("memory show entries --json", where=("supersedes", True)),
            "B": Value("memory show entries --json", where=("superseded_by", True)),
        },
        typed={"memory correct": "correct", "memory forget": "y"},
    ),
    "upgrade-move-uninstall.md": Page(
        first=("memory init ~/notes", "mkdir ~/new; cp -r . ~/new/place"),
        values={"NAME": Value("memory workspaces --json", "name")},
        typed={"memory workspaces uninstall": "y"},
    ),
    "use-a-model.md": Page(first=("memory workspaces add .", _MODEL)),
}


class Follower:
    """Somebody who follows a page in a workspace."""

    def __init__(self, page: Page, workspace: Path, served: ServedWorkspace | None = None) -> None:
        self.page, self.folder, self.served = page, workspace, served
        path = os.pathsep.join([str(workspace), str(Path(sys.executable).parent), os.environ["PATH"]])
        given = _SETTINGS | ({"TOKEN": served.person} if served else {})
        self._known = dict[Value, str]()
        self._environment = bare_environment(workspace.parent, PATH=path, **given)

    def follow(self, command: str) -> None:
        """Run a command, which ends well."""
        for name, value in self.page.values.items():
            if (called := re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")).search(command):
                command = called.sub(self._value(value), command)
        said = self._answer(command.replace(_ADDRESS, self.served.address) if self.served else command)
        assert (command, 0) == (command, said.code), said.out + said.err

    def _answer(self, command: str) -> Said:
        command = _COMMENT.sub("", command)
        words = [] if _SHELL.search(command) else shlex.split(command)[1:]
        begin = next((begin for begin in self.page.typed if command.startswith(begin)), None)
        if begin is not None:
            memory, typed = CommandLine(self.folder), f"{self.page.typed[begin]}\n"
            given = _SETTINGS | {"HOME": str(self.folder.parent)}
            if typed == "y\n":  # the input is asked, and not the terminal that controls it
                return on_terminal(memory, 100, *words, typed=typed, **given)
            return at_keyboard(memory, typed, *words, **given)
        if words:
            return end_of(Fork(Command(words, self._environment, self.folder)))
        done = subprocess.run(
            ["/bin/sh", "-ec", command],
            env=self._environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def _value(self, value: Value) -> str:
        if not (value.once and value in self._known):
            self._known[value] = self._look_up(value)
        return self._known[value]

    def _look_up(self, value: Value) -> str:
        records = self._answer(value.question).records
        if value.where:
            name, wanted = value.where
            records = [one for one in records if one[name] == wanted or (wanted is True and one[name])]
        return str(records[value.at][value.field])


def commands_of(page: Path) -> Iterator[str]:
    """The commands of a page: its lines, or a whole block that defines functions of the shell."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        yield from [block] if "() {" in block else [line for line in block.splitlines() if line.strip()]


def reason_not_to(command: str) -> str:
    """Why a command is not run here; empty if it is."""
    return next((why for pattern, why in NOT_HERE.items() if re.search(pattern, command)), "")


@pytest.mark.parametrize("page", _PAGES)
def test_the_page_can_be_followed(page: str, tmp_path: Path, demo: Path) -> None:
    """Its commands end well, one after the other; where it calls the service, the workspace is served."""
    needs = PAGES.get(page, Page())
    commands = [command for command in commands_of(FOLDER / page) if not reason_not_to(command)]
    if not commands:
        return
    root = tmp_path / "memory"
    shutil.copytree(demo, root)
    with ExitStack() as stack:
        calls = any(_ADDRESS in command for command in commands)
        workspace = stack.enter_context(served(root, environment={})) if calls else None
        follower = Follower(needs, root, workspace)
        for command in (*needs.first, *commands):
            follower.follow(command)


def test_every_exception_has_a_command() -> None:
    """And names tests that there are; pages that show what is printed are followed by `test_tutorial.py`."""
    commands = [command for page in FOLDER.glob("*.md") for command in commands_of(page)]
    assert [] == [pattern for pattern in NOT_HERE if not any(re.search(pattern, command) for command in commands)]
    named = [path for why in NOT_HERE.values() for path in re.findall(r"tests/\S+\.py", why)]
    assert [] == [path for path in named if not (FOLDER.parents[1] / path).is_file()]
    shown = {f"docs/how-to/{page.name}" for page in FOLDER.glob("*.md") if _CONSOLE.search(page.read_text())}
    assert shown <= set(SHOWN)
