"""Regular files are opened, and nothing that only stands in the place of one."""

import errno
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.workspace.regular_files import (
    LARGEST,
    file_mode,
    make_folder,
    open_regular,
    read_regular,
    replace_private,
    why_unsuitable,
    write_regular,
)
from tests.support.tables import table


def _socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(file.parent)  # its path may be too long for the system
        listener.bind(file.name)


STANDING: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "a folder"),
    "pipe": (os.mkfifo, "a named pipe"),
    "socket": (_socket, "a socket"),
    "zero": (lambda file: file.symlink_to("/dev/zero"), "a device"),
    "full": (lambda file: file.symlink_to("/dev/full"), "a device"),
    "circle": (lambda file: file.symlink_to(file.name), "a link that leads in a circle"),
}
"""What stands in the place of a file, how it is made, and what is said of it."""


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """What waits at a pipe is interrupted."""

    def interrupt(number: int, _: object) -> None:
        raise TimeoutError(signal.strsignal(number))

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=STANDING)
def standing(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """Something that is no regular file, and what it is."""
    make, what = STANDING[request.param]
    here = Path.cwd()
    make(tmp_path / "x.md")
    os.chdir(here)
    return tmp_path / "x.md", what


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Another umask for a while."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    """The bits that tell who may do what."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_APPEND, os.O_RDWR | os.O_CREAT])
def test_nothing_else_is_opened(standing: tuple[Path, str], flags: int) -> None:
    """At once, to read and to write; the reason says what stands there and what to do."""
    file, what = standing
    with pytest.raises(OSError, match=f"it is {what}.*take it away") as caught:
        open_regular(file, flags)
    assert caught.value.strerror
    assert f"it is {what}" in why_unsuitable(file)


def test_nothing_else_is_read_or_written(standing: tuple[Path, str]) -> None:
    """Nor is anything lost of it."""
    file, what = standing
    with pytest.raises(OSError, match=what):
        read_regular(file)
    with pytest.raises(OSError, match=what):
        write_regular(file, b"x")
    assert not os.path.lexists(file) or not file.is_file()


def test_a_pipe_that_somebody_writes_to_is_none_either(tmp_path: Path) -> None:
    """It would be opened at once, and never end."""
    os.mkfifo(tmp_path / "x")
    writer = os.open(tmp_path / "x", os.O_RDWR)
    os.write(writer, b"some")
    with pytest.raises(OSError, match="a named pipe"):
        read_regular(tmp_path / "x")
    os.close(writer)


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    """And one that leads nowhere is none, which is said; who opens it is told that there is none."""
    (tmp_path / "a").write_bytes(b"text")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("nowhere")
    assert (b"text", "") == (read_regular(tmp_path / "b"), why_unsuitable(tmp_path / "b"))
    assert "it is a link that leads nowhere" in why_unsuitable(tmp_path / "c")
    assert "" == why_unsuitable(tmp_path / "d")
    for name in ("c", "d"):
        with pytest.raises(FileNotFoundError):
            read_regular(tmp_path / name)


def test_a_file_has_a_largest_size(tmp_path: Path) -> None:
    """One byte more is refused, with both sizes, and takes no time."""
    file = tmp_path / "x"
    file.write_bytes(b"12345")
    assert b"12345" == read_regular(file, 5)
    with pytest.raises(OSError, match="is not read") as caught:
        read_regular(file, 4)
    assert errno.EFBIG == caught.value.errno
    os.truncate(file, 200_000_000)
    assert why_unsuitable(file).startswith("it has 200 MB, and a file of more than 67 MB is not read")
    assert ("", True) == (why_unsuitable(file, None), LARGEST < 200_000_000)


def test_a_file_of_the_system_that_tells_no_size_is_read_to_its_end() -> None:
    """Up to the largest size: some have no end."""
    assert read_regular("/proc/self/stat").startswith(str(os.getpid()).encode())
    with pytest.raises(OSError, match="is not read"):
        read_regular("/proc/self/stat", 3)


@table(
    ("folder", "mask", "file", "inside"),
    [
        (0o700, 0o022, 0o600, 0o700),
        (0o700, 0o000, 0o600, 0o700),
        (0o755, 0o022, 0o644, 0o755),
        (0o777, 0o000, 0o664, 0o775),
        (0o2770, 0o002, 0o660, 0o2770),
        (0o750, 0o077, 0o600, 0o700),
        (0o711, 0o000, 0o600, 0o711),
    ],
)
def test_what_is_new_is_no_wider_than_its_folder(
    tmp_path: Path, folder: int, mask: int, file: int, inside: int
) -> None:
    """Nor than the umask; and never written by everybody."""
    (tmp_path / "w").mkdir()
    (tmp_path / "w").chmod(folder)
    with umask(mask):
        write_regular(tmp_path / "w" / "x", b"x")
        make_folder(tmp_path / "w" / "a" / "b")
    actual = [mode_of(tmp_path / "w" / text) for text in ("x", "a", "a/b")]
    assert [file, inside, inside] == actual
    assert file | file_mode(tmp_path / "w") == file_mode(tmp_path / "w")


def test_a_folder_that_is_there_stays(tmp_path: Path) -> None:
    """As it is; what stands in its place is told."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a").chmod(0o711)
    make_folder(tmp_path / "a")
    assert 0o711 == mode_of(tmp_path / "a")
    (tmp_path / "x").touch()
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "x")


@table("lasting", [False, True])
def test_a_private_file_takes_the_place_of_what_stands_there(tmp_path: Path, *, lasting: bool) -> None:
    """Only its owner may read it; a link in its place, or where it is written, is not followed."""
    theirs, ours = tmp_path / "theirs", tmp_path / "made" / "state.json"
    theirs.write_text("theirs")
    for data in (b"first", b"then"):
        replace_private(ours, data, lasting=lasting)
        assert (data, 0o600) == (ours.read_bytes(), stat.S_IMODE(ours.stat().st_mode))
    ours.with_name("state.json.new").symlink_to(theirs)
    ours.unlink()
    ours.symlink_to(theirs)
    replace_private(ours, b"ours", lasting=lasting)
    assert (b"ours", False, "theirs") == (ours.read_bytes(), ours.is_symlink(), theirs.read_text())
    assert [ours] == list(ours.parent.iterdir())
    assert 0o700 == stat.S_IMODE(ours.parent.stat().st_mode)
