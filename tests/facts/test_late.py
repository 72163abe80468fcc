"""Facts that were written down after later ones."""

from datetime import date, timedelta

from pipeline.facts.standing import confidences, forward, stand
from schemas.fact import Fact, FactKind, FactWord

DAY = date(2026, 2, 2)


def fact(name: str, after: int, **relations: tuple[str, ...]) -> Fact:
    """The owner's, said so many days later."""
    given = {"kind": FactKind.WORLD, "text": name, "word": FactWord.OWNER, "day": DAY + timedelta(days=after)}
    return Fact.model_validate({"id": f"f-{name}"} | given | relations)


def test_a_late_fact_says_what_the_later_ones_would() -> None:
    """Standing and confidence are those of facts that were written down in their order."""
    in_order = [fact("a", 0), fact("b", 1, supports=("f-a",)), fact("c", 2, replaces=("f-a",), contradicts=("f-b",))]
    first = fact("a", 0, supported_by=("f-b",), replaced_by=("f-c",))
    late = [fact("c", 2), fact("b", 1, contradicted_by=("f-c",)), first]
    assert confidences(in_order) == confidences(late)
    assert [one.until for one in stand(in_order).all] == [one.until for one in stand(late).all]


def test_what_is_gone_changes_nothing() -> None:
    """A relation to a fact that does not stand any more changes no other."""
    alone = [fact("a", 0, supported_by=("f-gone",))]
    assert alone == forward(alone)
