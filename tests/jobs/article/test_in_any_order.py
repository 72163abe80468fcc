"""Entries and facts that arrive in any order, in any portions, make the same articles."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pipeline.job import Noted
from pipeline.markdown.items import Item, render_page
from schemas.entry import Trust
from schemas.fact import Fact
from tests.support.builders.articles import day_of, decided, drafts
from tests.support.builders.fact_bench import fact
from tests.support.marks import examples

SENTENCES = (
    "We use Postgres for number {}.",
    "The Postgres port is {}.",
    "The Postgres Cluster has {} nodes.",
    "Grafana and Postgres run on box {}.",
    "The Grafana dashboard has {} panels.",
    "Bartek pays {} euro.",
)

Pages = Mapping[str, bytes]


@st.composite
def histories(draw: st.DrawFn) -> list[Noted | Fact]:
    """Entries and facts of single days; some replace, or say again, what came earlier."""
    made = list[Noted | Fact]()
    for number in range(draw(st.integers(3, 12))):
        text = draw(st.sampled_from(SENTENCES)).format(number)
        if draw(st.integers(0, 3)):
            earlier = [one.entry.id for one in made if isinstance(one, Noted)]
            links: dict[str, tuple[str, ...]] = {}
            linked = draw(st.booleans())
            if earlier and linked:
                links[draw(st.sampled_from(["supersedes", "reinforces"]))] = (draw(st.sampled_from(earlier)),)
            trust = draw(st.sampled_from([Trust.OWNER, Trust.OWNER, Trust.ACCEPTED, Trust.UNVERIFIED]))
            made.append(decided(text, number, trust=trust, **links))
        else:
            made.append(fact(text, "Postgres", day=day_of(number), session_id=f"s{number}"))
    return made


def rendered(before: Pages, known: Sequence[Noted | Fact]) -> dict[str, bytes]:
    """The pages after a run; one that the job does not name any more loses our items."""
    noted, facts = [one for one in known if isinstance(one, Noted)], [one for one in known if isinstance(one, Fact)]
    wanted = drafts(noted, facts)
    after = {
        name: render_page(before.get(name, b""), [Item(one.name, one.text) for one in wanted.get(name, ())])
        for name in {*before, *wanted}
    }
    return {name: data for name, data in after.items() if data.strip()}


@hypothesis_settings(max_examples=examples(10))
@given(histories(), st.data())
def test_any_order_makes_the_same_pages(known: list[Noted | Fact], data: st.DataObject) -> None:
    """In portions of any size, each rendered upon the pages of the one before."""
    arriving = data.draw(st.permutations(known))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(known)))) | {0, len(known)})
    pages: dict[str, bytes] = {}
    for _, end in pairwise(cuts):
        pages = rendered(pages, arriving[:end])
    assert rendered({}, known) == pages == rendered(pages, known)


@hypothesis_settings(max_examples=examples(10))
@given(histories())
def test_a_line_stands_once_and_nothing_replaced_holds(known: list[Noted | Fact]) -> None:
    """Names of items are not given twice, and no person has a page."""
    wanted = drafts([one for one in known if isinstance(one, Noted)], [one for one in known if isinstance(one, Fact)])
    assert "bartek" not in wanted
    for items in wanted.values():
        assert len(items) == len({item.name for item in items})
        lines = [item.text.partition(" (")[0] for item in items if item.text.startswith("- ")]
        assert len(lines) == len(set(lines))
