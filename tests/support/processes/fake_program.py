"""An agent's program that is none: it tells a test how it was called, and does as the test says."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

_SCRIPT = """#!{python} -ES
import os, sys
from multiprocessing.connection import Client
with Client({address!r}) as line:
    line.send({{"argv": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd(),
               "entries": os.listdir(), "process": os.getpid(), "input": sys.stdin.buffer.read().decode()}})
    told = line.recv()
for stream, text in ((sys.stdout, told["out"]), (sys.stderr, told["err"])):
    stream.write(text)
    stream.flush()
if told["signal"]:
    os.kill(os.getpid(), told["signal"])
os._exit(told["code"])
"""


@dataclass(frozen=True)
class Call:
    """A call of the program: its arguments, environment, folder with what lay in it, and stdin."""

    argv: list[str]
    environment: dict[str, str]
    folder: str
    entries: list[str]
    process: int
    input: str

    def option(self, name: str) -> str:
        """The word behind an option, or behind its `=`."""
        joined = next((word.partition("=")[2] for word in self.argv if word.startswith(f"{name}=")), None)
        return self.argv[self.argv.index(name) + 1] if joined is None else joined


@dataclass(frozen=True)
class Behaviour:
    """The end of a call: its output, and its exit code or a signal; after one that stops it, it hangs."""

    out: str = ""
    err: str = ""
    code: int = 0
    signal: int = 0


@dataclass
class FakeProgram:
    """The program `name` in `folder`. `calls` are those so far."""

    folder: Path
    name: str
    behave: Callable[[Call], Behaviour]
    calls: list[Call] = field(default_factory=list)

    def serve(self, listener: Listener) -> None:
        """Answer each call in a thread of its own, until the listener is closed."""
        while True:
            try:
                line = listener.accept()
            except OSError:
                return
            Thread(target=self._answer, args=(line,), daemon=True).start()

    def _answer(self, line: Connection) -> None:
        try:
            with line:
                call = Call(**line.recv())
                self.calls.append(call)
                line.send(vars(self.behave(call)))
        except (EOFError, BrokenPipeError):  # a call that was killed
            return


@contextmanager
def fake_program(folder: Path, name: str, behave: Callable[[Call], Behaviour]) -> Iterator[FakeProgram]:
    """A program of that name in a folder, for the PATH."""
    folder.mkdir(exist_ok=True)
    program = FakeProgram(folder, name, behave)
    # The path of a socket has a hundred characters, and the folder of a test may have more.
    with TemporaryDirectory() as short, Listener(f"{short}/line") as listener:
        file = folder / name
        file.write_text(_SCRIPT.format(python=sys.executable, address=listener.address))
        file.chmod(0o755)
        serving = Thread(target=program.serve, args=(listener,), daemon=True)
        serving.start()
        yield program


def lines(*events: object) -> str:
    """Events as JSON, a line each."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
