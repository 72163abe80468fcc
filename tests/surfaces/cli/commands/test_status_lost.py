"""What `memory status` says after the ledger was lost."""

import re
from collections.abc import Callable
from pathlib import Path

from pipeline.scheduling.registry import discover
from tests.support.processes.command_line import Said


def test_a_success_of_before_is_not_known(filled: Path, call: Callable[..., Said]) -> None:
    """Nobody can tell when it was, and it is not said that there never was one; programs get the moment."""
    assert "\nmicro_sync       20" in call("status", "--workspace", filled).out
    (filled / ".memory" / "state.db").unlink()
    output = call("status", "--workspace", filled).out
    assert len([job for job in discover() if not job.per_agent]) == len(
        re.findall(r"  last success  not known; the ledger was rebuilt on [-\d]{10} \d\d:\d\d\n", output)
    )
    jobs = [record for record in call("status", "--json", "--workspace", filled).records if "job" in record]
    assert [(None, True)] * len([job for job in discover() if not job.per_agent]) == [
        (record["last_success"], record["rebuilt"] is not None) for record in jobs
    ]


def test_the_grid_shows_what_the_files_tell(filled: Path, call: Callable[..., Said]) -> None:
    """Days of which they tell are done, others are unknown, and a line says what that rests on."""
    before = call("status", "--grid", "--days", "3660", "--workspace", filled).out
    assert "rebuilt" not in before
    (filled / ".memory" / "state.db").unlink()
    after = call("status", "--grid", "--days", "3660", "--workspace", filled).out
    assert re.search(r"^micro_sync +D", after, re.MULTILINE)
    assert re.search(r"The ledger was rebuilt on [-\d]{10} \d\d:\d\d: of days before, those are done of which", after)
    assert after.count("D") <= before.count("D")


def test_days_of_which_the_files_tell_nothing(filled: Path, call: Callable[..., Said]) -> None:
    """It is not said that nothing was run."""
    (filled / "memory.toml").write_text((filled / "memory.toml").read_text().replace("start = ", "# start = "))
    (filled / ".memory" / "state.db").unlink()
    said = call("status", "--grid", "--days", "1", "--to", "2026-03-15", "--workspace", filled).out
    assert said.startswith("The files tell nothing of these days, and nothing is due;")
    assert "The ledger was rebuilt on " in said
