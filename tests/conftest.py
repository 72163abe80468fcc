"""What no test may do, whoever writes it: touch the home folder, read this machine's settings, or leave the machine."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings

from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.marks import EXAMPLES, examples
from tests.support.ports.clock import FixedClock
from tests.support.servers.postgresql import PostgresServer, running, why_none
from tests.support.workspaces.shared_demo import shared_demo
from tests.support.workspaces.workbench import Workbench

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
OURS = [""]
"""The folder that this process has made there."""
ROOM = 2 << 30  # bytes, and a run takes less than one GB
LOOPBACK = ("127.", "::1", "localhost")

# No deadline for one example: on a machine at work, the first one alone may take longer than any sensible limit.
# The same few examples in every run, so that no change is refused for what another one did: `make soak` looks at many
# more, and at others in every run.
settings.register_profile("tests", deadline=None, max_examples=examples(10), derandomize=not EXAMPLES)
settings.load_profile("tests")


class BeyondThisMachine(Exception):
    """A test tried to reach beyond loopback; give it a server of its own on 127.0.0.1."""


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else LOOPBACK[0]  # a local socket has a path
        if not str(host).startswith(LOOPBACK):
            raise BeyondThisMachine(address)


def _write_into_memory() -> None:
    """Where files can be in memory: tests sync thousands of them, and would wait for the disk to have each.

    The folder is for this run and its workers; it goes at the end, unless a test has failed.
    """
    if "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
        os.environ["TMPDIR"] = OURS[0] = tempfile.mkdtemp(prefix="memory-", dir=IN_MEMORY)
        tempfile.tempdir = None  # it had looked already


def pytest_configure() -> None:
    """Before any test is imported: a home folder that is nobody's, and no settings of this machine."""
    _write_into_memory()
    gc.disable()
    pip = Path.home() / ".config" / "pip" / "pip.conf"
    if pip.exists():  # tests that install the wheel ask the package index that the person has chosen
        os.environ.setdefault("PIP_CONFIG_FILE", str(pip))
    for name in [name for name in os.environ if name.startswith(("MEMORY_", "XDG_", "CLAUDE_", "OPENCLAW_"))]:
        del os.environ[name]
    for number in (signal.SIGINT, signal.SIGHUP):  # as after `nohup`; what tests start is not to inherit it
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    os.environ["HOME"] = tempfile.mkdtemp(prefix="memory-tests-home-")
    sys.addaudithook(_refuse_network)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the garbage collector need not look at it again and again."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(exitstatus: int) -> None:
    """What tests wrote goes when nobody has to look at it."""
    if exitstatus == 0 and OURS[0]:
        shutil.rmtree(OURS[0], ignore_errors=True)


def pytest_unconfigure() -> None:
    """The home folder goes when it is still as empty as it was."""
    home = Path(os.environ["HOME"])
    if home.name.startswith("memory-tests-home-") and home.exists() and not any(home.iterdir()):
        home.rmdir()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace that `memory demo` makes, to be copied."""
    ours = tmp_path_factory.getbasetemp()
    return shared_demo(ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of our own; skipped where its programs are missing.

    It stands here because a session has one of each file that imports a fixture.
    """
    if why := why_none():
        pytest.skip(why)
    # A socket's path has at most 107 bytes, and the server's user has to reach it.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder, running(Path(folder)) as server:
        yield server


@pytest.fixture
def new_bench(tmp_path: Path) -> Iterator[Callable[..., Workbench]]:
    """Makes workbenches: in `tmp_path`, with the `note` job, in Warsaw, at noon of 4 March 2026, from 2 March on."""
    made: list[Workbench] = []

    def new(**fields: object) -> Workbench:
        given: dict[str, object] = {
            "root": tmp_path,
            "jobs": (JOB,),
            "clock": FixedClock(datetime(2026, 3, 4, 11, tzinfo=UTC)),
            "settings": Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC)),
        }
        made.append(Workbench(**(given | fields)))  # type: ignore[arg-type]  # the fields are checked by the dataclass
        return made[-1]

    yield new
    for bench in made:
        bench.engine.ledger.store.close()
