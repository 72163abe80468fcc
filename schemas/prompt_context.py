"""The context of a conversation: its request, and its parts in a prompt."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schemas.base import Value
from schemas.transcript import Role

BUDGET = 8_000
Budget = Annotated[int, Field(ge=1, le=10_000_000)]
"""Tokens of a context at most."""
HISTORY = 12
RECALL = 3
FLOOR = 0.5


class PromptLayout(StrEnum):
    """The order of the sections.

    `seed`: system, preferences, summary, memory, history, question. `cache`: what never changes first, and recalled
    memory right before the question, so that a provider's prompt cache holds.
    """

    SEED = "seed"
    CACHE = "cache"


class PromptSection(StrEnum):
    """The kind of a part of a context."""

    SYSTEM = "system"
    GLOBAL_PREFERENCES = "global_preferences"
    SESSION_PREFERENCES = "session_preferences"
    SUMMARY = "summary"
    NOTES = "notes"
    MEMORY = "memory"
    HISTORY = "history"
    CUT_DETAILS = "cut_details"
    QUESTION = "question"


class ContextRequest(Value):
    """A request for the context of a question.

    `budget` is in tokens, without one that of the conversation's settings; `history` is how many messages are given
    word for word. `recall` is how many passages of the memory join at most, none when 0; none whose score is below
    `floor`, a share of the best one's.
    """

    question: str = Field(max_length=100_000)
    system: str = ""
    budget: Budget | None = None
    layout: PromptLayout = PromptLayout.CACHE
    history: int = Field(default=HISTORY, ge=0, le=1_000)
    recall: int = Field(default=RECALL, ge=0, le=5)
    floor: float = Field(default=FLOOR, ge=0)


class PromptMessage(Value):
    """A message as a model's API takes it."""

    role: Role
    content: str


class ContextPart(Value):
    """A part that is in the context, with its exact tokens. `number` is that of its message, 0 where it is of none."""

    section: PromptSection
    tokens: int
    number: int = 0
    replaced: bool = False


class CutPart(Value):
    """A part that is not in the context as it was, with its tokens and the reason, a sentence.

    `lines` are those of its lines that are kept as notes.
    """

    section: PromptSection
    tokens: int
    why: str
    number: int = 0
    lines: int = 0


class ContextReceipt(Value):
    """The account of a context: every part with its tokens, never above `budget`, and the cuts with their reasons."""

    budget: int
    tokens: int
    layout: PromptLayout
    parts: tuple[ContextPart, ...]
    cut: tuple[CutPart, ...] = ()
    notices: tuple[str, ...] = ()


class AssembledContext(Value):
    """The messages of a prompt, and their account. `summary_due` says that a summary is to be made for this budget."""

    messages: tuple[PromptMessage, ...]
    receipt: ContextReceipt
    summary_due: bool = False
