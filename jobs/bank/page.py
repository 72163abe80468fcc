"""A page of the bank under construction: sections of facts, and a history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobs.bank.known import KnownFacts, digest, name_of, order
from jobs.bank.lines import LINES, history_line
from pipeline.drafts import ItemDraft
from pipeline.facts.standing import StandingFact
from schemas.fact import Fact, FactKind

_HISTORY = "history"
_DIGITS = 6


@dataclass(frozen=True)
class BankPage:
    """One page. `key` tells it from the others, whatever its `name` is; `up` leads from its folder to the workspace.

    The names of its items tell the page and the section: an item that changes its section is another one, and what a
    person took out stays out of this page alone.
    """

    known: KnownFacts
    key: str
    name: str
    up: str

    def under(self, title: str, items: Sequence[ItemDraft]) -> list[ItemDraft]:
        """The items under the title of the page; nothing without items."""
        return [self.draft("title", title), *items] if items else []

    def section(self, name: str, heading: str, facts: Iterable[Fact]) -> list[ItemDraft]:
        """Facts under a heading, without those that a person took out; nothing where none is left."""
        return self.headed(
            name,
            heading,
            [
                self.item(name_of(fact), name, LINES[fact.kind](fact, self.known, self.up))
                for fact in facts
                if not self.lacks(name_of(fact))
            ],
        )

    def headed(self, name: str, heading: str, items: Sequence[ItemDraft]) -> list[ItemDraft]:
        """Items under a heading; nothing without items."""
        return [self.draft(name, heading), *items] if items else []

    def history(self, kind: FactKind) -> list[ItemDraft]:
        """The section of what holds no more of a kind."""
        return self.headed(_HISTORY, "## No more", self.past(self.known.replaced(kind)))

    def past(self, gone: Iterable[StandingFact]) -> list[ItemDraft]:
        """The lines of what holds no more."""
        shown = (one for one in sorted(gone, key=lambda one: order(one.fact)) if not self.lacks(one.fact.id))
        return [self.item(one.fact.id, _HISTORY, history_line(one, self.up)) for one in shown]

    def item(self, name: str, section: str, text: str) -> ItemDraft:
        """A line of a section."""
        return self.draft(f"{name}-{self._mark}{digest(section)[:_DIGITS]}", text)

    def lacks(self, name: str) -> bool:
        """Whether a person took something out of this page, in whatever section it stood."""
        return f"{name}-{self._mark}" in self.known.removed

    def draft(self, name: str, text: str) -> ItemDraft:
        """An item of the page."""
        return ItemDraft(name, text, page=self.name)

    @property
    def _mark(self) -> str:
        return digest(self.key)[:_DIGITS]
