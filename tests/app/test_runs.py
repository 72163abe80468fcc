"""Runs and back-fills as use cases: they yield what happens, whatever surface asks, and print nothing."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipeline.app.runs import Differences, Happening, NothingDue, StillOpen, estimate_backfill, run_backfill, run_due
from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.series import Begun, Estimated, Finished, Left, Progress, RunEnded
from pipeline.errors import Interrupted, RequestRefused
from pipeline.process.cancellation import CancellationToken
from pipeline.process.context import ProcessContext
from schemas.hot_page import PATH
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock

DAY = date(2026, 2, 2)
REQUEST = BackfillRequest(id="20260202-abcdef", jobs=("micro_sync",), first=DAY, last=DAY)
CONTEXT = ProcessContext(environment={})
SETTINGS = 'timezone = "UTC"\n[[sources]]\nkind = "openclaw"\npath = "sessions"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a page to read first, and a session of 2026-02-02 with two things to remember in it."""
    lines = OpenClawLines("s-one")
    lines.user("from now on give every migration a downgrade that was actually run")
    lines.user("remember that the septic truck comes every second tuesday")
    lines.write(tmp_path / "sessions" / "s-one.jsonl")
    (tmp_path / "memory.toml").write_text(SETTINGS)
    (tmp_path / PATH).write_text("# What to read first\n")
    return tmp_path


def kinds(happenings: Iterable[Happening]) -> list[type]:
    """The sorts of what happened, one for many of a sort in a row; how far it is, only a slow machine says."""
    actual = [type(happening) for happening in happenings if not isinstance(happening, Progress)]
    return [kind for place, kind in enumerate(actual) if actual[place - 1 : place] != [kind]]


def test_a_back_fill_yields_what_happens(root: Path) -> None:
    """What it will take, each run with the titles of what it wrote, and its end; then nothing is left to do."""
    happenings = list(run_backfill(root, CONTEXT, RunOptions(), REQUEST))
    assert [Estimated, Begun, RunEnded, Finished] == kinds(happenings)
    ended = [happening for happening in happenings if isinstance(happening, RunEnded)]
    [wrote] = [run_ended for run_ended in ended if run_ended.outcome.written]
    assert (8, set(wrote.outcome.written)) == (len(ended), set(wrote.titles))
    assert happenings[-1] == Finished(tuple(run_ended.outcome.ending for run_ended in ended))
    [nothing] = run_backfill(root, CONTEXT, RunOptions(), REQUEST)
    assert isinstance(nothing, NothingDue)
    assert ("Nothing is left to do in these days.", True) == (nothing.why, nothing.sources)
    assert OrdersFolder(root / ".memory").stopped_requests() == []


def test_a_dry_run_yields_the_difference(root: Path) -> None:
    """And changes no file."""
    *_, difference = run_backfill(root, CONTEXT, RunOptions(dry_run=True), REQUEST)
    assert isinstance(difference, Differences)
    assert "+++ b/memory/2026-02-02.md" in difference.lines
    assert not (root / "memory" / "2026-02-02.md").exists()


def test_what_is_stopped_tells_how_to_go_on(root: Path) -> None:
    """Before the error that ends it; the request is kept, and goes on by its id."""
    safe_point, seen = CancellationToken(), list[Happening]()

    def run() -> None:
        for happening in run_backfill(root, ProcessContext({}, safe_point=safe_point), RunOptions(), REQUEST):
            seen.append(happening)
            if isinstance(happening, RunEnded):
                safe_point.ask_to_stop(15)

    with pytest.raises(Interrupted):
        run()
    left = seen[-1]
    assert isinstance(left, Left)
    assert ("--resume", REQUEST.id) == left.resume[2:4]
    kept = OrdersFolder(root / ".memory").find(REQUEST.id)
    rest = list(run_backfill(root, CONTEXT, RunOptions(), kept))
    assert left.windows == sum(isinstance(happening, RunEnded) for happening in rest)


def test_an_estimate_runs_nothing(root: Path) -> None:
    """Without a model nobody has to be asked."""
    estimated = estimate_backfill(root, CONTEXT, RunOptions(), REQUEST)
    assert estimated
    assert (8, 1, False) == (estimated.estimate.partitions, estimated.estimate.sessions, estimated.asks)
    assert not (root / "memory" / "2026-02-02.md").exists()


def test_one_moment_is_run(root: Path) -> None:
    """Only the jobs of short windows; the days that come are refused."""
    ended = [happening for happening in run_due(root, CONTEXT, RunOptions(), "", datetime(2026, 2, 2, 12, tzinfo=UTC))
             if isinstance(happening, RunEnded)]  # fmt: skip
    assert ["micro_sync"] == [run_ended.outcome.job for run_ended in ended]
    with pytest.raises(RequestRefused, match=r"^moment 2999-01-01T00:00:00\+00:00 has not come yet"):
        list(run_due(root, CONTEXT, RunOptions(), "micro_sync", datetime(2999, 1, 1, tzinfo=UTC)))


def test_without_a_start_nothing_is_due(root: Path) -> None:
    """And nothing ever comes."""
    [nothing] = run_due(root, CONTEXT, RunOptions())
    assert nothing == NothingDue("", "", None, "UTC", sources=True, start=False)


def test_the_first_page_is_made_once(root: Path) -> None:
    """By the first run, where none stands; that nothing else is due is said all the same."""
    (root / PATH).unlink()
    happenings = list(run_due(root, CONTEXT, RunOptions()))
    [page] = [happening.outcome for happening in happenings if isinstance(happening, RunEnded)]
    assert ("weekly_compound", ()) == (page.job, tuple(page.written))
    nothing = NothingDue("", "", None, "UTC", sources=True, start=False)
    assert (nothing, True) == (happenings[-1], (root / PATH).exists())
    assert [nothing] == list(run_due(root, CONTEXT, RunOptions()))


@pytest.mark.parametrize(
    ("field", "request_", "new_limit"),
    [
        ("first", REQUEST.model_copy(update={"first": date(2999, 1, 1), "last": date(2999, 1, 1)}), False),
        ("max_tokens", REQUEST.model_copy(update={"max_tokens": 5, "tokens_left": 5}), True),
    ],
)
def test_what_makes_no_sense_is_refused(root: Path, field: str, request_: BackfillRequest, *, new_limit: bool) -> None:
    """By the field, which each surface calls by its own name."""
    with pytest.raises(RequestRefused) as refused:
        list(run_backfill(root, CONTEXT, RunOptions(), request_, new_limit=new_limit))
    assert (field, True) == (refused.value.field, refused.value.sentence_for("--x").startswith("--x "))


def test_a_back_fill_says_when_the_open_window_comes(root: Path) -> None:
    """On the first day all that was said may stand in a window that has not ended."""
    (root / "memory.toml").write_text(f"start = 2026-02-01T00:00:00Z\n{SETTINGS}")
    noon = ProcessContext(environment={}, clock=FixedClock(datetime(2026, 2, 2, 9, 30, tzinfo=UTC)))
    request = REQUEST.model_copy(update={"first": date(2026, 2, 1)})
    [still] = [
        happening for happening in run_backfill(root, noon, RunOptions(), request) if isinstance(happening, StillOpen)
    ]
    assert (1, "micro_sync", 12) == (still.sessions, still.job, still.coming.window.end.hour)
