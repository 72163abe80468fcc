"""Records of kinds that are not known: whether they hold a message, which is all that could be lost.

Agents add kinds all the time: costs, requests, marks. One of them is told of only if words of a person or of the
assistant stand in it, and stand nowhere else in the session.
"""

import re
from collections.abc import Iterator
from itertools import islice

from pipeline.adapters.sources.reading.records import Record

_SPEAKERS = frozenset({"user", "human", "person", "assistant", "model", "agent", "ai", "bot"})
_WORDS = ("text", "content", "message", "prompt", "body", "input")
_INSIDE = (*_WORDS, "parts", "payload", "data", "event", "item", "entry", "record")
_DEEPEST = 6
_OPEN = 2  # levels at which a whole sentence counts under any name
_MOST_TEXTS = 100
_LOOKED_AT = 20_000  # characters of a text: a picture is one without end
_PHRASE, _SENTENCE = (2, re.compile("[\u3400-\u9fff]{2}")), (5, re.compile("[\u3400-\u9fff]{6}"))
"""Words in a row, or Chinese characters; a name, an id, a path and a number have no spaces."""
_LETTER, _CODE = re.compile(r"\w"), re.compile("[<>{}]")
_BEGINNING = 80  # characters, since only the start is held of what is no conversation


def beginning(text: str) -> str:
    """The first characters of a text, whatever its white space is."""
    return " ".join(text[: 4 * _BEGINNING].split())[:_BEGINNING]


def words_in(record: Record) -> list[str]:
    """The words that stand in a record where a person or the assistant speaks: none of other roles, or of tools.

    What begins with a tag is the program's.
    """
    said = islice(_texts(record, 0), _MOST_TEXTS)
    return [text for text in said if not text.lstrip().startswith("<") and _has(text, _PHRASE)]


def _has(text: str, wanted: tuple[int, re.Pattern[str]]) -> bool:
    """Whether words stand in a text, one behind the other, or as much in Chinese."""
    words, characters = wanted
    begin, row = text[:_LOOKED_AT], 0
    for token in begin.split():
        row = row + 1 if _LETTER.search(token) and not _CODE.search(token) else 0
        if row == words:
            return True
    return characters.search(begin) is not None


def _texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _DEEPEST:
        for part in value:
            yield from _texts(part, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST and _is_spoken(value):
        for name, inside in value.items():
            if isinstance(inside, str):
                # Another name than those for words may be a new one for them.
                named = name in _WORDS or (depth < _OPEN and _has(inside, _SENTENCE))
                yield from (inside,) if named else ()
            elif name in _INSIDE:
                yield from _texts(inside, depth + 1)


def _is_spoken(record: Record) -> bool:
    """Whether an object can be a message: a role that it names is a speaker's, and no tool is named."""
    role, kind = record.get("role"), record.get("type")
    if isinstance(kind, str) and re.search(r"tool|think|reason|function", kind):
        return False
    return not isinstance(role, str) or role.lower() in _SPEAKERS
