"""Work that a person begins on the page: estimated, begun, watched, stopped, gone on with."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from threading import Event

import pytest

from pipeline.clock import SystemClock
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from tests.support.processes.waiting import soon
from tests.support.servers.behaviours import Received, Sent, hanging
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.four_days import build_four_days, model_table
from tests.support.workspaces.page_reader import PageReader, ReadDocument
from tests.support.workspaces.served_demo import served
from tests.support.workspaces.shared_demo import copy_transcripts

DAYS = {"job": "micro_sync", "first": "2026-03-09", "last": "2026-03-14"}


@pytest.fixture
def fresh(demo: Path, tmp_path: Path) -> Iterator[PageReader]:
    """A reader of a workspace in which no job has run."""
    with served(copy_transcripts(demo, tmp_path / "work")) as workspace:
        yield PageReader(workspace)


def ended(reader: PageReader, path: str) -> ReadDocument:
    """The document of a piece of work once it has ended."""
    assert soon(lambda: "hx-trigger" not in reader.get(f"{path}/now").html)
    return reader.get(f"{path}/now")


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
    assert "It came to its end." in document.text
    assert list(Path(fresh.workspace.root, "memory").glob("2026-*.md"))
    run = next(link for link in document.links if link.startswith("/runs/"))
    assert "What it changed" in fresh.get(run).text
    again = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    assert "Nothing is left to do" in again.text
    _taken_back(fresh, next(link for link in document.links if link.startswith("/backfills/")))


def _taken_back(reader: PageReader, backfill: str) -> None:
    """Take a back-fill back: first what would go is shown, then it goes, and then it can be run again."""
    folder = Path(reader.workspace.root, "memory")
    written = sorted(folder.glob("2026-*.md"))
    shown = reader.get(backfill)
    ask = reader.get(next(link for link in shown.links if link.endswith("/undo")))
    assert re.search(r"Nothing has been done yet. Parts removed: [1-9]", ask.text)
    assert written == sorted(folder.glob("2026-*.md"))
    assert "was taken back" in reader.post(ask.form("/backfills/")).text
    assert [] == sorted(folder.glob("2026-*.md"))
    assert 409 == reader.post(ask.form("/backfills/")).status
    estimate = reader.post(reader.get(backfill).form("/work/estimate"))
    assert "memory backfill micro_sync --from 2026-03-09 --to" in estimate.text
    assert "/work/backfill" in {form.action for form in estimate.forms}


def test_stopping_and_going_on(fresh: PageReader) -> None:
    """It stops at a safe point, nothing is lost, and it goes on where it stopped."""
    everything = {"first": "2026-01-01", "last": "2026-03-31"}
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **everything)
    document = fresh.post(estimate.form("/work/backfill"))
    path = begun(document)
    assert re.search("It was asked to stop|stopped as asked", fresh.post(document.form(path)).text)
    stopped = ended(fresh, path)
    assert "stopped as asked" in stopped.text
    resumed = stopped.form("/work/")
    if resumed.action == "/work/resume":  # it was stopped once it had begun
        again = fresh.post(resumed)
        assert all(words in again.text for words in ("all jobs, 2026-01-01 to 2026-03-31", "Windows to run"))
        assert "It came to its end." in ended(fresh, begun(fresh.post(again.form("/work/resume")))).text
    else:
        assert everything.items() <= resumed.fields.items()
        assert "Windows to run" in fresh.post(resumed).text


def test_an_estimate_that_is_out_of_date(fresh: PageReader) -> None:
    """What was done since it was shown is not begun again: it has to be looked at anew."""
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    ended(fresh, begun(fresh.post(estimate.form("/work/backfill"))))
    late = fresh.post(estimate.form("/work/backfill"))
    assert (409, True) == (late.status, "has changed since" in late.text)


def test_a_job_that_another_process_runs(fresh: PageReader) -> None:
    """It is left to the other one, and a sentence says so."""
    with Locks(Workspace(fresh.workspace.root).lock_folder).hold(["micro_sync"], "another", SystemClock().now()):
        estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
        document = ended(fresh, begun(fresh.post(estimate.form("/work/backfill"))))
    assert "Another process is at work on the same files" in document.text
    assert [] == list(Path(fresh.workspace.root, "memory").glob("2026-*.md"))


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple[Path, Event]]:
    """A workspace whose model never answers, and what is set once it is asked."""
    asked_now = Event()

    def behave(request: Received) -> Sent:
        asked_now.set()
        return hanging()(request)

    with ScriptedServer(behave) as server:
        yield build_four_days(tmp_path / "four", date(2026, 3, 2), model_table(server)).memory.root, asked_now


def _estimated(reader: PageReader) -> ReadDocument:
    """The estimate of the first days."""
    days = {"job": "micro_sync", "first": "2026-03-02", "last": "2026-03-05"}
    return reader.post(reader.get("/grid").form("/work/estimate"), **days)


def test_stopped_at_a_window(waiting: tuple[Path, Event]) -> None:
    """It tells how many windows there are, ends at its safe point, and the grid offers to go on too."""
    root, asked_now = waiting
    with served(root) as workspace:
        reader = PageReader(workspace)
        document = reader.post(_estimated(reader).form("/work/backfill"))
        path = begun(document)
        assert asked_now.wait(60)
        assert re.search(r"\d+ of \d+ windows", reader.get(path).text)
        assert "hx-trigger" in reader.get(path).html  # a reload changes nothing
        reader.post(document.form(path))
        stopped = ended(reader, path)
        assert "stopped as asked" in stopped.text
        resume = stopped.form("/work/resume")
        assert resume == reader.get("/grid").form("/work/resume")


def test_the_service_ends_while_it_is_at_work(waiting: tuple[Path, Event]) -> None:
    """Today shows it; it is stopped with the service, and the next one says so, and offers to go on."""
    root, asked_now = waiting
    with served(root) as workspace:
        reader = PageReader(workspace)
        path = begun(reader.post(_estimated(reader).form("/work/backfill")))
        assert asked_now.wait(60)
        today = reader.get("/")
        assert path in today.links
        assert re.search(r"At work: memory backfill micro_sync .* \d+ of 32 windows", today.text)
        assert 'hx-get="/today/now?busy=true" hx-trigger="every 2s"' in today.html
    with served(root) as anew:
        document = PageReader(anew).get(path)
        assert "The service ended or read its settings anew while it was at work" in document.text
        assert "hx-trigger" not in document.html
        assert document.form("/work/resume").fields["backfill"]


def test_one_at_a_time(waiting: tuple[Path, Event]) -> None:
    """A second one is refused with a sentence while the first one waits for its model."""
    root, asked_now = waiting
    with served(root) as workspace:
        reader = PageReader(workspace)
        form = reader.get("/grid").form("/work/run")
        reader.post(_estimated(reader).form("/work/backfill"))
        assert asked_now.wait(60)
        refused = reader.post(form)
        assert (409, True) == (refused.status, "is at work already" in refused.text)


def test_after_a_restart(fresh: PageReader) -> None:
    """Another service shows from the log what became of it."""
    estimate = fresh.post(fresh.get("/grid").form("/work/estimate"), **DAYS)
    path = begun(fresh.post(estimate.form("/work/backfill")))
    ended(fresh, path)
    root = fresh.workspace.root
    with served(root) as anew:
        document = PageReader(anew).get(path)
    assert "It came to its end." in document.text
    assert "micro_sync" in document.text
