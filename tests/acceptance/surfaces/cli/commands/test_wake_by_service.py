"""`memory wake` and `memory agents know` by a service: the same words, the same codes, and at once."""

import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.service.socket.client import Refused, ask, settings_of
from pipeline.workspace.layout import LEDGER_FILE
from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.served_modules import HEAVY, served_modules
from tests.support.processes.serving_process import serving_process
from tests.support.processes.terminal import at_keyboard
from tests.support.workspaces.agent_memory import new_agent_memory
from tests.support.workspaces.searched import WORDS_ALONE

ASKED = (
    ("wake", "jaskier"),
    ("wake", "jaskier", "--json"),
    ("wake", "jaskier", "--with", "memory"),
    ("wake", "jaskier", "--budget", "40"),
    ("wake", "jaskier", "--budget", "60", "--json"),
    ("wake", "zoe"),
    ("wake", "zoe", "--as", "jaskier", "--json"),
    ("wake", "jaskier", "--as", "zoe"),
    ("wake", "nobody"),
    ("wake", "jaskier", "--as", "nobody"),
    ("wake", "\udcff"),
    ("wake",),
    ("wake", "--project", "shop", "--json"),
    ("know", "jaskier"),
    ("know", "jaskier", "--json"),
    ("know", "zoe"),
    ("know", "zoe", "--json"),
    ("know",),
    ("know", "nobody"),
)
REFUSED = 2
SAUNA = "The sauna is closed on Mondays"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which `jaskier` knows four lines of ours, and one of other hands."""
    root = new_agent_memory(tmp_path_factory.mktemp("made") / "w")
    with (root / "agents" / "jaskier" / "memory" / "brain.md").open("a") as brain:
        brain.write("- The ferry leaves at six\n")
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(made, tmp_path / "w"))


@pytest.fixture
def service(root: Path, home: Path) -> Iterator["subprocess.Popen[str]"]:
    """Its service."""
    with serving_process(root, home, **WORDS_ALONE) as process:
        yield process


def all_answers(memory: CommandLine, root: Path) -> dict[tuple[str, ...], Said]:
    """What the command prints, and its exit code, for each question."""
    return {words: memory(*words, "--workspace", root) for words in ASKED}


def test_they_tell_the_same_to_the_byte(root: Path, home: Path, memory: CommandLine) -> None:
    """For people and for programs, in every language, and also what is wrong."""
    alone = all_answers(memory, root)
    refused = [words for words, said in alone.items() if said.code]
    assert [REFUSED] * len(refused) == [alone[words].code for words in refused]
    assert [*ASKED[7:11], *ASKED[17:]] == refused
    with serving_process(root, home, **WORDS_ALONE):
        assert ask(root, "wake", {"agent": "jaskier"}) is not None
        assert alone == all_answers(memory, root)


@pytest.mark.usefixtures("service")
def test_a_command_that_is_answered_imports_nothing_heavy(root: Path) -> None:
    """Neither what validates settings nor the ledger."""
    for words in (("wake", "jaskier"), ("know", "jaskier"), ("wake", "jaskier", "--json")):
        assert set() == HEAVY & served_modules(root, *words)


@pytest.mark.usefixtures("service")
def test_a_line_that_was_just_remembered_is_there(root: Path, memory: CommandLine) -> None:
    """At once, by the same service; and so is one that a person writes into the file."""
    assert SAUNA not in memory("wake", "jaskier", "--workspace", root).out
    at_keyboard(memory, "remember\n", "remember", SAUNA, "--agent", "jaskier", "--workspace", root)
    brain = root / "agents" / "jaskier" / "memory" / "brain.md"
    brain.write_text(brain.read_text() + "- The mill stands still\n")
    for name in ("wake", "know"):
        answer = str(ask(root, name, {"agent": "jaskier"}))
        assert (True, True) == (SAUNA in answer, "The mill stands still" in answer)
        assert SAUNA in memory(name, "jaskier", "--workspace", root).out


@pytest.mark.usefixtures("service")
def test_an_agent_that_was_just_declared_is_known(root: Path, memory: CommandLine) -> None:
    """The service answers about it, and searches as before; nobody has told it to read the settings anew."""
    with pytest.raises(Refused, match="no agent with a memory of its own 'dexter'"):
        ask(root, "wake", {"agent": "dexter"})
    assert 0 == memory("agents", "add", "dexter", "--workspace", root).code
    answer = ask(root, "wake", {"agent": "dexter"}) or {}
    assert ("dexter", ["memory"]) == (answer.get("agent"), [part["name"] for part in answer.get("parts", ())])
    assert "harbour office" in memory("wake", "dexter", "--workspace", root).out
    settings = root / "memory.toml"
    settings.write_text(settings.read_text().replace("may_read = []", 'may_read = ["jaskier"]'))
    assert ask(root, "wake", {"agent": "jaskier", "reader": "zoe"}) is not None
    assert ask(root, "search", {"query": "harbour"}, settings_of(WORDS_ALONE)) is not None


@pytest.mark.usefixtures("service")
def test_a_command_of_other_settings_looks_itself(root: Path, memory: CommandLine) -> None:
    """What its own environment says about agents counts for it, and what the file says wrongly."""
    declared = {"MEMORY_AGENTS__DEXTER__AUTONOMY": "1"}
    assert "harbour office" in memory("wake", "dexter", "--workspace", root, **declared).out
    with (root / "memory.toml").open("a") as settings:
        settings.write("[index]\ncollection = 3\n")
    said = memory("wake", "jaskier", "--workspace", root)
    assert (REFUSED, True) == (said.code, "index.collection" in said.err)


def test_a_ledger_that_cannot_be_used_is_reported_alike(root: Path, home: Path, memory: CommandLine) -> None:
    """It is damaged, or gone, while the service runs: the service keeps no connection to the old one."""
    ledger = root / ".memory" / LEDGER_FILE
    with serving_process(root, home, **WORDS_ALONE):
        assert ask(root, "know", {"agent": "jaskier"})
        other = ledger.with_name("other")
        other.write_bytes(b"no database" * 1000)
        for beside in ("-wal", "-shm"):
            ledger.with_name(f"{ledger.name}{beside}").unlink(missing_ok=True)
        other.replace(ledger)
        with pytest.raises(Refused, match=r"state\.db"):
            ask(root, "wake", {"agent": "jaskier"})
        served = all_answers(memory, root)
    assert served == all_answers(memory, root)
    said = served["wake", "jaskier"]
    assert (True, True) == (said.code > 0, "state.db" in said.err)


def test_a_killed_service_is_not_missed(
    root: Path, memory: CommandLine, service: "subprocess.Popen[str]", call: Callable[..., Said]
) -> None:
    """Its address is still told and nobody answers: the command looks itself."""
    served = call("wake", "jaskier", "--workspace", root)
    service.send_signal(signal.SIGKILL)
    service.wait()
    assert ask(root, "start_page", {}) is None
    assert served == memory("wake", "jaskier", "--workspace", root)


@pytest.mark.usefixtures("service")
def test_a_ledger_of_a_newer_program_is_left_to_the_command(root: Path, memory: CommandLine) -> None:
    """The service is of the old program then, and the command may be of the new one."""
    ledger = root / ".memory" / LEDGER_FILE
    with closing(sqlite3.connect(ledger)) as newer:
        newer.execute("PRAGMA user_version = 99")
    assert ask(root, "wake", {"agent": "jaskier"}) is None
    assert "newer" in memory("wake", "jaskier", "--workspace", root).err
