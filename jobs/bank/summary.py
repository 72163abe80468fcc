"""What an entity's page begins with: the strongest of its facts in their own words, or sentences of a model."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jobs.bank.known import digest, order
from jobs.bank.lines import reference, words_of
from jobs.bank.page import BankPage
from pipeline.drafts import ItemDraft
from pipeline.facts.entities import Entity
from pipeline.facts.standing import StandingFact
from pipeline.markdown.blocks import find_blocks
from schemas.bank_summary import SummarySentence
from schemas.fact import Fact, FactKind

MOST = 3
"""Facts in a summary without a model; a page with no more has none."""

_NAME = "summary"
_DIGITS = 8
_KINDS = frozenset({FactKind.WORLD, FactKind.OPINION})
_CITED = r"\[f-[0-9a-f]+\]\((?:<[^<>]*>|[^<>()\s]*)\)"
_BEHIND = re.compile(rf" \(({_CITED}(?:, {_CITED})*)\)(?: |$)")
_ID = re.compile(r"\[(f-[0-9a-f]+)\]")
_WORDED = re.compile(r"\(worded by a model from \d+ facts?, ([0-9a-f]+)\)")


@dataclass(frozen=True)
class SummaryTopic:
    """An entity with its page, the facts of it that hold, and those that do not."""

    page: BankPage
    entity: Entity
    holding: Sequence[Fact]
    gone: Sequence[StandingFact]

    @cached_property
    def citable(self) -> dict[str, Fact]:
        """The facts that a summary may rest on, by id: ours, of what is so and what is believed."""
        kinds = (fact for fact in self.holding if fact.id and fact.kind in _KINDS)
        return {fact.id: fact for fact in kinds if not self.page.lacks(fact.id)}

    @property
    def is_long(self) -> bool:
        """Whether its page has a summary."""
        return len(self.holding) > MOST and bool(self.citable)

    def strongest(self, most: int) -> list[Fact]:
        """So many of the facts, the surest first, then the newest."""
        newest = sorted(self.citable.values(), key=order, reverse=True)
        return sorted(newest, key=lambda fact: -self.page.known.confidence(fact).hundredths)[:most]


@dataclass(frozen=True)
class StandingSummary:
    """The sentences of a summary that a model worded, as the page has them, and the mark of the facts it was given.

    `by_person` says that a person has changed the summary, which is theirs since, or has taken it out.
    """

    sentences: tuple[SummarySentence, ...] = ()
    worded: str = ""
    by_person: bool = False


def offline_summary(topic: SummaryTopic) -> ItemDraft:
    """The summary that needs no model."""
    return _paragraph(topic, [(words_of(fact.text), [fact]) for fact in topic.strongest(MOST)])


def worded_summary(topic: SummaryTopic, sentences: Iterable[SummarySentence], worded: str) -> ItemDraft:
    """A summary of such sentences, each with its facts, under the mark of what they were worded from."""
    facts = topic.citable
    return _paragraph(topic, [(one.text, [facts[name] for name in one.facts]) for one in sentences], worded)


def mark_of(facts: Sequence[Fact]) -> str:
    """What a summary that was worded from these facts ends with: it is not worded again from the same ones."""
    of = digest("\n".join(f"{fact.id} {fact.text}" for fact in facts))[:_DIGITS]
    return f"(worded by a model from {len(facts)} {'fact' if len(facts) == 1 else 'facts'}, {of})"


def standing_summary(page: str) -> StandingSummary:
    """The summary in the text of a page; an empty one where no model worded it."""
    blocks = [block for block in find_blocks(page.encode(errors="replace")) if block.item and block.name == _NAME]
    if len(blocks) != 1 or not blocks[0].intact:
        return StandingSummary(by_person=bool(blocks))
    text, mark = blocks[0].text.rstrip(), _WORDED.search(blocks[0].text)
    if not mark or not text.endswith(mark[0]):
        return StandingSummary()
    parts = _BEHIND.split(text.removesuffix(mark[0]).rstrip())
    sentences = (
        SummarySentence(text=words, facts=tuple(_ID.findall(cited)))
        for words, cited in zip(parts[::2], parts[1::2], strict=False)
    )
    return StandingSummary(tuple(sentences), mark[0])


def standing_summaries(pages: Mapping[str, str], removed: Iterable[str]) -> dict[str, StandingSummary]:
    """The summaries of pages, given by name, by the keys of their entities; `removed` are as in `Run`."""
    standing = {name.casefold(): standing_summary(text) for name, text in pages.items()}
    gone = (path for path, _, name in (place.rpartition("#") for place in removed) if name == _NAME)
    by_person = StandingSummary(by_person=True)
    return standing | {path.rpartition("/")[2].removesuffix(".md").casefold(): by_person for path in gone}


def _paragraph(topic: SummaryTopic, sentences: Iterable[tuple[str, Sequence[Fact]]], *behind: str) -> ItemDraft:
    up = topic.page.up
    parts = (f"{text} ({', '.join(reference(fact, up) for fact in facts)})" for text, facts in sentences)
    return topic.page.draft(_NAME, " ".join([*parts, *behind]))
