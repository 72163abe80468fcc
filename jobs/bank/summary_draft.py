"""A summary in the making: what stands on the page, what of it still holds, and what a model is asked."""

from collections.abc import Callable, Sequence
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

    def question(self, most: int, masked: Callable[[str], str]) -> SummaryQuestion:
        """The question to a model, which asks for at most so many sentences; without what holds a secret."""
        name = self.topic.entity.name
        shown = (
            SummaryFact(id=fact.id, kind=fact.kind.term, day=fact.day.isoformat(), text=fact.text)
            for fact in self.facts
            if masked(fact.text) == fact.text and MASK * 2 not in fact.text
        )
        sentences = tuple(one for one in self.valid if masked(one.text) == one.text)
        return SummaryQuestion(name=masked(name), most=most, facts=tuple(shown), sentences=sentences)

    def render(self, sentences: Sequence[SummarySentence], mark: str) -> ItemDraft:
        """The summary of these sentences under a mark; without any, that of the strongest facts."""
        return worded_summary(self.topic, sentences, mark) if sentences else offline_summary(self.topic)

    def _holds(self, sentence: SummarySentence) -> bool:
        names = sentence.facts
        citable = 0 < len(names) <= MOST_FACTS and self.topic.citable.keys() >= set(names)
        return citable and self.grounding(names).fault(sentence.text) is None
