"""The links of a back-fill, however many questions are under way."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from jobs.micro_sync import JOB
from pipeline.backfill.plan import in_days, work_through
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.engine.runner import Runner
from pipeline.model.question import Readers
from pipeline.ports.engine import Question
from schemas.links import LinkVerdict
from schemas.session_answer import SessionAnswer
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.builders.link_rows import linked
from tests.support.builders.rule_reader import rules_in
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.fences import unfenced
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

FIRST, NOW = datetime(2026, 2, 2, tzinfo=UTC), datetime(2026, 3, 4, tzinfo=UTC)
SAYINGS = [
    template.format(value)
    for template in (
        "The bike shed at the mill opens at {} o'clock.",
        "Szopa na rowery przy młynie jest otwarta od {}.",
        "自行车棚每天{}点开门。",
        "The kiln at the mill is fired for {} hours.",
    )
    for value in (7, 8, 9)
]
SAID = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 23), st.sampled_from(SAYINGS)), min_size=2, max_size=9, unique=True
)


def sessions(said: list[tuple[int, int, str]]) -> list[Session]:
    """A session for each saying, on its day and in its hour."""
    return [
        conversation(f"s-{place}", FIRST + timedelta(days=day, hours=hour, minutes=place), [("owner", text)])
        for place, (day, hour, text) in enumerate(said)
    ]


def answer(question: Question) -> BaseModel:
    """Takes every message for a rule; what begins alike is about one thing."""
    if question.name == "micro_sync_links":
        return linked(unfenced(question.input), _verdict)
    return SessionAnswer(candidates=rules_in(question))


def _verdict(later: str, earlier: str) -> LinkVerdict | None:
    if later == earlier:
        return LinkVerdict.SAME
    if later[:6] != earlier[:6]:
        return None
    return LinkVerdict.REPLACES_PART if "9" in later else LinkVerdict.REPLACES


def filled(root: Path, said: list[tuple[int, int, str]], parallel: int) -> tuple[dict[str, bytes], list[str]]:
    """The pages after a back-fill, and the questions about links in the order of their inputs."""
    model = ScriptedModel(answer)
    bench = Workbench(root, (JOB,), FixedClock(NOW), Settings(start=NOW), model=model)
    bench.say(*sessions(said))
    bench.engine.catalog.refresh()
    plan = in_days(bench.engine, bench.engine.jobs, FIRST.date(), FIRST.date() + timedelta(days=4))
    with Prefetching(bench.engine, Readers.only(model), plan, Limits(parallel, None)) as ahead:
        outcomes = list(work_through(Runner(ahead.engine), plan, again=True, before=ahead.before))
    assert {outcome.ending.value for outcome in outcomes} <= {"done", "empty"}
    bench.engine.ledger.store.close()
    return bench.pages(), sorted(one.input for one in model.questions if one.name == "micro_sync_links")


@settings(max_examples=examples(5))
@given(said=SAID)
def test_links_do_not_depend_on_how_many_questions_are_under_way(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[int, int, str]]
) -> None:
    """One at a time or sixteen: the same questions, each sent once, and not one byte differs."""
    pages, asked = filled(tmp_path_factory.mktemp("one"), said, 1)
    assert (pages, asked) == filled(tmp_path_factory.mktemp("many"), said, 16)
    assert sorted(set(asked)) == asked
