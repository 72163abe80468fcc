"""The first document: what was settled, what waits, what was done."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.ledger import open_ledger
from pipeline.ledger.runs import Runs
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.outcome import Ending, Outcome
from schemas.window import PartitionKey, Window
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served


def test_it_shows_the_last_day(reader: PageReader) -> None:
    """Today nothing was settled in the demo: its last day is shown, what waits, and the last runs."""
    document = reader.get("/")
    assert 200 == document.status
    for words in ("Nothing was settled today", "2026-03-14", "lake road", "Suggestions that wait", "weekly_compound"):
        assert words in document.text
    assert any(link.startswith("/entries/") for link in document.links)
    assert any(link.startswith("/runs/") for link in document.links)


def test_a_backfill_is_one_line(changer: PageReader) -> None:
    """It leads to its runs that wrote; runs of their own that had nothing to write are a number."""
    now, before = SystemClock().now(), _silent(changer.get("/").text)
    backfill, alone = ("20260310-abcdef", ["empty"] * 30 + ["done"]), ("", ["empty"] * 4 + ["failed"])
    ledger = open_ledger(Workspace(changer.workspace.root).state_folder / LEDGER_FILE)
    with closing(ledger.store), ledger.store.transaction():
        for name, endings in (backfill, alone):
            for number, ending in enumerate(endings):
                _note(ledger.runs, f"run-{name}-{number}", name, Ending(ending), now)
    text = changer.get("/").text.partition("What the service did")[2].partition("All runs")[0]
    assert "Runs: 31; with nothing to write: 30." in text
    assert before + 4 == _silent(text)
    assert "nothing to write 0" not in text
    assert "failed" in text
    shown = changer.get("/backfills/20260310-abcdef")
    assert ["/runs/run-20260310-abcdef-30"] == [link for link in shown.links if link.startswith("/runs/")]
    assert 404 == changer.get("/backfills/20260310-000000").status


def test_before_a_source_is_named(tmp_path: Path) -> None:
    """What is missing is the first that a person needs, with lines to paste; nothing useless is offered."""
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    with served(tmp_path) as workspace:
        reader = PageReader(workspace)
        today, grid = reader.get("/"), reader.get("/grid")
    needed = today.text.partition("What needs you")[2].partition("What was settled")[0]
    assert "there is nothing to read" in needed
    assert '[[sources]] kind = "' in needed
    assert str(tmp_path / "memory.toml") in needed
    assert "Begin one" not in today.text
    assert "earlier days" not in grid.text
    assert "No transcripts are named yet" in grid.text


def test_a_source_that_has_gone(changer: PageReader) -> None:
    """A folder that is not there any more is said at once, on Today and in Health, before anybody has looked again."""
    Path(changer.workspace.root, "sessions", "claude-code").rename(changer.workspace.root / "elsewhere")
    assert "claude_code: cannot be read since" in changer.get("/").text.partition("What needs you")[2]
    assert "claude_code cannot be read sessions/claude-code" in changer.get("/health").text


def _silent(text: str) -> int:
    """How many runs had nothing to write, as a document says."""
    return int(text.partition("the last 24 hours that had nothing to write: ")[2].partition(".")[0])


def _note(runs: Runs, run_id: str, backfill: str, ending: Ending, now: datetime) -> None:
    """Note a run of an hour."""
    window = Window(start=datetime(2026, 3, 2, 9, tzinfo=UTC), end=datetime(2026, 3, 2, 10, tzinfo=UTC))
    runs.begin(run_id, "micro_sync", PartitionKey(key=run_id, window=window), now, backfill)
    runs.end(Outcome(run_id=run_id, job="micro_sync", key=run_id, window=window, ending=ending), now)


def test_what_renews_itself(reader: PageReader) -> None:
    """That part can be asked for alone; where nothing runs it asks seldom, to tell that the service is there."""
    part = reader.get("/today/now")
    assert "<html" not in part.html
    assert 'hx-get="/today/now" hx-trigger="every 15s"' in part.html
