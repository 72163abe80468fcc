"""The phrases of all languages. They are matched against one whole sentence, folded as `fold` does.

A phrase begins where its sentence begins, behind words that lead to it at most: "I forgot my key" asks for nothing.
"""

import re
from collections.abc import Sequence

from pipeline.entries.voice import chinese, english, polish
from pipeline.language.text import Span

FORGET = (*english.FORGET, *polish.FORGET, *chinese.FORGET)
"""The owner asks to forget the group `content`. A bare "forget it" names nothing, so nothing follows from it."""

CLEAR = (*english.CLEAR, *polish.CLEAR, *chinese.CLEAR)
"""The owner asks to forget all that is known of the group `content`."""

OFF_RECORD = (*english.OFF_RECORD, *polish.OFF_RECORD, *chinese.OFF_RECORD)
"""The owner asks not to keep what was just said; with the group `all`, what was said in this conversation."""

NEVER_MIND = (*english.NEVER_MIND, *polish.NEVER_MIND)
"""The owner drops what was just said; within a message that says more, it may be but a question."""

BESIDE = (*english.BESIDE, *polish.BESIDE, *chinese.BESIDE)
"""What says nothing else beside that: "I was just venting", "thanks"."""

OF_FILES = re.compile(rf"\b(?:{english.OF_FILES}|{polish.OF_FILES})|{chinese.OF_FILES}")
"""Words by which the owner may as well speak of a file."""

REMINDING = re.compile(f"{english.REMINDING}|{polish.REMINDING}|{chinese.REMINDING}")
"""How a sentence begins that asks, by a no, to remember the rest of it."""

_LONGEST = 300
"""Characters of a sentence that may be a phrase; a longer one says more than that."""


def phrase_in(span: Span, phrases: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    """The first of the phrases that is all that the sentence says."""
    if len(span.text) > _LONGEST:
        return None
    return next(filter(None, (pattern.fullmatch(span.folded) for pattern in phrases)), None)
