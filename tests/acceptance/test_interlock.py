"""Real processes: a wrap-up and the weekly jobs never work at the same time, and nobody waits for one that is gone."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from zoneinfo import ZoneInfo

import pytest

from pipeline.clock import day_start
from tests.support.processes.command_line import SECONDS, end_of
from tests.support.processes.commands import RealWorkspace, worker_of
from tests.support.servers.behaviours import Received, Sent, completion
from tests.support.servers.model_server import ScriptedServer
from tests.support.workspaces.transcript_folder import TranscriptFolder

ZONE = "Europe/Warsaw"
BUSY = 75


@dataclass
class Hold:
    """A model that takes its time: `asked` is set when the first question comes, and none is answered before `go`."""

    asked: Event = field(default_factory=Event)
    go: Event = field(default_factory=Event)

    def __call__(self, _: Received) -> Sent:
        """An answer without a word in it, when it is time."""
        self.asked.set()
        self.go.wait(SECONDS)
        return completion("{}")


@pytest.fixture(scope="session")
def monday() -> date:
    """The Monday of a week that is over whatever day it is."""
    today = datetime.now(ZoneInfo(ZONE)).date()
    return today - timedelta(days=today.weekday() + 14)


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory, monday: date) -> RealWorkspace:
    """A week of talk of which every entry is written, and nothing else."""
    root = tmp_path_factory.mktemp("noted")
    begun = day_start(monday, ZONE).isoformat()
    source = '[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
    settings = f'timezone = "{ZONE}"\nstart = {begun}\n{source}'
    memory = RealWorkspace(root).configure(settings)
    folder = TranscriptFolder(root / "openclaw")
    unlike = ("the key of the sauna hangs with Anna", "the ferry leaves at eight", "the boiler was made in Gdansk")
    for number, words in enumerate(unlike):  # so that no pair of them is a question to the model
        moment = datetime(monday.year, monday.month, monday.day, 10, tzinfo=UTC) + timedelta(days=number)
        folder.say(f"s-{number}", [(moment, "user", f"Remember that {words}.")])
    assert memory.memory("run", "micro_sync").code == 0
    return memory


@pytest.fixture
def workspace(noted: RealWorkspace, tmp_path: Path) -> RealWorkspace:
    """A copy of it for one test."""
    shutil.copytree(noted.root, tmp_path / "w")
    return RealWorkspace(tmp_path / "w")


def backfill(job: str, monday: date) -> tuple[str, ...]:
    """The words of a back-fill of the window that begins then; of several it would ask ahead, without a lock."""
    return ("backfill", job, "--from", str(monday), "--to", str(monday))


def has_open(process: subprocess.Popen[str], name: str) -> bool:
    """Whether the worker that a command has started has a file open."""
    with suppress(OSError):
        return any(name == (file.readlink()).name for file in Path(f"/proc/{worker_of(process)}/fd").iterdir())
    return False


@contextmanager
def at_work(workspace: RealWorkspace, *words: str) -> Iterator[tuple[subprocess.Popen[str], Hold]]:
    """A command that has asked its model and got no answer yet."""
    hold = Hold()
    with ScriptedServer(hold) as server:
        model = {"BASE_URL": server.base_url, "NAME": "scripted", "TIMEOUT": f"PT{SECONDS:g}S"}
        fields = {f"MEMORY_MODEL__{name}": value for name, value in model.items()}
        process = workspace.start(*words, **fields)
        try:
            assert hold.asked.wait(SECONDS)
            yield process, hold
        finally:
            hold.go.set()
            if process.stdout and not process.stdout.closed:
                end_of(process)


@pytest.mark.parametrize(
    ("holder", "kept_out"),
    [
        ("daily_wrapup", ["weekly_plan"]),
        ("weekly_plan", ["daily_wrapup"]),
    ],
)
def test_they_keep_one_another_out(
    holder: str, kept_out: Sequence[str], workspace: RealWorkspace, monday: date
) -> None:
    """75, with a sentence that names who is at work, and nothing is written; the one at work ends well."""
    pages = workspace.pages()
    with at_work(workspace, *backfill(holder, monday)) as (process, hold):
        for words in [*(backfill(job, monday) for job in kept_out), ("run", "weekly_compound")]:
            ended = workspace.memory(*words)
            assert (BUSY, pages) == (ended.code, workspace.pages()), ended.shown
            assert f"is at work elsewhere ({holder}: process {worker_of(process)} on " in ended.shown
        hold.go.set()
        assert end_of(process).code == 0
    assert workspace.memory("run").code == 0
    made = workspace.pages()
    assert pages.keys() < made.keys()
    assert pages.get("MEMORY.md") != made["MEMORY.md"]


@pytest.mark.parametrize(
    ("holder", "waiting"),
    [("daily_wrapup", "weekly_plan"), pytest.param("weekly_plan", "daily_wrapup", marks=pytest.mark.soak)],
)
def test_who_waits_goes_on_after_it(holder: str, waiting: str, workspace: RealWorkspace, monday: date) -> None:
    """With `--wait`, it begins when the lock is free, not before; and the two are never at work at the same time."""
    with at_work(workspace, *backfill(holder, monday)) as (process, hold):
        second = workspace.start(*backfill(waiting, monday), "--wait", str(SECONDS))
        while not has_open(second, "consolidation.lock"):
            assert second.poll() is None
        freed = datetime.now(UTC)
        hold.go.set()
        assert (0, 0) == (end_of(process).code, end_of(second).code)
    records = workspace.memory("show", "runs", "--json", "--limit", "1000").records
    runs = {job: [run for run in records if run["job"] == job] for job in (holder, waiting)}
    assert all(datetime.fromisoformat(run["began"]) >= freed for run in runs[waiting])
    pairs = [(one, other) for one in runs[holder] for other in runs[waiting]]
    assert all(one["ended"] <= other["began"] or other["ended"] <= one["began"] for one, other in pairs)
    assert len(pairs) > 0


def test_the_first_layer_is_not_kept_out(workspace: RealWorkspace, monday: date) -> None:
    """While a wrap-up is at work, entries are written: `micro_sync` depends on nobody."""
    with at_work(workspace, *backfill("daily_wrapup", monday)):
        late = datetime(monday.year, monday.month, monday.day, 10, tzinfo=UTC) + timedelta(days=5)
        folder = TranscriptFolder(workspace.root / "openclaw")
        folder.say("late", [(late, "user", "Remember that the key of cabin 9 hangs with Ewa.")])
        ended = workspace.memory("run", "micro_sync")
        assert ended.code == 0
        assert any("cabin 9" in entry["quote"] for entry in workspace.entries())


def test_a_killed_one_keeps_nobody_out(workspace: RealWorkspace, monday: date) -> None:
    """`kill -9` frees the locks at once; the killed wrap-up is made by the next run."""
    with at_work(workspace, *backfill("daily_wrapup", monday)) as (process, _):
        worker = worker_of(process)
        assert worker is not None
        process.kill()
        os.kill(worker, signal.SIGKILL)
        end_of(process)
        assert workspace.memory(*backfill("weekly_plan", monday)).code == 0
        assert workspace.memory("run").code == 0
    assert f"second-brain/summaries/{monday}-wrapup.md" in workspace.pages()
