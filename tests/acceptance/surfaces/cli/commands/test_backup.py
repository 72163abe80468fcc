"""`memory backup` and `memory restore` at a terminal, and where a disk is full or closed."""

import os
import stat
from pathlib import Path

import pytest

from pipeline.backup.key import key_file
from tests.support.processes.command_line import CommandLine
from tests.support.processes.preparation import largest_file, ordinary_rights
from tests.support.processes.terminal import at_keyboard, on_terminal

KEY = ".config/memory/backup-key.json"


@pytest.fixture
def saved(filled: Path, memory: CommandLine, tmp_path: Path) -> Path:
    """A back-up of a workspace."""
    assert 0 == memory("backup", tmp_path / "saved", "--workspace", filled).code
    return tmp_path / "saved"


def words_of(home: Path) -> str:
    """The words of the key in a home."""
    key = key_file({"HOME": str(home)}).read()
    assert key
    return key.words


def test_the_words_are_for_a_terminal(filled: Path, memory: CommandLine, home: Path, tmp_path: Path) -> None:
    """They are shown once, and again when they are asked for, and stand on no stream; under an agent they do not."""
    said = at_keyboard(memory, "", "backup", tmp_path / "saved", "--json", "--workspace", filled)
    words = words_of(home)
    assert (0, True, False) == (said.code, words in said.err, words in said.out)
    assert words not in at_keyboard(memory, "", "backup", tmp_path / "saved", "--workspace", filled).err
    assert words in at_keyboard(memory, "", "backup", "--words").err
    assert 77 == at_keyboard(memory, "", "backup", "--words", CLAUDECODE="1").code


@pytest.mark.parametrize("typed", ["", "\x04", "one two\n"])
def test_other_answers_restore_nothing(typed: str, saved: Path, memory: CommandLine, home: Path) -> None:
    """The end of the input, or words that are none, when the key is not here."""
    words = words_of(home)
    (home / KEY).unlink()
    restore = ("restore", saved, "--into", home / "new", "--yes")
    if typed:
        assert 0 != at_keyboard(memory, typed, *restore).code
        assert not (home / "new").exists()
    else:
        assert 0 == at_keyboard(memory, f"{words}\n", *restore).code
        assert words == words_of(home)


@pytest.mark.parametrize("typed", ["n\n", "\x04"])
def test_nothing_is_restored_unasked(typed: str, saved: Path, memory: CommandLine, home: Path) -> None:
    """A no and the end of the input leave all as it is, also on a narrow terminal and in another locale."""
    restore = ("restore", saved, "--into", home / "new")
    said = on_terminal(memory, 40, *restore, typed=typed, LANG="C", LC_ALL="C")
    assert (True, False) == ("Restore it?" in said.out, (home / "new").exists())
    assert said.code in {1, 130}


def test_a_disk_that_is_full(saved: Path, filled: Path, memory: CommandLine, home: Path) -> None:
    """The command says so; the generation before stays good, and once there is room the next call goes on."""
    (filled / "memory" / "long.md").write_bytes(bytes(range(256)) * 4_000)
    for size in (0, 100, 20_000, 200_000):
        said = memory("backup", saved, "--workspace", filled, before=largest_file(size))
        assert (1, False, True) == (said.code, "Traceback" in said.err, "Cannot write" in said.err), said.shown
        assert 1 == len(memory("backup", saved, "--list", "--json").records)
        said = memory("restore", saved, "--into", home / "new", "--yes", before=largest_file(size))
        assert (1, False, False) == (said.code, "Traceback" in said.err, (home / "new").exists()), said.shown
    assert 0 == memory("restore", saved, "--into", home / "new", "--yes").code
    assert 0 == memory("backup", saved, "--workspace", filled).code


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user(filled: Path, memory: CommandLine, tmp_path: Path) -> None:
    """It is refused and left as it is, because its owner could read or swap what is written there."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, 65_534, 65_534)
    folder.chmod(0o777)
    said = memory("backup", folder, "--workspace", filled)
    assert (2, True) == (said.code, "open to another user" in said.err), said.shown
    assert ([], 0o777) == (list(folder.iterdir()), stat.S_IMODE(folder.stat().st_mode))


def test_a_home_and_a_folder_that_are_closed(saved: Path, filled: Path, memory: CommandLine, home: Path) -> None:
    """A sentence each; a restore needs no home that can be written to."""
    (home / ".config/memory").chmod(0o500)
    said = memory("restore", saved, "--into", home / "new", "--yes", before=ordinary_rights())
    assert (0, True) == (said.code, "Cannot write" in said.err), said.shown
    saved.chmod(0o500)
    said = memory("backup", saved, "--workspace", filled, before=ordinary_rights())
    assert (False, True) == ("Traceback" in said.err, said.code in {0, 1}), said.shown
    (home / KEY).unlink()
    said = memory("backup", home / "other", "--workspace", filled, before=ordinary_rights())
    assert (1, True) == (said.code, "Cannot write" in said.err), said.shown
    assert not (home / "other").exists()
