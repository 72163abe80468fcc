"""Ten processes on one workspace at once."""

from datetime import UTC, datetime

from pipeline.workspace.locks import Locks
from tests.support.processes.command_line import end_of
from tests.support.processes.commands import unlike
from tests.support.workspaces.four_days import FourDays


def test_ten_runners_at_once(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """Whoever works, all is done once; the others say that somebody is at work, or find nothing left."""
    commands = [("run", "--json"), (*four_days.backfill, "--json")] * 5
    processes = [four_days.memory.start(*words) for words in commands]
    ended = [end_of(process) for process in processes]
    codes = {said.code for said in ended}
    assert (codes <= {0, 75}, 0 in codes) == (True, True), [said.shown for said in ended]
    assert unlike(undisturbed, four_days.memory.pages()) == []
    assert four_days.memory.torn() == []
    ids = [entry["id"] for entry in four_days.memory.entries()]
    assert len(ids) == len(set(ids))
    assert sum(line["event"] == "run.ended" and bool(line["written"]) for said in ended for line in said.log) > 0


def test_the_held_lock_is_reported(four_days: FourDays) -> None:
    """Exit code 75 comes with a sentence that names the job and its holder; what was left is done by the next run."""
    locks = Locks(four_days.memory.root / "memory" / ".locks")
    with locks.hold(["micro_sync"], "another-run", datetime.now(UTC)):
        ended = four_days.memory.memory("run")
    assert ended.code == 75
    assert "micro_sync is at work elsewhere" in ended.shown
    assert "another-run" in ended.shown
    assert four_days.memory.memory("run").code == 0
