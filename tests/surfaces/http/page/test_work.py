"""Work that a person begins on the page: estimated, begun, watched, stopped, gone on with."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from pipeline.clock import SystemClock, stopwatch
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from tests.support.workspaces.page_reader import PageReader, ReadDocument
from tests.support.workspaces.served_demo import served

DAYS = {"job": "micro_sync", "first": "2026-03-09", "last": "2026-03-14"}


@pytest.fixture
def fresh(demo: Path, tmp_path: Path) -> Iterator[PageReader]:
    """The demo's transcripts in a workspace that has run nothing."""
    shutil.copytree(demo, tmp_path / "work", ignore=shutil.ignore_patterns("memory", "state.db*", "second-brain"))
    (tmp_path / "work" / "memory").mkdir()
    with served(tmp_path / "work") as workspace:
        yield PageReader(workspace)


def ended(reader: PageReader, path: str) -> ReadDocument:
    """The document of a piece of work once it has ended."""
    until = stopwatch() + 60
    while "hx-trigger" in (document := reader.get(f"{path}/now")).html:
        assert stopwatch() < until
        sleep(0.05)
    return document


def begun(document: ReadDocument) -> str:
    """The path of the work that a document shows."""
    return document.form("/work/").action.removesuffix("/stop")


def test_a_backfill(fresh: PageReader) -> None:
    """It is estimated before anything is written; then it is begun, watched, and what it wrote is a link away."""
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    assert "Windows to run" in estimate.text
    assert "memory backfill micro_sync --from 2026-03-09 --to 2026-03-14" in estimate.text
    assert [] == list(Path(fresh.workspace.root, "memory").glob("2026-*.md"))
    document = ended(fresh, begun(fresh.post(estimate.form("/work/backfill"))))
    assert "ended well" in document.text
    assert list(Path(fresh.workspace.root, "memory").glob("2026-*.md"))
    run = next(link for link in document.links if link.startswith("/runs/"))
    assert "micro_sync" in fresh.get(run).text
    again = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    assert "Nothing is left to do" in again.text


def test_stopping_and_going_on(fresh: PageReader) -> None:
    """It stops at a safe point, nothing is lost, and it goes on where it stopped."""
    everything = {"first": "2026-01-01", "last": "2026-03-31"}
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **everything)
    document = fresh.post(estimate.form("/work/backfill"))
    path = begun(document)
    assert "It was asked to stop" in fresh.post(document.form(path)).text
    stopped = ended(fresh, path)
    assert "stopped as asked" in stopped.text
    resumed = [form for form in stopped.forms if form.action == "/work/resume"]
    if resumed:  # it was stopped once it had begun
        assert "ended well" in ended(fresh, begun(fresh.post(resumed[0]))).text


def test_one_at_a_time(fresh: PageReader) -> None:
    """A second one is refused with a sentence; the first one is shown on the grid."""
    form = fresh.get("/grid").form("/work/run")
    with Locks(Workspace(fresh.workspace.root).lock_folder).hold(["daily"], "test", SystemClock().now()):
        path = begun(fresh.post(fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS).form("/work/backfill")))
        refused = fresh.post(form)
        assert (409, True) == (refused.status, "is at work already" in refused.text)
    ended(fresh, path)


def test_what_is_no_job(fresh: PageReader) -> None:
    """A job that nobody knows, and days the wrong way round, begin nothing."""
    grid = fresh.get("/grid")
    assert 404 == fresh.post(grid.form("/work/run"), job="nothing").status
    assert 422 == fresh.post(grid.form("/work/run"), job="--all").status
    wrong = {**DAYS, "first": "2026-03-15"}
    assert 422 == fresh.post(grid.form("/work/estimate"), **wrong).status
    assert 404 == fresh.get("/work/nothing").status


def test_after_a_restart(fresh: PageReader) -> None:
    """Another service shows from the log what became of it."""
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    path = begun(fresh.post(estimate.form("/work/backfill")))
    ended(fresh, path)
    root = fresh.workspace.root
    with served(root) as anew:
        document = PageReader(anew).get(path)
    assert "the service was started again since" in document.text
    assert "micro_sync" in document.text
