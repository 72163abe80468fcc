"""`memory agents`, `wake`, `know` and `remember`."""

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said
from tests.support.tables import table

BAKERY = "Kuba runs a bakery in Gdansk"


def test_an_agent_is_added_and_shown(workspace: Path, call: Callable[..., Said]) -> None:
    """Its table stands at the end of the settings; every other byte stays."""
    before = (workspace / "memory.toml").read_bytes()
    said = call("agents", "--workspace", workspace)
    assert "No agent has a memory of its own." in said.out
    call("agents", "add", "jaskier", "--autonomy", "1", "--source", "openclaw:main", "--workspace", workspace)
    after = (workspace / "memory.toml").read_bytes()
    assert after.startswith(before)
    table = tomllib.loads(after.decode())["agents"]["jaskier"]
    assert {"autonomy": 1, "sources": ["openclaw:main"], "language": "en"} == table
    (record,) = call("agents", "--json", "--workspace", workspace).records
    assert ("jaskier", 1, 0) == (record["name"], record["autonomy"], record["waiting"])
    assert "1, it suggests" in call("agents", "show", "jaskier", "--workspace", workspace).out


def test_a_source_without_such_an_agent_is_named(demo: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """It may come later, so the table is written; those that there are are listed."""
    workspace = shutil.copytree(demo, tmp_path / "work")
    said = call("agents", "add", "jaskier", "--source", "openclaw:jaskier", "--workspace", workspace)
    assert "openclaw has no session of an agent jaskier yet; those with sessions there: main." in said.err
    assert 0 == said.code


@table(
    ("words", "sentence"),
    [
        (("add", "jaskier"), "jaskier has a memory already"),
        (("add", "two words"), "name it with letters, digits and hyphens, such as two-words"),
        (("add", "zoe", "--source", "nowhere"), "there is no source 'nowhere'"),
        (("show", "nobody"), "no agent with a memory of its own 'nobody'. Known: jaskier."),
    ],
)
def test_a_wrong_name_is_refused(
    declared: Path, call: Callable[..., Said], words: tuple[str, ...], sentence: str
) -> None:
    """With a sentence, and no byte of the settings has changed."""
    before = (declared / "memory.toml").read_bytes()
    said = call("agents", *words, "--workspace", declared)
    assert (2, True) == (said.code, sentence in said.err)
    assert before == (declared / "memory.toml").read_bytes()


def test_without_a_person_it_is_suggested(declared: Path, call: Callable[..., Said]) -> None:
    """A command is nobody's word: nothing is written."""
    (record,) = call("agents", "remember", BAKERY, "--json", "--workspace", declared).records
    assert "suggested" == record["result"]
    assert "jaskier remembers nothing yet." in call("wake", "jaskier", "--workspace", declared).out
    (waiting,) = call("suggestions", "--json", "--workspace", declared).records
    assert ("jaskier core", BAKERY, "a_command") == (waiting["kind"], waiting["text"], waiting["reason"])


def test_a_broken_file_takes_nothing_else_along(declared: Path, call: Callable[..., Said]) -> None:
    """What cannot be read is named, by `wake` and by `doctor`; the rest is given."""
    folder = declared / "agents" / "jaskier"
    (folder / "memory").mkdir(parents=True)
    (folder / "identity.md").write_text("I am Jaskier.\n")
    (folder / "memory" / "brain.md").write_bytes(b"\xff\xfe broken")
    said = call("wake", "jaskier", "--workspace", declared)
    assert (0, True, True) == (said.code, "I am Jaskier." in said.out, "is UTF-16 and not UTF-8" in said.err)
    shown = call("doctor", "--workspace", declared).out
    assert "agents/jaskier/memory/brain.md, line 1: it is UTF-16 and not UTF-8" in shown


def test_a_folder_that_nobody_declared_is_named(declared: Path, call: Callable[..., Said]) -> None:
    """`doctor` says so; its files stay."""
    journal = declared / "agents" / "zoe" / "memory" / "journal" / "2026-03-04.md"
    journal.parent.mkdir(parents=True)
    journal.write_text("# of another program\n")
    assert "no table [agents.zoe]" in call("doctor", "--workspace", declared).out
    assert "# of another program\n" == journal.read_text()


@table("root", ["/agents", "../agents", "", "memory/agents", ".memory", "second-brain"])
def test_a_wrong_root_is_refused(declared: Path, call: Callable[..., Said], root: str) -> None:
    """With a sentence that names the setting, by whatever command."""
    for words in (("status",), ("wake", "jaskier"), ("config", "check")):
        said = call(*words, "--workspace", declared, MEMORY_AGENTS__ROOT=root)
        assert (2, True) == (said.code, "agents.root (MEMORY_AGENTS__ROOT): " in said.err + said.out)
