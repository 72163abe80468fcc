"""The entities that facts name."""

from datetime import date

from pipeline.facts.names import EntityNames, entities_of, front_of, key_of, likely_pairs, names_in
from schemas.fact import Fact, FactKind

NOBODY = EntityNames()


def fact(name: str, day: int, fact_id: str = "f-00000001", *more: str) -> Fact:
    """A fact about something on a day of February."""
    return Fact(id=fact_id, kind=FactKind.WORLD, entities=(name, *more), text="It is.", day=date(2026, 2, day))


def test_an_entity_has_one_name_whatever_the_case() -> None:
    """That of a person, else as it was written first; days are the first and the last of its facts."""
    facts = [fact("peter", 3), fact("Peter", 1), fact("PETER", 2)]
    [entity] = entities_of(facts, NOBODY).values()
    assert ("Peter", (date(2026, 2, 1), date(2026, 2, 3)), 3) == (entity.name, entity.days, len(entity.facts))
    [entity] = entities_of(facts, names_in([("bank/entities/x.md", front_of("Piotr", ["peter"]))])).values()
    assert ("Piotr", ("peter",)) == (entity.name, entity.aliases)


def test_marks_that_no_file_name_has_part_names() -> None:
    """C++ is not C#, and neither is C; hyphens, spaces and dots inside do not count."""
    assert 3 == len({key_of(name, NOBODY) for name in ("C", "C++", "C#")})
    assert 1 == len({key_of(name, NOBODY) for name in ("The-Castle", "the_castle", "The Castle")})
    assert key_of("Node.js", NOBODY) == key_of("node-js", NOBODY)


def test_what_only_other_hands_name_is_not_known() -> None:
    """Until a person names it."""
    facts = [fact("Mallory", 1, "")]
    assert [False] == [one.known for one in entities_of(facts, NOBODY).values()]
    named = names_in([("bank/entities/Mallory.md", "Mine.\n")])
    assert [True] == [one.known for one in entities_of(facts, named).values()]


def test_a_page_with_a_persons_words_does_not_take_an_alias_away() -> None:
    """The name of its file is its name only where nobody says otherwise."""
    names = names_in([("bank/entities/Peter.md", front_of("Peter", ["Pete"])), ("bank/entities/Pete.md", "Mine.\n")])
    assert "Peter" == names.name_of("Pete")


def test_names_alike_are_pairs() -> None:
    """The one that was named first comes first; names of one entity are no pair."""
    entities = entities_of([fact("Piotra", 1), fact("Piotr", 2), fact("Lucja", 3), fact("Łucja", 4)], NOBODY)
    assert [("Piotra", "Piotr"), ("Lucja", "Łucja")] == [
        (one.name, other.name) for one, other in likely_pairs(entities.values())
    ]
    merged = names_in([("bank/entities/Piotr.md", front_of("Piotr", ["Piotra"]))])
    entities = entities_of([fact("Piotra", 1), fact("Piotr", 2)], merged)
    assert [] == likely_pairs(entities.values())
