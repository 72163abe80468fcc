"""Lock files: who writes now, told to other processes of this host.

The kernel frees a lock when its holder dies, so a lock file that lies about is never stale and is never removed.
"""

import json
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import portalocker

from pipeline.errors import Held, OwnedElsewhere, WriteFailed

_OWNER = "owner.json"
_POLL_SECONDS = 0.2


class Locks:
    """The named locks of one workspace, files in `folder`."""

    def __init__(self, folder: Path, host: str = "") -> None:
        """`host` defaults to this machine's name."""
        self._folder = folder
        self._host = host or socket.gethostname()

    @contextmanager
    def hold(self, names: Sequence[str], run: str, deadline: datetime, wait_seconds: float = 0) -> Iterator[None]:
        """Hold all named locks, taken in sorted order so that two holders cannot wait for each other.

        Raises:
            Held: another process holds one of them, still after `wait_seconds`.
            OwnedElsewhere: the workspace is run by another host.
        """
        self._refuse_other_host()
        with ExitStack() as stack:
            for name in sorted(set(names)):
                stack.enter_context(self._one(name, run, deadline, wait_seconds))
            yield

    def take_over(self) -> None:
        """Make this host the owner of the workspace."""
        _write_owner(self._prepared() / _OWNER, self._host)

    @property
    def owner(self) -> str:
        """The host that runs this workspace; empty before the first run."""
        with suppress(OSError, ValueError, AttributeError):
            return str(json.loads((self._folder / _OWNER).read_text()).get("host", ""))
        return ""

    def holder(self, name: str) -> str:
        """What stands in a lock file about its holder, for a message."""
        with suppress(OSError, ValueError, AttributeError):
            told = json.loads((self._folder / f"{name}.lock").read_text())
            return (
                f"process {told.get('pid')} on {told.get('host')}, run {told.get('run')}, until {told.get('deadline')}"
            )
        return "another process"

    @contextmanager
    def _one(self, name: str, run: str, deadline: datetime, wait_seconds: float) -> Iterator[None]:
        told = {"pid": os.getpid(), "host": self._host, "run": run, "deadline": deadline.isoformat()}
        lock = portalocker.Lock(
            self._prepared() / f"{name}.lock",
            mode="a+",
            timeout=wait_seconds,
            check_interval=_POLL_SECONDS,
            flags=portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING,
        )
        try:
            file = lock.acquire()
        except portalocker.exceptions.LockException as error:
            raise Held(name, self.holder(name)) from error
        except OSError as error:
            path = f"memory/.locks/{name}.lock"
            raise WriteFailed(path, error.strerror or str(error)) from error
        try:
            file.truncate(0)
            file.write(json.dumps(told))
            file.flush()
            yield
        finally:
            lock.release()

    def _prepared(self) -> Path:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteFailed(str(self._folder.name), error.strerror or str(error)) from error
        return self._folder

    def _refuse_other_host(self) -> None:
        owner = self.owner
        if owner and owner != self._host:
            raise OwnedElsewhere(owner, self._host)
        if not owner:
            _write_owner(self._prepared() / _OWNER, self._host)


def _write_owner(path: Path, host: str) -> None:
    try:
        path.write_text(json.dumps({"host": host}))
    except OSError as error:
        raise WriteFailed(path.name, error.strerror or str(error)) from error
