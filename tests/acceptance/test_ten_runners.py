"""Ten processes on one workspace at once."""

from datetime import UTC, datetime

from pipeline.workspace.locks import Locks
from tests.support.processes.command_line import end_of
from tests.support.processes.commands import unlike
from tests.support.workspaces.four_days import House


def test_ten_runners_at_once(house: House, undisturbed: dict[str, bytes]) -> None:
    """Whoever works, all is done once; the others say that somebody is at work, or find nothing left."""
    commands = [("run", "--json"), (*house.backfill, "--json")] * 5
    processes = [house.memory.start(*words) for words in commands]
    ended = [end_of(process) for process in processes]
    codes = {each.code for each in ended}
    assert (codes <= {0, 75}, 0 in codes) == (True, True), [each.told for each in ended]
    assert unlike(undisturbed, house.memory.pages()) == []
    assert house.memory.torn() == []
    ids = [entry["id"] for entry in house.memory.entries()]
    assert len(ids) == len(set(ids))
    assert sum(line["event"] == "run.ended" and bool(line["written"]) for each in ended for line in each.log) > 0


def test_the_held_lock_is_told(house: House) -> None:
    """Exit code 75 comes with a sentence that names the job and its holder; what was left is done by the next run."""
    locks = Locks(house.memory.root / "memory" / ".locks")
    with locks.hold(["micro_sync"], "another-run", datetime.now(UTC)):
        ended = house.memory.memory("run")
    assert ended.code == 75
    assert "micro_sync is at work elsewhere" in ended.told
    assert "another-run" in ended.told
    assert house.memory.memory("run").code == 0
