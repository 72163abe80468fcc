"""Which facts hold, and which held until when."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts.standing import stand
from schemas.fact import Fact, FactKind, FactWord

DAY = date(2026, 2, 2)


def fact(name: str, after: int = 0, *replaces: str, word: FactWord = FactWord.OWNER) -> Fact:
    """A fact that was said so many days later, and what it replaces."""
    day = DAY + timedelta(days=after)
    names = tuple(f"f-{other}" for other in replaces)
    return Fact(id=f"f-{name}", kind=FactKind.WORLD, text=name, day=day, replaces=names, word=word, path=f"{day}.md")


def holding(*facts: Fact, as_of: date | None = None) -> list[str]:
    """The texts of the facts that hold."""
    return [one.text for one in stand(facts, as_of).holding]


def test_a_later_fact_replaces_an_earlier_one() -> None:
    """The old one is known with the day from which it holds no more."""
    standings = stand([fact("rome", 5, "paris"), fact("paris")])
    assert ["rome"] == [one.text for one in standings.holding]
    assert DAY + timedelta(days=5) == standings.by_id["f-paris"].until


def test_what_happened_earlier_never_replaces() -> None:
    """Whenever it was written down."""
    assert ["paris", "rome"] == holding(fact("rome", 5), fact("paris", 0, "rome"))


def test_nobodys_word_replaces_nothing() -> None:
    """Nor does the agent's word of itself."""
    for word in (FactWord.UNVERIFIED, FactWord.AGENT):
        assert ["paris", "rome"] == holding(fact("paris"), fact("rome", 5, "paris", word=word))


def test_what_was_so_on_a_day() -> None:
    """By what had been said by then."""
    facts = (fact("paris"), fact("rome", 5, "paris"))
    assert ["paris"] == holding(*facts, as_of=DAY + timedelta(days=4))
    assert ["rome"] == holding(*facts, as_of=DAY + timedelta(days=5))


def test_a_deleted_replacement_lets_the_old_fact_hold_again() -> None:
    """The page of facts is the truth: what is not there replaces nothing."""
    assert ["paris"] == holding(fact("paris"))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=10), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(history: list[tuple[int, int]], random: object) -> None:
    """The same facts hold, in the same order."""
    facts = [fact(f"{n}", after, f"{other}") for n, (after, other) in enumerate(history) if other < n]
    shuffled = list(facts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert holding(*facts) == holding(*shuffled)
