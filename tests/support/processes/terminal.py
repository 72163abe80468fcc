"""The command `memory` on a terminal of its own."""

import os
import pty
import termios
from collections.abc import Sequence

from tests.support.processes.command_line import SECONDS, CommandLine, Said, bare_environment, end_of
from tests.support.processes.forked import Command, Fork
from tests.support.processes.preparation import at_terminal

_LINES = 50
_TELLING = {"COLUMNS", "LINES", "NO_COLOR"}


def on_terminal(
    memory: CommandLine,
    columns: int,
    *words: object,
    typed: str = "",
    interrupted_at: str = "",
    prepared: Sequence[str] = (),
    **variables: str,
) -> Said:
    """Run one command to its end on a terminal of that many columns, at which `typed` is typed.

    `out` is all that came onto it. With `controlled()` as `prepared`, the terminal is the one that controls it; Ctrl+C
    is typed then as soon as the words `interrupted_at` are shown.
    """
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (_LINES, columns))
    environment = bare_environment(memory.home, **{"TERM": "xterm"} | variables)
    for name in _TELLING - variables.keys():  # of the terminal on which the tests are run
        environment.pop(name, None)
    command = Command([*map(str, words)], environment, memory.home, prepared[2:])
    os.write(ours, typed.encode())
    process = Fork(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = _all_of(ours, interrupted_at.encode())
    return Said(process.wait(SECONDS), shown.decode().replace("\r\n", "\n"), "")


def at_keyboard(
    memory: CommandLine, typed: str, *words: object, prepared: Sequence[str] = (), **variables: str
) -> Said:
    """Run one command with a controlling terminal, at which `typed` is typed; its streams are no terminals.

    What comes onto the terminal is `err` as well.
    """
    ours, theirs = pty.openpty()
    environment = bare_environment(memory.home, **{"TERM": "xterm"} | variables)
    steps = (*prepared[2:], *at_terminal(os.ttyname(theirs))[2:])
    process = Fork(Command([*map(str, words)], environment, memory.home, steps))
    os.write(ours, typed.encode())
    try:
        said = end_of(process, SECONDS)
    finally:
        process.kill()
        os.close(theirs)
    return Said(said.code, said.out, said.err + _all_of(ours).decode())


def _all_of(terminal: int, interrupted_at: bytes = b"") -> bytes:
    read = b""
    try:
        while more := os.read(terminal, 65_536):
            read += more
            if interrupted_at and interrupted_at in read:
                os.write(terminal, b"\3")
                interrupted_at = b""
    except OSError:  # EIO: nobody has it open any more
        pass
    finally:
        os.close(terminal)
    return read
