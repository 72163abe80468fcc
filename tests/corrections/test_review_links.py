"""Links under review: kept or taken apart by a person, and taken back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jobs import micro_sync
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.links import fallen
from pipeline.corrections.review import review, suggest
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from tests.support.builders import earlier_version
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
RULE = "from now on never delete a log of the loki server before 30 days are over"
OTHER = "from now on lock every door of the garage at night"


@pytest.fixture
def linked(new_bench: NewBench) -> Workbench:
    """A rule that an earlier version let replace another one, with which it has nothing to do."""
    bench: Workbench = new_bench(jobs=(earlier_version.JOB,))
    bench.say(conversation("s1", MORNING, [("owner", OTHER)]))
    later = MORNING + timedelta(hours=24)
    bench.say(conversation("s2", later, [("owner", f"{earlier_version.REPLACING}{RULE}")]))
    bench.run_due()
    bench = bench.reopen(jobs=(micro_sync.JOB,))
    bench.engine.catalog.refresh()
    return bench


def test_a_link_that_does_not_stand_waits(linked: Workbench) -> None:
    """It stays in the files meanwhile."""
    before = linked.pages()
    done = suggest(linked.engine)
    assert ((), 1) == (done.entries, len(done.links))
    [link] = waiting(linked.engine)
    assert ("link", "not_linked") == (link.about.form, link.reason)
    assert before == linked.pages()
    assert not review(linked.engine)
    undo(linked.engine, done.run_id)
    assert (1, []) == (len(review(linked.engine).links), waiting(linked.engine))


def test_a_link_that_a_person_keeps_stands_for_good(linked: Workbench) -> None:
    """No list has it any more, and its grounds say who kept it."""
    suggest(linked.engine)
    [outcome] = accept(linked.engine, waiting(linked.engine))
    assert ([], []) == (fallen(linked.engine), waiting(linked.engine))
    assert not review(linked.engine)
    assert "grounds: a person kept the link to" in "".join(page.decode() for page in linked.pages().values())
    undo(linked.engine, outcome.run_id)
    assert 1 == len(waiting(linked.engine))


def test_a_link_that_a_person_declines_is_taken_apart(linked: Workbench) -> None:
    """As `memory correct unlink` does it; undo puts it back, and it waits again."""
    suggest(linked.engine)
    [run_id] = decline(linked.engine, waiting(linked.engine))
    assert {Status.ACTIVE} == {place.status for place in list_entries(linked.engine)}
    assert ([], []) == (fallen(linked.engine), waiting(linked.engine))
    undo(linked.engine, run_id)
    assert 1 == len(waiting(linked.engine))


def test_forgetting_one_side_of_a_link_ends_its_suggestion(linked: Workbench) -> None:
    """Its words were in it."""
    suggest(linked.engine)
    [other] = [place.entry for place in list_entries(linked.engine) if place.entry.conclusion == OTHER]
    assert 1 == forget(linked.engine, other.id).suggestions
    assert [] == waiting(linked.engine)
    linked.engine.ledger.store.close()
    files = (file for file in linked.root.rglob("*") if file.is_file())
    assert [] == [file.name for file in files if OTHER.encode() in file.read_bytes()]
