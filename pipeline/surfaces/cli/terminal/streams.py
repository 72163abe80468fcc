"""The standard streams of the process, so that what is printed never stands in the way of the work."""

import codecs
import errno
import io
import os
import select
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from pipeline.surfaces.cli.terminal.console import Console

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_STANDARD = range(3)  # descriptors: stdin, stdout, stderr
_PRIVATE, _FOR_EVERYBODY = 0o077, 0o002  # umasks


class Outlet(io.FileIO):
    """Writes to a descriptor; what cannot be written is dropped. `lost` is why, when something was.

    Each write tries again: a log goes on once its disk has room, and on a line of its own after one that was cut off.
    """

    def __init__(self, descriptor: int) -> None:
        """`descriptor` is open for writing, and stays open."""
        super().__init__(descriptor, "w", closefd=False)
        self.lost: OSError | None = None
        self._within_line = self._torn = False

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes, or drop them; their number."""
        offered = bytes(data)
        try:
            if self._torn and self._pass_on(b"\n"):
                self._torn = False
            passed = self._pass_on(offered)
        except OSError as error:
            self.lost, self._torn = error, self._within_line
            return len(offered)
        self._within_line = not offered[:passed].endswith(b"\n")
        return passed

    def _pass_on(self, data: bytes) -> int:
        # Another program on the same terminal or pipe may have made it non-blocking; then there is no number.
        while (passed := super().write(data)) is None:
            select.select([], [self.fileno()], [])
        return passed


def set_up() -> None:
    """Set up the streams of this process so that they accept any text, and never fail.

    Any text is printed, whatever letters the terminal knows and whatever half surrogate pairs a file holds; a program
    that reads stdout gets UTF-8 in every locale. The escapes of characters that cannot be encoded are valid in JSON. A
    descriptor that the parent has closed leads nowhere: else the next file that is opened would take its number, and
    the output.

    Text is shown as `Console` does, in colours where they are wanted. And files of this process are not writable for
    everybody, whatever the umask.
    """
    os.umask(os.umask(_PRIVATE) | _FOR_EVERYBODY)
    for number in _STANDARD:
        if not _is_open(number):
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the lowest that is free: `number`
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_RDONLY)))
    terminal = sys.stdout is not None and sys.stdout.isatty()
    sys.stdout, sys.stderr = _console(sys.stdout, None if terminal else "utf-8"), _console(sys.stderr)


def lost() -> OSError | None:
    """The error by which printed output was lost on stdout; `None` when nothing was."""
    sys.stdout.flush()
    outlet = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return outlet.lost if isinstance(outlet, Outlet) else None


def reader_left(error: OSError) -> bool:
    """Whether the reader of lost output had gone, as after `head`: then it is no loss."""
    return error.errno == errno.EPIPE


def colour(environment: Mapping[str, str]) -> bool | None:
    """Whether to print in colours: `False`, or `None` for where a terminal is.

    `NO_COLOR` is the convention of https://no-color.org; a terminal that is `dumb` knows no escapes.
    """
    return False if environment.get("NO_COLOR") or is_dumb(environment) else None


def is_dumb(environment: Mapping[str, str]) -> bool:
    """Whether the terminal has no escapes, by its `TERM`."""
    return environment.get("TERM") == "dumb"


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def raw_stream(stream: TextIO) -> TextIO:
    """The stream of the same terminal without escaping, for our own output, such as a bar that moves."""
    return io.TextIOWrapper(io.BufferedWriter(Outlet(stream.fileno())), stream.encoding, "backslashreplace")


def _console(stream: TextIO | None, encoding: str | None = None) -> Console:
    """The console over `stream` with an outlet below it; without a stream its outlet leads nowhere."""
    if stream is None:
        descriptor, terminal = os.open(os.devnull, os.O_WRONLY), False
    else:
        stream.flush()
        descriptor, terminal = stream.fileno(), stream.isatty()
        encoding = encoding or stream.encoding
    # click takes a stream for misconfigured that knows ASCII alone, and prints UTF-8 past it.
    encoding = "utf-8" if encoding is None or codecs.lookup(encoding).name == "ascii" else encoding
    outlet = io.BufferedWriter(Outlet(descriptor))
    console = Console(outlet, encoding, "backslashreplace", line_buffering=terminal)
    console.colours = terminal and colour(os.environ) is not False
    return console
