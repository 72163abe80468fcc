"""Records without an id of their own: they are told apart, and what an earlier version did with them stays true."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs import daily_wrapup, micro_sync
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.entries.provenance import earlier_ids
from pipeline.reports.entries import explain, list_entries
from schemas.settings import Settings
from schemas.transcript import Session
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
SAID = {
    "boat": "Remember that the boat key hangs with Anna.",
    "kayak": "Zapamiętaj: klucz do kajaka wisi u Dawida.",
    "sauna": "记住，桑拿房的钥匙在小安那里。",
}


def session(root: Path, session_id: str, text: str, hour: int = 9) -> Session:
    """A session as agents wrote it before records had ids; what the owner says stands on the second line of each."""
    stamp = f"2026-03-02T{hour:02}:00:00.000Z"
    lines = OpenClawLines(session_id, version=1, timestamp=stamp)
    for role, said in (("user", text), ("assistant", "Noted.")):
        content = [{"type": "text", "text": said}]
        lines.add({"id": None, "timestamp": stamp, "type": "message", "message": {"role": role, "content": content}})
    return lines.read(root / session_id, path=f"{session_id}.jsonl")


def as_before(given: Session) -> Session:
    """The session with the ids that earlier versions gave: the number of the line alone."""
    messages = [message.model_copy(update={"entry_ids": earlier_ids(message)}) for message in given.messages]
    return given.model_copy(update={"messages": tuple(messages)})


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A workspace in the evening of the day, with the jobs that read transcripts."""
    start = datetime(2026, 3, 1, 23, tzinfo=UTC)
    evening = FixedClock(datetime(2026, 3, 3, 6, tzinfo=UTC))
    settings = Settings(timezone="Europe/Warsaw", start=start)
    return new_bench(jobs=(micro_sync.JOB, daily_wrapup.JOB), clock=evening, settings=settings)


def written(bench: Workbench) -> list[str]:
    """The sessions whose words stand in the files, in their order."""
    return [place.entry.source.session_id for place in list_entries(bench.engine)]


def ran_again(bench: Workbench) -> dict[str, int]:
    """What a back-fill of the day skips once its runs of entries were undone."""
    for record in bench.engine.ledger.runs.latest():
        if record.job == "micro_sync" and record.undone is None and bench.engine.ledger.changes.of_run(record.run_id):
            undo(bench.engine, record.run_id)
    day = datetime(2026, 3, 2, tzinfo=UTC).date()
    outcomes = [outcome for outcome in bench.backfill(day, day) if outcome.skipped]
    return {name: number for outcome in outcomes for name, number in outcome.skipped.items()}


def test_no_two_sessions_share_an_id(tmp_path: Path) -> None:
    """Other words on the same line at the same moment have another id; a copy of the file has the same ones."""
    made = [session(tmp_path, name, text) for name, text in SAID.items()]
    copied = session(tmp_path, "copy", SAID["boat"])

    assert len(SAID) == len({talk.messages[0].entry_ids for talk in made})
    assert made[0].messages[0].entry_ids == copied.messages[0].entry_ids


@pytest.mark.parametrize("upgraded", [False, True])
def test_to_forget_one_bans_no_other(bench: Workbench, tmp_path: Path, *, upgraded: bool) -> None:
    """Not the same line of another session, also when an earlier version noted what was forgotten."""
    boat = session(tmp_path, "boat", SAID["boat"])
    bench.say(as_before(boat) if upgraded else boat)
    bench.run_due()
    [known] = list_entries(bench.engine)
    forget(bench.engine, known.entry.id)

    bench.say(boat, *(session(tmp_path, name, SAID[name], hour=10) for name in ("kayak", "sauna")))
    bench.run_due()

    assert ["kayak", "sauna"] == written(bench)
    assert {"forgotten": 1} == ran_again(bench)


def test_what_was_forgotten_stays_so_in_a_copy(bench: Workbench, tmp_path: Path) -> None:
    """A resumed session that repeats the records of another brings nothing back."""
    bench.say(session(tmp_path, "boat", SAID["boat"]))
    bench.run_due()
    [known] = list_entries(bench.engine)
    forget(bench.engine, known.entry.id)

    bench.say(session(tmp_path, "resumed", SAID["boat"]))
    bench.run_due()

    assert [] == written(bench)


def test_an_upgrade_runs_nothing_again_and_doubles_nothing(bench: Workbench, tmp_path: Path) -> None:
    """What an earlier version wrote is known, verifies, and is explained by its words."""
    made = [session(tmp_path, name, text) for name, text in SAID.items()]
    bench.say(*map(as_before, made))
    bench.run_due()
    before = bench.pages()

    bench.say(*made, session(tmp_path, "copy", SAID["boat"]))
    [again, _] = bench.run_due()

    assert {"known": 3, "repeated": 1} == again.skipped
    assert before["memory/2026-03-02.md"] == bench.pages()["memory/2026-03-02.md"]
    for place in list_entries(bench.engine):
        story = explain(bench.engine, place.entry.id)
        assert ("line2",) == place.entry.source.entry_ids
        assert (True, True) == (place.is_verified, story.quote_stands)
        assert story.words is not None
        assert place.entry.quote in story.words[0].text


def test_an_upgrade_makes_nothing_stale(bench: Workbench, tmp_path: Path) -> None:
    """The messages that a run saw are those that stand there now."""
    boat = session(tmp_path, "boat", SAID["boat"])
    bench.say(as_before(boat))
    bench.run_due()

    bench.say(boat)

    assert [] == bench.run_due()


def test_a_lost_ledger_knows_what_an_earlier_version_wrote(
    new_bench: NewBench, bench: Workbench, tmp_path: Path
) -> None:
    """Entries are found again in the files by their session and words, and are not written twice."""
    boat = session(tmp_path, "boat", SAID["boat"])
    bench.say(as_before(boat))
    bench.run_due()
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()

    after = new_bench(jobs=bench.jobs, clock=bench.clock, settings=bench.settings, source=bench.source)
    after.say(boat)
    day = datetime(2026, 3, 2, tzinfo=UTC).date()
    after.run_due()
    after.backfill(day, day)

    assert ["boat"] == written(after)
    assert list_entries(after.engine)[0].is_verified
