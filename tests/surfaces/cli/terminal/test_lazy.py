"""Commands are imported only when they are called, by new names and by old ones."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import click

from pipeline.surfaces.cli.main import cli
from pipeline.surfaces.cli.tree import ALIASES, COMMANDS, SECTIONS, words_below
from tests.support.processes.command_line import Said
from tests.support.tables import table

OF_NO_WORKSPACE = ("demo", "config sample", "config completion", "workspaces", "fleet")
SCREEN = (80, 40)
"""The columns and lines in which the help of all has to be read."""


def command_called(words: str) -> tuple[str, click.Command, list[str]]:
    """The name of the command that words call, itself, and the words that are left."""
    name, command, left = cli.resolve_command(click.Context(cli), words.split())
    assert name, words
    assert command, words
    return name, command, left


@table("name", [name for name, entrance in COMMANDS.items() if entrance.module])
def test_help_shown_without_the_module_is_the_commands_own(name: str) -> None:
    """The line of a command in the help of its group is the first line of its own."""
    _, command, _ = command_called(f"{name} x")
    assert COMMANDS[name].help == (command.help or "").partition("\n")[0]
    assert name.rpartition(" ")[2] == command.name


@table("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    """Every command and option says what it is for."""
    _, command, _ = command_called(name)
    assert command.help
    assert [] == [option.name for option in command.params if isinstance(option, click.Option) and not option.help]


@table("name", [name for name in COMMANDS if COMMANDS[name].module and not name.startswith(OF_NO_WORKSPACE)])
def test_every_command_takes_a_workspace(name: str) -> None:
    """`--workspace` works on every command that is about a workspace."""
    _, command, _ = command_called(f"{name} x")
    assert "workspace" in {option.name for option in command.params}


@table(("old", "new"), ALIASES.items())
def test_an_old_name_calls_the_command_of_the_new(old: str, new: str, call: Callable[..., Said]) -> None:
    """The same command with the same words, whose help has the new name."""
    ours, news = command_called(f"{old} x --json"), command_called(f"{new} x --json")
    assert (ours[0], ours[1].params, ours[2]) == (news[0], news[1].params, news[2])
    helped = call(*old.split(), "--help")
    assert helped == call(*new.split(), "--help")
    assert f"Usage: memory {new} " in helped.out


def test_an_old_name_answers_as_the_new(filled: Path, call: Callable[..., Said]) -> None:
    """In silence, with the same exit code."""
    for old in ("entries", "runs", "jobs", "entities", "transcripts", "cost", "review"):
        said = call(old, "--json", "--workspace", filled)
        assert said == call(*ALIASES[old].split(), "--json", "--workspace", filled), old
        assert "" == said.err


def test_every_old_name_is_free() -> None:
    """No old name is that of a command too, and each leads to one."""
    assert set() == ALIASES.keys() & COMMANDS.keys()
    assert set() == {*ALIASES.values()} - COMMANDS.keys()


def test_every_command_stands_below_a_heading() -> None:
    """Each first word once, and each group above a command is one itself."""
    listed = [*chain.from_iterable(SECTIONS.values())]
    assert [] == [name for name in words_below("") if listed.count(name) != 1]
    assert set() == {name.rpartition(" ")[0] for name in COMMANDS if " " in name} - COMMANDS.keys()


@table("name", ["", *(name for name in COMMANDS if words_below(name))])
def test_help_has_a_line_for_every_command(name: str, call: Callable[..., Said]) -> None:
    """The help of all commands fits on a screen."""
    columns, lines = SCREEN
    shown = call(*name.split(), "--help", COLUMNS=str(columns)).out.splitlines()
    rows = [" ".join(line.split()) for line in shown]
    for word in words_below(name):
        row = f"{word} {COMMANDS[f'{name} {word}'.strip()].help}"
        assert 1 == sum(shown_row.endswith(row) for shown_row in rows), row
    assert name or (max(map(len, shown)) <= columns and len(shown) <= lines)


@table(
    ("words", "meant"),
    [
        (("entires",), "show entries"),
        (("intergrate",), "agents connect"),
        (("statsu",), "status"),
        (("config", "chek"), "config check"),
        (("config", "token", "ad"), "config token add"),
    ],
)
def test_an_unknown_command_is_wrong_use(words: tuple[str, ...], meant: str, call: Callable[..., Said]) -> None:
    """A command that does not exist exits with 2 and a sentence, and close names, new and old, are offered."""
    said = call(*words)
    assert 2 == said.code
    assert f"No such command '{words[-1]}'. Did you mean '{meant}'?" in said.err


def test_what_is_close_to_no_name_is_wrong_use(call: Callable[..., Said]) -> None:
    """Nothing is offered."""
    assert call("xyzzy").err.endswith("Error: No such command 'xyzzy'.\n")


def test_a_workspace_before_the_command(filled: Path, call: Callable[..., Said]) -> None:
    """It is the command's; the one behind it counts more."""
    for words in (("status",), ("entries",), ("config", "token", "list")):
        after = call(*words, "--json", "--workspace", filled)
        assert after == call("--workspace", filled, *words, "--json"), words
        assert after == call("--workspace", "/nowhere", *words, "--json", "--workspace", filled), words
    assert 2 == call("--workspace", "/nowhere", "status").code


def test_show_tells_what_a_word_means(filled: Path, call: Callable[..., Said]) -> None:
    """Of an id the story is told, of a citation the lines are shown; without a word there is help."""
    entry = call("show", "entries", "--json", "--workspace", filled).records[0]
    place = f"{entry['path']}#L{entry['line']}"
    assert call("show", entry["id"], "--workspace", filled) == call("explain", entry["id"], "--workspace", filled)
    assert call("show", place, "--json", "--workspace", filled) == call("get", place, "--json", "--workspace", filled)
    assert (2, True) == ((said := call("show")).code, "Commands:" in said.err)


def test_version(call: Callable[..., Said]) -> None:
    """`memory --version` prints the version and ends well."""
    said = call("--version")
    assert (said.code, said.out.split()[0]) == (0, "memory")
