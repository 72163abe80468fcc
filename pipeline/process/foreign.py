"""Run a program of others as it is: its stdin, folder and environment stay, signals and its exit code pass through."""

import ctypes
import errno
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType
from typing import IO

from pipeline.process.cancellation import handling
from schemas.exit_codes import SIGNALLED

Write = Callable[[int, bytes], None]
"""A writer of bytes to a descriptor, 1 or 2."""

OUT, ERR = 1, 2
_IN_MEMORY = 4_194_304  # bytes that are kept in memory; what follows goes into a file
MOST = 268_435_456
"""The most bytes that are recorded; half of the free disk is the limit too."""
_MOST_TURNS = 1_000_000  # changes between the streams that are kept: beyond it, all is put on one of them
_RECORD_BLOCK = 262_144


def pass_on(stream: int, data: bytes) -> None:
    """Write to our own stdout or stderr."""
    ours = sys.stdout if stream == OUT else sys.stderr
    ours.buffer.write(data)
    ours.flush()


class Recording:
    """The output of a program. If it has no room, it is written out, and all further output is passed on at once."""

    def __init__(self, write: Write, most: int = MOST) -> None:
        """`write` takes the recorded output; `most` is the limit in bytes."""
        self._write, self._most = write, most
        self._head = bytearray()
        self._file: IO[bytes] | None = None
        self._turns, self._stream = array("Q"), OUT
        self.size = 0
        self.trouble: OSError | None = None

    def add(self, stream: int, data: bytes) -> None:
        """Record the next output."""
        if not self.trouble:
            if stream != self._stream and len(self._turns) < _MOST_TURNS:
                self._turns.append(self.size)
                self._stream = stream
            data = data[self._record_bytes(data) :]
            if self.trouble:
                self.give_out()
        if data:
            self._write(stream, data)

    def blocks(self) -> Iterator[bytes]:
        """The recorded bytes, from the beginning."""
        yield bytes(self._head)
        if file := self._file:
            file.seek(0)
            yield from iter(lambda: file.read(_RECORD_BLOCK), b"")

    def give_out(self) -> None:
        """Write out the recording, each part to its stream."""
        ends, place, stream = iter([*self._turns, self.size]), 0, OUT
        end = next(ends)
        for block in self.blocks():
            begin = 0
            while begin < len(block):
                while end == place:
                    stream, end = OUT + ERR - stream, next(ends)
                stop = min(len(block), begin + end - place)
                self._write(stream, block[begin:stop])
                place, begin = place + stop - begin, stop

    @property
    def is_large(self) -> bool:
        """Whether the recording is in a file."""
        return self._file is not None

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file:
            self._file.close()

    def _new_file(self) -> IO[bytes]:
        file: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - `close` closes it
        self._most = min(self._most, len(self._head) + shutil.disk_usage(tempfile.gettempdir()).free // 2)
        return file

    def _record_bytes(self, data: bytes) -> int:
        """Record bytes. Returns their number: all of them, or fewer with the reason in `trouble`."""
        if not self._file and len(self._head) + len(data) <= _IN_MEMORY:
            self._head += data
            self.size += len(data)
            return len(data)
        done = 0
        try:
            file = self._file = self._file or self._new_file()
            if self.size + len(data) > self._most:
                raise OSError(errno.EFBIG, f"it is longer than {self._most:,} bytes")  # noqa: TRY301 - as the disk would
            while done < len(data):
                written = file.write(data[done:])
                done, self.size = done + written, self.size + written
        except OSError as error:
            self.trouble = error
        return done


NOT_RUN, MISSING = 126, 127
"""Exit codes of a shell for a program that cannot be run, or is not there."""
_PASSED = tuple(
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT")
)
_TYPED = {signal.SIGINT, signal.SIGQUIT}  # a terminal sends these to all of its foreground
_ENDS_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl
_BLOCK = 65_536
_CAPACITY = 1_048_576  # bytes that a pipe holds at most


def become(command: Sequence[str]) -> None:
    """Let this process be the program: its output goes where ours did.

    Raises:
        OSError: it cannot be run.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and the program would inherit that
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], [*command])  # noqa: S606 - it is what was asked for


def run_at_terminal(command: Sequence[str], *, asks: bool = True, out: int = OUT) -> int:
    """Run a program to its end, with our streams; its exit code, as in a shell. A Ctrl+C is the program's to obey.

    Only a program that `asks` gets the input. `out` is the descriptor that is its stdout.

    Raises:
        OSError: it cannot be run.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with handling(lambda _: None, signal.SIGINT):
        given = None if asks else subprocess.DEVNULL
        code = subprocess.run(command, stdin=given, stdout=out, check=False).returncode  # noqa: S603 - it is what was asked for
    return code if code >= 0 else SIGNALLED - code


def at_low_priority(command: Sequence[str]) -> list[str]:
    """The words that run a program when processor and disk have nothing better to do, where the system can tell."""
    if not shutil.which(command[0]):  # whoever starts it is to hear that, and not the program before it
        return [*command]
    words = [*command]
    for low in (("ionice", "-t", "-c", "2", "-n", "7"), ("nice", "-n", "15")):
        if shutil.which(low[0]):
            words = [*low, *words]
    return words


def run_aside(command: Sequence[str]) -> None:
    """Start a program that goes on without us, quietly and at low priority, to its end.

    Raises:
        OSError: it cannot be run.
    """
    subprocess.Popen(  # noqa: S603 - it is what was asked for
        at_low_priority(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def run_recorded(command: Sequence[str], recording: Recording) -> int:
    """Run a program to its end, and record its output. Returns its exit code, as in a shell.

    Where stdout and stderr are one file, so they are for the program, and their order is exact. A stderr that is a
    terminal is the program's own. What goes on in the background after its end is not read any more. On Linux the
    program is killed when we are. When nobody reads ours any more, nobody reads the program's either.

    Raises:
        OSError: it cannot be run.
    """
    errors = subprocess.STDOUT if os.path.sameopenfile(OUT, ERR) else None if os.isatty(ERR) else subprocess.PIPE
    # Descriptors that we were given are the program's too, as of a shell's <(...); ours are not inherited.
    with (
        _pass_signals() as process_of,
        subprocess.Popen(  # noqa: S603 - it is what was asked for
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            close_fds=False,
            preexec_fn=_tie_to_parent(os.getpid()),  # noqa: PLW1509 - no thread has begun yet
        ) as process,
    ):
        process_of(process)
        pipes = {pipe.fileno(): stream for stream, pipe in ((OUT, process.stdout), (ERR, process.stderr)) if pipe}
        with _end_of(process) as ended:
            try:
                _record_output(pipes, ended, recording)
            except BrokenPipeError:
                for pipe in filter(None, (process.stdout, process.stderr)):
                    pipe.close()
        code = process.wait()
    return code if code >= 0 else SIGNALLED - code


def _tie_to_parent(parent: int) -> Callable[[], None] | None:
    """A function for a child, before it becomes the program: the system kills it when its parent ends."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)  # loaded before the fork

    def tie() -> None:
        library.prctl(_ENDS_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it has ended meanwhile
            os.kill(os.getpid(), signal.SIGKILL)

    return tie


def _record_output(pipes: dict[int, int], ended: int, recording: Recording) -> None:
    with selectors.DefaultSelector() as selector:
        for place in (*pipes, ended):
            os.set_blocking(place, False)
            selector.register(place, selectors.EVENT_READ)
        left = set(pipes)
        while left:
            ready = {key.fd for key, _ in selector.select()}
            for place in sorted(ready & left):
                if not _read_pipe(place, pipes[place], recording):
                    selector.unregister(place)
                    left.remove(place)
            if ended in ready:  # what it wrote lies in the pipes by now; others may keep them open, and write for ever
                for place in left:
                    _read_pipe(place, pipes[place], recording, _CAPACITY)
                return


def _read_pipe(place: int, stream: int, recording: Recording, most: int = _BLOCK) -> bool:
    """Read a pipe. Returns `False` at its end."""
    try:
        data = os.read(place, most)
    except BlockingIOError:
        return True
    if data:
        recording.add(stream, data)
    return bool(data)


@contextmanager
def _end_of(process: "subprocess.Popen[bytes]") -> Iterator[int]:
    """A descriptor that can be read once the process has ended."""
    reading, writing = os.pipe()

    def wait() -> None:
        process.wait()
        os.close(writing)

    waiting = Thread(target=wait)
    waiting.start()
    try:
        yield reading
    finally:
        waiting.join()
        os.close(reading)


@contextmanager
def _pass_signals() -> Iterator[Callable[["subprocess.Popen[bytes]"], None]]:
    """Pass our signals on to a process, as soon as it is given; the process decides about them."""
    given, early = list["subprocess.Popen[bytes]"](), list[int]()

    def pass_on(number: int, _: FrameType | None) -> None:
        if not given:
            early.append(number)
        elif not (number in _TYPED and _in_foreground()):
            given[0].send_signal(number)

    def give(process: "subprocess.Popen[bytes]") -> None:
        given.append(process)
        for number in early:
            process.send_signal(number)

    # A signal that was ignored when we began, as after `nohup`, is ignored by the program too.
    heeded = (number for number in _PASSED if signal.getsignal(number) != signal.SIG_IGN)
    before = {number: signal.signal(number, pass_on) for number in heeded}
    try:
        yield give
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _in_foreground() -> bool:
    """Whether a terminal sends its signals to us: then it sends them to the program too."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
        try:
            return os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)
    return False
