"""The checks of a workspace, as far as they need what a real machine does not easily show."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pipeline.app.engine import open_engine
from pipeline.doctor.run_check import NAMED, run_check
from pipeline.drafts import Draft, ItemDraft
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.clocked import upcoming
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.errors import LedgerDamaged
from pipeline.job import Job, Period, Reads, Run, Schedule, Target
from pipeline.ledger.transcripts import WHOLE
from pipeline.process.context import ProcessContext
from schemas.checkup import CheckResult, Health
from schemas.settings import Settings, SourceSettings
from tests.support.check_results import results_of
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench


def named(engine: Engine, check: str, name: str = "") -> list[tuple[Health, str]]:
    """The findings of a check, of a name."""
    return [(one.health, one.message) for one in results_of(engine, check) if one.name == (name or check)]


MEMORY = SourceSettings(kind="memory", path="agents", name="memory")


def closed(bench: Workbench, *paths: str) -> Workbench:
    """The bench, whose only source holds files that could not be read at the last look."""
    opened = bench.reopen(settings=bench.settings.model_copy(update={"sources": (MEMORY,)}))
    for path in paths:
        opened.engine.ledger.unreadable.note("memory", path, "Permission denied")
    return opened


def test_files_that_cannot_be_read_are_a_warning(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """As the ledger knows them: how many since when, the first ones by name, and the command; a failure after a day."""
    (tmp_path / "memory.toml").write_text("")
    bench = closed(new_bench(), *(f"s-{number}.jsonl" for number in range(NAMED + 2)))
    checks = [check for check in results_of(bench.engine, "sources") if "cannot be read" in check.message]
    first, *others = checks
    expected = "7 files cannot be read since 2026-03-04 12:00, such as s-0.jsonl: Permission denied"
    assert ("source memory", Health.WARN, expected) == (first.name, first.health, first.message)
    assert first.advice.startswith(f"`chmod u+r {tmp_path}/agents/s-0.jsonl`")
    assert [f"s-{number}.jsonl cannot be read either: Permission denied" for number in range(1, NAMED)] == [
        check.message for check in others
    ]
    bench.clock.move(timedelta(days=1))
    later = [check.health for check in results_of(bench.engine, "sources") if "cannot be read" in check.message]
    bench.engine.ledger.store.close()
    assert [Health.FAIL] * NAMED == later


def test_a_source_that_cannot_be_listed_fails(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """At once, and of its sessions nothing is said."""
    (tmp_path / "memory.toml").write_text("")
    bench = closed(new_bench(), WHOLE, "s.jsonl")
    actual = named(bench.engine, "sources", "source memory")
    bench.engine.ledger.store.close()
    assert (Health.FAIL, "agents cannot be read since 2026-03-04 12:00: Permission denied") == actual[0]
    assert [(Health.FAIL, "s.jsonl cannot be read either: Permission denied")] == actual[1:]


def test_a_source_that_is_a_file_fails(tmp_path: Path) -> None:
    """A path that names a file is told as such."""
    (tmp_path / "memory.toml").write_text('[[sources]]\nkind = "openclaw"\npath = "memory.toml"\n')
    engine = open_engine(tmp_path, ProcessContext({}, FixedClock(datetime(2026, 3, 4, 11, tzinfo=UTC))))
    engine.catalog.refresh()
    actual = named(engine, "sources", "source openclaw")
    engine.ledger.store.close()
    assert [(Health.FAIL, "memory.toml cannot be read since 2026-03-04 11:00: Not a directory")] == actual


def test_settings_of_a_clock_that_a_job_does_not_have(tmp_path: Path) -> None:
    """They are named, with the job, and are no error: an earlier version may have used them."""
    (tmp_path / "memory.toml").write_text('[jobs.weekly_compound]\nschedule = "40 4 * * 1"\nmax_age = "P9D"\n')
    engine = open_engine(tmp_path, ProcessContext({}, FixedClock(datetime(2026, 3, 4, 11, tzinfo=UTC))))
    ((health, text),) = named(engine, "settings", "jobs.weekly_compound")
    engine.ledger.store.close()
    assert (Health.WARN, True) == (health, text.endswith("so this is not used: max_age, schedule"))


def test_a_rebuilt_ledger_is_reported(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """A warning until something has run, and with its day for ever: what was before is not known."""
    (tmp_path / "memory.toml").write_text("")
    bench = new_bench()
    talk(bench, 2)
    bench.run_due()
    bench.engine.ledger.store.close()
    (tmp_path / ".memory" / "state.db").unlink()
    bench = new_bench(source=bench.source)
    bench.engine.catalog.refresh()
    rebuild_if_lost(bench.engine)
    expected = "was lost and has been rebuilt from the files, as far as they tell, on 2026-03-04 12:00"
    assert [(Health.WARN, expected)] == named(bench.engine, "ledger")
    bench.clock.move(timedelta(days=1))
    bench.run_due()
    expected = "knows what was run since it was rebuilt from the files on 2026-03-04 12:00"
    assert [(Health.OK, expected)] == named(bench.engine, "ledger")


@pytest.mark.parametrize(
    ("clock", "end", "run_from"),
    [("11:59", "12:00", "12:02"), ("12:01", "12:00", "12:02"), ("12:02", "15:00", "15:02")],
)
def test_what_becomes_due_next(clock: str, end: str, run_from: str, new_bench: Callable[..., Workbench]) -> None:
    """The window under way; one that has ended is still the next until it has settled."""
    hour, minute = map(int, clock.split(":"))
    now = FixedClock(datetime(2026, 3, 4, hour, minute, tzinfo=ZoneInfo("Europe/Warsaw")))
    engine = new_bench(clock=now).engine
    job = replace(engine.jobs[0], schedule=Schedule("0 */3 * * *"))
    coming = upcoming(engine, job)
    assert coming is not None
    moments = [moment.astimezone(ZoneInfo("Europe/Warsaw")) for moment in (coming.window.end, coming.run_from)]
    assert [f"{moment:%H:%M}" for moment in moments] == [end, run_from]


def test_nothing_becomes_due_without_a_start(new_bench: Callable[..., Workbench]) -> None:
    """Before `start` is its window what comes next; without it, nothing is."""
    engine = new_bench(settings=Settings()).engine
    assert upcoming(engine, engine.jobs[0]) is None
    later = new_bench(settings=Settings(start=datetime(2027, 1, 1, tzinfo=UTC))).engine
    coming = upcoming(later, later.jobs[0])
    assert coming is not None
    assert coming.window.start == datetime(2027, 1, 1, tzinfo=UTC)


def talk(bench: Workbench, *days: int) -> None:
    """A session on each of these days before today."""
    for day in days:
        said = bench.clock.now() - timedelta(days=day)
        bench.say(conversation(f"s-{day}", said, [("owner", f"note: {day}")]))
    bench.engine.catalog.refresh()


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ((14, 13, 12, 11, 10), "no message since 2026-02-22, 10 days; its longest pause before was 1"),
        ((20, 16, 12, 11, 10), "no message since 2026-02-22, 10 days; its longest pause before was 4"),
        ((20, 14, 12, 11, 10), ""),  # once there were six days without a word
        ((6, 5, 4, 3, 2), ""),
        ((10,), ""),  # nobody knows what is usual
    ],
)
def test_a_source_gone_quiet(
    days: tuple[int, ...], expected: str, tmp_path: Path, new_bench: Callable[..., Workbench]
) -> None:
    """Much longer than it ever was silent; its agent may write elsewhere now."""
    (tmp_path / "memory.toml").write_text("")
    bench = new_bench()
    talk(bench, *days)
    actual = named(bench.engine, "sources", "source memory")
    assert ([(Health.WARN, expected)] if expected else []) == actual


def page(run: Run) -> list[Draft]:
    """A page that counts sessions."""
    return [ItemDraft("sessions", f"- {len(run.inputs.transcripts)} sessions")]


@pytest.mark.parametrize(
    ("family", "path", "advice"),
    [
        ("memory/archive/{day}.md", "memory/archive/2026-03-02.md", "`memory undo 2026-03-02` and the command that it"),
        ("SUM.md", "SUM.md", "`memory backfill page --from 2026-03-03 --to 2026-03-03` makes it anew"),
    ],
)
def test_pages_that_are_gone(
    family: str, path: str, advice: str, tmp_path: Path, new_bench: Callable[..., Workbench]
) -> None:
    """Their time counts as done, so the command that makes them anew is told."""
    (tmp_path / "memory.toml").write_text("")
    daily = Schedule("20 3 * * *", period=Period.DAY)
    bench = new_bench(jobs=(Job("page", "counts", daily, Reads(transcripts=True), Target(family), page),))
    talk(bench, 2, 1)
    bench.run_due()
    assert [] == results_of(bench.engine, "pages")
    (tmp_path / path).unlink()
    (check,) = results_of(bench.engine, "pages")
    assert (Health.WARN, f"{path} is gone, though page wrote it") == (check.health, check.message)
    assert advice in check.advice


def test_a_look_that_fails_says_so_and_ends_nothing() -> None:
    """What it had found is told as well; a bug is no finding."""

    def look(error: Exception) -> Iterator[CheckResult]:
        yield CheckResult("x", Health.OK, "so far")
        raise error

    refused = PermissionError(13, "Permission denied")
    actual = [(check.health, check.message) for check in run_check("x", lambda: look(refused))]
    assert [(Health.OK, "so far"), (Health.WARN, "cannot be looked at: [Errno 13] Permission denied")] == actual
    assert Health.FAIL is [*run_check("x", lambda: look(LedgerDamaged("state.db", "torn")))][-1].health
    with pytest.raises(KeyError):
        list(run_check("x", lambda: look(KeyError("a bug"))))
