"""What an entity's page begins with: the strongest of its facts, in their own words."""

from collections.abc import Iterable, Sequence

from jobs.bank.known import order
from jobs.bank.lines import reference, words_of
from jobs.bank.page import BankPage
from pipeline.drafts import ItemDraft
from schemas.fact import Fact, FactKind

MOST = 3
"""Facts in a summary; a page with no more has none."""


def summary(page: BankPage, holding: Sequence[Fact]) -> list[ItemDraft]:
    """The summary of a page, which is one paragraph; none of a page that is short itself."""
    strongest = strongest_of(page, holding)
    if len(holding) <= MOST or not strongest:
        return []
    sentences = (f"{words_of(fact.text)} ({reference(fact, page.up)})" for fact in strongest)
    return [page.draft("summary", " ".join(sentences))]


def strongest_of(page: BankPage, holding: Iterable[Fact]) -> list[Fact]:
    """The facts of ours that are surest, then newest: what is so, and what is believed."""
    kinds = {FactKind.WORLD, FactKind.OPINION}
    shown = [fact for fact in holding if fact.id and fact.kind in kinds and not page.lacks(fact.id)]
    newest = sorted(shown, key=order, reverse=True)
    return sorted(newest, key=lambda fact: -page.known.confidence(fact).hundredths)[:MOST]
