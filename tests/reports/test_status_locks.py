"""Locks as they are seen from outside, and what a job still has to run."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.engine.partitioning import partitioning_of
from pipeline.job import Target
from pipeline.reports.status import again_command, at_work, job_standings, lock_reports, outstanding
from pipeline.workspace.locks import Latch, Locks
from schemas.agent_settings import AgentsSettings
from schemas.outcome import Ending, Outcome
from schemas.settings import JobSettings, Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.fold_bench import fold_bench
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
NOBODY = 2**22 + 1  # beyond the largest number of a process
UNTIL = datetime(2026, 3, 4, 12, tzinfo=UTC)


def lock_file(root: Path, name: str, **fields: object) -> Path:
    """A lock file that tells so."""
    file = root / "memory" / ".locks" / f"{name}.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(fields))
    return file


def test_a_lock_that_is_held_is_reported_with_its_holder(new_bench: NewBench) -> None:
    """And one that was let go is not, although what stands in its file stays."""
    bench = new_bench()
    locks = Locks(bench.engine.workspace.lock_folder)
    with locks.hold(("note",), "r-1", UNTIL):
        (lock,) = lock_reports(bench.engine)
        assert ("note", os.getpid(), UNTIL) == (lock.lock, lock.pid, lock.deadline)
        assert "run r-1" in lock.holder
    assert [] == lock_reports(bench.engine, thorough=True)


def test_a_lock_whose_holder_is_gone_is_only_noticed_by_trying_it(new_bench: NewBench) -> None:
    """Another process has it then; trying every lock would be in the way of runs."""
    bench = new_bench()
    file = lock_file(bench.root, "note", pid=NOBODY, host=bench.host, run="r-1", deadline="soon")
    with Latch(file).hold(0):
        assert [] == lock_reports(bench.engine)
        (lock,) = lock_reports(bench.engine, thorough=True)
        assert ("note", 0, None) == (lock.lock, lock.pid, lock.deadline)


def test_a_lock_file_that_tells_nothing(new_bench: NewBench) -> None:
    """Rubbish in it is nobody."""
    bench = new_bench()
    odd = [json.dumps({"pid": pid, "host": bench.host}) for pid in ("\u00b2", 10**20)]
    for text in ("", "[1]", "{broken", "[" * 100_000, *odd):
        lock_file(bench.root, "note").write_text(text)
        assert [] == lock_reports(bench.engine, thorough=True)
        assert at_work(bench.engine, bench.engine.jobs[0]) is None


def test_what_is_left_to_a_back_fill_is_outstanding(new_bench: NewBench) -> None:
    """Also what `catch_up` and `max_age` keep from being run by itself."""
    bench = new_bench()
    every = outstanding(bench.engine, bench.engine.jobs[0])
    assert 9 == len(every)
    settings = bench.settings.model_copy(update={"jobs": {"note": JobSettings(max_age=timedelta(hours=12))}})
    older = bench.reopen(settings=settings)
    assert every == outstanding(older.engine, older.engine.jobs[0])
    older.engine.ledger.store.close()


def test_a_failure_of_one_agent_stands_whatever_the_others_do(new_bench: NewBench) -> None:
    """All agents have the same windows, so a later run of another one says nothing about it."""
    agents = AgentsSettings.model_validate({name: {"sources": [f"memory:{name}"]} for name in ("heron", "otter")})
    bench = new_bench(
        jobs=(replace(JOB, per_agent=True, writes=Target("{agents}/{agent}/{day}.md", append=True)),),
        settings=Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC), agents=agents),
    )
    for number, agent in enumerate(("heron", "otter")):
        session = conversation(f"s{number}", UNTIL - timedelta(hours=24), [("owner", "hello")])
        bench.say(session.model_copy(update={"agent": agent}))
    bench.engine.catalog.refresh()
    endings, runs = {"heron": Ending.FAILED, "otter": Ending.EMPTY}, bench.engine.ledger.runs
    partitions = partitioning_of(bench.engine, bench.engine.jobs[0]).due()
    for partition in sorted(partitions, key=lambda partition: partition.subject):
        run_id = f"{partition.subject}-{partition.key}"
        runs.begin(run_id, "note", partition, bench.clock.now())
        ended = Outcome(job="note", key=partition.key, window=partition.window, ending=endings[partition.subject])
        runs.end(ended.model_copy(update={"run_id": run_id}), bench.clock.now())
    (standing,) = job_standings(bench.engine)
    assert {"heron"} == {record.subject for record in standing.troubled}


def test_a_fold_that_failed_needs_no_back_fill(new_bench: NewBench) -> None:
    """A plain run takes it again, whatever time has passed since."""
    bench = fold_bench(new_bench, fails=True)
    bench.run_due()
    (standing,) = job_standings(bench.engine)
    (record,) = standing.troubled
    assert ["memory", "run", "fold"] == again_command(standing, record.window, bench.engine.zone)


def test_nothing_is_outstanding_without_a_start(new_bench: NewBench) -> None:
    """Nor before it has come."""
    bench = new_bench()
    for start in (None, datetime(2027, 1, 1, tzinfo=UTC)):
        bench = bench.reopen(settings=bench.settings.model_copy(update={"start": start}))
        assert [] == outstanding(bench.engine, bench.engine.jobs[0])
    bench.engine.ledger.store.close()
