"""`memory serve` is stopped while it works on an answer that takes longer than it waits for."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from benchmarks.slow_reranker import slow_reranker
from pipeline.service.socket.client import ask
from pipeline.service.web.server import STOPPING_SECONDS
from tests.support.processes.command_line import end_of
from tests.support.processes.preparation import one_processor
from tests.support.processes.serving_process import serving_process
from tests.support.processes.waiting import soon

QUESTION = "where does the kayak key hang"
PRODUCTS = 4_000  # of matrices: minutes, on any machine
AT_WORK_SECONDS = 2.0  # of a processor, and far more than loading the model takes
PAGES = "\n".join(f"## Key {number}\n\nThe kayak key {number} hangs with David.\n" for number in range(50))
SETTINGS = 'timezone = "UTC"\n\n[embedder]\nkind = "none"\n\n[reranker]\nfolder = "{folder}"\n'

SHUTTING_DOWN = "Python shuts down"
"""Said by each process when Python ends in order; when a library aborts it then is a matter of chance."""


@contextmanager
def at_work(home: Path) -> Iterator[tuple[Path, "subprocess.Popen[str]"]]:
    """A workspace and its service, which works on an answer; who asked has been given up on in the end."""
    root = home / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "keys.md").write_text(PAGES, encoding="utf-8")
    (root / "memory.toml").write_text(SETTINGS.format(folder=home / "reranker"), encoding="utf-8")
    slow_reranker(home / "reranker", [PAGES], PRODUCTS)
    (home / "sitecustomize.py").write_text(f"import atexit\natexit.register(print, {SHUTTING_DOWN!r}, flush=True)\n")
    with serving_process(root, home, before=one_processor(), PYTHONPATH=str(home)) as service:
        assert ask(root, "search", {"query": QUESTION}) is not None
        worked = worked_seconds(service)
        asking = Thread(target=ask, args=(root, "search", {"query": QUESTION, "rerank": True}))
        asking.start()
        assert soon(lambda: worked_seconds(service) > worked + AT_WORK_SECONDS)
        assert asking.is_alive()
        yield root, service
        asking.join()


def worked_seconds(process: "subprocess.Popen[str]") -> float:
    """For how long a process has had a processor."""
    shown = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, shown[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.soak
def test_it_ends_well_all_the_same(tmp_path: Path) -> None:
    """It ends within seconds and with 0: the thread that is left, in a library of C++, does not abort the process."""
    with at_work(tmp_path) as (_, service):
        service.terminate()
        said = end_of(service, STOPPING_SECONDS + 20)
    assert (0, "") == (said.code, said.out)
    assert "terminate called" not in said.err


@pytest.mark.soak
def test_it_ends_in_order_when_its_workspace_disappears(tmp_path: Path) -> None:
    """Also then: the error is shown, and the exit code is its own."""
    with at_work(tmp_path) as (root, service):
        root.rename(tmp_path / "moved")
        said = end_of(service, STOPPING_SECONDS + 20)
    assert (1, "") == (said.code, said.out)
    assert f"memory: {root} has disappeared" in said.err
    assert "terminate called" not in said.err
