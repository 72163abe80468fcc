"""A model's operations on the sentences of a summary, done as far as code can believe them."""

from collections.abc import Sequence
from enum import StrEnum

from jobs.bank.faithfulness import MOST_FACTS, SentenceFault
from jobs.bank.summary_draft import SummaryDraft
from pipeline.drafts import Skip
from schemas.bank_summary import SummaryEdits, SummaryOperation, SummarySentence, SummaryVerb

_WORDING = frozenset({SummaryVerb.PUT, SummaryVerb.REWRITE})


class EditFault(StrEnum):
    """Why an operation is not done."""

    NO_FACTS = "no_facts_named"
    MANY_FACTS = "too_many_facts_named"
    UNKNOWN_FACT = "unknown_fact"
    UNKNOWN_SENTENCE = "unknown_sentence"
    REPEATED = "sentence_repeated"
    NO_ROOM = "too_many_sentences"


def edited(answer: SummaryEdits, draft: SummaryDraft, most: int) -> tuple[list[SummarySentence], list[Skip]]:
    """The sentences after the operations, at most so many, and why some were not done; what makes room goes first."""
    editing = _Editing(draft, most)
    for operation in sorted(answer.operations, key=lambda one: one.op is SummaryVerb.PUT):
        editing.do(operation)
    return editing.sentences, editing.skips


class _Editing:
    """The sentences of a summary while operations are done one by one."""

    def __init__(self, draft: SummaryDraft, most: int) -> None:
        self.sentences = list(draft.valid)
        self.skips = list[Skip]()
        self._draft = draft
        self._most = most
        self._known = {one.id for one in draft.valid}
        self._touched = set[str]()

    def do(self, operation: SummaryOperation) -> None:
        """Do an operation, or count why it is not done."""
        if fault := self._fault(operation):
            self.skips.append(Skip(fault.value))
        elif operation.op is SummaryVerb.PUT:
            self.sentences.insert(self._behind(operation.block), _worded(operation))
        elif operation.op is SummaryVerb.REWRITE:
            self.sentences[self._place(operation.block)] = _worded(operation, operation.block)
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
        others = [one.text for one in self.sentences if putting or one.id != block]
        return (
            self._fault_in_facts(operation.facts)
            or self._draft.grounding(operation.facts).fault(operation.text)
            or (EditFault.REPEATED if operation.text in others else None)
            or (EditFault.NO_ROOM if putting and len(others) >= self._most else None)
        )

    def _fault_in_facts(self, names: Sequence[str]) -> EditFault | None:
        if not names:
            return EditFault.NO_FACTS
        if not self._draft.topic.citable.keys() >= set(names):
            return EditFault.UNKNOWN_FACT
        return EditFault.MANY_FACTS if len(set(names)) > MOST_FACTS else None

    def _place(self, block: str) -> int:
        return next(place for place, one in enumerate(self.sentences) if one.id == block)

    def _behind(self, block: str) -> int:
        """Behind a sentence and what was put there before; at the end where it is gone."""
        place = next((place for place, one in enumerate(self.sentences, 1) if block and one.id == block), None)
        if place is None:
            return len(self.sentences)
        while place < len(self.sentences) and not self.sentences[place].id:
            place += 1
        return place


def _worded(operation: SummaryOperation, name: str = "") -> SummarySentence:
    return SummarySentence(id=name, text=operation.text, facts=tuple(dict.fromkeys(operation.facts)))
