"""The place in which a command is called."""

from pathlib import Path

from tests.support.processes.command_line import CommandLine
from tests.support.tables import table

IN_REMOVED = ("sh", "-c", 'mkdir "$HOME/gone" && cd "$HOME/gone" && rmdir "$HOME/gone" && exec "$@"', "sh")
"""Begins a command in a folder that has gone since."""


@table(
    ("words", "code"),
    [(["wake", "--workspace"], 0), (["search", "heron", "--project", ".", "--workspace"], 0), (["status"], 2)],
)
def test_a_command_in_a_removed_folder(words: list[str], code: int, tmp_path: Path, workspace: Path) -> None:
    """An agent stays in a worktree that was removed: what it names is found, and else a sentence says what to do."""
    home = tmp_path / words[0]
    home.mkdir()
    said = CommandLine(home)(*words, *([workspace] if "--workspace" in words else []), before=IN_REMOVED)
    assert (code, False) == (said.code, "Traceback" in said.err), said.shown
