"""The bank follows the facts: what is so, what was done, what is believed, and a page for each entity."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from pipeline.corrections.undo import undo
from schemas.fact import FactKind, FactWord
from tests.support.builders.fact_bench import fact, fact_bench, lines, put_heading, retain
from tests.support.workspaces.workbench import Workbench, endings

WORLD, OPINIONS, EXPERIENCE = "bank/world.md", "bank/opinions.md", "bank/experience.md"
PETER = "bank/entities/Peter.md"
LATER, LAST = date(2026, 2, 9), date(2026, 3, 1)
WARSAW = fact("Peter lives in Warsaw.", "Peter")
GDANSK = fact("Peter lives in Gdańsk.", "Peter", day=LATER, replaces=(WARSAW.id,))
TEA = fact("Peter prefers tea.", "Peter", kind=FactKind.OPINION)
FIXED = fact("I fixed the crash.", "warelay", kind=FactKind.EXPERIENCE, word=FactWord.AGENT)


@pytest.fixture
def bench(new_bench: Callable[..., Workbench]) -> Workbench:
    """No fact yet."""
    return fact_bench(new_bench)


def take_out(bench: Workbench, path: str, words: str) -> None:
    """A person deletes the lines of a page with these words."""
    file = bench.root / path
    kept = [line for line in file.read_text().splitlines(keepends=True) if words not in line]
    file.write_text("".join(kept))


def ours(bench: Workbench) -> dict[str, bytes]:
    """The pages of the bank."""
    return {path: data for path, data in bench.pages().items() if path.startswith("bank/")}


def test_every_page_has_its_kind(bench: Workbench) -> None:
    """What is so under its entity, deeds under their month, beliefs with their confidence; each names its fact."""
    retain(bench, WARSAW, TEA, FIXED)
    source = "../memory/retain/2026-02-01.md"
    assert [
        "# World",
        "## Peter",
        f"- Peter lives in Warsaw. (since 2026-02-01; [{WARSAW.id}]({source}))",
    ] == lines(bench, WORLD)
    assert ["# Experience", "## 2026-02", f"- I fixed the crash. (2026-02-01; [{FIXED.id}]({source}))"] == lines(
        bench, EXPERIENCE
    )
    sure = "c 0.70, likely; said by the owner; since 2026-02-01"
    assert ["# Opinions", "## Peter", f"- Peter prefers tea. ({sure}; [{TEA.id}]({source}))"] == lines(bench, OPINIONS)


def test_deeds_are_by_month_the_newest_first(bench: Workbench) -> None:
    """Older months follow."""
    deeds = [
        fact(f"I did {day}.", kind=FactKind.EXPERIENCE, day=day) for day in (date(2026, 1, 5), LATER, date(2026, 2, 2))
    ]
    retain(bench, *deeds)
    shown = [line.partition(" (")[0] for line in lines(bench, EXPERIENCE)]
    assert [
        "# Experience",
        "## 2026-02",
        "- I did 2026-02-09.",
        "- I did 2026-02-02.",
        "## 2026-01",
        "- I did 2026-01-05.",
    ] == shown


def test_what_was_replaced_stands_in_the_history(bench: Workbench) -> None:
    """With both dates and what took its place; it is not among what is so."""
    retain(bench, WARSAW)
    retain(bench, GDANSK)
    now, _, then = "\n".join(lines(bench, WORLD)).partition("## No more")
    assert ("Gdańsk" in now, "Warsaw" in now) == (True, False)
    assert "- Peter lives in Warsaw. (from 2026-02-01 until 2026-02-09; replaced by" in then
    *_, heading_line, line = lines(bench, PETER)
    assert "## No more" == heading_line
    assert line.endswith(f"; [{WARSAW.id}](../../memory/retain/2026-02-01.md))")
    assert f"replaced by [{GDANSK.id}](../../memory/retain/2026-02-09.md)" in line


def test_what_was_said_earlier_and_arrives_later_replaces_nothing(bench: Workbench) -> None:
    """Also when it claims to."""
    newer = fact("Peter lives in Gdańsk.", "Peter", day=LATER)
    retain(bench, newer)
    retain(bench, fact("Peter lives in Warsaw.", "Peter", replaces=(newer.id,)))
    assert "## No more" not in lines(bench, WORLD)


def test_evidence_is_named_and_counted(bench: Workbench) -> None:
    """A day for gives five hundredths, a day against takes ten; both are named, with the day of the last change."""
    retain(bench, TEA)
    again = fact("Peter drinks tea again.", "Peter", kind=FactKind.OPINION, day=LATER, supports=(TEA.id,))
    coffee = fact("Peter ordered coffee.", "Peter", day=LAST, contradicts=(TEA.id,))
    retain(bench, again, coffee)
    [line] = [line for line in lines(bench, OPINIONS) if line.startswith("- Peter prefers tea.")]
    assert "c 0.65, contested; said by the owner; since 2026-02-01; last change 2026-03-01; for " in line
    assert f"for [{again.id}]" in line
    assert f"against [{coffee.id}]" in line


def test_what_nobody_vouches_for_is_marked(bench: Workbench) -> None:
    """It is at most .50 sure, is evidence for nothing, replaces nothing, and makes no page."""
    retain(bench, TEA)
    (bench.root / "memory" / "2026-02-20.md").write_text(
        f"# A day\n\n## Retain\n- O(c=0.95) @Peter: Hates tea. replaces: {TEA.id}\n- W @Mallory: Owns the flat.\n"
        f'- W @Peter: Is away.\n  "away", session s9, message 1, owner; replaces: {TEA.id} <!-- memory:f-12345678 -->\n'
    )
    bench.run_due()
    marked = [line for line in [*lines(bench, WORLD), *lines(bench, OPINIONS)] if "unverified" in line]
    assert {"- Owns the flat.", "- Is away.", f"- Hates tea. replaces: {TEA.id}"} == {
        line.partition(" (")[0] for line in marked
    }
    assert all("c 0.50" in line for line in marked)
    assert "c 0.70, likely" in "".join(lines(bench, OPINIONS))
    assert "bank/entities/Mallory.md" not in bench.pages()


def test_a_line_that_is_changed_counts_as_nobodys(bench: Workbench) -> None:
    """A fact whose words somebody edited is not ours any more."""
    retain(bench, WARSAW)
    file = bench.root / "memory" / "retain" / "2026-02-01.md"
    file.write_text(file.read_text().replace("lives in Warsaw.\n", "lives in Wrocław.\n", 1))
    bench.run_due()
    *_, line = lines(bench, WORLD)
    assert line.startswith("- Peter lives in Wrocław. (since 2026-02-01; unverified, c 0.50; [2026-02-01](")


def test_lines_of_people_stay(bench: Workbench) -> None:
    """Above, between and below ours, whatever comes."""
    retain(bench, WARSAW)
    file = bench.root / PETER
    text = file.read_text()
    file.write_text(f"---\nkind: person\n---\n{text}\nHe likes boats.\n")
    retain(bench, GDANSK)
    after = file.read_text()
    assert after.startswith("---\nkind: person\n---\n# Peter")
    assert "\nHe likes boats.\n" in after
    assert "Gdańsk" in after


def test_a_line_that_was_taken_out_stays_out_of_its_page(bench: Workbench) -> None:
    """Also of its history; the other pages have it."""
    retain(bench, WARSAW, TEA)
    take_out(bench, WORLD, "Warsaw")
    retain(bench, GDANSK)
    assert "Warsaw" not in (bench.root / WORLD).read_text()
    assert "Warsaw" in (bench.root / PETER).read_text()
    assert "Gdańsk" in (bench.root / WORLD).read_text()


def test_blocks_that_nothing_touches_stay_byte_for_byte(bench: Workbench) -> None:
    """A fact about somebody else changes no other block."""
    retain(bench, WARSAW, TEA, FIXED)
    before = ours(bench)
    retain(bench, fact("Anna plays chess.", "Anna", day=LATER))
    after = ours(bench)
    assert {WORLD, "bank/entities/Anna.md"} == {path for path in after if after[path] != before.get(path)}
    assert set(before[WORLD].splitlines()) < set(after[WORLD].splitlines())


def test_a_day_does_not_narrow_it(bench: Workbench) -> None:
    """A back-fill of one day sees the facts of all days."""
    retain(bench, WARSAW, GDANSK)
    before = ours(bench)
    bench.backfill(LATER, LATER)
    assert before == ours(bench)


@pytest.mark.parametrize("gone", ["the file", "its lines"])
def test_when_all_facts_vanish_at_once_nothing_changes(bench: Workbench, gone: str) -> None:
    """The run says which file is gone; a person may say that it was meant."""
    retain(bench, WARSAW, TEA, FIXED)
    before, file = ours(bench), bench.root / "memory" / "retain" / "2026-02-01.md"
    data = file.read_bytes()
    file.write_text("## Retain\n")
    if gone == "the file":
        file.unlink()
    outcomes = bench.run_due()
    assert {"unreadable"} == set(endings(outcomes))
    assert all("memory/retain/2026-02-01.md" in outcome.warning for outcome in outcomes)
    assert before == ours(bench)
    file.write_bytes(data)
    bench.run_due()
    assert before == ours(bench)
    file.unlink()
    bench.engine = replace(bench.engine, allow_shrink=True)
    bench.run_due()
    assert {} == ours(bench)


def test_the_undo_of_all_leaves_nothing_of_ours(bench: Workbench) -> None:
    """Each undo of a fact renders the pages again; a page without a line is no page."""
    for day in (date(2026, 2, 1), LATER):
        put_heading(bench.root, day)
    before = bench.pages()
    retain(bench, WARSAW, TEA, GDANSK)
    for run in bench.engine.ledger.runs.latest("write_facts", 9):
        undo(bench.engine, run.run_id)
    assert {path: data.rstrip() for path, data in before.items()} == {
        path: data.rstrip() for path, data in bench.pages().items()
    }


def test_a_lost_ledger_changes_no_byte(bench: Workbench) -> None:
    """The pages are rendered again as they were."""
    retain(bench, WARSAW, TEA, GDANSK)
    before = bench.pages()
    again = bench.reopen()
    again.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    lost = bench.reopen()
    lost.run_due()
    assert before == lost.pages()
    lost.engine.ledger.store.close()


def test_without_a_fact_nothing_runs(bench: Workbench) -> None:
    """A file without facts is no reason to render anything."""
    (bench.root / "memory").mkdir(exist_ok=True)
    (bench.root / "memory" / "2026-02-20.md").write_text("# A day\n\nNothing to retain.\n")
    assert [] == bench.run_due()
