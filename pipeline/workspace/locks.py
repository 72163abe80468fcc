"""Lock files: they show the other processes of this host the present writer.

The kernel frees a lock when its holder dies, so a lock file without a holder is never stale and is never removed. When
another program removes it, its lock keeps no process out any more. So after taking a lock, a process checks that the
file is still the one at that path, and a holder checks it again before each write.
"""

import json
import os
import socket
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pipeline.clock import stopwatch
from pipeline.errors import Held, LockGone, OwnedElsewhere, WriteFailed
from pipeline.workspace.atomic import is_alive
from pipeline.workspace.regular_files import file_mode, make_folder, open_regular, read_regular, write_regular

if TYPE_CHECKING:
    import portalocker

_MACHINE_ID = Path("/etc/machine-id")
_OWNER = "owner.json"
_TEMPORARY = "to a temporary folder"
_POLL_SECONDS = 0.2
_LOOK_SECONDS = 1.0
_MOMENT_SECONDS = 0.003  # between two tries for a latch: short beside the milliseconds for which it is held
_RANDOM_NODE = 1 << 40  # set in an address that Python made up because it found no network card


@dataclass(frozen=True)
class Waiting:
    """The wait for each lock, in seconds. `between` is called every second of it, and raises to give up.

    `advice` is the sentence for a lock that is held where `--wait` does not apply.
    """

    seconds: float = 0.0
    between: Callable[[], None] = lambda: None
    advice: str = Held.next_step


NO_WAITING = Waiting()


class Locks:
    """The named locks of one workspace, files in `folder`."""

    def __init__(self, folder: Path, host: str = "") -> None:
        """`host` names this machine; without it, its own name, and its machine id to know it by."""
        self._folder = folder
        self._host = host or socket.gethostname()
        self._machine = host or _machine_id() or self._host
        self._held: dict[str, IO[str]] = {}

    @contextmanager
    def hold(self, names: Sequence[str], run: str, deadline: datetime, wait: Waiting = NO_WAITING) -> Iterator[None]:
        """Hold all named locks, taken in sorted order so that two holders cannot wait for each other.

        The first name is that of the job or of the command; the error of a process that finds the lock held names it.

        Raises:
            WorkspaceError: another process holds one of them, still after waiting; the workspace is run by another
                host.
        """
        if other_host := self.other_host:
            raise OwnedElsewhere(other_host, self._host)
        if not self._read_owner():
            self._write_owner()
        holder = {"pid": os.getpid(), "host": self._host, "for": names[0], "run": run, "deadline": deadline.isoformat()}
        with ExitStack() as stack:
            for name in sorted(set(names)):
                stack.enter_context(self._hold_lock(name, holder, wait))
            yield

    def check(self) -> None:
        """Check that the file of every lock held here is still at its path; called before each write.

        Raises:
            LockGone: the file of a lock was removed or replaced.
        """
        for name, file in list(self._held.items()):
            if not _is_in_place(self._folder / f"{name}.lock", file):
                path = f"memory/.locks/{name}.lock"
                raise LockGone(path)

    def take_over(self) -> None:
        """Make this host the owner of the workspace."""
        self._write_owner()

    @property
    def owner(self) -> str:
        """The host that runs this workspace; empty before the first run."""
        return self._read_owner().get("host", "")

    @property
    def other_host(self) -> str:
        """The host that runs this workspace if it is another machine; empty otherwise."""
        owner = self._read_owner()
        # The name of a laptop changes with its network; the machine id does not.
        foreign = bool(owner) and owner.get("machine") != self._machine
        return (owner.get("host") or "another machine") if foreign else ""

    def is_here(self, host: object) -> bool:
        """Whether the host in a lock file is this machine, by its present name or by its first name."""
        return host == self._host or (bool(host) and host == self.owner and not self.other_host)

    def holder(self, name: str) -> str:
        """The holder of a lock, for a message: the text of its file, unless its process has ended."""
        with suppress(OSError, ValueError, RecursionError, AttributeError):
            lock = json.loads(read_regular(self._folder / f"{name}.lock"))
            pid, host = lock.get("pid"), lock.get("host")
            if not self.is_here(host) or not isinstance(pid, int) or is_alive(pid):
                return (
                    f"{lock.get('for')}: process {pid} on {host}, run {lock.get('run')}, until {lock.get('deadline')}"
                )
        return f"a process that did not write its name into {name}.lock, and `memory doctor` tells how to find it"

    def is_held(self, name: str) -> bool:
        """Whether a process holds a lock now."""
        return Latch(self._folder / f"{name}.lock").is_held

    @contextmanager
    def _hold_lock(self, name: str, record: Mapping[str, object], wait: Waiting) -> Iterator[None]:
        _need_portalocker()
        import portalocker  # noqa: PLC0415 - as there

        path, folder = f"memory/.locks/{name}.lock", self._prepare_folder()
        try:
            lock = portalocker.Lock(
                folder / f"{name}.lock",
                mode="a+",
                timeout=0,
                check_interval=_MOMENT_SECONDS,
                flags=portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING,
                opener=partial(open_regular, mode=file_mode(folder)),
            )
            file = _acquire(lock, wait)
        except portalocker.exceptions.LockException as error:
            raise Held(name, self.holder(name), wait.advice) from error
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error
        try:
            _write_record(file, path, record)
            self._held[name] = file
            yield
        finally:
            self._held.pop(name, None)
            lock.release()

    def _prepare_folder(self) -> Path:
        try:
            if not self._folder.exists():
                make_folder(self._folder)
                write_regular(self._folder / ".gitignore", b"*\n")
        except OSError as error:
            path = "memory/.locks"
            raise WriteFailed(path, error.strerror or str(error)) from error
        return self._folder

    def _read_owner(self) -> dict[str, str]:
        with suppress(OSError, ValueError, AttributeError):
            owner = json.loads(read_regular(self._folder / _OWNER))
            return {str(key): str(value) for key, value in owner.items()}
        return {}

    def _write_owner(self) -> None:
        owner = json.dumps({"host": self._host, "machine": self._machine})
        try:
            write_regular(self._prepare_folder() / _OWNER, owner.encode())
        except OSError as error:
            path = f"memory/.locks/{_OWNER}"
            raise WriteFailed(path, error.strerror or str(error)) from error


@dataclass(frozen=True)
class Latch:
    """A lock that is held for moments, in the folder of derived files; its file `path` is empty."""

    path: Path

    @property
    def is_held(self) -> bool:
        """Whether a process holds it now. The check shares the lock for a moment, and hinders no holder.

        Raises:
            WriteFailed: the system refuses.
        """
        _need_portalocker()
        import portalocker  # noqa: PLC0415 - as there

        try:
            with self._lock(portalocker.LockFlags.SHARED, 0) if self.path.exists() else nullcontext():
                return False
        except portalocker.exceptions.LockException:
            return True
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or str(error)) from error

    @contextmanager
    def hold(self, seconds: float) -> Iterator[None]:
        """Hold it, waiting for others up to `seconds`. Threads of one process exclude each other as well.

        Raises:
            WorkspaceError: others did not let it go in time; the system refuses.
        """
        _need_portalocker()
        import portalocker  # noqa: PLC0415 - as there

        try:
            make_folder(self.path.parent)
            lock = self._lock(portalocker.LockFlags.EXCLUSIVE, seconds)
            while not _is_in_place(self.path, _acquire_now(lock)):
                lock.release()
        except portalocker.exceptions.LockException as error:
            raise Held(self.path.stem, "another process of this workspace") from error
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or str(error)) from error
        try:
            yield
        finally:
            lock.release()

    def _lock(self, way: "portalocker.LockFlags", seconds: float) -> "portalocker.Lock":
        import portalocker  # noqa: PLC0415 - as where it is used

        return portalocker.Lock(
            self.path,
            mode="a+",
            timeout=seconds,
            check_interval=_MOMENT_SECONDS,
            flags=way | portalocker.LockFlags.NON_BLOCKING,
            opener=partial(open_regular, mode=file_mode(self.path.parent)),
        )


def _need_portalocker() -> None:
    """Import portalocker. Raises `WriteFailed` when the system refuses its temporary file."""
    try:
        import portalocker  # noqa: F401, PLC0415 - on import it tries temporary folders, which a full disk refuses
    except OSError as error:
        raise WriteFailed(_TEMPORARY, error.strerror or str(error)) from error


def _acquire(lock: "portalocker.Lock", wait: Waiting) -> IO[str]:
    """Lock the file, with a wait. Raises an error of portalocker if it is still held then."""
    import portalocker  # noqa: PLC0415 - as where the lock is made

    until = stopwatch() + wait.seconds
    while True:
        left = max(until - stopwatch(), 0.0)
        try:
            interval = min(_POLL_SECONDS, left or _MOMENT_SECONDS)
            file = (
                lock.acquire(timeout=min(left, _LOOK_SECONDS), check_interval=interval) if left else _acquire_now(lock)
            )
            if _is_in_place(lock.filename, file):
                return file
            lock.release()
        except portalocker.exceptions.LockException:
            if not left:
                raise
            wait.between()


def _acquire_now(lock: "portalocker.Lock") -> IO[str]:
    """Lock the file, even while others check it. Raises an error of portalocker if it is held."""
    import portalocker  # noqa: PLC0415 - as where the lock is made

    while True:
        try:
            return lock.acquire()
        except portalocker.exceptions.LockException:
            if Latch(Path(lock.filename)).is_held:
                raise


def _is_in_place(path: str | Path, file: IO[str]) -> bool:
    """Whether the locked file is still at its path; a person may have removed it."""
    with suppress(OSError):
        return os.path.samestat(Path(path).stat(), os.fstat(file.fileno()))
    return False


def _write_record(file: IO[str], path: str, record: Mapping[str, object]) -> None:
    """Write the holder into a lock file."""
    try:
        file.truncate(0)
        file.write(json.dumps(record))
        file.flush()
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def _machine_id() -> str:
    """The identity of this machine, whatever its name: systemd's machine id, or its network card's address."""
    with suppress(OSError):
        return _MACHINE_ID.read_text().strip()
    node = uuid.getnode()
    return "" if node & _RANDOM_NODE else f"{node:x}"
