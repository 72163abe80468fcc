"""`memory correct unlink`, and `memory doctor --relink`."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import Said

EARLIER = "from now on never delete a log of the loki server before 30 days are over"
LATER = "from now on never delete a log of the loki server before 14 days are over"


@pytest.fixture
def linked(workspace: Path) -> Path:
    """A workspace in which a later rule replaced an earlier one."""
    for day, text in ((3, EARLIER), (5, LATER)):
        lines = OpenClawLines(f"s-{day}", start=datetime(2026, 2, day, 9, tzinfo=UTC))
        lines.user(text)
        lines.assistant("Noted.")
        lines.write(workspace / "sessions" / f"s-{day}.jsonl")
    engine = open_engine(workspace, ProcessContext({}))
    prepare(engine)
    plan = in_days(engine, jobs_named(["micro_sync"], engine.jobs), date(2026, 2, 3), date(2026, 2, 5))
    assert len(plan) == len(list(work_through(Runner(engine), plan, again=True)))
    engine.ledger.store.close()
    return workspace


def standing(call: Callable[..., Said], root: Path) -> dict[str, tuple[str, list[str]]]:
    """The status and the links of all entries, by their day."""
    records = call("show", "entries", "--json", "--workspace", root).records
    return {record["date"][:10]: (record["status"], record["supersedes"]) for record in records}


def ids(call: Callable[..., Said], root: Path) -> list[str]:
    """The ids of all entries, by day."""
    return [record["id"] for record in call("show", "entries", "--json", "--workspace", root).records]


def test_takes_a_link_apart_and_undo_puts_it_back(linked: Path, call: Callable[..., Said]) -> None:
    """The command names the lines that changed, the list, and the run to undo."""
    old, new = ids(call, linked)
    before = standing(call, linked)
    assert ("superseded", [old]) == (before["2026-02-03"][0], before["2026-02-05"][1])
    said = call("correct", "unlink", new, old, "--workspace", linked)
    assert (0, f"{new} no longer has {old} in its line `supersedes`.") == (said.code, said.out.splitlines()[0])
    assert {"2026-02-03": ("active", []), "2026-02-05": ("active", [])} == standing(call, linked)
    run_id = said.out.rsplit("memory undo ", 1)[1].strip()
    assert 0 == call("undo", run_id, "--workspace", linked).code
    assert before == standing(call, linked)


def test_programs_get_the_links_that_went(linked: Path, call: Callable[..., Said]) -> None:
    """With what they rested on; a second time there is nothing to take apart."""
    old, new = ids(call, linked)
    (record,) = call("correct", "unlink", old, new, "--json", "--workspace", linked).records
    (link,) = record["removed"]
    assert (new, "supersedes", old) == (link["entry"], link["kind"], link["target"])
    assert "with another value: 30, now 14" in link["grounds"]
    again = call("correct", "unlink", old, new, "--workspace", linked)
    assert (2, True) == (again.code, "are not linked" in again.err)


def test_explain_shows_what_a_link_rests_on(linked: Path, call: Callable[..., Said]) -> None:
    """On both sides."""
    for entry_id in ids(call, linked):
        said = call("show", "story", entry_id, "--workspace", linked).out
        assert "rests on" in said
        assert "with another value: 30, now 14" in said


def test_the_doctor_judges_links_again(linked: Path, call: Callable[..., Said]) -> None:
    """Where all stand it says so, and changes nothing."""
    before = standing(call, linked)
    said = call("doctor", "--relink", "--workspace", linked)
    assert (0, True) == (said.code, "every link stands" in said.err)
    assert before == standing(call, linked)
