"""The lines of articles among the hits of a search."""

from pathlib import Path

import pytest

from pipeline.markdown.items import Item, render_page
from schemas.hit import Hit, Reach
from schemas.requests import SearchRequest
from tests.support.builders.articles import GRAFANA, about_grafana, day_of, drafts, entry_id
from tests.support.builders.fact_bench import fact
from tests.support.workspaces.indexed import Indexed

ARTICLE = "second-brain/articles/grafana.md"
LOUD = fact("The Grafana server is loud at night.", "Grafana", day=day_of(6), session_id="s6")


@pytest.fixture
def made(tmp_path: Path) -> Indexed:
    """A workspace with entries, a fact, and the article about them."""
    noted = about_grafana()
    items = [Item(one.name, one.text) for one in drafts(noted, [LOUD])["grafana"]]
    made = Indexed(tmp_path).remember(*(one.entry for one in noted)).retain(LOUD)
    made.write(ARTICLE, render_page(b"", items).decode()).index()
    return made


def hits(made: Indexed, question: str, reach: Reach = Reach.ALL) -> list[Hit]:
    """The hits of a question."""
    return list(made.ask(SearchRequest(query=question, tier=reach)).hits)


def test_an_article_is_no_other_hit_of_what_it_shows(made: Indexed) -> None:
    """The entries and the fact lead, each once; the article is a place of theirs."""
    answer = hits(made, "Grafana")
    assert {LOUD.id, *(entry_id(GRAFANA[day], day) for day in (0, 2, 3))} == {
        hit.entry_id or hit.fact_id for hit in answer
    }
    assert 4 == len(answer)
    assert not any(hit.path == ARTICLE for hit in answer)
    assert all(ARTICLE in [place.path for place in hit.places] for hit in answer)


def test_what_was_replaced_gives_way_in_an_article_too(made: Indexed) -> None:
    """What took its place is the hit."""
    first, *_ = hits(made, "Grafana shows 30 days of data")
    assert entry_id(GRAFANA[3], 3) == first.entry_id


def test_what_a_person_adds_is_a_hit_of_its_own(made: Indexed) -> None:
    """In the cold tier, as text that no job wrote."""
    made.write(ARTICLE, f"{(made.root / ARTICLE).read_text()}\nThe plugin needs a quorum of zebras.\n").index()
    (hit,) = hits(made, "quorum of zebras", Reach.COLD)
    assert ("article", "cold", "unattributed", "") == (hit.kind, hit.tier, hit.trust, hit.entry_id)
