"""Chinese: pairs of neighbouring characters, in simplified writing whatever the text was written in."""

import re
from itertools import chain, pairwise
from typing import Final

from pipeline.language.chinese import HAN, load_simplified_forms

CHARACTERS: Final = f"\u3005\u3007\u3040-\u30ff{HAN}"
"""The ideographs, and the Japanese syllables that are written between them without spaces, for a character class."""
RUN: Final = f"[{CHARACTERS}]+"
_FIRST = re.compile(f"[{CHARACTERS}]")

# What a question is asked with, and the particles that would make pairs with their neighbours on either side.
_ASKING = re.compile(
    "为什么|什么时候|什么|怎么样|怎么|怎样|如何|哪些|哪个|哪里|哪儿|哪天|哪|多少|多久|几个|几|谁|是否|是不是|有没有|"
    "我们|你们|他们|我|你|吗|呢|吧|的|了|是|请问|一下"
)


def starts(token: str) -> bool:
    """Whether a token begins with such a character; its others are then of the kind too."""
    return _FIRST.match(token) is not None


def of(token: str) -> tuple[str, ...]:
    """The characters and their pairs; nothing when it is no run of them."""
    if not starts(token):
        return ()
    plain = token.translate(load_simplified_forms())
    return (*plain, *map("".join, pairwise(plain)))


def question_terms(token: str) -> tuple[str, ...]:
    """The pairs of what a question is about, and a character that stands alone."""
    parts = _ASKING.split(token.translate(load_simplified_forms()))
    pairs = (list(map("".join, pairwise(part))) or list(part) for part in parts)
    return tuple(chain.from_iterable(pairs))
