"""A check is told of each `memory run` that nobody attends, in real processes; the run is as it would be without."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pipeline.clock import SystemClock, stopwatch
from pipeline.errors import Overdue
from pipeline.process.logging import stderr_emitter
from pipeline.service.monitoring.run_pings import EVERY_JOB, RunPings
from pipeline.workspace.locks import Locks
from schemas.settings import Settings
from schemas.transcript import MASK
from tests.support.afternoon import days_ago
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.marks import at_length
from tests.support.processes.command_line import SECONDS, CommandLine, Said
from tests.support.processes.commands import worker_of
from tests.support.processes.waiting import soon
from tests.support.servers.behaviours import failing
from tests.support.servers.model_server import ScriptedServer
from tests.support.servers.ping_server import CHECK, PingServer
from tests.support.tables import table
from tests.support.workspaces.four_days import model_table

KEY = "plain-words-that-look-like-no-key"
PATIENT = {"MEMORY_PINGS__TIMEOUT": "PT1M"}
"""A ping is given up after five seconds otherwise, which a busy machine may take."""


@pytest.fixture
def due(afternoon: Path) -> Path:
    """A workspace in which yesterday's session is due."""
    said_yesterday(afternoon, "s-one")
    return afternoon


def said_yesterday(workspace: Path, session: str) -> None:
    """Let a session be one of the day from which on the workspace is run."""
    file = workspace / "sessions" / f"{session}.jsonl"
    file.write_text(file.read_text().replace("2026-02-02", str(days_ago(1).date())))


@pytest.fixture
def server() -> Iterator[PingServer]:
    """A check that is well."""
    with PingServer() as started:
        yield started


def pinged_run(memory: CommandLine, server: PingServer, *words: object, **variables: str) -> Said:
    """The end of `memory run` with a check."""
    return memory("run", *words, **{**PATIENT, "MEMORY_PINGS__URL": server.url, **variables})


def test_a_run_is_distinguished_from_its_first_window_to_its_end(
    due: Path, memory: CommandLine, server: PingServer
) -> None:
    """By one id, in the lines that a person would read. That nothing is due then is success."""
    said = pinged_run(memory, server, "micro_sync", "--json", "--workspace", due)
    assert (0, ["/start", "/0"]) == (said.code, server.paths)
    start, end = server.pings
    assert ("micro_sync begins\n", True) == (start.body, start.run == end.run != "")
    [done] = [record for record in said.records if record["written"]]
    first, empty, line, page = end.body.splitlines()
    assert ("micro_sync ended with exit code 0", "") == (first, empty)
    assert line.startswith("done ")
    assert f"wrote {', '.join(done['written'])} to {done['paths'][0]}" in line
    assert ["done", "weekly_compound", "first-page", "brought", "MEMORY.md"] == page.split()[:5]
    assert 0 == pinged_run(memory, server, "micro_sync", "--workspace", due).code
    assert ("/0", "micro_sync ended with exit code 0\n") == (server.paths[2], server.pings[2].body)
    assert end.run != server.pings[2].run


def test_a_check_changes_nothing_of_a_run(due: Path, memory: CommandLine, server: PingServer) -> None:
    """What is printed, the exit code and what is written are the same; no warning when all is well."""
    first = pinged_run(memory, server, "--workspace", due)
    again, without = pinged_run(memory, server, "--workspace", due), memory("run", "--workspace", due)
    assert (0, "", without) == (first.code, first.err, again)
    assert {f"{EVERY_JOB} ended with exit code 0"} == {ping.body.splitlines()[0] for ping in server.pings[1:]}


def test_what_says_nothing_about_what_is_due_is_not_reported(
    due: Path, memory: CommandLine, server: PingServer
) -> None:
    """A dry run, one window, a back-fill, and what the service attends and tells of itself."""
    days = ("--from", "2026-02-02", "--to", "2026-02-02")
    for words in (
        ("run", "--dry-run"),
        ("run", "micro_sync", "--at", "2026-02-02T12:00"),
        ("backfill", "micro_sync", *days),
        ("run", "micro_sync", "--attended"),
    ):
        assert memory(*words, "--workspace", due, MEMORY_PINGS__URL=server.url).code in {0, 143}
    assert [] == server.paths


def test_another_run_at_work_is_a_line_in_the_log(due: Path, memory: CommandLine, server: PingServer) -> None:
    """With who it is, and without a start: nothing was begun, so nobody waits for its end."""
    with Locks(due / "memory" / ".locks").hold(["micro_sync"], "another", SystemClock().now()):
        assert 75 == pinged_run(memory, server, "micro_sync", "--workspace", due).code
    assert ["/log"] == server.paths
    assert server.pings[0].body.startswith("micro_sync ended with exit code 75: somebody else is at work\n\nlocked ")
    assert "run another" in server.pings[0].body


def test_a_workspace_of_another_host_is_a_line_in_the_log(due: Path, memory: CommandLine, server: PingServer) -> None:
    """What stops the command as a whole is told as well, by its sentence."""
    Locks(due / "memory" / ".locks", "elsewhere").take_over()
    assert 75 == pinged_run(memory, server, "--workspace", due).code
    assert ["/log"] == server.paths
    assert "host elsewhere" in server.pings[0].body


def test_waiting_for_the_model_is_a_line_in_the_log(due: Path, memory: CommandLine, server: PingServer) -> None:
    """After a start: the window has begun, and the check's grace is how long it may take."""
    with ScriptedServer(failing(503)) as model:
        (due / "memory.toml").write_text(f"{(due / 'memory.toml').read_text()}\n{model_table(model)}")
        assert 4 == pinged_run(memory, server, "micro_sync", "--workspace", due).code
    assert ["/start", "/log"] == server.paths
    assert "exit code 4: the model does not answer" in server.pings[1].body


def test_keys_stay_here() -> None:
    """What the settings hold leaves the worker masked, whatever it looks like; so does what looks like a key."""
    url = f"https://hc.example/ping/{CHECK}"
    settings = Settings.model_validate({"model": {"api_key": KEY}, "pings": {"url": url}})
    pings, heard = RunPings("note", stderr_emitter), list[dict[str, Any]]()
    pings.prepare_worker(heard.append)
    pings.report.configure(settings)
    pings.report.sentence(f"refused {KEY}, asked by {CHECK} with AKIA" + "QX7ZL2MN4PR8ST6V")
    assert {"check": [url, 5.0, 10_000], "level": "info"} == heard[0]
    assert [f"refused {MASK * len(KEY)}, asked by {MASK * len(CHECK)} with {MASK * 20}"] == [heard[1]["line"]]


def test_a_failure_is_reported_at_once(due: Path, memory: CommandLine, server: PingServer) -> None:
    """With its sentence; also when the engine could not even be opened."""
    (due / ".memory").mkdir(exist_ok=True)
    (due / ".memory" / "state.db").write_bytes(b"no database at all, but long enough to be looked at" * 100)
    said = pinged_run(memory, server, "micro_sync", "--workspace", due)
    assert [f"/{said.code}"] == server.paths
    assert said.shown.removeprefix("\nmemory: ").splitlines()[0] in server.pings[0].body


def test_an_overrun_is_reported(due: Path, memory: CommandLine, server: PingServer) -> None:
    """Here the worker stops itself; the sentence says what to do."""
    lines = OpenClawLines("s-long")
    for number in range(400):
        lines.user(f"{number}: from now on give every migration a downgrade that was actually run, and {number}")
    lines.write(due / "sessions" / "s-long.jsonl")
    said_yesterday(due, "s-long")
    assert 124 == pinged_run(memory, server, "--workspace", due, MEMORY_JOBS__MICRO_SYNC__TIMEOUT="PT0.000001S").code
    assert ["/start", "/124"] == server.paths
    assert "micro_sync did not end within 1e-06 s and was stopped." in server.pings[1].body


def test_a_worker_that_had_to_be_killed_at_its_deadline_is_reported(server: PingServer) -> None:
    """By who watched it, with what it had said and the sentence; the error goes on as it was."""
    pings = RunPings("micro_sync", stderr_emitter)
    pings.receive({"check": [server.url, 60, 10_000], "level": "info"})
    pings.note_step()
    pings.note_step()
    pings.receive({"line": "done one"})
    error = Overdue("micro_sync", 1800)

    def overrun() -> int:
        raise error

    with pytest.raises(Overdue) as caught:
        pings.run_and_ping(overrun)
    assert (error, ["/start", "/124"]) == (caught.value, server.paths)
    assert f"micro_sync ended with exit code 124\n\ndone one\n{error}\n" == server.pings[1].body


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize(("number", "end"), [(signal.SIGTERM, "/log"), (signal.SIGKILL, "/137")])
def test_a_worker_that_is_ended_is_reported(
    due: Path, memory: CommandLine, server: PingServer, number: int, end: str
) -> None:
    """Asked to stop, it stays as it is; killed, it has failed. Who watches it is left to tell."""
    with Locks(due / "memory" / ".locks").hold(["micro_sync"], "another", SystemClock().now()):
        words = ("run", "micro_sync", "--wait", 60, "--workspace", due)
        process = memory.start(*words, MEMORY_PINGS__URL=server.url, **PATIENT)
        assert soon((due / ".memory" / "state.db").exists)  # from then on it waits, or soon does
        worker = worker_of(process)
        assert worker is not None
        os.kill(worker if number == signal.SIGKILL else process.pid, number)
        process.communicate(timeout=SECONDS)
    assert (128 + number, [end]) == (process.returncode, server.paths)


def test_a_check_that_cannot_be_reached_is_a_warning(due: Path, memory: CommandLine) -> None:
    """One line on stderr for each ping, as all warnings of the command are, and the exit code of the run."""
    with PingServer(404) as server:
        said = pinged_run(memory, server, "micro_sync", "--workspace", due)
        listed = pinged_run(memory, server, "micro_sync", "--json", "--workspace", due)
    assert (0, 0) == (said.code, listed.code)
    warning = "memory: warning: a ping for micro_sync could not be sent: the server answers 404."
    assert [warning] * 2 == said.err.splitlines()
    assert [("ping.failed", "0")] == [(line["event"], line["ping"]) for line in listed.log]


def test_an_address_that_is_none_is_a_warning(due: Path, memory: CommandLine) -> None:
    """It does not keep a run from being done, and is not shown: it may be a secret that was cut short."""
    said = memory("run", "micro_sync", "--workspace", due, MEMORY_PINGS__URL="ftp://secret.example/x")
    expected = "could not be sent: pings.url: has to begin with http:// or https:// and name a host."
    assert (0, True, False) == (said.code, expected in said.err, "secret.example" in said.err)


def test_a_server_that_never_answers_holds_the_end_up_for_one_ping(due: Path, memory: CommandLine) -> None:
    """Not for all its tries: the last of them, for which it would have to wait two times longer, is never begun."""
    memory("run", "micro_sync", "--workspace", due)
    with PingServer(silent=True) as server:
        said = pinged_run(memory, server, "micro_sync", "--workspace", due, MEMORY_PINGS__TIMEOUT="PT2S")
    assert "memory: warning: a ping for micro_sync could not be sent: there was no time left to send it.\n" == said.err
    assert (0, True) == (said.code, len(server.paths) < 3)


def test_a_proxy_that_is_none_is_a_warning(due: Path, memory: CommandLine, server: PingServer) -> None:
    """As everything is that goes wrong with a ping; nobody reads a traceback."""
    for proxy in ("http://proxy..example:1", "http:/proxy.example"):
        said = pinged_run(memory, server, "micro_sync", "--workspace", due, http_proxy=proxy)
        reason = "its address, or that of a proxy, is none that can be called"
        warnings = {f"memory: warning: a ping for micro_sync could not be sent: {reason}."}
        assert (0, warnings, []) == (said.code, set(said.err.splitlines()), server.paths)


@table("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_does_not_want_to_wait_need_not(number: int) -> None:
    """A signal while the end is told ends the telling; the exit code is that of the run, and signals are as before."""
    with PingServer(silent=True) as server:
        pings = RunPings("micro_sync", stderr_emitter)
        pings.receive({"check": [server.url, 10 * SECONDS, 10_000], "level": "error"})
        before, begin = signal.getsignal(number), stopwatch()

        def hurry() -> None:
            server.heard.wait(SECONDS)
            os.kill(os.getpid(), number)

        impatient = Thread(target=hurry)
        impatient.start()
        assert 3 == pings.run_and_ping(lambda: 3)
        impatient.join()
    assert (True, before) == (stopwatch() - begin < 5 * SECONDS, signal.getsignal(number))


STORM = """
import os, sys
print(flush=True)
while os.getppid() == int(sys.argv[1]):
    os.kill(int(sys.argv[1]), int(sys.argv[2]))
"""
IN_A_STORM = """
import os, subprocess, sys
from pipeline.process.cancellation import handling
from pipeline.process.logging import stderr_emitter
from pipeline.service.monitoring.run_pings import RunPings
url, number, storm = sys.argv[1:]
def told():
    pings = RunPings("micro_sync", stderr_emitter)
    pings.receive({"check": [url, 30, 10_000], "level": "error"})
    return pings.run_and_ping(lambda: 3)
with handling(lambda _: None, int(number)):
    words = [sys.executable, "-c", storm, str(os.getpid()), number]
    subprocess.Popen(words, stdout=subprocess.PIPE).stdout.readline()
    os._exit(max(told() for _ in range(50)))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, *at_length(signal.SIGINT)])
def test_the_exit_code_is_not_lost_in_a_storm(number: int) -> None:
    """However many signals come, and whenever: none of them ends anything but the telling."""
    with PingServer(silent=True) as server:
        words = [sys.executable, "-c", IN_A_STORM, server.url, str(int(number)), STORM]
        ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (3, "") == (ended.returncode, ended.stderr)


def test_settings_that_cannot_be_used_tell_nobody(due: Path, memory: CommandLine, server: PingServer) -> None:
    """Nobody knows whom to tell; the check notices the silence."""
    (due / "memory.toml").write_text('timezone = "Mars"\n')
    assert (2, []) == (pinged_run(memory, server, "--workspace", due).code, server.paths)


def test_without_a_check_nothing_is_said() -> None:
    """What the worker's half is given goes nowhere."""
    pings, heard = RunPings("", stderr_emitter), list[object]()
    pings.prepare_worker(heard.append)
    pings.report.configure(Settings())
    pings.report.sentence("x")
    pings.note_step()
    assert (3, []) == (pings.run_and_ping(lambda: 3), heard)


WITHOUT = """
import sys
from schemas.settings import Settings
settings = Settings()
from pipeline.service.monitoring.run_pings import RunPings
imported, announcer = set(sys.modules), RunPings("", print)
ours = {"pipeline.app.engine", "pipeline.service.monitoring.pings", "pipeline.service.monitoring.pings"}
print(*imported & {*ours, "urllib.request"})
announcer.prepare_worker(print)
announcer.report.configure(settings)
announcer.report.sentence("x")
announcer.note_step()
announcer.run_and_ping(lambda: 3)
print(*set(sys.modules) - imported)
"""


def test_without_a_check_nothing_is_imported_for_it() -> None:
    """Neither what calls one nor what takes secrets out, by the command itself or as it goes on."""
    output = subprocess.check_output([sys.executable, "-c", WITHOUT], text=True)
    assert ["", ""] == output.splitlines()
