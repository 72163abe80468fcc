"""Days that are back-filled in any order: the same facts, and the same that holds and how sure it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jobs import retain
from pipeline.facts.sections import day_of, parse_fact
from pipeline.facts.standing import confidences, stand
from pipeline.markdown.blocks import find_blocks
from schemas.fact import Fact
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FIRST = date(2026, 3, 2)
TALKS = (
    ("I live in Porto.", "I really like plums.", "My favourite tea is oolong."),
    ("I really like plums.", "Remember that Basia is allergic to nuts."),
    ("I live in Lisbon now.", "I don't like plums."),
    ("My favourite tea is sencha.", "I really like plums.", "Remember that Basia is allergic to nuts."),
)
DAYS = tuple(range(len(TALKS)))


@dataclass(frozen=True)
class Memory:
    """What is retained: the facts without their relations, and what follows from these."""

    facts: tuple[Fact, ...]
    sure: dict[str, int]
    until: dict[str, date | None]


def memory_of(bench: Workbench) -> Memory:
    """All of the workspace."""
    read_facts = list[Fact]()
    for path, data in bench.pages().items():
        read = (parse_fact(block.text, day_of(path) or FIRST, name=block.name) for block in find_blocks(data))
        read_facts += [fact for fact in read if fact]
    relations = ("supports", "contradicts", "replaces", "supported_by", "contradicted_by", "replaced_by")
    bare = tuple(fact.model_copy(update=dict.fromkeys(relations, ())) for fact in read_facts)
    sure = {name: one.hundredths for name, one in confidences(read_facts).items()}
    return Memory(bare, sure, {one.fact.id: one.until for one in stand(read_facts).all})


def worked(new_bench: NewBench, root: Path, order: Sequence[int]) -> Workbench:
    """A workspace whose days were back-filled in this order."""
    bench = new_bench(
        root=root,
        jobs=(retain.JOB,),
        clock=FixedClock(datetime(2026, 3, 20, 11, tzinfo=UTC)),
        settings=Settings(timezone="Europe/Warsaw"),
    )
    for day, texts in enumerate(TALKS):
        at = datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(days=day)
        turns = [turn for text in texts for turn in (("owner", text), ("assistant", "Noted."))]
        bench.say(conversation(f"s{day}", at, turns))
    for day in order:
        bench.backfill(FIRST + timedelta(days=day), FIRST + timedelta(days=day))
    return bench


@pytest.mark.parametrize("order", [(3, 1, 0, 2), (2, 0, 3, 1), (1, 3, 2, 0), (0, 2, 1, 3), DAYS[::-1]])
def test_the_order_of_the_days_changes_nothing_that_is_known(
    new_bench: NewBench, tmp_path: Path, order: tuple[int, ...]
) -> None:
    """The same facts with the same ids, the same confidence of each, and the same day until which it held."""
    expected = memory_of(worked(new_bench, tmp_path / "a", DAYS))
    assert expected == memory_of(worked(new_bench, tmp_path / "b", order))
    assert {75, 60} <= set(expected.sure.values()) or len(set(expected.sure.values())) > 1
    assert [FIRST + timedelta(days=2), FIRST + timedelta(days=3)] == sorted(filter(None, expected.until.values()))


def test_one_back_fill_gives_the_bytes_of_every_day_by_itself(new_bench: NewBench, tmp_path: Path) -> None:
    """It works in the order of time, whatever it is asked for, and again it changes nothing."""
    daily = worked(new_bench, tmp_path / "a", DAYS)
    once = worked(new_bench, tmp_path / "b", ())
    once.backfill(FIRST, FIRST + timedelta(days=9))
    assert daily.pages() == once.pages()
    once.backfill(FIRST, FIRST + timedelta(days=9))
    assert daily.pages() == once.pages()
