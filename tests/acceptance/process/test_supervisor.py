"""The supervisor and its worker, as real processes started from small scripts."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.waiting import soon
from tests.support.tables import table

BEFORE = """
import os, signal, subprocess, sys, time
from pipeline.errors import Interrupted, PipelineError
from pipeline.process.supervisor import supervise
def main(work, grace=60):
    try:
        sys.exit(supervise(work, grace))
    except PipelineError as error:
        print(error, flush=True)
        sys.exit(error.exit_code)
"""
SLEEP_ON = """
def work(safe_point):
    print(os.getpid(), flush=True)
    while True:
        time.sleep(0.01)
        try:
            safe_point()
        except Interrupted as error:
            return error.exit_code
main(work)
"""
HIT = """
def work(safe_point):
    os.kill(os.getpid(), {number})
    os.kill(os.getppid(), {number})
    try:
        for _ in range(30):  # until then the supervisor has passed it on, if it does
            safe_point()
            time.sleep(0.01)
    except Interrupted as error:
        return error.exit_code
    return 0
main(work)
"""
IN_THE_BACKGROUND = ("sh", "-c", '"$@" & wait $!', "sh")
DEAF_TO_TERM = ("sh", "-c", """trap '' TERM; exec "$@" """, "sh")
STUBBORN_GRANDCHILD = """
def work(safe_point):
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE)
    child.stdout.readline()
    print(os.getpid(), child.pid, flush=True)
    with safe_point.limit_job("micro_sync", 0.2):
        {then}
main(work, grace=0.3)
"""


OVERRUN = """
def work(safe_point):
    with safe_point.limit_job("micro_sync", 0.1):
        time.sleep(600)
try:
    supervise(work, 0.1, lifeline=0)
except PipelineError as error:
    print(error, flush=True)
    sys.exit(error.exit_code)
"""
DEAF = """
def work(safe_point):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print(os.getpid(), flush=True)
    while True:
        time.sleep(0.01)
sys.exit(supervise(work, {grace}, lifeline=0))
"""


def start(script: str, stdin: int = subprocess.DEVNULL, before: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    """A supervisor at work; `before` is a command that starts it in another way."""
    words = [*before, sys.executable, "-c", BEFORE + script]
    return subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, text=True)


def held(script: str) -> "subprocess.Popen[str]":
    """A supervisor at work whose standard input is its lifeline, open until somebody closes it."""
    return start(script, subprocess.PIPE)


def finished(script: str, before: tuple[str, ...] = ()) -> tuple[int, str]:
    """The exit code of a supervisor, and what was printed."""
    process = start(script, before=before)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output


def worker_of_a_killed(process: "subprocess.Popen[str]") -> int:
    """The worker, which has told its id, of a supervisor that is killed outright."""
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    return worker


def gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for counts as ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


@table("code", [0, 1, 3, 75])
def test_the_exit_code_is_passed_on(code: int) -> None:
    """What the worker returns is what the command returns."""
    assert (code, "") == finished(f"main(lambda safe_point: {code})")


def test_a_bug_in_the_worker_is_70() -> None:
    """A worker that raises ends with the code for bugs."""
    assert 70 == finished("main(lambda safe_point: 1 / 0)")[0]


def test_a_worker_that_is_killed_is_reported_as_a_shell_does() -> None:
    """128 and the number of the signal."""
    assert 137 == finished("main(lambda safe_point: os.kill(os.getpid(), signal.SIGKILL))")[0]


def test_what_the_worker_prints_comes_out_once() -> None:
    """Nothing buffered before the fork is printed twice, nothing printed in the worker is lost."""
    assert (0, "before\ninside\n") == finished("print('before')\nmain(lambda safe_point: print('inside') or 0)")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize("then", ["time.sleep(600)", "signal.pause()\n    return 0", "while True: pass"])
def test_an_overrun_is_killed_with_all_it_started(then: str) -> None:
    """After the deadline and the grace nothing of the group is left, however deaf; exit code 124 with a sentence."""
    code, output = finished(STUBBORN_GRANDCHILD.format(then=then))
    processes, sentence = output.split("\n", 1)
    assert 124 == code
    assert "micro_sync did not end within" in sentence
    assert all(soon(lambda process=process: gone(int(process))) for process in processes.split())  # type: ignore[misc]  # a default keeps the value of the round


def test_a_step_that_ends_in_time_has_no_deadline_any_more() -> None:
    """The limit is for one partition, not for the command."""
    script = """
def work(safe_point):
    for _ in range(3):
        with safe_point.limit_job("micro_sync", 0.1):
            pass
    time.sleep(0.3)
    safe_point()
    return 0
main(work)
"""
    assert 0 == finished(script)[0]


@table(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_stops_at_the_next_safe_point(number: int, code: int) -> None:
    """The supervisor passes it on; the worker ends where nothing is half done."""
    process = start(SLEEP_ON)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    process.communicate(timeout=60)
    assert code == process.returncode


@table(
    ("before", "number", "code"),
    [
        (("nohup",), signal.SIGHUP, 0),
        (("nohup",), signal.SIGINT, 130),
        (IN_THE_BACKGROUND, signal.SIGINT, 0),
        (IN_THE_BACKGROUND, signal.SIGHUP, 129),
        (DEAF_TO_TERM, signal.SIGTERM, 143),
    ],
)
def test_what_was_to_be_ignored_stops_nothing(before: tuple[str, ...], number: int, code: int) -> None:
    """A hang-up after `nohup`, Ctrl-C in the background, sent to both processes; all else stops as ever."""
    assert code == finished(HIT.format(number=int(number)), before)[0]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_a_worker_stops_when_its_supervisor_is_gone() -> None:
    """Killed outright, the supervisor cannot pass anything on: the worker notices by itself."""
    worker = worker_of_a_killed(start(SLEEP_ON))
    assert soon(lambda: gone(worker))


def test_the_worker_is_in_a_group_of_its_own() -> None:
    """So that killing it does not reach whoever started the command."""
    code, output = finished("main(lambda safe_point: print(os.getpid(), os.getpgid(0), os.getpgid(os.getppid())) or 0)")
    worker, group, outer = output.split()
    assert (0, worker) == (code, group)
    assert str(os.getpgid(0)) == outer


def test_a_worker_is_asked_to_stop_when_the_lifeline_ends() -> None:
    """Whoever started it is gone, so it stops at its next safe point, and the exit code is that of SIGTERM."""
    with held(SLEEP_ON.replace("main(work)", "sys.exit(supervise(work, 60, lifeline=0))")) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.communicate(timeout=60)
    assert 143 == process.returncode


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize(("grace", "word"), [("0.3", ""), ("600", "now")])
def test_a_worker_that_does_not_heed_the_lifeline_is_killed(grace: str, word: str) -> None:
    """After the grace when the lifeline has ended, and at once when something was written into it."""
    with held(DEAF.format(grace=grace)) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.communicate(word, timeout=60)
    assert (137, True) == (process.returncode, soon(lambda: gone(worker)))


def test_a_lifeline_that_goes_on_changes_nothing() -> None:
    """A deadline still counts, and a worker that ends is told of as ever."""
    with held(OVERRUN) as process:
        assert process.stdout is not None
        assert "micro_sync did not end within 0.1 s" in process.stdout.readline()
        assert 124 == process.wait(timeout=60)
    with held("sys.exit(supervise(lambda safe_point: 3, lifeline=0))") as process:
        assert 3 == process.wait(timeout=60)


NOTING = """
class Noting:
    def prepare_worker(self, say):
        self.say = say
    def receive(self, message):
        print("heard", message if len(message) < 100 else len(message), flush=True)
    def note_step(self):
        print("begun", flush=True)
noting = Noting()
"""
SAYING = """
def work(safe_point):
    noting.say(["a", 1, "zażółć 完成"])
    with safe_point.limit_job("j", 60):
        pass
    noting.say("x" * 200_000)
    with safe_point.limit_job("j", 60):
        return 3
sys.exit(supervise(work, observer=noting))
"""
SAYING_ON = """
def work(safe_point):
    print(os.getpid(), flush=True)
    while True:
        noting.say("")
        try:
            safe_point()
        except Interrupted as error:
            return error.exit_code
Noting.receive = lambda self, message: None
sys.exit(supervise(work, observer=noting))
"""


def test_an_onlooker_hears_what_the_worker_says() -> None:
    """In its order, of any size, and told of each step that the worker begins; not of those that end."""
    code, output = finished(NOTING + SAYING)
    assert (3, ["heard ['a', 1, 'zażółć 完成']", "begun", "heard 200000", "begun"]) == (code, output.splitlines())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_what_is_said_to_nobody_is_no_harm() -> None:
    """A worker whose supervisor is gone ends at its safe point, whatever it still says."""
    worker = worker_of_a_killed(start(NOTING + SAYING_ON))
    assert soon(lambda: gone(worker))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_a_lifeline_that_is_a_socket_hears_of_the_first_step() -> None:
    """With one byte, of which nobody need take notice: the end of the other side is heard all the same."""
    steps = "for _ in range(2):\n        with safe_point.limit_job('j', 60): pass\n    while True:"
    script = SLEEP_ON.replace("while True:", steps).replace("main(work)", "sys.exit(supervise(work, 60, lifeline=0))")
    for flags in (0, socket.MSG_PEEK):
        ours, theirs = socket.socketpair()
        with ours, start(script, theirs.fileno()) as process:
            theirs.close()
            assert process.stdout is not None
            process.stdout.readline()
            assert b"\n" == ours.recv(9, flags)
            ours.close()
            assert 143 == process.wait(timeout=60)
