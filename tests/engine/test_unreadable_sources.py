"""Transcripts that cannot be read: the ledger remembers them from one look to the next, until they can be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.errors import Interrupted, ReadFailed
from pipeline.ledger.transcripts import WHOLE
from pipeline.reports.entries import list_entries
from pipeline.reports.sources import source_reports
from schemas.reports.source_records import SourceUnreadable
from schemas.settings import Settings, SourceSettings
from schemas.transcript import Session, TranscriptFile
from tests.engine.test_open_pieces import NOON, START, TALK, titles
from tests.support.builders.cadence_jobs import EPISODE
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
FOLDER, NO_RIGHT = "/agents", "Permission denied"


@dataclass
class Closable(MemorySource):
    """A source whose files and whose folder can be closed."""

    closed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def files(self) -> Iterator[TranscriptFile]:
        """The files, unless the folder is closed."""
        if WHOLE in self.closed:
            raise ReadFailed(FOLDER, NO_RIGHT)
        return super().files()

    def read(self, path: str) -> Sequence[Session]:
        """A file that is not closed."""
        if {path, WHOLE} & self.closed:
            raise ReadFailed(path, NO_RIGHT)
        return super().read(path)


@pytest.fixture
def source() -> Closable:
    """All is open."""
    return Closable()


@pytest.fixture
def bench(new_bench: NewBench, source: Closable) -> Workbench:
    """A bench whose settings name the source."""
    made = new_bench(source=source)
    named = SourceSettings(kind="memory", path="agents", name="memory")
    made.engine.ledger.store.close()
    return new_bench(source=source, settings=made.settings.model_copy(update={"sources": (named,)}))


def say(bench: Workbench, *names: str) -> None:
    """A session of each name, with a note."""
    for name in names:
        bench.say(conversation(name, MORNING, [("owner", f"note: {name}")]))


def unreadable(bench: Workbench) -> dict[str, tuple[str, datetime]]:
    """What a look finds: why and since when, by path."""
    bench.engine.catalog.refresh()
    return {path: (item.reason, item.since) for path, item in bench.engine.ledger.unreadable.of("memory").items()}


def trouble(bench: Workbench) -> SourceUnreadable | None:
    """What is told of the source."""
    [report] = source_reports(bench.engine)
    return report.unreadable


def test_a_file_is_remembered_until_it_can_be_read(bench: Workbench, source: Closable) -> None:
    """Since it was first met, however often it is met; then its time is run again, and nothing is lost."""
    say(bench, "s1", "s2")
    source.closed = {"s1.jsonl"}
    noon = bench.clock.now()
    assert {"s1.jsonl": (NO_RIGHT, noon)} == unreadable(bench)
    bench.run_due()
    bench.clock.move(timedelta(hours=5))
    assert {"s1.jsonl": (NO_RIGHT, noon)} == unreadable(bench)
    assert SourceUnreadable(whole=False, files=1, since=noon, path="s1.jsonl", reason=NO_RIGHT) == trouble(bench)
    assert ["s2"] == [place.entry.title for place in list_entries(bench.engine)]
    source.closed = set()
    assert ({}, None) == (unreadable(bench), trouble(bench))
    bench.run_due()
    assert ["s1", "s2"] == sorted(place.entry.title for place in list_entries(bench.engine))


def test_a_file_that_is_gone_is_no_trouble(bench: Workbench, source: Closable) -> None:
    """An agent deleted it, or renamed it while we looked."""
    say(bench, "s1")
    source.closed = {"s1.jsonl"}
    assert ["s1.jsonl"] == list(unreadable(bench))
    source.remove("s1.jsonl")
    assert {} == unreadable(bench)


def test_a_folder_that_is_closed_says_nothing_of_its_files(bench: Workbench, source: Closable) -> None:
    """Those that could not be read before keep their beginning; with the folder open again, each is looked at."""
    say(bench, "s1", "s2")
    source.closed = {"s1.jsonl"}
    noon = bench.clock.now()
    unreadable(bench)
    bench.clock.move(timedelta(hours=1))
    source.closed = {WHOLE}
    later = bench.clock.now()
    assert {"s1.jsonl": (NO_RIGHT, noon), WHOLE: (NO_RIGHT, later)} == unreadable(bench)
    assert SourceUnreadable(whole=True, files=1, since=later, path=WHOLE, reason=NO_RIGHT) == trouble(bench)
    source.closed = {"s1.jsonl"}
    assert {"s1.jsonl": (NO_RIGHT, noon)} == unreadable(bench)


def test_what_can_be_read_again_is_no_trouble_though_nothing_changed(bench: Workbench) -> None:
    """Another process noted the trouble just after we had read the file: the next look reads it, and clears it."""
    say(bench, "s1")
    bench.engine.catalog.refresh()
    bench.engine.ledger.unreadable.note("memory", "s1.jsonl", NO_RIGHT)
    assert {} == unreadable(bench)


def test_a_look_that_is_stopped_forgets_nothing(bench: Workbench, source: Closable) -> None:
    """What it met is noted, and what it did not come to stays noted."""
    say(bench, "s1", "s2", "s3")
    source.closed = {"s1.jsonl", "s3.jsonl"}
    assert source.closed == unreadable(bench).keys()
    say(bench, "s0")
    source.closed.add("s0.jsonl")
    stops = iter((False, True))

    def between() -> None:
        if next(stops):
            raise Interrupted(15)

    with pytest.raises(Interrupted):
        bench.engine.catalog.refresh(between)
    assert source.closed == bench.engine.ledger.unreadable.of("memory").keys()


def test_a_source_that_the_settings_name_no_more_is_forgotten(bench: Workbench) -> None:
    """Nobody could mend it."""
    bench.engine.ledger.unreadable.note("old", WHOLE, "No such file or directory")
    bench.engine.catalog.refresh()
    assert [] == bench.engine.ledger.unreadable.sources()


def test_a_file_that_was_read_before_is_reported_when_a_run_cannot_read_it(bench: Workbench, source: Closable) -> None:
    """Its folder tells nothing new of it, so that no look notices; the run does, and from then on every look."""
    say(bench, "s1")
    assert {} == unreadable(bench)
    source.closed = {"s1.jsonl"}
    assert "unreadable" in endings(bench.run_due())
    assert trouble(bench) is not None
    assert ["s1.jsonl"] == list(unreadable(bench))
    source.closed = set()
    assert ({}, None) == (unreadable(bench), trouble(bench))


def test_the_days_after_one_that_cannot_be_read_are_run(bench: Workbench, source: Closable) -> None:
    """However many there are that cannot: what a later day needs is another file."""
    days = [f"s{number}" for number in range(6)]
    for number, name in enumerate(days):
        bench.say(conversation(name, MORNING + timedelta(days=number), [("owner", f"note: {name}")]))
    bench.engine.catalog.refresh()
    source.closed = {f"{name}.jsonl" for name in days[:5]}
    bench.clock.move(timedelta(days=7))
    assert 5 == endings(bench.run_due()).count("unreadable")
    assert ["s5"] == [place.entry.title for place in list_entries(bench.engine)]


def test_a_talk_that_ends_while_its_folder_is_closed_is_read_later(new_bench: NewBench, source: Closable) -> None:
    """Its files have not changed when they are there again, and its window was run before it was over."""
    settings = Settings(timezone="UTC", start=START)
    bench = new_bench(source=source, jobs=(JOB,), clock=FixedClock(NOON), settings=settings)
    bench.say(TALK)
    bench.run_due()
    source.closed = {WHOLE}
    bench.clock.move(timedelta(hours=1))
    bench = bench.reopen()
    bench.run_due()
    source.closed = set()
    bench.run_due()
    assert ["one", "two"] == titles(bench)


def test_an_episode_is_made_when_its_folder_is_back(new_bench: NewBench, source: Closable) -> None:
    """It was over before its session could be read."""
    settings = Settings(timezone="UTC", start=START)
    bench = new_bench(source=source, jobs=(EPISODE,), settings=settings)
    bench.say(conversation("s1", MORNING, [("owner", "one")]))
    bench.engine.catalog.refresh()
    source.closed = {WHOLE}
    bench = bench.reopen()
    bench.run_due()
    source.closed = set()
    assert ["done"] == endings(bench.run_due())
