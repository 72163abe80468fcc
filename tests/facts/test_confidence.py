"""How sure a fact is."""

from collections.abc import Sequence
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts.standing import confidence, confidences
from schemas.fact import Fact, FactKind, FactWord

DAY = date(2026, 2, 2)


def fact(name: str, after: int = 0, word: FactWord = FactWord.OWNER, **fields: object) -> Fact:
    """A fact that was said so many days later."""
    given = {"kind": FactKind.OPINION, "text": f"fact {name}", "day": DAY + timedelta(days=after)} | fields
    return Fact.model_validate({"id": f"f-{name}", "word": word} | given)


def of(facts: Sequence[Fact], name: str = "a") -> int:
    """The confidence of one of them."""
    return confidences(facts)[f"f-{name}"].hundredths


def test_the_start_is_whose_word_it_is() -> None:
    """Asked to be remembered, said plainly, said by the agent of itself, written by nobody known."""
    starts = {FactWord.ASKED: 80, FactWord.OWNER: 70, FactWord.AGENT: 50, FactWord.UNVERIFIED: 50}
    assert starts == {word: confidence(fact("a", word=word)).hundredths for word in starts}


def test_days_count_and_not_repeats() -> None:
    """Two supports of one day are one; on the day of the fact itself none; a contradiction takes ten."""
    base = [fact("a"), fact("b", 1, supports=["f-a"])]
    assert 75 == of(base)
    assert 75 == of([*base, fact("c", 1, supports=["f-a"]), fact("d", 0, supports=["f-a"])])
    assert 65 == of([*base, fact("e", 2, contradicts=["f-a"])])
    assert "contested" == confidences([*base, fact("e", 2, contradicts=["f-a"])])["f-a"].word


def test_it_stays_between_the_bounds() -> None:
    """However much speaks for it or against it."""
    many = [fact(f"{number}", number, supports=["f-a"]) for number in range(1, 20)]
    against = [one.model_copy(update={"supports": (), "contradicts": ("f-a",)}) for one in many]
    assert (95, 5) == (of([fact("a"), *many]), of([fact("a"), *against]))


def test_nobodys_word_is_no_evidence() -> None:
    """Nor is what the agent says of itself, for what the owner thinks; its own confidence is at most .50."""
    forged = fact("b", 1, FactWord.UNVERIFIED, supports=["f-a"])
    own = fact("c", 2, FactWord.AGENT, kind=FactKind.EXPERIENCE, supports=["f-a"])
    assert 70 == of([fact("a"), forged, own])
    assert 50 == confidence(fact("x", word=FactWord.UNVERIFIED, stated=95)).hundredths
    assert 20 == confidence(fact("x", word=FactWord.UNVERIFIED, stated=20)).hundredths


def test_the_sum_can_be_read() -> None:
    """Start, days for and days against, and what comes of it."""
    facts = [fact("a"), fact("b", 1, supports=["f-a"]), fact("c", 3, contradicts=["f-a"])]
    assert "70 at the start + 5 x 1 (2026-02-03) - 10 x 1 (2026-02-05) = 65" == confidences(facts)["f-a"].sum


RELATIONS = st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["supports", "contradicts"])), max_size=8)


@given(RELATIONS, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(relations: list[tuple[int, str]], random: object) -> None:
    """Facts that come in any order, or twice, give the same number."""
    said = (fact(f"{n}", after).model_copy(update={how: ("f-a",)}) for n, (after, how) in enumerate(relations))
    facts = [fact("a"), *said]
    shuffled = [*facts, *facts]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert of(facts) == of(shuffled)
