"""An agent proposes other words for an entry, and a person decides."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from jobs import micro_sync
from pipeline.corrections.correct import correct, correction, propose
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.errors.corrections import SaidAlready
from pipeline.reports.entries import list_entries
from pipeline.reports.suggestions import difference
from schemas.entry import Status
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
OLD, NEW = "the shop deposit is always 30 percent of the order.", "the shop deposit is 35 percent"


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """One entry."""
    made = new_bench(jobs=(micro_sync.JOB,))
    made.say(conversation("s1", MORNING, [("owner", f"New rule: {OLD}")]))
    made.clock.move(timedelta(days=1))
    made.run_due()
    return made


def holding(bench: Workbench) -> tuple[str, str]:
    """The id and the words of the entry in force."""
    [entry] = [one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE]
    return entry.id, entry.conclusion


def test_nothing_changes_before_a_person_accepts(bench: Workbench) -> None:
    """Old and new words wait together; what was accepted is one run, and waits again after its undo."""
    before = bench.pages()
    entry_id, _ = holding(bench)
    assert propose(bench.engine, entry_id, NEW, "jaskier")
    assert () == propose(bench.engine, entry_id, NEW, "jaskier")
    [one] = waiting(bench.engine)
    assert ([f"-{OLD}", f"+{NEW}"], "proposed", entry_id) == (difference(one), one.reason, one.shown.entry_id)
    assert before == bench.pages()

    [outcome] = accept(bench.engine, [one])
    assert (NEW, []) == (holding(bench)[1], waiting(bench.engine))
    undo(bench.engine, outcome.run_id)
    assert (OLD, [one]) == (holding(bench)[1], waiting(bench.engine))


def test_a_person_accepts_in_other_words(bench: Workbench) -> None:
    """These hold."""
    propose(bench.engine, holding(bench)[0], NEW, "jaskier")
    accept(bench.engine, waiting(bench.engine), "the shop deposit is 33 percent")
    assert "the shop deposit is 33 percent" == holding(bench)[1]


def test_a_declined_one_does_not_come_back(bench: Workbench) -> None:
    """In the same words."""
    propose(bench.engine, holding(bench)[0], NEW, "jaskier")
    decline(bench.engine, waiting(bench.engine))
    assert () == propose(bench.engine, holding(bench)[0], NEW, "jaskier")
    assert (OLD, []) == (holding(bench)[1], waiting(bench.engine))


def test_one_about_words_that_hold_no_more_waits_no_more(bench: Workbench) -> None:
    """The person corrected them meanwhile."""
    propose(bench.engine, holding(bench)[0], NEW, "jaskier")
    correct(bench.engine, correction(bench.engine, holding(bench)[0], "the shop takes no deposit"))
    assert [] == waiting(bench.engine)
    with pytest.raises(SaidAlready):
        propose(bench.engine, holding(bench)[0], "the shop takes no deposit", "jaskier")
