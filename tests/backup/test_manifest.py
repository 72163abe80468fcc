"""The list of files in a back-up: which paths it may name."""

import pytest
from pydantic import ValidationError

from pipeline.backup.manifest import SavedFile
from tests.support.tables import table


def _saved(path: str) -> SavedFile:
    return SavedFile(path=path, size=0, mode=0o600, mtime_ns=0, ctime_ns=0, inode=0, pieces=())


@table("path", ["MEMORY.md", ".memory/state.db", ".memory/said/2026.json", ".pkm/agents/main/brain.md"])
def test_parts_of_a_workspace_are_named(path: str) -> None:
    """Agents may live in a hidden folder."""
    assert path == _saved(path).path


@table(
    "path",
    [
        "/etc/passwd",
        "../x",
        ".git/config",
        "memory/.git/hooks/x",
        ".memory/integrations/record.json",
        ".memory/tokens.json",
    ],
)
def test_other_files_are_refused(path: str) -> None:
    """Neither outside of the workspace, nor any that this program or git would obey."""
    with pytest.raises(ValidationError, match="path"):
        _saved(path)
