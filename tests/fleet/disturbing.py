"""Processes of a fleet that stand still at a moment of their work, and what may happen to them there."""

import hashlib
import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from tests.support.processes.kills import is_file_change
from tests.support.servers.postgresql import PostgresServer
from tests.support.servers.relay import Relay

MESSAGES = 400
"""Messages between a worker and the database within which a moment is drawn."""
CHANGES = 250
"""Changes of files within which it is drawn."""
_SECONDS = 300


class Dice:
    """Numbers that look drawn, and are the same each time."""

    def __init__(self) -> None:
        self._drawn = 0

    def below(self, limit: int) -> int:
        """The next number, from 0."""
        self._drawn += 1
        return int(hashlib.sha256(b"%d" % self._drawn).hexdigest(), 16) % limit


@dataclass
class Disturbed:
    """A process at work, which stands still at one moment: at a change to a file, or at a message of the database."""

    process: BaseProcess
    pipe: Connection
    relay: Relay

    def comes_to_its_moment(self, *others: Connection) -> bool:
        """Wait for its moment; whether that came before its end, and before `others` have something to read."""
        ready = wait([self.process.sentinel, self.pipe, self.relay.moments, *others], _SECONDS)
        if not ready:
            raise TimeoutError(self.process.pid)
        return self.pipe in ready or self.relay.moments in ready

    def go_on(self) -> None:
        """Let it go on from there, and stand still no more."""
        self.relay.go_on()
        with suppress(BrokenPipeError):  # as below
            self.pipe.send("on")

    def end(self) -> None:
        """Wait for its end, which is none by a bug."""
        self.process.join(_SECONDS)
        assert self.process.exitcode in {0, -signal.SIGKILL}

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.relay.go_on()
        self.end()

    def wake(self) -> None:
        """Have it go on after it stood still."""
        self._signal(signal.SIGCONT)
        self.go_on()

    def stop(self) -> None:
        """Have all of it stand still; the message passes."""
        self._signal(signal.SIGSTOP)
        self.relay.go_on()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # its last message needs no answer, so it may have ended
            os.kill(self.process.pid or 0, number)


class Disturber:
    """Disturbs processes at work: `counted`, by its kind, is what happened while work went on."""

    def __init__(self, server: PostgresServer, relay: Relay, has_work: Callable[[], bool]) -> None:
        self.server, self.relay, self.has_work = server, relay, has_work
        self.dice, self.counted = Dice(), Counter[str]()

    def begin(self, work: Callable[..., None], *arguments: object) -> Disturbed:
        """Let a process work, up to a moment that is drawn."""
        if self.dice.below(2):
            return self.start(work, *arguments, change=self.dice.below(CHANGES))
        disturbed = self.start(work, *arguments)
        self.relay.stand_still_at(self.dice.below(MESSAGES), disturbed.process.pid or 0)
        return disturbed

    def start(self, work: Callable[..., None], *arguments: object, change: int = -1) -> Disturbed:
        """Let a process work, up to a change of a file, from 0, if one is named."""
        ours, theirs = Pipe()
        processes = multiprocessing.get_context("forkserver")
        processes.set_forkserver_preload([__name__, "tests.fleet.fronts", "tests.fleet.working"])
        process = processes.Process(target=work_up_to, args=(change, theirs, work, *arguments))
        process.start()
        theirs.close()
        return Disturbed(process, ours, self.relay)

    def note(self, kind: str) -> None:
        """Count what is about to happen, if work goes on at this moment."""
        self.counted[kind] += self.has_work()

    def break_connections(self, *, crash: bool) -> None:
        """Crash the server, and start it; or cut the connections with it."""
        self.note("the server crashed" if crash else "sockets cut")
        if crash:
            self.server.stop()
            self.server.start()
        else:
            self.relay.cut()


def work_up_to(step: int, pipe: Connection, work: Callable[..., None], *arguments: object) -> None:
    """Work in this process, and stand still at a change to a file, from 0, until somebody says that it goes on."""
    left = [step]

    def stand_still(event: str, values: tuple[object, ...]) -> None:
        if left[0] >= 0 and is_file_change(event, values):
            left[0] -= 1
            if left[0] < 0:
                pipe.send("here")
                pipe.recv()

    sys.addaudithook(stand_still)
    work(*arguments)
    os._exit(0)  # what Python does at its end is no work
