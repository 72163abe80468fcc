"""Words that are perhaps reported: nothing is set apart as foreign, and yet somebody else seems to speak.

A reading without a model cannot tell; a person decides.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from pipeline.entries.authorship.lines import WORDS, lines_of
from pipeline.language.folding import fold

_AT_END = re.compile(r"\s[-–—]{1,2}\s?(?P<who>[^\n.!?;:。！？；：–—-]{2,40})[.。]?\s*$")
_HEAD = re.compile(r"\s*[^\n.!?;:。！？；：]{2,40}\s*")
_NAMED = WORDS.pattern("name", r"{}(?!\w)")
_ROLE = WORDS.pattern("role", r"{}(?!\w)")
_MINE = re.compile(r"\b(?:i|me|we|my|our|ja|my|nasz\w*|moj\w*)\b|[我咱]")
_CAPITALS = re.compile(r"[A-ZŁŚŻŹĆ][^\W\d_]+(?:,? [A-ZŁŚŻŹĆ][^\W\d_]+)+")
_SAYS = re.compile(
    r"(?:^|[.!?\n]\s*)(?!(?:i|we|ja|my)\b)(?:\w+ ){1,3}(?:already |always |just |juz |zawsze )?"
    r"(?:says?|said|reckons|insists|insisted|mowi|mowil\w*|powiedzial\w*|twierdzi|kaze|kazal\w*|uwaza)\b"
    r"|(?:^|[。！？\n])[^我咱你，。,：:]{1,8}(?:说|讲|交代|吩咐|表示|要求|嘱咐|叮嘱)(?:了|过)?[，,：:]"
)


def perhaps_reported(text: str, quote: str) -> bool:
    """Whether somebody else may speak in the words of a message that hold the quote.

    It is so where the quote begins with a speaker and a verb of saying, where the message ends with a name behind a
    dash, and where nothing but a name stands in the line above.
    """
    start = text.find(quote)
    if start < 0:
        return False
    said = (WORDS.pattern("own_saying").sub(" ", fold(text[place:])) for place in (start, _sentence(text, start)))
    if any(_SAYS.match(one) for one in said):
        return True
    end = _AT_END.search(text)
    if end is not None and end.start() >= start and _is_name(end["who"]):
        return True
    above = [line.text for line in lines_of(text[:start]) if not line.blank]
    return bool(above) and "\n" in text[:start] and _HEAD.fullmatch(above[-1]) is not None and _is_name(above[-1])


def _sentence(text: str, start: int) -> int:
    """Where the sentence begins that holds a place."""
    return max(text.rfind(mark, 0, start) for mark in ".!?\n。！？") + 1


def _is_name(words: str) -> bool:
    """Whether the words name a person, or a person's role, and are none of the owner's."""
    folded = fold(words).strip()
    if _MINE.search(folded) or any(WORDS.finds(name, folded) for name in ("label", "topic", "greeting", "bot")):
        return False
    named = _NAMED.match(folded) or _ROLE.match(folded) or _ROLE.match(re.sub(r"^(?:the|my|our) ", "", folded))
    return named is not None or _CAPITALS.match(words.strip()) is not None
