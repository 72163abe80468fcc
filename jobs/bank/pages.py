"""The pages of the whole bank: the world, what the agent did, and beliefs."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from jobs.bank.known import KnownFacts, digest, known_facts
from jobs.bank.page import BankPage
from jobs.wrapup.line_text import inline
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Run
from schemas.fact import Fact, FactKind

_UP = "../"
_NAMELESS = "nameless"
_DIGITS = 8


def bank_pages(run: Run) -> list[Draft]:
    """The items of the three pages; none of a page about which nothing is known."""
    known = known_facts(run)
    return [*_world(known), *_experience(known), *_opinions(known)]


def _world(known: KnownFacts) -> list[ItemDraft]:
    page = BankPage(known, "world", "world", _UP)
    return page.under("# World", [*_by_entity(page, FactKind.WORLD), *page.history(FactKind.WORLD)])


def _opinions(known: KnownFacts) -> list[ItemDraft]:
    page = BankPage(known, "opinions", "opinions", _UP)
    return page.under("# Opinions", [*_by_entity(page, FactKind.OPINION), *page.history(FactKind.OPINION)])


def _experience(known: KnownFacts) -> list[ItemDraft]:
    """What the agent did, the newest first, by month."""
    page = BankPage(known, "experience", "experience", _UP)
    months = defaultdict[str, list[Fact]](list)
    for fact in reversed(known.holding(FactKind.EXPERIENCE)):
        months[_month(fact)].append(fact)
    items = [
        item
        for month, facts in sorted(months.items(), reverse=True)
        for item in page.section(f"month-{month}" if month else "no-day", f"## {month or 'Without a day'}", facts)
    ]
    return page.under("# Experience", [*items, *page.history(FactKind.EXPERIENCE)])


def _by_entity(page: BankPage, kind: FactKind) -> Iterable[ItemDraft]:
    """What holds, by the entity that each fact names first; what names none comes last."""
    known, by_key = page.known, defaultdict[str, list[Fact]](list)
    for fact in known.holding(kind):
        by_key[next(iter(known.keys(fact)), "")].append(fact)
    for key in sorted(filter(None, by_key)):
        heading = f"## {inline(known.entities[key].name)}"
        yield from page.section(f"entity-{digest(key)[:_DIGITS]}", heading, by_key[key])
    yield from page.section(_NAMELESS, "## Of no name", by_key[""])


def _month(fact: Fact) -> str:
    return "" if fact.day == date.min else f"{fact.day:%Y-%m}"
