"""Nothing that today's reading writes is ever put under review, whatever was said and in whatever order it was run."""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs import micro_sync
from pipeline.corrections.decide import accept
from pipeline.corrections.review import is_due, review
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.reports.entries import list_entries
from schemas.settings import Settings
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

TALKS = Path(__file__).parents[1] / "jobs" / "extraction" / "labelled"
SPEAKERS = {">": "owner", "+": "owner", "<": "assistant"}
START = datetime(2026, 3, 2, 8, tzinfo=UTC)
SECOND_THOUGHTS = ("wait, forget what I just said", "no, scratch that", "ok", "never mind that rule after all", "")
STEPS = tuple(timedelta(minutes=minutes) for minutes in (1, 50, 170, 420))


@cache
def turns() -> tuple[tuple[str, str], ...]:
    """What was said in all labelled talks, by origin."""
    lines = [line for file in sorted(TALKS.glob("*.txt")) for line in file.read_text(encoding="utf-8").splitlines()]
    return tuple((SPEAKERS[line[0]], line[2:]) for line in lines if line[:1] in SPEAKERS)


TALK = st.tuples(
    st.integers(0, len(turns()) - 1),
    st.integers(2, 14),
    st.sampled_from(SECOND_THOUGHTS),
    st.integers(0, 13),
    st.sampled_from(STEPS),
)


def say(bench: Workbench, number: int, talk: tuple[int, int, str, int, timedelta]) -> None:
    """A piece of a labelled talk, with a second thought in it."""
    first, length, thought, place, step = talk
    said = [*turns()[first : first + length]]
    said[place:place] = [("owner", thought)] if thought else []
    bench.say(conversation(f"s{number}", START + timedelta(hours=5 * number), said, step=step))


@given(st.lists(TALK, min_size=1, max_size=3), st.integers(0, 9))
@settings(max_examples=examples(10))
def test_what_is_written_today_is_not_under_review(
    talks: list[tuple[int, int, str, int, timedelta]], which: int
) -> None:
    """Not after a back-fill, nor a second one, nor an undo, nor when a person accepted what waited."""
    with TemporaryDirectory() as folder:
        clock = FixedClock(datetime(2026, 3, 12, 11, tzinfo=UTC))
        bench = Workbench(Path(folder), (micro_sync.JOB,), clock, settings=Settings(timezone="Europe/Warsaw"))
        for number, talk in enumerate(talks):
            say(bench, number, talk)
        for _ in range(2):
            bench.backfill(date(2026, 3, 2), date(2026, 3, 11))
            assert not review(bench.engine)
        runs = [run for run in bench.engine.ledger.runs.latest() if bench.engine.ledger.changes.of_run(run.run_id)]
        for run in runs[which % len(runs) :][:1] if runs else []:
            undo(bench.engine, run.run_id)
            assert not review(bench.engine)
        accept(bench.engine, waiting(bench.engine))
        bench.backfill(date(2026, 3, 2), date(2026, 3, 11))
        reviewed = review(bench.engine)
        assert (False, 0, False) == (bool(reviewed), reviewed.unread, is_due(bench.engine))
        assert list_entries(bench.engine) or not runs
        bench.engine.ledger.store.close()
