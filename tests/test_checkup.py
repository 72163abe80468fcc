"""The checks of a workspace, as far as they need what a real machine does not easily show."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pipeline.catalog import Refreshed
from pipeline.checkup import NAMED, Check, Health, checkup, made
from pipeline.errors import LedgerDamaged
from pipeline.job import Draft, ItemDraft, Job, Period, Reads, Run, Schedule, Target
from pipeline.overview import upcoming
from pipeline.testing.clock import FixedClock
from pipeline.testing.memory_source import conversation
from pipeline.testing.workbench import Workbench
from schemas.settings import ModelSettings, Settings, SourceSettings

UNREADABLE = tuple(f"Cannot read s-{number}.jsonl: Permission denied." for number in range(NAMED + 2))


def named(checks: list[Check], name: str) -> list[tuple[Health, str]]:
    """What the checks of a name found."""
    return [(check.health, check.told) for check in checks if check.name == name]


def test_files_that_cannot_be_read_fail(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """The first ones are named, the rest are counted."""
    (tmp_path / "memory.toml").write_text("")
    found = list(checkup(new_bench().engine, Refreshed(0, 0, UNREADABLE), {}))
    told = named(found, "transcripts")
    assert told[0] == (Health.FAIL, "Cannot read s-0.jsonl: Permission denied")
    assert told[-1] == (Health.FAIL, "2 more files cannot be read")
    assert len(told) == NAMED + 1


def test_a_source_that_is_a_file_fails(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """A path that names a file is told as such."""
    (tmp_path / "memory.toml").write_text("")
    settings = Settings(sources=(SourceSettings(kind="openclaw", path="memory.toml"),))
    found = list(checkup(new_bench(settings=settings).engine, Refreshed(0, 0, ()), {}))
    assert named(found, "source openclaw") == [(Health.FAIL, "memory.toml is not a folder")]


def test_the_model_is_told_with_its_host(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """Who is asked can be seen, without a password that stands in the address."""
    (tmp_path / "memory.toml").write_text("")
    model = ModelSettings(base_url="http://me:hush@localhost:11434/v1", name="qwen")
    found = list(checkup(new_bench(settings=Settings(model=model)).engine, Refreshed(0, 0, ()), {}))
    assert named(found, "model") == [(Health.OK, "qwen at localhost:11434")]


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
    found = upcoming(engine, job)
    assert found is not None
    told = [moment.astimezone(ZoneInfo("Europe/Warsaw")) for moment in (found.window.end, found.run_from)]
    assert [f"{moment:%H:%M}" for moment in told] == [end, run_from]


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
    ("days", "told"),
    [
        ((14, 13, 12, 11, 10), "no message since 2026-02-22, 10 days; its longest pause before was 1"),
        ((20, 16, 12, 11, 10), "no message since 2026-02-22, 10 days; its longest pause before was 4"),
        ((20, 14, 12, 11, 10), ""),  # once there were six days without a word
        ((6, 5, 4, 3, 2), ""),
        ((10,), ""),  # nobody knows what is usual
    ],
)
def test_a_source_gone_quiet(
    days: tuple[int, ...], told: str, tmp_path: Path, new_bench: Callable[..., Workbench]
) -> None:
    """Much longer than it ever was silent; its agent may write elsewhere now."""
    (tmp_path / "memory.toml").write_text("")
    bench = new_bench()
    talk(bench, *days)
    found = list(checkup(bench.engine, Refreshed(0, 0, ()), {}))
    assert ([(Health.WARN, told)] if told else []) == named(found, "source memory")


def page(run: Run) -> list[Draft]:
    """A page that counts sessions."""
    return [ItemDraft("sessions", f"- {len(run.transcripts)} sessions")]


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
    assert [] == named(list(checkup(bench.engine, Refreshed(0, 0, ()), {})), "pages")
    (tmp_path / path).unlink()
    (found,) = [each for each in checkup(bench.engine, Refreshed(0, 0, ()), {}) if each.name == "pages"]
    assert (Health.WARN, f"{path} is gone, though page wrote it") == (found.health, found.told)
    assert advice in found.advice


def test_a_look_that_fails_says_so_and_ends_nothing() -> None:
    """What it had found is told as well; a bug is no finding."""

    def look(error: Exception) -> Iterator[Check]:
        yield Check("x", Health.OK, "so far")
        raise error

    refused = PermissionError(13, "Permission denied")
    told = [(each.health, each.told) for each in made("x", lambda: look(refused))]
    assert [(Health.OK, "so far"), (Health.WARN, "cannot be looked at: [Errno 13] Permission denied")] == told
    assert Health.FAIL is [*made("x", lambda: look(LedgerDamaged("state.db", "torn")))][-1].health
    with pytest.raises(KeyError):
        list(made("x", lambda: look(KeyError("a bug"))))
