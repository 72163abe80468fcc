"""What of a message is its speaker's own: no code, no quotation, no secret; of the owner's, nothing foreign."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.extraction.authorship import foreign
from jobs.extraction.authorship.data import code
from jobs.extraction.authorship.lines import replaced
from jobs.extraction.text import weight
from schemas.transcript import MASK, Message, Origin

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SPEECH_MARKS = re.compile(r"[\"“„«「『][^\"“”„«»「」『』\n]+[\"”“»」』]")
_LONG = 60  # in Latin letters; a quotation as long as this is somebody's words, a shorter one a name or a term
# A secret is masked character by character; a single bullet opens an item of a list.
_MASKED = re.compile(rf"(?<![^,;。，；\n])[^,;。，；\n]*{MASK}{{3}}[^,;。，；\n]*")


def own_words(message: Message) -> str:
    """The text with line feeds for all that is not the speaker's own; the length stays."""
    text = message.text
    left = replaced(text, foreign(text), "\n") if message.origin is Origin.OWNER else _unquoted(text)
    return _MASKED.sub(_blank, left)


def _unquoted(text: str) -> str:
    text = _FENCED.sub(_blank, text)
    text = replaced(text, code(text), "\n")
    return _SPEECH_MARKS.sub(lambda match: _blank(match) if weight(match.group()) > _LONG else match.group(), text)


def _blank(match: re.Match[str]) -> str:
    """New lines for as many characters: what stands on both sides are sentences apart."""
    return "\n" * len(match.group())
