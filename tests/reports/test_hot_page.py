"""The page that an agent reads first, week by week."""

from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.reports.hot_page import STAYS, WeekVerdict, judged_week, page_changes, plans, without_room
from schemas.outcome import NO_ROOM, Ending, Outcome, Rejection
from schemas.window import PartitionKey, Window
from tests.support.workspaces.many_entries import empty_workspace

PLAN = """# Plan of week 2026-W10

## Promoted <!-- memory:promoted check:67facd -->
- **promoted** [RULE-20260303-no-calls](../2026-03-03.md): No calls <b>before</b> 9
  score 0.83: rule
  under "Rules" since 2026-W10, because its score is 0.55 or more <!-- memory:p-3d62c8dff874 check:24d847 -->

## Stays
- **promoted** [RULE-20260101-old](../2026-01-01.md): Old

## Left MEMORY.md
- **overridden** [DECISION-20260302-30-percent](../2026-03-02.md): 30 percent
  into [DECISION-20260303-20-percent](../2026-03-03.md), because that took its place
  - quote: "30 percent"
- **thrown out** [RULE-20260301-mine]: My own word
- a line of a person about **promoted** things
"""


def _workspace(root: Path) -> Path:
    empty_workspace(root)
    (root / "memory" / "archive").mkdir()
    (root / "memory" / "archive" / "weekly-2026-W10.md").write_text(PLAN)
    (root / "memory" / "archive" / "weekly-2026-W09.md").write_text("")
    return root


def test_the_verdicts_of_a_plan(tmp_path: Path) -> None:
    """Each word in bold with its entry and why; what stays is told from what is new, and a person's word counts."""
    with open_for_reading(_workspace(tmp_path / "work"), ProcessContext({}), looking=False) as engine:
        assert ["2026-W10", "2026-W09"] == list(plans(engine))
        week = judged_week(engine, "2026-W10", plans(engine)["2026-W10"], page_changes(engine))
    reason = 'score 0.83: rule; under "Rules" since 2026-W10, because its score is 0.55 or more'
    assert (
        WeekVerdict("promoted", "RULE-20260303-no-calls", "No calls <b>before</b> 9", reason),
        WeekVerdict(STAYS, "RULE-20260101-old", "Old", ""),
        WeekVerdict(
            "overridden",
            "DECISION-20260302-30-percent",
            "30 percent",
            "into DECISION-20260303-20-percent, because that took its place",
        ),
        WeekVerdict("thrown out", "RULE-20260301-mine", "My own word", ""),
    ) == week.verdicts
    assert () == week.changes


def test_what_had_no_room(tmp_path: Path) -> None:
    """The entries that the last rendering left out, by their ids; none before the first one."""
    with open_for_reading(_workspace(tmp_path / "work"), ProcessContext({}), looking=False) as engine:
        before = without_room(engine)
        _render(engine, "RULE-1", "RULE-2", "")
        assert ((), ("RULE-1", "RULE-2")) == (before, without_room(engine))


def _render(engine: Engine, *left_out: str) -> None:
    """Note a rendering of the page that had no room for entries of these ids."""
    job, now = engine.page_job, engine.clock.now()
    assert job
    rejected = tuple(Rejection(reason=NO_ROOM, session_id="s", number=1, detail=one) for one in left_out)
    window = Window(start=now, end=now)
    engine.ledger.runs.begin("run-1", job.name, PartitionKey(key="all", window=window), now)
    outcome = Outcome(job=job.name, key="all", window=window, ending=Ending.DONE, run_id="run-1", rejected=rejected)
    engine.ledger.runs.end(outcome, now)
