"""From sections and a question to the messages of a prompt that is never above its budget, with a receipt."""

from collections.abc import Iterator

from pipeline.context.fitting import ContextPiece, Fitting, piece_of
from pipeline.context.sections import ORDER, ContextSections, Shortening, preference_lines
from pipeline.errors.store import BudgetTooSmall
from schemas.prompt_context import (
    AssembledContext,
    ContextPart,
    ContextReceipt,
    PromptLayout,
    PromptMessage,
    PromptSection,
)

_NO_SHORTENING = Shortening(threshold=1 << 60)


def assemble(
    sections: ContextSections,
    question: str,
    budget: int,
    layout: PromptLayout = PromptLayout.CACHE,
    shortening: Shortening = _NO_SHORTENING,
) -> AssembledContext:
    """The messages of a prompt for a question, and what was cut of it.

    Tokens are those of the texts of the messages. What fits is taken in this order: the last turns, the weightiest
    lines of the history that is not shown, word for word, the summary, the list of placeholders, recalled memory by its
    rank, older history.

    Raises:
        BudgetTooSmall: what is never cut (system, preferences, question) takes more.
    """
    fixed = list(_fixed(sections, question))
    needed = sum(piece.tokens for piece in fixed)
    if needed > budget:
        raise BudgetTooSmall(budget, needed, [(piece.section.value.replace("_", " "), piece.tokens) for piece in fixed])
    fitting = Fitting(sections, shortening, budget - needed)
    fitting.fill()
    ordered = sorted([*fixed, *fitting.pieces()], key=lambda piece: ORDER[layout].index(piece.section))
    return AssembledContext(
        messages=tuple(PromptMessage(role=piece.role, content=piece.text) for piece in ordered),
        receipt=ContextReceipt(
            budget=budget,
            tokens=sum(piece.tokens for piece in ordered),
            layout=layout,
            parts=tuple(_part(piece) for piece in ordered),
            cut=tuple(fitting.cuts()),
            notices=tuple(fitting.notices()),
        ),
    )


def _fixed(sections: ContextSections, question: str) -> Iterator[ContextPiece]:
    """What is never cut."""
    everywhere = preference_lines(sections.global_preferences, sections.standing_preferences)
    here = [line for line in preference_lines(sections.session_preferences) if line not in everywhere]
    texts = {
        PromptSection.SYSTEM: sections.system,
        PromptSection.GLOBAL_PREFERENCES: "\n".join(everywhere),
        PromptSection.SESSION_PREFERENCES: "\n".join(here),
    }
    yield from (piece_of(section, body) for section, body in texts.items() if body.strip())
    if question.strip():  # a model's server refuses an empty message
        yield piece_of(PromptSection.QUESTION, question)


def _part(piece: ContextPiece) -> ContextPart:
    replaced = bool(piece.plain and piece.plain != piece.tokens)
    return ContextPart(section=piece.section, tokens=piece.tokens, number=piece.number, replaced=replaced)
