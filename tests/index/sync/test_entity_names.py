"""The names of entities in the index, and what a change of them touches."""

from pathlib import Path

import pytest

from pipeline.index.context import WorkLimit
from schemas.requests import SearchRequest
from tests.support.ports.memory_index import MemoryIndex
from tests.support.workspaces.indexed import Indexed

KUBA = "bank/entities/Kuba.md"


def page(name: str, *aliases: str) -> str:
    """The page of an entity."""
    return f"---\nname: {name}\naliases: [{', '.join(aliases)}]\n---\n"


@pytest.fixture
def noted(tmp_path: Path) -> Indexed:
    """Three notes, of which two name one man by two names, and his page without an alias."""
    made = Indexed(tmp_path)
    made.write("memory/2026-03-01.md", "# 2026-03-01\n\nKuba mended the boat.\n")
    made.write("memory/2026-03-02.md", "# 2026-03-02\n\nJAKUB sold the boat.\n")
    made.write("memory/2026-03-03.md", "# 2026-03-03\n\nA boat sank.\n")
    made.write(KUBA, page("Kuba")).index()
    return made


def days(made: Indexed, name: str) -> list[str]:
    """The days of the notes about boats that name an entity."""
    hits = made.ask(SearchRequest(query="boat", entity=(name,))).hits
    return sorted(hit.path[len("memory/2026-03-") : -len(".md")] for hit in hits if hit.path.startswith("memory/"))


def test_a_search_is_narrowed_to_an_entity(noted: Indexed) -> None:
    """By the name of its page, whatever the case; a name that nobody has narrows to nothing."""
    assert ["01"] == days(noted, "kuba") == days(noted, "Kuba")
    assert [] == days(noted, "Jakub") == days(noted, "Zofia")


def test_a_new_alias_reaches_what_was_indexed_before(noted: Indexed) -> None:
    """Only the page has changed; the passages that have the new name are put in again, and no others."""
    noted.write(KUBA, page("Kuba", "Jakub"))
    updated = noted.index()
    assert (1, 0) == (updated.changed, updated.added)
    assert ["01", "02"] == days(noted, "kuba") == days(noted, "Jakub")
    assert 0 == noted.index().passages


def test_an_alias_that_goes_is_none_any_more(noted: Indexed) -> None:
    """And one that comes back is one again, also for what was written between."""
    noted.write(KUBA, page("Kuba", "Jakub")).index()
    noted.write(KUBA, page("Kuba")).index()
    assert ["01"] == days(noted, "kuba")
    noted.write("memory/2026-03-04.md", "# 2026-03-04\n\nJakub has a new boat.\n").index()
    noted.write(KUBA, page("Kuba", "Jakub")).index()
    assert ["01", "02", "04"] == days(noted, "kuba")


def test_an_alias_that_moves_belongs_to_the_other_entity(noted: Indexed) -> None:
    """Nothing but the names changes."""
    noted.write(KUBA, page("Kuba", "Jakub")).index()
    noted.write(KUBA, page("Kuba"))
    noted.write("bank/entities/Anna.md", page("Anna", "Jakub")).index()
    assert (["01"], ["02"]) == (days(noted, "kuba"), days(noted, "Anna"))


def test_a_page_that_goes_gives_no_names(noted: Indexed) -> None:
    """What is written after does not know them."""
    noted.write(KUBA, page("Kuba", "Jakub")).index()
    (noted.root / KUBA).unlink()
    noted.index()
    assert (["01"], ["02"]) == (days(noted, "kuba"), days(noted, "jakub"))


def test_a_name_that_many_files_have_waits_for_an_update_without_limits(noted: Indexed) -> None:
    """A search does not wait for them: the page counts as changed until then."""
    noted.write(KUBA, page("Kuba", "boat"))
    updated = noted.index(WorkLimit(files=2))
    assert (4, 0) == (updated.behind, updated.passages)
    noted.index()
    assert ["01", "02", "03"] == days(noted, "kuba")


def test_an_index_that_is_made_anew_knows_the_names(noted: Indexed) -> None:
    """As one that followed the changes does."""
    noted.write(KUBA, page("Kuba", "Jakub"))
    noted.store = MemoryIndex(noted.store.layout) if isinstance(noted.store, MemoryIndex) else noted.store
    noted.index()
    assert ["01", "02"] == days(noted, "Kuba")
