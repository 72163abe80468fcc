"""The names of things in what was decided: capitals inside of a sentence, code, and the titles of works."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobs.facts.mentions import mentions
from pipeline.entries.topics import tokens
from pipeline.language.chinese import HAN

_LETTERS = 3
"""The fewest letters of a name; of Chinese characters one less."""
_CODE = re.compile(r"(?<![\w./@:-])[^\W\d_]\w*(?:[._]\w+)*(?![\w@/]|\.\w)")
_HUMP = re.compile(r"(?<!\AMc)(?<!\AMac)(?<!\ADe)(?<!\ALe)(?<!\ALa)(?<!\ADi)(?<!\AO)(?<=[^\W\d_A-Z])(?=[A-Z])")
_JOINED = re.compile(r"[^\W\d]{2,}[._][^\W\d]{2,}")
_TICKED = re.compile(r"(?<!`)`([^\W\d_][\w.-]{2,40})`(?!`)")
_IN_CHINESE = re.compile(
    rf"(?<=[{HAN}]) ?([a-z][a-z0-9_-]{{3,30}})(?![\w./@-])|(?<![\w./@-])([a-z][a-z0-9_-]{{3,30}}) ?(?=[{HAN}])"
)
_WORK = re.compile(r"《([^《》\n]{2,30})》")


@dataclass(frozen=True)
class ThingName:
    """A name in a text. What is `shaped` is written as no person is called."""

    text: str
    shaped: bool = False


def names_in(text: str) -> Iterator[ThingName]:
    """The names in a text that may be a project's, a thing's or a topic's."""
    yield from (ThingName(name) for name in mentions(text) if is_long(name))
    yield from (ThingName(name, shaped=True) for name in _shaped(text) if is_long(name))


def is_long(name: str) -> bool:
    """Whether a name is long enough to be looked for: `C#` is found in too many words."""
    words = tokens(name)
    return sum(2 if re.match(f"[{HAN}]", word) else len(word) for word in words) >= _LETTERS


def _shaped(text: str) -> Iterator[str]:
    yield from _TICKED.findall(text)
    yield from _WORK.findall(text)
    yield from (match[1] or match[2] for match in _IN_CHINESE.finditer(text))
    yield from (word for word in _CODE.findall(text) if _HUMP.search(word) or _JOINED.search(word))
