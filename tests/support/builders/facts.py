"""Facts, and the pages that hold them as the product writes them."""

import hashlib
from collections.abc import Iterable
from datetime import date

from pipeline.facts.sections import render_fact
from pipeline.markdown.blocks import seal_item
from schemas.fact import Fact, FactKind, FactWord

DAY = date(2026, 3, 2)


def stated(text: str, *entities: str, day: date = DAY, **fields: object) -> Fact:
    """A fact that the owner said in the words of the text; `fields` are others of a `Fact`."""
    name = f"f-{hashlib.sha256(f'{text}{day}'.encode()).hexdigest()[:8]}"
    usual: dict[str, object] = {
        "id": name,
        "kind": FactKind.WORLD,
        "word": FactWord.OWNER,
        "quote": text,
        "session_id": f"s-{name}",
        "numbers": (1, 2),
    }
    return Fact.model_validate({"text": text, "entities": entities, "day": day} | usual | fields)


def fact_item(fact: Fact) -> str:
    """The item of a fact, with its mark."""
    return seal_item(fact.id, render_fact(fact))


def retained_page(facts: Iterable[Fact]) -> str:
    """A page of facts."""
    return "## Retain\n" + "".join(map(fact_item, facts))
