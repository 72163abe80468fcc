"""A write that the system refuses: what does not stand is not intended any more, what does stand is not forgotten."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.plan import due_now
from pipeline.corrections.undo import undo
from pipeline.doctor.machine import check_torn_writes
from pipeline.drafts import Draft, StatusDraft
from pipeline.engine.runner import Runner
from pipeline.errors import WriteFailed
from pipeline.job import Run
from pipeline.reports.entries import list_entries
from pipeline.workspace.atomic import FileWriter, Landing
from pipeline.workspace.files import Workspace
from schemas.entry import Status
from schemas.outcome import Ending
from schemas.window import PartitionKey
from tests.support.builders.note_job import JOB
from tests.support.builders.page_jobs import DAY
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench, say_apart

NewBench = Callable[..., Workbench]
DAILY = "memory/2026-03-02.md"
FOREIGN = b"another agent\n"


def refuse_siblings(bench: Workbench, path: str) -> Path:
    """A folder where our temporary file beside a page would be: the system refuses to write it, even for root."""
    file = bench.root / path
    sibling = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    sibling.mkdir(parents=True)
    return sibling


def torn(bench: Workbench) -> list[str]:
    """What the checkup says of torn writes."""
    return [check.message for check in check_torn_writes(bench.engine)]


def run_one(bench: Workbench, moment: datetime = MORNING) -> Ending | None:
    """Run the window of a moment alone, how it ended: the next one of the job would mend what this one left."""
    (window,) = [planned.window for planned in due_now(bench.engine, bench.engine.jobs) if moment in planned.window]
    outcome = Runner(bench.engine).run(bench.engine.jobs[0], PartitionKey(key="k", window=window))
    return outcome.ending if outcome else None


def left(bench: Workbench) -> tuple[int, list[str]]:
    """How many intentions are left, and what the checkup says of them."""
    return len(bench.engine.ledger.changes.intended_changes()), torn(bench)


def archiving(run: Run) -> Sequence[Draft]:
    """The `note` job, which archives the entries of earlier windows as well."""
    drafts = [StatusDraft(entry.id, Status.ARCHIVED) for entry in run.written.entries if entry.date < run.window.start]
    return [*JOB.run(run), *drafts]


def test_a_file_that_cannot_be_made(new_bench: NewBench) -> None:
    """No entry, no intention; once it can be made, all is written."""
    bench = new_bench()
    say_apart(bench, "note: one")
    sibling = refuse_siblings(bench, DAILY)
    bench.engine.catalog.refresh()
    assert Ending.FAILED is run_one(bench)
    assert ((0, []), {}) == (left(bench), bench.pages())
    sibling.rmdir()
    bench.run_due()
    assert ["one"] == [place.entry.title for place in list_entries(bench.engine)]


def test_a_status_that_cannot_be_rewritten(new_bench: NewBench) -> None:
    """The file and what is known of it stay as they were."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    say_apart(bench, "note: one")
    bench.run_due()
    say_apart(bench, "note: one", "hello", "note: two")
    before, known = bench.pages()[DAILY], bench.engine.ledger.changes.live()
    sibling = refuse_siblings(bench, DAILY)
    bench.engine.catalog.refresh()
    assert Ending.FAILED is run_one(bench, MORNING + timedelta(hours=8))
    assert (0, []) == left(bench)
    assert bench.pages()[DAILY].startswith(before)  # the new entry is an append, which no temporary file is needed for
    assert known == bench.engine.ledger.changes.live()[: len(known)]
    sibling.rmdir()
    bench.run_due()
    assert b"status: archived" in bench.pages()[DAILY]


def test_a_page_that_cannot_be_rewritten(new_bench: NewBench) -> None:
    """What the new page would have left out is still known to stand in it."""
    bench = new_bench(jobs=(DAY,))
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    bench.say(conversation("s2", MORNING, [("owner", "note: two")]))
    (path,) = [written for outcome in bench.run_due() for written in outcome.paths]
    before, known = bench.pages()[path], {block.name for block in bench.engine.ledger.changes.standing_in(path)}
    bench.source.remove("s2.jsonl")
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: three")]))
    sibling = refuse_siblings(bench, path)
    bench.engine.catalog.refresh()
    assert Ending.FAILED is run_one(bench)
    assert ((0, []), before) == (left(bench), bench.pages()[path])
    assert known == {block.name for block in bench.engine.ledger.changes.standing_in(path)}
    sibling.rmdir()
    bench.run_due()
    assert (True, False) == tuple(word in bench.pages()[path] for word in (b"three", b"two"))
    assert "memory/forgotten.md" not in bench.pages()


@dataclass(frozen=True)
class _Partly(FileWriter):
    """An append of which the system takes a part, and says then that it failed."""

    part: float = 1.0
    behind: bytes = b""

    def append(self, data: bytes) -> Landing:
        super().append(data[: round(len(data) * self.part)] + self.behind)
        raise WriteFailed(self.path, "Input/output error")


class Partly(Workspace):
    """A workspace on such a disk; `behind` is what somebody appends before the rest can be taken back."""

    def __init__(self, real: Workspace, part: float, behind: bytes = b"") -> None:
        super().__init__(real.root)
        self.part, self.behind = part, behind

    @contextmanager
    def lease(self, path: str) -> Iterator[FileWriter]:
        """One of those leases."""
        yield _Partly(path, self.locate(path), self.part, self.behind)


@pytest.mark.parametrize(("part", "behind"), [(1.0, b""), (0.5, FOREIGN)])
def test_what_stands_is_left_to_the_next_run(new_bench: NewBench, part: float, behind: bytes) -> None:
    """The block is whole though the disk did not confirm it, or torn with another's text behind it: both are told."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    (bench.root / DAILY).write_bytes(b"# mine\n")
    say_apart(bench, "note: one")
    engine = bench.engine
    bench.engine = replace(engine, workspace=Partly(engine.workspace, part, behind))
    bench.engine.catalog.refresh()
    assert Ending.FAILED is run_one(bench)
    bench.engine = engine
    assert (1, 1) == (left(bench)[0], len(left(bench)[1]))
    bench.run_due()
    assert (0, []) == left(bench)
    assert ["one"] == [place.entry.title for place in list_entries(bench.engine)]
    data = bench.pages()[DAILY]
    assert (True, behind in data) == (data.startswith(b"# mine\n"), True)


def test_an_append_without_a_byte_is_taken_back(new_bench: NewBench) -> None:
    """The disk took nothing: the file is as it was, and nothing is intended."""
    bench = new_bench()
    (bench.root / "memory").mkdir()
    (bench.root / DAILY).write_bytes(b"# mine\n")
    say_apart(bench, "note: one")
    engine = bench.engine
    bench.engine = replace(engine, workspace=Partly(engine.workspace, 0.0))
    bench.engine.catalog.refresh()
    assert Ending.FAILED is run_one(bench)
    assert ((0, []), b"# mine\n") == (left(bench), bench.pages()[DAILY])


def test_an_undo_that_is_refused_leaves_what_is_known(new_bench: NewBench) -> None:
    """Also the text of a block whose status a later run rewrote: it stays ours, and its status can change again."""
    bench = new_bench(jobs=(replace(JOB, run=archiving),))
    say_apart(bench, "note: one", "hello")
    first, *_ = [outcome.run_id for outcome in bench.run_due() if outcome.paths]
    before, known = bench.pages()[DAILY], bench.engine.ledger.changes.in_file(DAILY)
    assert b"status: archived" in before
    sibling = refuse_siblings(bench, DAILY)
    (bench.root / DAILY).write_bytes(before + b"mine\n")  # so that the file is rewritten, and not removed
    with pytest.raises(WriteFailed):
        undo(bench.engine, first)
    assert known == bench.engine.ledger.changes.in_file(DAILY)
    assert [True] == [place.is_verified for place in list_entries(bench.engine)]
    sibling.rmdir()
    assert 1 == len(undo(bench.engine, first).removed)
    assert b"mine\n" == bench.pages()[DAILY].removeprefix(b"# 2026-03-02\n")


def test_a_page_undo_that_is_refused_leaves_what_is_known(new_bench: NewBench) -> None:
    """The items are known as they were, with the runs that they came from."""
    bench = new_bench(jobs=(DAY,))
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    (run,) = [outcome for outcome in bench.run_due() if outcome.paths]
    (path,) = run.paths
    known = bench.engine.ledger.changes.in_file(path)
    (bench.root / path).write_bytes(bench.pages()[path] + b"mine\n")
    sibling = refuse_siblings(bench, path)
    with pytest.raises(WriteFailed):
        undo(bench.engine, run.run_id)
    assert known == bench.engine.ledger.changes.in_file(path)
    sibling.rmdir()
    undo(bench.engine, run.run_id)
    assert b"mine\n" in bench.pages()[path]
