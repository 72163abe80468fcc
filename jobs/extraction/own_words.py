"""What of a message is the speaker's own: not code, not a quotation, not what was pasted."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.extraction.text import weight
from schemas.transcript import MASK

_QUOTED = re.compile(r"```.*?(?:```|\Z)|^[ \t]*(?:>|//|#|/\*|\*/|--|<!--)[^\n]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(
    r"^[ \t]*+(?:"
    r"(?:import|from|export|const|let|var|def|class|function|return|public|private|async|await|SELECT|INSERT|CREATE)\b"
    r"[^\n]*[;{}()=][^\n]*"
    r"|</?\w[^\n]*>[^\n]*"
    r"|[\w.]+\([^\n]*\)[;{]?[ \t]*"
    r"|[^\n]*(?:[;{}]|=>)[ \t]*"
    r"|[\[{}\]()]+,?"
    r")$",
    re.MULTILINE,
)
_SPEECH_MARKS = re.compile(r"[\"“„«「『][^\"“”„«»「」『』\n]+[\"”“»」』]")
_LONG = 60  # in Latin letters; a quotation as long as this is somebody's words, a shorter one a name or a term
# A secret is masked character by character; a single bullet opens an item of a list.
_MASKED = re.compile(rf"(?<![^,;。，；\n])[^,;。，；\n]*{MASK}{{3}}[^,;。，；\n]*")


def own_words(text: str) -> str:
    """`text` without code, quoted lines, comments and clauses that hold a masked secret; the length stays."""
    for pattern in (_QUOTED, _CODE, _MASKED):
        text = pattern.sub(_blank, text)
    return _SPEECH_MARKS.sub(lambda match: _blank(match) if weight(match.group()) > _LONG else match.group(), text)


def _blank(match: re.Match[str]) -> str:
    """New lines for as many characters: what stands on both sides are sentences apart."""
    return "\n" * len(match.group())
