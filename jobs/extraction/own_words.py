"""The speaker's own words in a message: no code, no quotation, no secret; of the owner, nothing foreign."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from pipeline.entries.authorship import foreign
from pipeline.entries.authorship.data import code
from pipeline.entries.authorship.enclosed import fences, long_quotations
from pipeline.entries.authorship.lines import cover_stretches
from schemas.transcript import MASK, Message, Origin

# A secret is masked character by character; a single bullet opens an item of a list.
_MASKED = re.compile(rf"(?<![^,;。，；\n])[^,;。，；\n]*{MASK}{{3}}[^,;。，；\n]*")


def own_words(message: Message) -> str:
    """The text with line feeds for everything that is not the speaker's own; the length stays."""
    text = message.text
    for find in (foreign,) if message.origin is Origin.OWNER else (fences, code, long_quotations):
        text = cover_stretches(text, find(text), "\n")
    return _MASKED.sub(lambda match: "\n" * len(match[0]), text)
