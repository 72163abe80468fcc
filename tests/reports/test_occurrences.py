"""Where an entry has left its traces, and what the plans said of it over the weeks."""

from collections.abc import Callable
from datetime import UTC, datetime

from pipeline.corrections.forget import forget
from pipeline.markdown.blocks import seal_item
from pipeline.reports.entries import explain, list_entries
from pipeline.reports.occurrences import OccurrenceKind, passages
from pipeline.scheduling.registry import discover
from schemas.reports.entries import EntryHistory, VerdictReport
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
OLD = "From now on, always share one Redis queue between the workers."
NEW = "Instead of sharing one Redis queue between the workers, from now on always give every worker a queue of its own."
FRIDAY = "From now on, never deploy to production on a Friday afternoon."
FIRST, SECOND, THIRD = (f"memory/archive/weekly-2026-W{week}.md" for week in (10, 11, 12))


def weeks(new_bench: NewBench, *said: tuple[int, str]) -> Workbench:
    """Everything run up to a Tuesday, 24 March; the owner said these things on these days of March."""
    clock, settings = FixedClock(datetime(2026, 3, 24, 11, tzinfo=UTC)), Settings(timezone="Europe/Warsaw", start=START)
    bench = new_bench(jobs=discover(), clock=clock, settings=settings)
    for day, text in said:
        bench.say(conversation(f"s-{day}", datetime(2026, 3, day, 9, tzinfo=UTC), [("owner", text)]))
    bench.run_due()
    return bench


def rule(bench: Workbench, path: str, *verdicts: str) -> None:
    """Put a plan that says this in place of the one there is."""
    items = [seal_item(f"v-{number}", verdict) for number, verdict in enumerate(verdicts)]
    (bench.root / path).parent.mkdir(parents=True, exist_ok=True)
    (bench.root / path).write_text("# Plan\n\n" + "".join(items), encoding="utf-8")


def test_every_plan_that_judged_it_is_reported_with_its_week(new_bench: NewBench) -> None:
    """In the order of the weeks; a line that a person edited or wrote counts as well, as it does for the jobs."""
    bench = weeks(new_bench, (2, OLD))
    entry_id = list_entries(bench.engine)[0].entry.id
    other = f"{entry_id}-2"
    rule(
        bench,
        THIRD,
        f"- **demoted** [{entry_id}](../2026-03-02.md): x\n  score 0.30\n  because it is old\n  - quote: q",
    )
    rule(bench, FIRST, f"- **promoted** [{other}]: y\n  into [{entry_id}]", f"- **promoted** [{entry_id}](a.md): x")
    rule(bench, SECOND, f"- **merged** [{other}]: y\n  into [{entry_id}]")
    with (bench.root / SECOND).open("a", encoding="utf-8") as page:
        page.write(f"- **kept** [{entry_id}]: by me\n  because I say so\n")
    first = (bench.root / FIRST).read_text("utf-8").replace(f"**promoted** [{entry_id}]", f"**kept** [{entry_id}]")
    (bench.root / FIRST).write_text(first, encoding="utf-8")
    assert [
        VerdictReport("2026-W10", "kept", "", FIRST, 5),
        VerdictReport("2026-W11", "kept", "because I say so", SECOND, 5),
        VerdictReport("2026-W12", "demoted", "score 0.30; because it is old", THIRD, 3),
    ] == list(explain(bench.engine, entry_id).verdicts)


def test_what_names_it_is_distinguished(new_bench: NewBench) -> None:
    """Items about it, items about another that name it, and of entries only itself."""
    bench = weeks(new_bench, (2, FRIDAY), (4, FRIDAY))
    first, again = (place.entry.id for place in list_entries(bench.engine))
    rule(bench, FIRST, f"- **promoted** [{first}]: x", f"- **merged** [{again}]: x\n  into [{first}], because")
    story = explain(bench.engine, first)
    assert isinstance(story, EntryHistory)
    assert (again,) == story.reinforced_by
    result = {(occurrence.path, occurrence.line): occurrence.what for occurrence in story.places}
    assert {(FIRST, 3): OccurrenceKind.ITEM, (FIRST, 4): OccurrenceKind.MENTION} == {
        place: what for place, what in result.items() if place[0] == FIRST
    }
    assert [("memory/2026-03-02.md", 3)] == [place for place, what in result.items() if what == OccurrenceKind.ENTRY]
    assert "memory/2026-03-04.md" not in {occurrence.path for occurrence in story.places}
    for occurrence in story.places:
        assert bench.pages()[occurrence.path].decode().split("\n")[occurrence.line - 1].startswith(occurrence.text)


def test_copies_in_the_archive_are_places(new_bench: NewBench) -> None:
    """What a person moved there stays when the entry is forgotten, and is named."""
    bench = weeks(new_bench, (2, OLD))
    entry_id = list_entries(bench.engine)[0].entry.id
    archive = bench.root / "memory/archive/adopted-2026-03-24.md"
    archive.write_text(f"# Mine\n\n- {OLD}\n  [{entry_id}](../2026-03-02.md)\n", encoding="utf-8")
    where = "memory/archive/adopted-2026-03-24.md:3"
    assert where in {
        f"{place.path}:{place.line}"
        for place in explain(bench.engine, entry_id).places
        if place.what == OccurrenceKind.LINE
    }
    assert (where,) == forget(bench.engine, entry_id).mentioned_in


def test_what_replaced_it_is_reported(new_bench: NewBench) -> None:
    """The successor; and the source is there until the agent deletes it."""
    bench = weeks(new_bench, (2, OLD), (10, NEW))
    old, new = (place.entry.id for place in list_entries(bench.engine))
    story = explain(bench.engine, old)
    assert isinstance(story, EntryHistory)
    assert ((new,), True) == (story.superseded_by, story.source_exists)
    bench.source.remove("s-2.jsonl")
    bench.engine.catalog.refresh()
    assert (False, None) == (explain(bench.engine, old).source_exists, explain(bench.engine, old).words)


def test_passages_are_lines_items_and_blocks() -> None:
    """With their line numbers; a person's list item goes with what is indented under it."""
    data = b"# T\r\n\r\n- a\r\n  b\r\nc\r\n- d <!-- memory:x check:000000 -->\r\n  e"
    actual = [(span.line, span.text, bool(span.block)) for span in passages(data)]
    assert [(1, "# T", False), (3, "- a\n  b", False), (5, "c", False), (6, "- d", True), (7, "  e", False)] == actual


def test_a_story_needs_no_more_than_the_beginning_of_an_id(new_bench: NewBench) -> None:
    """Where there is just one that begins so."""
    bench = weeks(new_bench, (2, OLD))
    (place,) = list_entries(bench.engine)
    assert place.entry.id == explain(bench.engine, place.entry.id[:20]).id
