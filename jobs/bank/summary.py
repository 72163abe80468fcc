"""The beginning of an entity's page: the strongest of its facts in their own words, or sentences of a model."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from jobs.bank.faithfulness import MOST_FACTS, Grounding, SentenceFault
from jobs.bank.known import digest, order, sort_facts
from jobs.bank.page import BankPage, reference, words_of
from jobs.reading.asking import read_prompt
from pipeline.drafts import ItemDraft, Skip
from pipeline.facts.names import Entity
from pipeline.facts.standing import StandingFact
from pipeline.job import OFFLINE, Run, Task
from pipeline.markdown.blocks import find_blocks
from schemas.fact import Fact, FactKind
from schemas.judgement import SummaryEdits, SummaryFact, SummaryOperation, SummaryQuestion, SummarySentence, SummaryVerb
from schemas.transcript import MASK

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
        """The strongest facts, at most so many: the surest first, then the newest."""
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


def mark_of(facts: Sequence[Fact]) -> str:
    """The mark of a summary that was worded from these facts: it is not worded again from the same facts."""
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


@dataclass(frozen=True)
class SummaryDraft:
    """The summary of a topic. `standing` is that of its page, `facts` are those that a question about it shows."""

    topic: SummaryTopic
    standing: StandingSummary
    facts: tuple[Fact, ...]

    @cached_property
    def valid(self) -> tuple[SummarySentence, ...]:
        """The standing sentences that still hold, under their names in a question."""
        valid = (sentence for sentence in self.standing.sentences if self._holds(sentence))
        return tuple(sentence.model_copy(update={"id": f"s{place}"}) for place, sentence in enumerate(valid, 1))

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
        """The words that a sentence which rests on the facts of these ids may use."""
        topic, facts = self.topic, [self.topic.citable[name] for name in names]
        alone = all(len(topic.page.known.keys(fact)) == 1 for fact in facts)  # else "he" may be somebody else
        called = (topic.entity.name, *topic.entity.aliases) if alone else ()
        replacing = {standing.replaced_by.id for standing in topic.gone if standing.replaced_by}
        return Grounding(facts, called, replacing | {fact.id for fact in facts if fact.replaces})

    @property
    def facts_shown(self) -> dict[str, Fact]:
        """The facts that a question is about, and those that the standing sentences rest on, by id."""
        cited = {name: self.topic.citable[name] for sentence in self.valid for name in sentence.facts}
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
        named = [name for fact_id, fact in self.facts_shown.items() if fact_id in ids for name in fact.entities]
        own = [name for name in named if known.key_for(name) == entity.key]
        return own[0] if own and entity.name not in own and ids < self.facts_shown.keys() else entity.name

    def render(self, sentences: Sequence[SummarySentence], mark: str) -> ItemDraft:
        """The summary of these sentences under a mark; without any, that of the strongest facts."""
        if not sentences:
            return offline_summary(self.topic)
        facts = self.topic.citable
        cited = [(sentence.text, [facts[name] for name in sentence.facts]) for sentence in sentences]
        return _paragraph(self.topic, cited, mark)

    def _holds(self, sentence: SummarySentence) -> bool:
        names = sentence.facts
        citable = 0 < len(names) <= MOST_FACTS and self.topic.citable.keys() >= set(names)
        return citable and self.grounding(names).fault(sentence.text) is None


_WORDING = frozenset({SummaryVerb.PUT, SummaryVerb.REWRITE})


class EditFault(StrEnum):
    """The reason for which an operation is not done."""

    NO_FACTS = "no_facts_named"
    MANY_FACTS = "too_many_facts_named"
    UNKNOWN_FACT = "unknown_fact"
    UNKNOWN_SENTENCE = "unknown_sentence"
    REPEATED = "sentence_repeated"
    NO_ROOM = "too_many_sentences"


class _Editing:
    """The sentences of a summary while operations are done one by one."""

    def __init__(self, draft: SummaryDraft, most: int) -> None:
        self.sentences = list(draft.valid)
        self.skips = list[Skip]()
        self._draft = draft
        self._most = most
        self._known = {sentence.id for sentence in draft.valid}
        self._touched = set[str]()

    def do(self, operation: SummaryOperation) -> None:
        """Do an operation, or count why it is not done."""
        if fault := self._fault(operation):
            self.skips.append(Skip(fault.value))
        elif operation.op is SummaryVerb.PUT:
            self.sentences.insert(self._place_behind(operation.block), _sentence_of(operation))
        elif operation.op is SummaryVerb.REWRITE:
            self.sentences[self._place(operation.block)] = _sentence_of(operation, operation.block)
        elif operation.op is SummaryVerb.DROP:
            del self.sentences[self._place(operation.block)]
        if operation.op is not SummaryVerb.PUT:
            self._touched.add(operation.block)

    def _fault(self, operation: SummaryOperation) -> EditFault | SentenceFault | None:
        putting, block = operation.op is SummaryVerb.PUT, operation.block
        if block not in self._known and (block or not putting):
            return EditFault.UNKNOWN_SENTENCE
        if not putting and block in self._touched:
            return EditFault.REPEATED
        if operation.op not in _WORDING:
            return None
        others = [sentence.text for sentence in self.sentences if putting or sentence.id != block]
        facts = tuple(dict.fromkeys(operation.facts))
        return (
            self._fault_in_facts(facts)
            or self._draft.grounding(facts).fault(operation.text)
            or (EditFault.REPEATED if operation.text in others else None)
            or (EditFault.NO_ROOM if putting and len(others) >= self._most else None)
        )

    def _fault_in_facts(self, names: Sequence[str]) -> EditFault | None:
        if not names:
            return EditFault.NO_FACTS
        if not self._draft.topic.citable.keys() >= set(names):
            return EditFault.UNKNOWN_FACT
        return EditFault.MANY_FACTS if len(names) > MOST_FACTS else None

    def _place(self, block: str) -> int:
        return next(place for place, sentence in enumerate(self.sentences) if sentence.id == block)

    def _place_behind(self, block: str) -> int:
        """The place behind a sentence, and behind the sentences put there before; the end where it is gone."""
        place = next(
            (place for place, sentence in enumerate(self.sentences, 1) if block and sentence.id == block), None
        )
        if place is None:
            return len(self.sentences)
        while place < len(self.sentences) and not self.sentences[place].id:
            place += 1
        return place


def _sentence_of(operation: SummaryOperation, name: str = "") -> SummarySentence:
    return SummarySentence(id=name, text=operation.text, facts=tuple(dict.fromkeys(operation.facts)))


_SENTENCES = 5
"""The most sentences of a summary that a model words."""
_FACTS = 40
"""The most facts in a question: the surest."""
_NO_ANSWER = SummaryEdits()
"""The answer in place of a missing answer: the sentences stay as far as they hold."""


def summaries(run: Run, topics: Sequence[SummaryTopic]) -> tuple[dict[str, ItemDraft], list[Skip]]:
    """The summaries of the long pages by the keys of their entities, and what was not done of a model's answers."""
    long = [topic for topic in topics if topic.is_long]
    if run.models.background == OFFLINE:
        return {topic.entity.key: offline_summary(topic) for topic in long}, []
    standing = standing_summaries(run.written.pages, run.refusals.removed)
    drafts = [
        # The facts are in the order of a page, so that a change of confidence asks nothing anew.
        SummaryDraft(
            topic, standing.get(topic.entity.key, StandingSummary()), tuple(sort_facts(topic.strongest(_FACTS)))
        )
        for topic in long
    ]
    answers = _answers(run, [draft for draft in drafts if draft.is_due])
    made = {draft.topic.entity.key: _build_summary(draft, answers.get(draft.topic.entity.key)) for draft in drafts}
    return {key: item for key, (item, _) in made.items()}, [skip for _, skips in made.values() for skip in skips]


def _answers(run: Run, drafts: Sequence[SummaryDraft]) -> dict[str, SummaryEdits]:
    """The answers about summaries, by the keys of their entities; none where no model may see a fact.

    Where several models see each a part of the facts, the sentences of all of them stand together.
    """
    tasks = [(draft.topic.entity.key, task) for draft in drafts for task in _tasks(run, draft)]
    answers = defaultdict[str, list[SummaryEdits]](list)
    for (key, _), answer in zip(tasks, run.models.ask([task for _, task in tasks]) if tasks else (), strict=True):
        answers[key].append(answer)
    return {
        key: _NO_ANSWER
        if any(answer is _NO_ANSWER for answer in given)
        else SummaryEdits(operations=tuple(operation for answer in given for operation in answer.operations))
        for key, given in answers.items()
    }


def _tasks(run: Run, draft: SummaryDraft) -> Iterator[Task[SummaryEdits]]:
    """The questions about a summary, none about facts that all hold secrets."""
    sources = {name: run.models.sources_of(fact.session_id) for name, fact in draft.facts_shown.items()}
    parts = [ids for _, ids in run.models.by_reader(sources)]
    for ids in parts:
        question = draft.question(ids, max(1, _SENTENCES // len(parts)), run.models.masked)
        if question.facts:
            of_all = frozenset[str]().union(*(sources[name] for name in ids))
            yield Task(
                "entity_pages",
                read_prompt("entity_pages"),
                question,
                SummaryEdits,
                lambda: _NO_ANSWER,
                of_all,
                background=True,
                optional=True,
            )


def _build_summary(draft: SummaryDraft, answer: SummaryEdits | None) -> tuple[ItemDraft, Sequence[Skip]]:
    """A summary, and the refused parts of its answer. Without an answer, the next run asks again."""
    if answer is None or answer is _NO_ANSWER:
        return draft.render(draft.valid, draft.standing.worded), [] if answer is None else [Skip("not_worded")]
    editing = _Editing(draft, _SENTENCES)
    for operation in sorted(answer.operations, key=lambda operation: operation.op is SummaryVerb.PUT):  # removals first
        editing.do(operation)
    return draft.render(editing.sentences, draft.mark), editing.skips
