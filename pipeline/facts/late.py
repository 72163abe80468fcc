"""Facts that were written down after later ones: what they say of these, said the other way round."""

from collections import defaultdict
from collections.abc import Iterable

from schemas.fact import Fact


def forward(facts: Iterable[Fact]) -> list[Fact]:
    """The facts with all relations in the later one, as if each had been written down on its day."""
    known = list(facts)
    later_says: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for fact in known:
        said = {"supports": fact.supported_by, "contradicts": fact.contradicted_by, "replaces": fact.replaced_by}
        for relation, later_ids in said.items():
            for later in later_ids:
                later_says[later][relation].append(fact.id)
    return [_with(fact, later_says[fact.id]) if fact.id in later_says else fact for fact in known]


def _with(fact: Fact, relations: dict[str, list[str]]) -> Fact:
    merged = {name: tuple(dict.fromkeys([*getattr(fact, name), *ids])) for name, ids in relations.items()}
    return fact.model_copy(update=merged)
