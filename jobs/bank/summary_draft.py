"""A summary in the making: what stands on the page, what of it still holds, and what a model is asked."""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from jobs.bank.faithfulness import MOST_FACTS, Grounding
from jobs.bank.summary import StandingSummary, SummaryTopic, mark_of, offline_summary, worded_summary
from pipeline.drafts import ItemDraft
from schemas.bank_summary import SummaryFact, SummaryQuestion, SummarySentence
from schemas.fact import Fact
from schemas.transcript import MASK


@dataclass(frozen=True)
class SummaryDraft:
    """The summary of a topic. `standing` is that of its page, `facts` are those that a question about it shows."""

    topic: SummaryTopic
    standing: StandingSummary
    facts: tuple[Fact, ...]

    @cached_property
    def valid(self) -> tuple[SummarySentence, ...]:
        """The standing sentences that still hold, under their names in a question."""
        valid = (one for one in self.standing.sentences if self._holds(one))
        return tuple(one.model_copy(update={"id": f"s{place}"}) for place, one in enumerate(valid, 1))

    @property
    def mark(self) -> str:
        """The mark of the facts of the question."""
        return mark_of(self.facts)

    @property
    def is_due(self) -> bool:
        """Whether a model is to be asked: the summary was worded from other facts, or a part of it holds no more."""
        if self.standing.by_person or not self.facts:
            return False
        return self.standing.worded != self.mark or not self.valid or len(self.valid) < len(self.standing.sentences)

    def grounding(self, names: Sequence[str]) -> Grounding:
        """What a sentence that rests on the facts of these ids may say."""
        topic, facts = self.topic, [self.topic.citable[name] for name in names]
        alone = all(len(topic.page.known.keys(fact)) == 1 for fact in facts)  # else "he" may be somebody else
        called = (topic.entity.name, *topic.entity.aliases) if alone else ()
        replacing = {one.replaced_by.id for one in topic.gone if one.replaced_by}
        return Grounding(facts, called, replacing | {fact.id for fact in facts if fact.replaces})

    @property
    def shown(self) -> dict[str, Fact]:
        """The facts that a question is about, and those that the standing sentences rest on, by id."""
        cited = {name: self.topic.citable[name] for one in self.valid for name in one.facts}
        return {fact.id: fact for fact in self.facts} | cited

    def question(self, ids: Collection[str], most: int, masked: Callable[[str], str]) -> SummaryQuestion:
        """The question to a model about the facts of these ids, which asks for at most so many sentences.

        It is without what holds a secret, and without sentences that rest on other facts.
        """
        facts = tuple(
            SummaryFact(id=fact.id, kind=fact.kind.term, day=fact.day.isoformat(), text=fact.text)
            for fact in self.facts
            if fact.id in ids and masked(fact.text) == fact.text and MASK * 2 not in fact.text
        )
        known = frozenset(ids)
        sentences = tuple(one for one in self.valid if masked(one.text) == one.text and known.issuperset(one.facts))
        return SummaryQuestion(name=masked(self._name_in(known)), most=most, facts=facts, sentences=sentences)

    def _name_in(self, ids: AbstractSet[str]) -> str:
        """The name of the entity; of a part of the facts, which may not have it, the name that they give it."""
        entity, known = self.topic.entity, self.topic.page.known
        named = [name for one, fact in self.shown.items() if one in ids for name in fact.entities]
        own = [name for name in named if known.key_for(name) == entity.key]
        return own[0] if own and entity.name not in own and ids < self.shown.keys() else entity.name

    def render(self, sentences: Sequence[SummarySentence], mark: str) -> ItemDraft:
        """The summary of these sentences under a mark; without any, that of the strongest facts."""
        return worded_summary(self.topic, sentences, mark) if sentences else offline_summary(self.topic)

    def _holds(self, sentence: SummarySentence) -> bool:
        names = sentence.facts
        citable = 0 < len(names) <= MOST_FACTS and self.topic.citable.keys() >= set(names)
        return citable and self.grounding(names).fault(sentence.text) is None
