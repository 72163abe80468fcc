"""One service for a workspace: who holds its lock, and whether the workspace is still the same."""

import os
import stat
from pathlib import Path

import pytest

from pipeline.errors import OwnedElsewhere, WriteFailed
from pipeline.errors.service import ServiceRunning, WorkspaceGone
from pipeline.service.serve import only_instance
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from pipeline.workspace.service_files import ServiceFolder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace."""
    root = tmp_path / "w"
    root.mkdir()
    (root / "memory.toml").touch()
    return root


def test_only_one(root: Path) -> None:
    """The second is told who the first is; when that one has gone, there is room again."""
    with only_instance(root) as held:
        held.check()
        assert {0o700} == {stat.S_IMODE(path.stat().st_mode) for path in (root / ".memory", ServiceFolder(root).path)}
        with (
            pytest.raises(ServiceRunning, match=f"process {os.getpid()} on {os.uname().nodename}"),
            only_instance(root),
        ):
            pass
    with only_instance(root) as held:
        held.check()


def test_a_holder_that_did_not_say_who_it_is(root: Path) -> None:
    """Somebody else holds the lock then, and that is all that can be told."""
    with only_instance(root):
        ServiceFolder(root).lock.write_text("", encoding="utf-8")
        with pytest.raises(ServiceRunning, match="another process"), only_instance(root):
            pass


def test_a_workspace_of_another_host(root: Path) -> None:
    """Its runs would all refuse, and its own service is where no lock can be seen."""
    Locks(Workspace(root).lock_folder, host="elsewhere").take_over()
    with pytest.raises(OwnedElsewhere, match="elsewhere"), only_instance(root):
        pass


def test_the_workspace_has_gone(root: Path) -> None:
    """Moved away, or another one of the same name: that is named."""
    with only_instance(root) as held:
        root.rename(root.with_name("moved"))
        with pytest.raises(WorkspaceGone, match=f"{root} has disappeared"):
            held.check()


def test_the_lock_has_gone(root: Path) -> None:
    """A second service could begin, so this one has to end; the folder that was removed is named."""
    with only_instance(root) as held:
        ServiceFolder(root).lock.unlink()
        with pytest.raises(WorkspaceGone, match=r"\.memory/service has disappeared"):
            held.check()


def test_no_place_for_a_lock(root: Path) -> None:
    """A file stands where the folder has to be."""
    (root / ".memory").touch()
    with pytest.raises(WriteFailed, match=r"\.memory"), only_instance(root):
        pass
