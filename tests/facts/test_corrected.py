"""A fact that rests on the words of an entry says what the entry's correction says, on the pages of the bank too."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from jobs import micro_sync, reflect, retain
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.undo import undo
from pipeline.reports.entries import list_entries
from pipeline.testing.memory_source import conversation
from schemas.entry import Status
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
SAID = "Remember that Peter lives in Warsaw."
NEW = "Peter lives in Gdynia."


def test_the_bank_shows_the_words_of_the_correction(new_bench: Callable[..., Workbench]) -> None:
    """In the same command, and the old ones again after the undo."""
    bench = new_bench(jobs=(micro_sync.JOB, retain.JOB, reflect.JOB))
    bench.say(conversation("s1", AT, [("owner", SAID), ("assistant", "Noted.")]))
    bench.clock.move(timedelta(days=2))
    bench.run_due()
    pages = {path: data for path, data in bench.pages().items() if path.startswith("bank/")}
    assert any(b"Warsaw" in data for data in pages.values()), bench.pages().keys()
    [entry] = [one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE]
    run_id = correct(bench.engine, correction(bench.engine, entry.id, NEW))[0].run_id
    text = b"".join(data for path, data in bench.pages().items() if path.startswith("bank/"))
    assert (True, False) == (NEW.encode() in text, b"Warsaw" in text)

    undo(bench.engine, run_id)
    assert pages == {path: data for path, data in bench.pages().items() if path.startswith("bank/")}
