"""The check of what earlier versions wrote."""

from collections.abc import Callable
from datetime import timedelta

from jobs import micro_sync
from pipeline.corrections.review import suggest
from pipeline.doctor.entries import check_review
from schemas.checkup import Health
from tests.support.builders import earlier_version
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]


def test_a_review_is_offered_once_after_an_update(new_bench: NewBench) -> None:
    """Without a look at a transcript; not for what this version wrote."""
    bench: Workbench = new_bench(jobs=(earlier_version.JOB,))
    bench.say(conversation("s1", MORNING, [("owner", "why is the sky blue?")]))
    bench.run_due()
    bench = bench.reopen(jobs=(micro_sync.JOB,))
    bench.source.remove("s1.jsonl")
    [check] = check_review(bench.engine)
    assert (Health.WARN, True) == (check.health, check.advice.startswith("`memory suggestions review` "))
    suggest(bench.engine)
    assert [] == list(check_review(bench.engine))


def test_what_this_version_wrote_is_not_doubted(new_bench: NewBench) -> None:
    """From the first run on."""
    bench: Workbench = new_bench(jobs=(micro_sync.JOB,))
    assert [] == list(check_review(bench.engine))
    text = "from now on never delete a log of the loki server before 30 days are over"
    bench.say(conversation("s1", MORNING + timedelta(hours=1), [("owner", text)]))
    assert [1] == [len(outcome.written) for outcome in bench.run_due() if outcome.written]
    assert [] == list(check_review(bench.engine))
