"""The address of the service: a Unix socket that only its own user may open, and a file in the workspace that names it.

The socket lies outside the workspace: the system takes paths of some hundred bytes only, and not every file system, and
no backup, takes sockets.
"""

import os
import socket
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from pipeline.errors import WriteFailed
from pipeline.workspace.regular_files import replace_private
from pipeline.workspace.service_files import ServiceFolder

_RUNTIME_FOLDERS = ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR")
"""systemd.exec(5), RuntimeDirectory=; and the user's own, of the XDG Base Directory Specification."""
_PRIVATE = 0o700
_BACKLOG = 128


@contextmanager
def listening(root: Path, environment: Mapping[str, str] = os.environ) -> Iterator[socket.socket]:
    """A socket for the workspace `root`, published in the service's address file; one of a killed service is replaced.

    The caller makes sure that there is one service of a workspace.
    """
    listener, place = _bind_socket(root, environment)
    with listener:
        try:
            with _publish_address(ServiceFolder(root).address, str(place)):
                yield listener
        finally:
            place.unlink(missing_ok=True)


def _bind_socket(root: Path, environment: Mapping[str, str]) -> tuple[socket.socket, Path]:
    why = ""
    for place in _socket_places(root, environment):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            place.unlink(missing_ok=True)
            listener.bind(str(place))
            place.chmod(0o600)
            listener.listen(_BACKLOG)  # no other user gets in before this
        except OSError as error:
            listener.close()
            why = error.strerror or str(error)
        else:
            return listener, place
    what = "a socket in the folder of temporary files"
    raise WriteFailed(what, why)


def _socket_places(root: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The places where the socket may lie, the best place first."""
    name = f"memory-{sha256(os.fsencode(root.resolve())).hexdigest()[:16]}.sock"
    for variable in _RUNTIME_FOLDERS:
        folder = environment.get(variable, "").partition(":")[0]
        if folder.startswith("/"):
            yield Path(folder, name)
    temporary = dict.fromkeys((tempfile.gettempdir(), "/tmp"))  # noqa: S108 - the other's path may be too long
    for folder in temporary:
        ours = Path(folder, f"memory-{os.getuid()}")
        if _is_private(ours):
            yield ours / name
    for folder in temporary:  # another process has taken the name
        with suppress(OSError):
            yield Path(tempfile.mkdtemp(prefix="memory-", dir=folder), name)


def _is_private(folder: Path) -> bool:
    """Whether a folder, which is made when it is not there, is ours alone."""
    with suppress(OSError):
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
        status = folder.lstat()
        return (
            stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) == _PRIVATE
        )
    return False


@contextmanager
def _publish_address(address: Path, place: str) -> Iterator[None]:
    """Write the place into the file `address` meanwhile."""
    try:
        replace_private(address, f"{place}\n".encode())
    except OSError as error:
        raise WriteFailed(str(address), error.strerror or str(error)) from error
    try:
        yield
    finally:
        with suppress(OSError):
            address.unlink(missing_ok=True)
