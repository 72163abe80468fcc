"""A page of the bank under construction: sections of facts, and a history."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from jobs.bank.known import KnownFacts, digest, name_of, order, read_known
from jobs.wrapup.line_text import inline, link
from pipeline.drafts import Draft, ItemDraft
from pipeline.facts.standing import StandingFact
from pipeline.job import Run
from schemas.fact import Fact, FactKind, FactWord

_SAYERS = {FactWord.AGENT: "said by the agent", FactWord.UNVERIFIED: "unverified"}
_PLAIN = re.compile(r"[\w./-]+")


def reference(fact: Fact, up: str) -> str:
    """A link to the file of a fact, by its id; by its file where it has none."""
    if fact.id and _PLAIN.fullmatch(fact.path):  # nearly all of them, and there are thousands
        return f"[{fact.id}]({up}{fact.path})"
    return link(fact.id or fact.path.rpartition("/")[2].removesuffix(".md"), up + fact.path)


def world_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """The line of a fact about the world, or of a person's observation, with the day since when it is so."""
    return _list(fact, [*_since(fact), *_doubt_note(fact, known), reference(fact, up)])


def experience_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """The line of a deed of the agent, with its day."""
    day = [] if fact.day == date.min else [str(fact.day)]
    return _list(fact, [*day, *_doubt_note(fact, known), reference(fact, up)])


def opinion_line(fact: Fact, known: KnownFacts, up: str) -> str:
    """A belief: how sure it is, who said it, since when, when that changed last, and what speaks for and against it."""
    sure, grounds = known.confidence(fact), known.grounds.get(fact.id)
    supporting, contradicting = (grounds.supporting, grounds.contradicting) if grounds else ((), ())
    changed = max((other.day for other in (*supporting, *contradicting)), default=fact.day)
    parts = [f"c {sure.hundredths / 100:.2f}, {sure.word}", _SAYERS.get(fact.word, "said by the owner"), *_since(fact)]
    if changed > fact.day:
        parts.append(f"last change {changed}")
    for word, others in (("for", supporting), ("against", contradicting)):
        if others:
            parts.append(f"{word} {', '.join(reference(other, up) for other in others)}")
    return _list(fact, [*parts, reference(fact, up)])


def history_line(standing: StandingFact, up: str) -> str:
    """The line of a former fact, with its first and last day, and its replacement."""
    by = [f"replaced by {reference(standing.replaced_by, up)}"] if standing.replaced_by else []
    return _list(standing.fact, [f"from {standing.fact.day} until {standing.until}", *by, reference(standing.fact, up)])


LINES = {
    FactKind.WORLD: world_line,
    FactKind.EXPERIENCE: experience_line,
    FactKind.OPINION: opinion_line,
    FactKind.OBSERVATION: world_line,
}
"""The line of a fact that holds, by its kind."""


@lru_cache(maxsize=1 << 14)  # a fact stands on several pages
def words_of(text: str) -> str:
    """The sentence of a fact, made safe."""
    return inline(text)


def _list(fact: Fact, parts: Iterable[str]) -> str:
    return f"- {words_of(fact.text)} ({'; '.join(parts)})"


def _since(fact: Fact) -> list[str]:
    return [] if fact.day == date.min else [f"since {fact.day}"]


def _doubt_note(fact: Fact, known: KnownFacts) -> list[str]:
    """The note of the confidence of a fact that no person vouches for."""
    if fact.word is not FactWord.UNVERIFIED:
        return []
    return [f"unverified, c {known.confidence(fact).hundredths / 100:.2f}"]


_HISTORY = "history"
_NAME_DIGITS = 6


@dataclass(frozen=True)
class BankPage:
    """A page. `key` tells it from the others, whatever its `name` is; `up` leads from its folder to the workspace.

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
        return self.with_heading(
            name,
            heading,
            [
                self.item(name_of(fact), name, LINES[fact.kind](fact, self.known, self.up))
                for fact in facts
                if not self.lacks(name_of(fact))
            ],
        )

    def with_heading(self, name: str, heading: str, items: Sequence[ItemDraft]) -> list[ItemDraft]:
        """Items under a heading; nothing without items."""
        return [self.draft(name, heading), *items] if items else []

    def past(self, gone: Iterable[StandingFact]) -> list[ItemDraft]:
        """The lines of what holds no more."""
        shown = (one for one in sorted(gone, key=lambda one: order(one.fact)) if not self.lacks(one.fact.id))
        return [self.item(one.fact.id, _HISTORY, history_line(one, self.up)) for one in shown]

    def item(self, name: str, section: str, text: str) -> ItemDraft:
        """A line of a section."""
        return self.draft(f"{name}-{self._mark}{digest(section)[:_NAME_DIGITS]}", text)

    def lacks(self, name: str) -> bool:
        """Whether a person took something out of this page, in whatever section it stood."""
        return f"{name}-{self._mark}" in self.known.removed

    def draft(self, name: str, text: str) -> ItemDraft:
        """An item of the page."""
        return ItemDraft(name, text, page=self.name)

    @property
    def _mark(self) -> str:
        return digest(self.key)[:_NAME_DIGITS]


_UP = "../"
_PAGES = {FactKind.WORLD: "world", FactKind.EXPERIENCE: "experience", FactKind.OPINION: "opinions"}
_NAMELESS = "nameless"
_DIGITS = 8


def bank_pages(run: Run) -> list[Draft]:
    """The items of the three pages; none of a page about which nothing is known."""
    known, items = read_known(run), list[Draft]()
    for kind, name in _PAGES.items():
        page = BankPage(known, name, name, _UP)
        in_force = _by_month(page) if kind is FactKind.EXPERIENCE else _by_entity(page, kind)
        gone = (standing for standing in known.standings.all if not standing.holds and standing.fact.kind is kind)
        history = page.with_heading(_HISTORY, "## No more", page.past(gone))
        items += page.under(f"# {name.capitalize()}", [*in_force, *history])
    return items


def _by_month(page: BankPage) -> Iterable[ItemDraft]:
    """The deeds of the agent, the newest first, by month."""
    months = defaultdict[str, list[Fact]](list)
    for fact in reversed(page.known.holding(FactKind.EXPERIENCE)):
        months["" if fact.day == date.min else f"{fact.day:%Y-%m}"].append(fact)
    for month, facts in sorted(months.items(), reverse=True):
        yield from page.section(f"month-{month}" if month else "no-day", f"## {month or 'Without a day'}", facts)


def _by_entity(page: BankPage, kind: FactKind) -> Iterable[ItemDraft]:
    """The facts in force by the entity that each names first; those without an entity come last."""
    known, by_key = page.known, defaultdict[str, list[Fact]](list)
    for fact in known.holding(kind):
        by_key[next(iter(known.keys(fact)), "")].append(fact)
    for key in sorted(filter(None, by_key)):
        heading = f"## {inline(known.entities[key].name)}"
        yield from page.section(f"entity-{digest(key)[:_DIGITS]}", heading, by_key[key])
    yield from page.section(_NAMELESS, "## Of no name", by_key[""])
