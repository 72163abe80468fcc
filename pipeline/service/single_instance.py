"""The one service of a workspace: it holds a lock, which the kernel frees when the process dies."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.errors import Held, WriteFailed
from pipeline.errors.service import ServiceRunning, WorkspaceGone
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch, Locks
from pipeline.workspace.regular_files import read_regular, write_regular
from pipeline.workspace.service_files import ServiceFolder

_GLANCE_SECONDS = 0.2  # another process may hold it for a moment to test it
_PRIVATE = 0o700


class InstanceLock:
    """Checks that the workspace is still the one that the service began with."""

    def __init__(self, root: Path) -> None:
        """The lock of the workspace `root` is held."""
        self._root, self._lock = root, ServiceFolder(root).lock
        self._began = _identity(self._lock)

    def check(self) -> None:
        """Raises `WorkspaceGone` when the workspace, or the lock in it, has disappeared or is another one."""
        if _identity(self._lock) != self._began:
            there = _identity(self._root / SETTINGS_FILE) is not None
            raise WorkspaceGone(str(self._lock.parent if there else self._root))


@contextmanager
def only_instance(root: Path) -> Iterator[InstanceLock]:
    """Be the only service of a workspace."""
    lock = ServiceFolder(root).lock
    with ExitStack() as stack:
        try:
            _make_private(lock.parent)
            stack.enter_context(Latch(lock).hold(_GLANCE_SECONDS))
        except Held as error:
            raise ServiceRunning(str(root), _name_holder(lock)) from error
        _check_host_locks(root)
        try:
            write_regular(lock, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
        except OSError as error:
            raise WriteFailed(str(lock), error.strerror or str(error)) from error
        yield InstanceLock(root)


def _make_private(folder: Path) -> None:
    try:
        for directory in (folder.parent, folder):
            directory.mkdir(mode=_PRIVATE, exist_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _check_host_locks(root: Path) -> None:
    """Refuse a workspace that another host has locked: its runs would be refused one after the other."""
    with Locks(Workspace(root).lock_folder).hold(("service",), "none", SystemClock().now()):
        return


def _name_holder(lock: Path) -> str:
    with suppress(OSError, ValueError, TypeError, KeyError):
        owner = json.loads(read_regular(lock))
        return f"process {owner['pid']} on {owner['host']}"
    return "another process"


def _identity(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = file.stat()
        return status.st_dev, status.st_ino
    return None
