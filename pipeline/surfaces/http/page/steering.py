"""Characters that steer the text around them, which the page shows as signs."""

import re

_JOINED = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_TAGS = "\U000e0000-\U000e007f"
_STEERING = re.compile(
    # The flags of England and others: a black flag and tags. Other tags are invisible text.
    rf"(?P<flag>\N{{WAVING BLACK FLAG}}[{_TAGS}]{{2,8}})"
    # Controls, but for line ends and the tab; marks, overrides and isolates of direction; what has no width.
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    # Joiners belong into Persian, Hindi and emoji; between Latin letters they only make words look equal.
    rf"\ufff9-\ufffb{_TAGS}]|(?<![^\x00-\u024f])[{_JOINED}]"
)
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(0x20)} | {"\x7f": "\N{SYMBOL FOR DELETE}"}
"""Controls of a terminal, and the characters that picture them."""


def visible(text: str) -> str:
    """The text with visible signs for characters that steer the text around it; line ends and tabs stay."""
    return _STEERING.sub(lambda match: match[0] if match["flag"] else _visible_sign(match[0]), text)


def _visible_sign(character: str) -> str:
    return _PICTURES.get(character) or f"[U+{ord(character):04X}]"
