"""`memory init` under the rights that a process gives its files."""

from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.processes.preparation import masked


@pytest.mark.parametrize("mask", ["000", "022", "077"])
def test_it_is_for_its_owner_alone(tmp_path: Path, memory: CommandLine, mask: str) -> None:
    """The workspace and all in it, whatever the umask; the settings may come to hold keys."""
    assert 0 == memory("init", tmp_path / "w", before=masked(mask)).code
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (tmp_path / "w", *(tmp_path / "w").iterdir())}
    assert {"w": "0o700", "memory": "0o700", ".memory": "0o700", "memory.toml": "0o600"} == modes


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path, memory: CommandLine) -> None:
    """What is new in it is as open as it is, but for the settings and what is derived."""
    (tmp_path / "w").mkdir()
    (tmp_path / "w").chmod(0o755)
    assert 0 == memory("init", tmp_path / "w", before=masked("022")).code
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (tmp_path / "w", *(tmp_path / "w").iterdir())}
    assert {"w": "0o755", "memory": "0o755", ".memory": "0o700", "memory.toml": "0o600"} == modes


def test_nothing_is_written_by_everybody(workspace: Path, memory: CommandLine) -> None:
    """Under umask 0 as well: entries, locks, the ledger, and the index with what its engine makes."""
    workspace.chmod(0o777)
    for words in (("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02", "--yes"), ("search", "x")):
        assert 0 == memory(*words, "--workspace", workspace, before=masked("000")).code
    ours = [path for name in ("memory", ".memory") for path in (workspace / name, *(workspace / name).rglob("*"))]
    assert (True, []) == (len(ours) > 10, [path for path in ours if path.stat().st_mode & 0o002])
