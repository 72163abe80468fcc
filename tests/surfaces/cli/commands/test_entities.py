"""`memory show entities`, and `memory show story` of a fact."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from schemas.fact import FactKind
from tests.support.builders.fact_bench import fact, write_facts
from tests.support.processes.command_line import Said

PIOTR = fact("Piotr lives in Warsaw.", "Piotr")
MOVED = fact("Piotr lives in Gdańsk.", "Piotra", "Łucja", day=date(2026, 2, 9), replaces=(PIOTR.id,))
TEA = fact("Piotr prefers tea.", "Piotr", kind=FactKind.OPINION, day=date(2026, 2, 3))
AGAIN = fact("Piotr drinks tea again.", "Piotr", kind=FactKind.OPINION, day=date(2026, 2, 10), supports=(TEA.id,))


@pytest.fixture
def known(workspace: Path) -> Path:
    """A workspace with facts about three names, of which two are alike."""
    write_facts(workspace, PIOTR, MOVED, TEA, AGAIN)
    return workspace


def test_entities_are_listed(known: Path, call: Callable[..., Said]) -> None:
    """With the number of their facts and when they were named; a pair that may be one, with the command."""
    said = call("show", "entities", "--workspace", known)
    assert "NAME KIND FACTS FIRST LAST ALIASES" == " ".join(said.out.splitlines()[0].split())
    assert "Piotr and Piotra may be one: memory correct merge Piotr Piotra" in said.out
    records = {record["name"]: record for record in call("show", "entities", "--json", "--workspace", known).records}
    assert {"Piotr", "Piotra", "Łucja"} == set(records)
    piotr = records["Piotr"]
    assert (3, "2026-02-01", "2026-02-10") == (piotr["facts"], piotr["first"], piotr["last"])
    assert (["Piotra"], "bank/entities/Piotr.md") == (piotr["alike"], piotr["path"])


def test_an_entity_is_shown(known: Path, call: Callable[..., Said]) -> None:
    """Its page, by any of its names; with --json its facts."""
    said = call("show", "entities", "piotr", "--workspace", known)
    assert "## What holds" not in said.out.splitlines()[0]
    assert "Piotr prefers tea." in said.out
    assert "memory:" not in said.out
    (record,) = call("show", "entities", "Piotr", "--json", "--workspace", known).records
    assert {PIOTR.id, TEA.id, AGAIN.id} == {one["id"] for one in record["facts"]}
    assert record["page"].startswith("# Piotr")


def test_names_are_merged_and_split(known: Path, call: Callable[..., Said]) -> None:
    """Each says how it is taken back."""
    before = pages(known)
    said = call("correct", "merge", "Piotr", "Piotra", "--workspace", known)
    assert (0, "Piotra is an alias of Piotr now.") == (said.code, said.out.splitlines()[0])
    assert ["Piotr", "Łucja"] == names(known, call)
    assert "Gdańsk" in (known / "bank" / "entities" / "Piotr.md").read_text()
    (record,) = call("correct", "split", "Piotr", "Piotra", "--json", "--workspace", known).records
    assert ["Piotr", "Piotra", "Łucja"] == names(known, call)
    for command in (record["undo"], said.out.rsplit("To take it back: memory ", 1)[1]):
        assert 0 == call(*command.removeprefix("memory ").split(), "--workspace", known).code
    assert before == pages(known)


def test_what_cannot_be_is_refused(known: Path, call: Callable[..., Said]) -> None:
    """With a sentence that names the next step."""
    said = call("correct", "merge", "Piotr", "Anna", "--workspace", known)
    assert (2, True) == (said.code, "There is no entity 'Anna'" in said.err)
    said = call("correct", "split", "Piotr", "Anna", "--workspace", known)
    assert (2, True) == (said.code, "Anna is no alias of Piotr." in said.err)
    said = call("show", "entities", "Nobody", "--workspace", known)
    assert (2, True) == (said.code, "`memory show entities` lists the entities" in said.err)


def test_no_agent_merges(known: Path, call: Callable[..., Said]) -> None:
    """Nothing is written where a variable says that an agent runs the command."""
    before = pages(known)
    said = call("correct", "merge", "Piotr", "Piotra", "--workspace", known, CLAUDECODE="1")
    assert (0 == said.code, before) == (False, pages(known))


def test_a_fact_is_explained(known: Path, call: Callable[..., Said]) -> None:
    """How sure it is as a sum, its source, and what took its place; the beginning of its id is enough."""
    said = call("show", "story", TEA.id, "--workspace", known)
    assert "70 at the start + 5 x 1 (2026-02-10) = 75" in said.out
    assert "session s1, message 1" in said.out
    (record,) = call("show", "story", PIOTR.id[:7], "--json", "--workspace", known).records
    assert (MOVED.id, "2026-02-09") == (record["replaced_by"], record["until"])
    said = call("show", "story", "f-00000000", "--workspace", known)
    assert 2 == said.code


def test_without_a_fact_it_says_so(workspace: Path, call: Callable[..., Said]) -> None:
    """And names the next step."""
    assert "No fact names an entity yet." in call("show", "entities", "--workspace", workspace).out


def names(root: Path, call: Callable[..., Said]) -> list[str]:
    """The names that are listed."""
    return [record["name"] for record in call("show", "entities", "--json", "--workspace", root).records]


def pages(root: Path) -> dict[str, bytes]:
    """The pages of the bank."""
    return {path.name: path.read_bytes() for path in sorted((root / "bank").rglob("*.md"))}
