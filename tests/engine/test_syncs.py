"""A run waits for the disk only for what must outlast a power cut."""

from collections.abc import Callable
from datetime import UTC, datetime

from tests.support.ports.memory_source import conversation
from tests.support.syncs import count_syncs
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def test_an_entry_waits_for_the_disk_twice_at_most(new_bench: NewBench) -> None:
    """The first of a day for its file and the folder, a later one for the file alone; nothing new, for nothing."""
    bench = new_bench()
    bench.say(conversation("s1", MORNING, [("owner", "note: one")]))
    assert 2 == count_syncs(bench.run_due)
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: two")]))
    assert 1 == count_syncs(bench.run_due)
    assert 0 == count_syncs(bench.run_due)
