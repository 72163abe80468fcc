"""What a shell completes: words of commands, and names that files tell."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.commands.completion import SHELLS, VARIABLE
from pipeline.surfaces.cli.main import cli
from pipeline.surfaces.cli.tree import ALIASES, words_below
from tests.support.processes.command_line import Said
from tests.support.tables import table


def completed(*words: str) -> Sequence[str]:
    """What completes the last of the words."""
    items = ShellComplete(cli, {}, "memory", VARIABLE).get_completions([*words[:-1]], words[-1])
    return [item.value for item in items]


@table("group", ["", "show", "config", "config token"])
def test_the_words_of_commands(group: str) -> None:
    """Those of a group, in their order; no old name."""
    words = completed(*group.split(), "")
    assert words_below(group) == [*words[: len(words_below(group))]]
    assert set() == ALIASES.keys() & {*words} - {*words_below(group)}


def test_options_and_what_they_choose_from() -> None:
    """Also of a command that is called by an old name."""
    assert ["--why", "--workspace"] == completed("show", "transcripts", "--w")
    assert completed("show", "entries", "--") == completed("entries", "--")
    assert "--reason" in completed("suggestions", "--")
    assert ["warm"] == completed("search", "--tier", "w")
    assert ["bash", "zsh", "fish"] == completed("config", "completion", "")


def test_the_names_of_jobs() -> None:
    """They are known without a workspace."""
    assert {job.name for job in discover()} == {*completed("backfill", "")}
    assert ["micro_sync"] == completed("run", "mic") == completed("show", "runs", "--job", "mic")
    assert ["facts"] == completed("run", "facts")


def test_names_of_a_workspace(filled: Path) -> None:
    """Agents and sources of the settings, and the newest entries; those of the workspace that is named."""
    with (filled / "memory.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[agents.jaskier]\nsources = ["openclaw:main"]\n')
    here = ("--workspace", str(filled))
    assert ["jaskier"] == completed("agents", "wake", *here, "ja") == completed(*here, "search", "--agent", "")
    assert ["openclaw"] == completed("agents", "add", "x", *here, "--source", "")
    newest, *_ = ids = completed(*here, "show", "story", "")
    assert sorted(ids, key=lambda name: name.split("-")[1], reverse=True) == ids
    assert newest in completed(*here, "show", "") == [*words_below("show"), *ids]
    assert [newest] == completed(*here, "correct", newest[:-1])


@table("words", [("agents", "wake", ""), ("show", "story", "R"), ("xyz", ""), ("xyz", "-")])
def test_where_there_is_nothing_to_offer(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A workspace that is not there, and words that are none, are no error."""
    monkeypatch.chdir(tmp_path)
    assert set() == {*completed(*words)} - {"--help", "-h", "--workspace", "--version", *words_below("")}


@table(
    "settings",
    [
        "[agents.'$(touch${IFS}/tmp/x)']",
        "[agents.'a b']",
        "[agents.--yes]",
        "agents = 1",
        "[agents",
        "[[sources]]\npath = '/x'",
        "[[sources]]\nkind = 'openclaw'\nname = 'a;b'",
        "sources = [1]",
        "sources = 1",
    ],
)
def test_settings_of_somebody_else(settings: str, tmp_path: Path) -> None:
    """No word that a shell would carry out or split, and no error where a table is something else."""
    (tmp_path / "memory.toml").write_text(f"{settings}\n")
    here = ("--workspace", str(tmp_path))
    assert [] == completed("agents", "wake", *here, "") == completed("agents", "add", "x", *here, "--source", "")


def test_days_of_somebody_else(filled: Path) -> None:
    """No id that a shell would carry out; where a day is no file, nothing is offered."""
    words = ("--workspace", str(filled), "show", "story", "")
    known = completed(*words)
    (filled / "memory" / "2099-01-01.md").write_text("## A\n- id: `id`\n\n## B\n- id: x$(id)\n\n## C\n- id: c-1\n")
    assert ["c-1", *known] == completed(*words)
    (filled / "memory" / "x.md").symlink_to("/dev/zero")
    assert [] == completed(*words)


@table("shell", SHELLS)
def test_the_script_of_a_shell(shell: str, call: Callable[..., Said]) -> None:
    """It calls our command, by the variable that click reads."""
    said = call("config", "completion", shell)
    assert (0, "") == (said.code, said.err)
    assert f"{VARIABLE}={shell}_complete" in said.out
    if shell == "bash":
        assert b"" == subprocess.run([shell, "-n"], input=said.out.encode(), capture_output=True, check=True).stderr
