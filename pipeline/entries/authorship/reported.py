"""Words that are perhaps reported: nothing is set apart as foreign, and yet somebody else seems to speak.

A reading without a model cannot tell; a person decides. The owner's own voice is unframed: nothing but the owner's
subject, or a topic, leads to it.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from pipeline.entries.authorship.lines import WORDS, lines_of
from pipeline.entries.authorship.requests import About, asks_about
from pipeline.language.folding import fold
from pipeline.language.text import Span, sentences, weight

_AT_END = re.compile(r"\s[-–—]{1,2}\s?(?P<who>[^\n.!?;:。！？；：–—-]{2,40})[.。]?\s*$")
_HEAD = re.compile(r"\s*(?:\w{1,4}\. ?)?[^\n.!?;:。！？；：]{2,40}\s*")
_DETERMINER = r"(?:(?:the|my|our|moj\w*|nasz\w*) |我们?的?)?"
_PERSON = WORDS.pattern("role", rf"\W*{_DETERMINER}(?!我|(?:ja|me)\b){{}}"), WORDS.pattern("name", r"\W*{}(?!\w)")
_MINE = re.compile(r"\b(?:i|me|we|my|our|ja|my|nasz\w*|moj\w*)\b|[我咱]")
_CAPITALS = re.compile(
    r"(?:\w{1,4}\. ?[A-ZŁŚŻŹĆ]|@(?=\w)|[A-ZŁŚŻŹĆ][^\W\d_]+,? [A-ZŁŚŻŹĆ])[^\W_]+(?:,? [A-ZŁŚŻŹĆ]\w+)*"
)
_SAYS = re.compile(
    r"(?!(?:i|we|ja)\b)(?:\w+ ){1,3}(?:already |always |just |juz |zawsze )?"
    r"(?:says?|said|reckons|insists|insisted|mowi|mowil\w*|powiedzial\w*|twierdzi|kaze|kazal\w*|uwaza)\b"
    r"|[^我咱你，。,：:]{1,8}(?:说|讲|交代|吩咐|表示|要求|嘱咐|叮嘱)(?:了|过)?[，,：:]"
)
# A person, a verb, and a clause with a subject of its own: `my dad reckons we ...`, `dyrektor chce, zeby ...`.
_CLAUSE = re.compile(
    r"(?!.{0,12}\b(?:and|i|or) (?:i|me|ja)\b)(?:(?: [^\s,，:]+){1,4}? (?:that|us|we|you|everyone|everybody|nobody)\b"
    r"|(?:,? [^\s,，:]+){1,3}?,? (?:ze|zeby|aby|by|nam|nas)\b|[^我，。,：:]{0,3}(?:说|讲|让|叫|希望|要求|意思|觉得))"
)
_SUNG = re.compile(r"[♩-♬\U0001f3a4\U0001f3b5\U0001f3b6]|\b(?!no)([^\W\d]{1,3}[ao]h?)(?:[ ,-]+\1){2,}\b|啦{3}")
# The fields of the records that agents and testers write, and a field in brackets.
_FIELD = re.compile(
    r"\W*(?:observation|thought|finding|result|output|status|obserwacja|mysl|wniosek|wynik|观察|思考|发现|结果|输出|状态)"
    r"(?: ?\d+)?\W{0,2}[:：]|\s*\[(?P<field>[^\W\d][\w ]{2,20})\]"
)
_DEMONSTRATIVE = re.compile(r"\b(?:this|to)\b|这")
_QUESTION = 28  # in Latin letters: so short a question about `this` is about the words beside it


def perhaps_reported(text: str, quote: str) -> bool:
    """Whether somebody else may speak in the words of a message that hold the quote.

    It is so where the sentence begins with a person and a clause of that person's, or with the field of a record;
    where the message asks for work on a text before it, ends with a name behind a dash, or is sung; and where nothing
    but a name stands in the line above.
    """
    start = text.find(quote)
    if start < 0:
        return False
    begins = _sentence(text, start)
    if any(_is_framed(text[place:].lstrip()) for place in (start, begins)):
        return True
    end = _AT_END.search(text)
    if end is not None and end.start() >= start and _is_name(end["who"]):
        return True
    if _SUNG.search(text) or any(_works_on_text(one) for one in sentences(text[:begins])):
        return True
    above = [line.text for line in lines_of(text[:start]) if not line.blank]
    return bool(above) and "\n" in text[:start] and _HEAD.fullmatch(above[-1]) is not None and _is_name(above[-1])


def _sentence(text: str, start: int) -> int:
    """Where the sentence begins that holds a place."""
    return max(text.rfind(mark, 0, start) for mark in ".!?\n。！？") + 1


def _is_framed(said: str) -> bool:
    """Whether a sentence begins with another speaker or with the field of a record."""
    folded = fold(said)
    own = WORDS.pattern("own_saying").sub(" ", folded)
    person = next(filter(None, (one.match(own) for one in _PERSON)), None)
    if _SAYS.match(own) or (person and _CLAUSE.match(own, person.end())):
        return True
    field = _FIELD.match(folded)
    return field is not None and not WORDS.finds("label", field["field"] or "")


def _works_on_text(sentence: Span) -> bool:
    """Whether a sentence asks for work on a text, or how `this` is."""
    brief = sentence.asks and weight(sentence.text) <= _QUESTION and _DEMONSTRATIVE.search(sentence.folded)
    return bool(brief) or asks_about(sentence) is About.REWORK


def _is_name(words: str) -> bool:
    """Whether the words name a person, or a person's role, and are none of the owner's."""
    folded = fold(words).strip()
    if any(WORDS.finds(name, folded) for name in ("label", "topic", "greeting", "bot")):
        return False
    role, name = (one.match(folded) for one in _PERSON)
    if role and role.end() == len(folded):
        return True
    return not _MINE.search(folded) and bool(role or name or _CAPITALS.match(words.strip()))
