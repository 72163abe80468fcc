"""What a model is asked about the summary of an entity's page, and may answer: operations, each with its facts."""

from enum import StrEnum

from schemas.base import Value


class SummaryFact(Value):
    """A fact that may be named. `day` is when it was said, in ISO form, or empty."""

    id: str
    kind: str
    day: str
    text: str


class SummarySentence(Value):
    """A sentence of a summary with the ids of the facts that it rests on. `id` is its name in a question."""

    id: str = ""
    text: str
    facts: tuple[str, ...]


class SummaryQuestion(Value):
    """The summary of the page called `name`: at most so many sentences. `sentences` are those that stand now."""

    name: str
    most: int
    facts: tuple[SummaryFact, ...]
    sentences: tuple[SummarySentence, ...]


class SummaryVerb(StrEnum):
    """What is to be done with a sentence; `put` makes a new one behind it."""

    KEEP = "keep"
    PUT = "put"
    REWRITE = "rewrite"
    DROP = "drop"


class SummaryOperation(Value):
    """One operation on the sentence named `block`; an empty one of `put` is the end. Code checks all of it."""

    op: SummaryVerb
    block: str = ""
    facts: tuple[str, ...] = ()
    text: str = ""


class SummaryEdits(Value):
    """The operations, in their order; a sentence that none names stays as it is."""

    operations: tuple[SummaryOperation, ...] = ()
