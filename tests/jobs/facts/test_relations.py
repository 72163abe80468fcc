"""What a fact is to an earlier one."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.facts.relations import MOST, FactTimeline, entries_by_place, judge_of
from jobs.resolution.nearness import EntryIndex
from pipeline.facts.names import EntityNames, names_in
from pipeline.job import OFFLINE, Answer, Models, Run, Task
from pipeline.model.question import Readers
from schemas.fact import Fact, FactKind, FactWord
from schemas.links import LinkAnswer
from tests.support.builders.fact_bench import run_of
from tests.support.marks import examples
from tests.support.tables import table

DAY = date(2026, 3, 2)
W, O, B = FactKind.WORLD, FactKind.OPINION, FactKind.EXPERIENCE  # noqa: E741 - its letter in a file


def fact(name: str, text: str, kind: FactKind = W, after: int = 0, **fields: Any) -> Fact:  # noqa: ANN401 - of a fact
    """A fact of the owner, so many days after the first, about the owner."""
    given = {"entities": ("Owner",), "word": FactWord.OWNER, "quote": text, "session_id": f"s{after}"}
    numbers = {"numbers": (1, 1), "day": DAY + timedelta(days=after)}
    return Fact.model_validate({"id": f"f-{name}", "kind": kind, "text": text} | given | numbers | fields)


def timeline_of(run: Run, known: Sequence[Fact], new: Sequence[Fact], names: EntityNames | None = None) -> FactTimeline:
    """The timeline of known facts, with the judge of a run for the new ones."""
    judge = judge_of(run, names or EntityNames(), known, new)
    return FactTimeline(known, judge, EntryIndex(entries_by_place(known)))


def related(earlier: Fact, later: Fact, names: EntityNames | None = None) -> dict[str, tuple[str, ...]]:
    """The relations of the later one, by name."""
    timeline = timeline_of(run_of([]), [earlier], [later], names)
    result = timeline.relate_fact(later)
    fields = ("supports", "contradicts", "replaces", "supported_by", "contradicted_by", "replaced_by")
    return {name: ids for name in fields if (ids := getattr(result, name))}


PAIRS: dict[tuple[str, str], str] = {
    ("I live in Porto", "I live in Lisbon now"): "replaces",
    ("I live in Porto", "I live in Porto"): "supports",
    ("I live in Porto", "I don't live in Porto any more"): "replaces",
    ("I live in Poland", "I live in Porto"): "",
    ("I live in Porto", "I work for a bank"): "",
    ("I live in Porto", "I live in Lisbon, not Porto"): "replaces",
    ("I live in Porto", "I live in Lisbon, not in the suburbs"): "",
    ("Mieszkam w Gdańsku", "Mieszkam w Sopocie, nie daleko od Gdańska"): "",
    ("Mieszkam w Gdańsku", "Mieszkam w Krakowie, nie w Gdańsku"): "replaces",
    ("我住在上海", "我住在北京，不是上海"): "replaces",
    ("My birthday is on 4 May", "My birthday is on 5 May"): "replaces",
    ("I'm allergic to nuts", "I'm allergic to pollen"): "",
    ("Mieszkam w Gdańsku", "Teraz mieszkam w Krakowie"): "replaces",
    ("Mieszkam w Gdańsku", "Mieszkam w Gdańsku od lat"): "supports",
    ("我住在上海", "我现在住在北京"): "replaces",
    ("我住在上海", "我住在上海"): "supports",
    ("The boat key hangs with Anna in the office", "The saw key hangs with Anna in the office"): "",
    ("The boat key hangs with Anna in the office", "the boat key hangs with Anna in the office!"): "supports",
}
OPINIONS: dict[tuple[str, str], str] = {
    ("I like plums", "I really like plums"): "supports",
    ("I like plums", "I don't like plums"): "contradicts",
    ("I like plums", "I like pears"): "",
    ("My favourite tea is oolong", "My favourite tea is sencha"): "replaces",
    ("My favourite tea is oolong", "My favourite soup is borscht"): "",
    ("Lubię śliwki", "Nie lubię śliwek"): "contradicts",
    ("我喜欢喝绿茶", "我不喜欢喝绿茶"): "contradicts",
}


@table(("kind", "pairs"), [(W, PAIRS), (O, OPINIONS)])
def test_the_relation_of_two_sayings(kind: FactKind, pairs: dict[tuple[str, str], str]) -> None:
    """The same again, another value that is said to be a change, a bare denial; else none."""
    results = {(one, other): "".join(related(fact("a", one, kind), fact("b", other, kind, 3))) for one, other in pairs}
    assert pairs == results


@table("pair", [pair for pair, relation in PAIRS.items() if relation])
def test_the_order_of_writing_changes_no_relation(pair: tuple[str, str]) -> None:
    """Of a fact that is written down after a later one it is told the other way round."""
    late = {"supports": "supported_by", "contradicts": "contradicted_by", "replaces": "replaced_by"}
    one, other = fact("a", pair[0]), fact("b", pair[1], after=3)
    assert {late[PAIRS[pair]]: ("f-b",)} == related(other, one)


def test_only_what_is_alike_meets() -> None:
    """Another kind, another entity, and what the agent or nobody vouches for, are no evidence."""
    text, plums = "I really like plums", fact("a", "I really like plums", O)
    others = (
        fact("b", text, W, 1),
        fact("b", text, O, 1, word=FactWord.AGENT),
        fact("b", text, O, 1, word=FactWord.UNVERIFIED),
        fact("b", text, O, 1, entities=("Basia",)),
        fact("b", text, O),
    )
    assert [{}] * len(others) == [related(plums, other) for other in others]
    deed = "I fixed the crash by wrapping the handlers"
    assert {} == related(fact("a", deed, B, word=FactWord.AGENT), fact("b", deed, B, 1, word=FactWord.AGENT))


def test_an_alias_is_the_same_entity() -> None:
    """The names that people gave join two mentions."""
    names = names_in([("bank/entities/Kasia.md", '---\nname: "Kasia"\naliases: ["Kate"]\n---\n')])
    one = fact("a", "Kasia works at Allegro", entities=("Kasia",))
    other = fact("b", "Kate works at Allegro", after=2, entities=("Kate",))
    assert ({"supports": ("f-a",)}, {}) == (related(one, other, names), related(one, other))


def test_the_ids_of_a_relation_are_few() -> None:
    """More would change no confidence, and a line would grow without end."""
    known = [fact(f"{number:x}", "I really like plums", O, number) for number in range(2 * MOST)]
    last = fact("last", "I really like plums", O, 2 * MOST)
    timeline = timeline_of(run_of([]), known, [last])
    assert tuple(one.id for one in known[:MOST]) == timeline.relate_fact(last).supports


def test_code_relates_facts_that_no_model_may_see_together() -> None:
    """Each program is asked about the facts of its own source alone, and here says that none has to do with another."""
    shown = dict[frozenset[str], str]()

    def finds_none(tasks: Sequence[Task[Answer]]) -> list[Answer]:
        shown.update({task.sources: task.input.model_dump_json() for task in tasks})
        return [cast("Answer", LinkAnswer()) for _ in tasks]

    readers = Readers({}, "claude", OFFLINE, {"claude_code": "claude", "codex": "codex"})
    sources = {"s0": "claude_code", "s1": "claude_code", "s2": "codex", "s3": "codex"}
    models = Models(
        finds_none,
        background="claude",
        sources_of=lambda session_id: frozenset({sources[session_id]}),
        reader=readers.name_of,
    )
    run = replace(run_of([]), models=models)
    facts = [
        fact(f"{after}", f"The boat key hangs with Anna in the office{'!' * (4 - after)}", after=after)
        for after in range(4)
    ]
    timeline = timeline_of(run, facts[:3], facts[3:])
    assert ("f-0", "f-1") == timeline.relate_fact(facts[3]).supports
    assert [{"codex"}] == [*shown]
    assert not any(one.text in "".join(shown.values()) for one in facts[:2])


SAYINGS = st.sampled_from(
    [*(text for pair in (*PAIRS, *OPINIONS) for text in pair), "the rent is 40 euro", "now 55 euro"]
)


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    """Facts of several kinds, days and entities, in the order of their days, and one more of any day."""
    days = sorted(draw(st.lists(st.integers(0, 6), min_size=1, max_size=10)))
    every = [*days, draw(st.integers(0, 6))]
    entities, words = st.sampled_from((("Owner",), ("Basia",), ())), st.sampled_from((FactWord.OWNER, FactWord.AGENT))
    return [
        fact(
            f"{place}", draw(SAYINGS), draw(st.sampled_from((W, O, B))), day, entities=draw(entities), word=draw(words)
        )
        for place, day in enumerate(every)
    ]


@settings(max_examples=examples(60))
@given(facts())
def test_a_fact_has_the_relations_to_all_facts(every: list[Fact]) -> None:
    """The timeline passes over none to which the judge would find a relation, and keeps their order."""
    *known, new = every
    judge = judge_of(run_of([]), EntityNames(), known, [new])
    fields = ("supports", "contradicts", "replaces"), ("supported_by", "contradicted_by", "replaced_by")
    late = dict(zip(*fields, strict=True))
    expected = dict[str, tuple[str, ...]]()
    for other in known:
        name = judge(other, new) if other.day > new.day else judge(new, other)
        if name and not (name == "supports" and other.day == new.day):
            field = late[name] if other.day > new.day else name
            expected[field] = (*expected.get(field, ()), other.id)[:MOST]
    related_fact = timeline_of(run_of([]), known, [new]).relate_fact(new)
    assert expected == {name: ids for name in (*fields[0], *fields[1]) if (ids := getattr(related_fact, name))}
