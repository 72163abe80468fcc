"""Facts that arrive in any order, in any portions, make the same pages."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from jobs.entity_pages import JOB as ENTITY_PAGES
from jobs.reflect import JOB as REFLECT
from pipeline.drafts import ItemDraft
from pipeline.facts.names import front_of
from pipeline.facts.standing import stand
from pipeline.job import Document
from pipeline.markdown.items import Item, render_page
from schemas.fact import Fact, FactKind, FactWord
from tests.support.builders.fact_bench import JOBS, fact, retain, run_of
from tests.support.marks import examples
from tests.support.workspaces.workbench import Workbench

NAMES = ("Peter", "Piotr", "Łucja", "Lucja", "小王", "C#", "C++")
WORDS = (FactWord.ASKED, FactWord.OWNER, FactWord.ACCEPTED, FactWord.AGENT, FactWord.UNVERIFIED)
FRONTS = (Document("bank/entities/Peter.md", front_of("Peter", ["Piotr"])),)

Pages = Mapping[str, bytes]


@st.composite
def histories(draw: st.DrawFn) -> list[Fact]:
    """Facts of single days; some replace, support or contradict an earlier one."""
    made = list[Fact]()
    for number in range(draw(st.integers(1, 12))):
        word, linked = draw(st.sampled_from(WORDS)), draw(st.booleans())
        relations = {}
        if made and linked:
            earlier = draw(st.sampled_from([one.id for one in made]))
            relations[draw(st.sampled_from(["replaces", "supports", "contradicts"]))] = (earlier,)
        one = fact(
            f"Fact number {number}.",
            *draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True)),
            day=date(2026, 1, 28) + timedelta(days=number),
            kind=draw(st.sampled_from(list(FactKind))),
            word=word,
            path=f"memory/retain/{date(2026, 1, 28) + timedelta(days=number)}.md",
            line=3,
            **relations,
        )
        made.append(one.model_copy(update={"id": "", "word": word}) if word is FactWord.UNVERIFIED else one)
    return made


def drafts(
    facts: Sequence[Fact], by_people: Sequence[Document] = FRONTS, removed: Sequence[str] = ()
) -> dict[str, list[ItemDraft]]:
    """The wanted items of all pages, by name."""
    pages = defaultdict[str, list[ItemDraft]](list)
    for job in (REFLECT, ENTITY_PAGES):
        for draft in job.run(run_of(facts, by_people, removed)):
            if isinstance(draft, ItemDraft):
                pages[f"{job.name}/{draft.page}"].append(draft)
    return pages


def rendered(before: Pages, facts: Sequence[Fact], by_people: Sequence[Document] = FRONTS) -> dict[str, bytes]:
    """The pages after a run; one that the job does not name any more loses our items."""
    wanted = drafts(facts, by_people)
    after = {
        name: render_page(before.get(name, b""), [Item(one.name, one.text) for one in wanted.get(name, ())])
        for name in {*before, *wanted}
    }
    return {name: data for name, data in after.items() if data.strip()}


@hypothesis_settings(max_examples=examples(10))
@given(histories(), st.data())
def test_any_order_makes_the_same_pages(facts: list[Fact], data: st.DataObject) -> None:
    """In portions of any size, each rendered upon the pages of the one before."""
    arriving = data.draw(st.permutations(facts))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(facts)))) | {0, len(facts)})
    pages: dict[str, bytes] = {}
    for _, end in pairwise(cuts):
        pages = rendered(pages, arriving[:end])
    assert rendered({}, facts) == pages


@hypothesis_settings(max_examples=examples(10))
@given(histories())
def test_a_merge_and_its_way_back_change_no_byte(facts: list[Fact]) -> None:
    """Names come together and go apart again; rendering twice changes nothing."""
    apart = rendered({}, facts, ())
    merged = rendered(apart, facts)
    assert rendered({}, facts) == merged == rendered(merged, facts)
    assert apart == rendered(merged, facts, ())


@hypothesis_settings(max_examples=examples(10))
@given(histories())
def test_nothing_is_lost_and_nothing_replaced_is_current(facts: list[Fact]) -> None:
    """Each fact stands once on the page of its kind, where it holds or in the history; a belief with its first time."""
    pages = {name: data.decode() for name, data in rendered({}, facts).items() if name.startswith("reflect/")}
    later = {name for one in facts if one.word.is_trusted for name in one.replaces}
    standings = stand(facts)
    again = [one.fact for one in standings.all if one.holds and standings.says_again(one.fact)]
    assert all(f"[{one.id}]" in pages["reflect/opinions"] for one in again)
    for one in facts:
        if one.id in {other.id for other in again}:
            continue
        texts = [text for text in pages.values() if f"- {one.text}" in text]
        assert (0 if one.kind is FactKind.OBSERVATION else 1) == len(texts)
        for text in texts:
            now, _, then = text.partition("## No more")
            assert (one.id in later and bool(one.id)) == (f"- {one.text}" in then), now


@hypothesis_settings(max_examples=examples(10))
@given(histories(), st.data())
def test_what_a_person_took_out_stays_out_of_its_page(facts: list[Fact], data: st.DataObject) -> None:
    """Of that page alone, whatever comes later; the other lines stay as they are."""
    before = drafts(facts)
    lines = [(page, one.name) for page, items in before.items() for one in items if one.name.startswith(("f-", "u-"))]
    assume(lines)
    page, item = data.draw(st.sampled_from(lines))
    path = page.replace("entity_pages/", "bank/entities/").replace("reflect/", "bank/")
    after = drafts(facts, removed=[f"{path}.md#{item}"])
    for name, wanted in before.items():
        gone = {one.name for one in wanted if one.text.startswith("- ")} - {one.name for one in after.get(name, ())}
        assert ({item} if name == page else set()) == gone


def test_the_engine_has_them_in_any_order_too(new_bench: Callable[..., Workbench], tmp_path: Path) -> None:
    """Facts written one by one, the last first, and all at once, in two workspaces."""
    old = fact("Peter lives in Warsaw.", "Peter")
    facts = [
        old,
        fact("Peter lives in Gdańsk.", "Peter", day=date(2026, 2, 9), replaces=(old.id,)),
        fact("Peter prefers tea.", "Peter", kind=FactKind.OPINION, day=date(2026, 2, 3)),
        fact("I called 小王.", "小王", kind=FactKind.EXPERIENCE, word=FactWord.AGENT, day=date(2026, 2, 4)),
    ]
    roots = [tmp_path / "one", tmp_path / "other"]
    for root in roots:
        root.mkdir()
    one, other = (new_bench(jobs=JOBS, root=root) for root in roots)
    for single in reversed(facts):
        retain(one, single)
    retain(other, *facts)
    assert bank(one) == bank(other)


def bank(bench: Workbench) -> dict[str, bytes]:
    """The pages of the bank."""
    return {path: data for path, data in bench.pages().items() if path.startswith("bank/")}
