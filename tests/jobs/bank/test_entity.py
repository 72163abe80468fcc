"""The pages of entities."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from jobs.entity_pages import JOB as ENTITY_PAGES
from jobs.micro_sync import JOB as MICRO_SYNC
from pipeline.facts.names import front_of
from schemas.fact import FactKind, FactWord
from tests.support.builders.fact_bench import RETAIN, fact, fact_bench, lines, retain
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

PETER = "bank/entities/Peter.md"
LATER = date(2026, 2, 9)
COMMON = "## What several facts have in common"


@pytest.fixture
def bench(new_bench: Callable[..., Workbench]) -> Workbench:
    """No fact yet; decisions are read from sessions."""
    return fact_bench(new_bench, (RETAIN, ENTITY_PAGES, MICRO_SYNC))


def named(bench: Workbench, name: str, aliases: list[str]) -> None:
    """A person names an entity."""
    file = bench.root / "bank" / "entities" / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(front_of(name, aliases))


def under(bench: Workbench, heading: str, path: str = PETER) -> list[str]:
    """The lines under a heading, without what they rest on."""
    shown = lines(bench, path)
    after = shown[shown.index(heading) + 1 :] if heading in shown else []
    end = next((place for place, line in enumerate(after) if line.startswith("#")), len(after))
    return [line.partition(" (")[0] for line in after[:end]]


def test_a_page_has_all_that_is_known(bench: Workbench) -> None:
    """What holds, opinions, deeds, who it comes with; first and last mention in a line of ours."""
    retain(
        bench,
        fact("Peter and Anna live in Gdańsk.", "Peter", "Anna"),
        fact("Peter prefers tea.", "Peter", kind=FactKind.OPINION, day=LATER),
        fact("I called Peter.", "Peter", kind=FactKind.EXPERIENCE, word=FactWord.AGENT, day=LATER),
    )
    assert "First named 2026-02-01, last named 2026-02-09." in lines(bench, PETER)
    assert ["- Peter and Anna live in Gdańsk."] == under(bench, "## What holds")
    assert ["- Peter prefers tea."] == under(bench, "## Opinions")
    assert ["- I called Peter."] == under(bench, "## What was done")
    assert ["- Anna: 1 fact"] == under(bench, "## Comes with")


def test_decisions_that_name_it_are_on_its_page(bench: Workbench) -> None:
    """By its name or an alias, as a whole word with its accents; what is replaced goes to the history."""
    named(bench, "Peter", ["Piotr"])
    retain(bench, fact("Peter lives in Gdańsk.", "Peter"))
    said = ["From now on give Piotr the red boat.", "From now on give Piotrek the blue boat."]
    bench.say(conversation("s1", datetime(2026, 3, 3, 9, tzinfo=UTC), [("owner", text) for text in said]))
    bench.run_due()
    [line] = under(bench, "## Decisions")
    assert "red boat" in line


def test_an_alias_leads_to_the_page(bench: Workbench) -> None:
    """Facts under both names stand on one page; its front matter stays as the person has it."""
    named(bench, "Peter", ["Piotr"])
    retain(bench, fact("Peter lives in Gdańsk.", "Peter"), fact("Piotr sails.", "Piotr"))
    assert {"- Peter lives in Gdańsk.", "- Piotr sails."} == set(under(bench, "## What holds"))
    assert "bank/entities/Piotr.md" not in bench.pages()
    assert (bench.root / PETER).read_text().startswith(front_of("Peter", ["Piotr"]))


def test_a_new_alias_moves_facts_and_takes_the_other_page_away(bench: Workbench) -> None:
    """What a person wrote on that page stays."""
    retain(bench, fact("Peter lives in Gdańsk.", "Peter"), fact("Piotr sails.", "Piotr"), fact("Pete runs.", "Pete"))
    pete = bench.root / "bank" / "entities" / "Pete.md"
    pete.write_text(f"{pete.read_text()}\nMine.\n")
    file = bench.root / PETER
    file.write_text(front_of("Peter", ["Piotr", "Pete"]) + file.read_text())
    bench.run_due()
    assert 3 == len(under(bench, "## What holds"))
    assert "bank/entities/Piotr.md" not in bench.pages()
    assert "Mine." == pete.read_text().strip()


NAMES = ("../../MEMORY", "．．/．．/ＭＥＭＯＲＹ", "C#", "C++", "...", "\u202eevil", "<!--x-->")  # noqa: RUF001 - full-width


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_a_page_in_the_folder(bench: Workbench, name: str) -> None:
    """A name that would be a path is none, and names that differ in marks have pages of their own."""
    (bench.root / "MEMORY.md").write_text("mine\n")
    retain(bench, fact("It is so.", name), fact("It is otherwise.", "C"))
    assert "mine\n" == (bench.root / "MEMORY.md").read_text()
    pages = [path for path in bench.pages() if path.startswith("bank/")]
    assert 2 == len(pages), pages
    assert all(path.startswith("bank/entities/") and path.count("/") == 2 for path in pages)
    before = bench.pages()
    retain(bench, fact("It is more.", name, day=LATER))
    assert {path for path in before if before[path] != bench.pages()[path]} <= {*pages, "memory/retain/2026-02-09.md"}


def test_an_observation_of_a_person_is_shown(bench: Workbench) -> None:
    """Where a person wrote it in another page of the bank, marked; on its own page it is not said twice."""
    retain(bench, fact("Peter lives in Gdańsk.", "Peter"))
    (bench.root / "bank" / "notes.md").write_text("- S @Peter: Is calm at sea.\n")
    file = bench.root / PETER
    file.write_text(f"{file.read_text()}\n- S @Peter: Is never late.\n")
    bench.run_due()
    assert ["- Is calm at sea."] == [line for line in under(bench, COMMON) if not line.startswith("- S")]
    assert 1 == file.read_text().count("never late")


def test_a_long_page_begins_with_the_strongest(bench: Workbench) -> None:
    """The surest facts in their own words, each with its fact; a short page has no summary."""
    facts = [fact(f"Peter has {number} boats.", "Peter", day=date(2026, 2, number)) for number in (1, 2, 3)]
    retain(bench, *facts)
    assert not any("boats. (" in line for line in lines(bench, PETER) if not line.startswith("-"))
    asked = fact("Peter is in Rome.", "Peter", word=FactWord.ASKED)
    retain(bench, asked)
    [summary] = [line for line in lines(bench, PETER) if "boats. (" in line and not line.startswith("-")]
    assert summary.startswith(f"Peter is in Rome. ([{asked.id}](../../memory/retain/2026-02-01.md)) Peter has 3 boats.")
    assert "1 boats" not in summary
