"""Articles follow the entries and facts of a workspace, and leave what people write on them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.scheduling.registry import discover, jobs_named
from schemas.outcome import Outcome
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

ARTICLE = "second-brain/articles/grafana.md"
FIRST = datetime(2026, 2, 2, 9, tzinfo=UTC)
LAST = FIRST + timedelta(days=20)
SAID = (
    "New rule: nothing gets deployed to Grafana on a Friday.",
    "From now on Grafana shows 30 days of data, older goes to the archive.",
    "Remember that the Grafana admin login is in the safe.",
    "From now on Grafana shows 90 days of data, not 30 any more.",
)

NewBench = Callable[..., Workbench]


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Four things were said about one on four days."""
    return talked(new_bench)


def talked(new_bench: NewBench, **fields: object) -> Workbench:
    """A bench after a back-fill of what was said."""
    bench = empty(new_bench, **fields)
    for day, text in enumerate(SAID):
        say(bench, day, text)
    backfilled(bench)
    return bench


def empty(new_bench: NewBench, **fields: object) -> Workbench:
    """A bench with the jobs of entries and articles."""
    jobs = tuple(jobs_named(["micro_sync", "articles"], discover()))
    return new_bench(jobs=jobs, clock=FixedClock(LAST), settings=Settings(timezone="Europe/Warsaw"), **fields)


def say(bench: Workbench, day: int, text: str) -> None:
    """The owner says it on the n-th day."""
    turns = [("owner", text), ("assistant", "Noted.")]
    bench.say(conversation(f"s-{day}", FIRST + timedelta(days=day), turns))


def backfilled(bench: Workbench, first: int = 0) -> list[Outcome]:
    """What a back-fill of all days, or of those from the n-th on, did."""
    return bench.backfill((FIRST + timedelta(days=first)).date(), (LAST - timedelta(days=1)).date())


def article(bench: Workbench) -> str:
    """The text of the article; empty without one."""
    return bench.pages().get(ARTICLE, b"").decode()


def test_an_article_is_made_of_what_the_jobs_wrote(bench: Workbench) -> None:
    """Without a fact in the workspace; and there is nothing to do until something changes."""
    now, _, then = article(bench).partition("## How it came about")
    assert ("90 days" in now, "30 days" in then) == (True, True)
    assert [ARTICLE] == [path for path in bench.pages() if path.startswith("second-brain/")]
    assert [] == bench.run_due()


def test_what_is_new_leaves_the_other_lines_and_those_of_people(bench: Workbench) -> None:
    """Byte for byte; a line that a person changed is theirs."""
    file = bench.root / ARTICLE
    mine = file.read_bytes().replace(b"the Grafana admin login", b"the admin login (mine)") + b"\r\nMy own note.\r\n"
    file.write_bytes(mine)
    say(bench, 9, "Remember that the Grafana licence ends in May.")
    backfilled(bench, first=9)
    after = file.read_bytes().splitlines()
    assert b"licence ends in May" in file.read_bytes()
    assert mine.splitlines() == [line for line in after if line in mine.splitlines()]


def test_undo_of_an_entry_renders_without_it(new_bench: NewBench) -> None:
    """With three entries there is no article; a back-fill brings the same bytes back."""
    bench = talked(new_bench)
    before = bench.pages()
    say(bench, 9, "Remember that the Grafana licence ends in May.")
    [run_id] = [one.run_id for one in backfilled(bench, first=9) if "memory/2026-02-11.md" in one.paths]
    assert before[ARTICLE] != bench.pages()[ARTICLE]
    undo(bench.engine, run_id)
    bench.run_due()
    assert before == bench.pages()


def test_forget_takes_it_out_of_the_article(bench: Workbench) -> None:
    """Its words, its id and its source."""
    say(bench, 9, "Remember that the Grafana licence ends in May.")
    backfilled(bench, first=9)
    [entry_id] = [word for word in article(bench).replace("[", "]").split("]") if word.startswith("REMEMBER-20260211")]
    forget(bench.engine, entry_id)
    bench.run_due()
    assert not any(word in article(bench) for word in ("licence", entry_id, "session s-9"))
    assert "90 days" in article(bench)


def test_when_its_entries_are_away_nothing_is_changed(bench: Workbench) -> None:
    """A folder that is not mounted is no wish; it is told, and all is as before when the files are back."""
    before = article(bench)
    away = {path: data for path, data in bench.pages().items() if path.startswith("memory/2026")}
    for path in away:
        (bench.root / path).unlink()
    say(bench, 9, "Remember that the Grafana licence ends in May.")
    outcomes = backfilled(bench, first=9)
    assert before == article(bench)
    assert any("memory/2026-02-02.md" in outcome.warning for outcome in outcomes)
    for path, data in away.items():
        (bench.root / path).write_bytes(data)
    bench.run_due()
    assert "licence ends in May" in article(bench)


def test_a_page_that_is_gone_is_rendered_again(bench: Workbench) -> None:
    """As any page that is made of others."""
    before = article(bench)
    (bench.root / ARTICLE).unlink()
    bench.run_due()
    assert before == article(bench)


def test_day_by_day_makes_the_same_bytes(new_bench: NewBench, tmp_path: Path) -> None:
    """As all at once."""
    at_once, daily = tmp_path / "one", tmp_path / "other"
    at_once.mkdir()
    daily.mkdir()
    expected = article(talked(new_bench, root=at_once))
    bench = empty(new_bench, root=daily)
    for day, text in enumerate(SAID):
        say(bench, day, text)
        bench.backfill(*(2 * [(FIRST + timedelta(days=day)).date()]))
    assert expected == article(bench)
