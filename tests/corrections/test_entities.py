"""Names of entities that a person puts together and takes apart."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime

import pytest

from pipeline.corrections.decide import accept, decline
from pipeline.corrections.entities import merge, split
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.errors import NothingToUndo
from pipeline.errors.corrections import FrontMatterUnclear, NotMerged, SameEntity, UnknownEntity
from pipeline.facts.names import front_of
from pipeline.reports.entities import list_entities, show_entity
from tests.support.builders.fact_bench import fact, fact_bench, retain
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.workbench import Workbench

PETER, PIOTR = "bank/entities/Peter.md", "bank/entities/Piotr.md"


@pytest.fixture
def bench(new_bench: Callable[..., Workbench]) -> Workbench:
    """Two names, each with a fact."""
    made = fact_bench(new_bench)
    retain(made, fact("Peter sails.", "Peter"), fact("Piotr runs.", "Piotr", day=date(2026, 2, 9)))
    return made


def test_a_merge_makes_an_alias(bench: Workbench) -> None:
    """In the front matter of the page that stays; the folds follow at once."""
    done = merge(bench.engine, "Peter", "Piotr")
    assert (PETER,) == done.outcome.paths
    text = (bench.root / PETER).read_text()
    assert text.startswith('---\nname: "Peter"\naliases: ["Piotr"]\n---\n# Peter')
    assert "Piotr runs." in text
    assert PIOTR not in bench.pages()
    assert ["Peter"] == [one.name for one in list_entities(bench.engine)]
    assert [] == bench.run_due()


def test_an_undo_gives_the_bytes_from_before(bench: Workbench) -> None:
    """Of both pages, and of the bank's."""
    before = bench.pages()
    done = merge(bench.engine, "Peter", "Piotr")
    undone = undo(bench.engine, done.outcome.run_id)
    assert (PETER,) == undone.restored
    assert before == bench.pages()
    with pytest.raises(NothingToUndo):
        undo(bench.engine, done.outcome.run_id)


def test_a_page_that_was_not_there_is_made_and_goes_again(new_bench: Callable[..., Workbench]) -> None:
    """Where nothing else made it."""
    bench = fact_bench(new_bench)
    retain(bench, fact("Peter sails.", "Peter"))
    (bench.root / "memory" / "2026-02-20.md").write_text("## Retain\n- W @Mallory: Is here.\n")
    bench.run_due()
    before = bench.pages()
    done = merge(bench.engine, "Mallory", "Peter")
    assert ("bank/entities/Mallory.md",) == done.outcome.paths
    undo(bench.engine, done.outcome.run_id)
    assert before == bench.pages()


def test_a_split_takes_them_apart(bench: Workbench) -> None:
    """Each has its facts again; the page keeps its name, and a split can be taken back too."""
    merge(bench.engine, "Peter", "Piotr")
    merged = bench.pages()
    done = split(bench.engine, "peter", "PIOTR")
    assert "Piotr runs." in (bench.root / PIOTR).read_text()
    assert "Piotr runs." not in (bench.root / PETER).read_text()
    undo(bench.engine, done.outcome.run_id)
    assert merged == bench.pages()


def test_names_that_people_gave_both_are_joined(bench: Workbench) -> None:
    """The other page loses its name and aliases, and nothing else of a person's."""
    (bench.root / PETER).write_text("---\nkind: person\naliases:\n  - Pete\n# why\n---\n" + page(bench, PETER))
    (bench.root / PIOTR).write_text(front_of("Piotr", ["Piotrek"]) + page(bench, PIOTR) + "\nMine.\n")
    bench.run_due()
    before = bench.pages()
    done = merge(bench.engine, "Peter", "Piotr")
    head = '---\nkind: person\naliases: ["Pete", "Piotr", "Piotrek"]\n# why\nname: "Peter"\n---\n'
    assert page(bench, PETER).startswith(head)
    assert "Mine." == page(bench, PIOTR).strip()
    shown = show_entity(bench.engine, "piotrek")
    assert ("Peter", "person", 2) == (shown.entity.name, shown.entity.kind, shown.entity.facts)
    undo(bench.engine, done.outcome.run_id)
    after = bench.pages()
    assert {path for path in before if before[path] != after[path]} <= {PIOTR}
    was, now = (set(pages[PIOTR].splitlines()) for pages in (before, after))  # ours stand below by now
    assert was == now


def test_a_front_matter_that_was_changed_since_stays(bench: Workbench) -> None:
    """An undo leaves it, and says so."""
    done = merge(bench.engine, "Peter", "Piotr")
    (bench.root / PETER).write_text(page(bench, PETER).replace("---\n", "---\nkind: person\n", 1))
    assert (PETER,) == undo(bench.engine, done.outcome.run_id).left
    assert "kind: person" in page(bench, PETER)


def test_what_cannot_be_is_refused(bench: Workbench) -> None:
    """Nothing is written."""
    before = bench.pages()
    with pytest.raises(UnknownEntity, match="Peter"):
        merge(bench.engine, "Peter", "Petre")
    with pytest.raises(SameEntity):
        merge(bench.engine, "Peter", "PETER")
    with pytest.raises(NotMerged):
        split(bench.engine, "Peter", "Piotr")
    assert before == bench.pages()
    (bench.root / PETER).write_text("---\naliases: [a\n---\nMine.\n")
    with pytest.raises(FrontMatterUnclear, match=PETER):
        merge(bench.engine, "Peter", "Piotr")
    assert "---\naliases: [a\n---\nMine.\n" == page(bench, PETER)


class ClockOfTwo(FixedClock):
    """A clock that does something of another process, the first time that somebody asks for the time."""

    def __init__(self, moment: datetime, meanwhile: Callable[[], object]) -> None:
        super().__init__(moment)
        self._meanwhile = [meanwhile]

    def now(self) -> datetime:
        """The moment, after what happens meanwhile."""
        if self._meanwhile:
            self._meanwhile.pop()()
        return super().now()


def test_two_merges_at_once(bench: Workbench) -> None:
    """A page is read under its lock: neither takes back what the other has written."""
    retain(bench, fact("Pedro reads.", "Pedro", day=date(2026, 2, 11)))
    clock = ClockOfTwo(bench.engine.clock.now(), lambda: merge(bench.engine, "Peter", "Piotr"))
    merge(replace(bench.engine, clock=clock), "Peter", "Pedro")
    assert 'aliases: ["Piotr", "Pedro"]' in page(bench, PETER)


def aliases(bench: Workbench) -> list[str]:
    """What waits, in words."""
    return [one.about.text for one in waiting(bench.engine)]


def test_names_that_are_alike_are_suggested(bench: Workbench) -> None:
    """Accepted, they are one; taken back, the pair waits again."""
    retain(bench, fact("Piotra swims.", "Piotra", day=date(2026, 2, 10)))
    before = bench.pages()
    assert ["Piotra is another name of Piotr"] == aliases(bench)
    [outcome] = accept(bench.engine, waiting(bench.engine))
    assert ((PIOTR,), []) == (outcome.paths, aliases(bench))
    assert "Piotra swims." in page(bench, PIOTR)
    undo(bench.engine, outcome.run_id)
    assert (before, ["Piotra is another name of Piotr"]) == (bench.pages(), aliases(bench))


def test_a_declined_pair_stays_declined(bench: Workbench) -> None:
    """Whatever is said later; its line in the list of what was declined brings it back."""
    retain(bench, fact("Piotra swims.", "Piotra", day=date(2026, 2, 10)))
    assert [] == decline(bench.engine, waiting(bench.engine))
    retain(bench, fact("Piotra dives.", "Piotra", day=date(2026, 2, 11)))
    assert [] == aliases(bench)
    (bench.root / "memory" / "declined.md").unlink()
    assert ["Piotra is another name of Piotr"] == aliases(bench)


def test_a_pair_that_nothing_names_any_more_does_not_wait(bench: Workbench) -> None:
    """Nor one that a person has put together by hand."""
    retain(bench, fact("Piotra swims.", "Piotra", day=date(2026, 2, 10)))
    run = bench.engine.ledger.runs.latest("write_facts", 1)[0]
    undo(bench.engine, run.run_id)
    assert [] == aliases(bench)
    retain(bench, fact("Piotra dives.", "Piotra", day=date(2026, 2, 11)))
    assert ["Piotra is another name of Piotr"] == aliases(bench)
    (bench.root / PIOTR).write_text(front_of("Piotr", ["Piotra"]) + page(bench, PIOTR))
    assert [] == aliases(bench)


def page(bench: Workbench, path: str) -> str:
    """The text of a page."""
    return (bench.root / path).read_text()
