"""Sentences by which people say what lasts about themselves and about named people and things."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.lexicon import Lexicon
from schemas.fact import FactKind

OWNER = "Owner"
"""The name of the owner as an entity."""

Attribute = Literal[
    "home", "origin", "name", "work", "birthday", "called", "diet", "allergy", "has", "speaks", "role",
    "likes", "prefers", "habit", "favourite",
]  # fmt: skip
"""What is said of somebody; a sentence is looked for in this order."""

SayingWord = Literal[Attribute, "lead", "relatives", "contextual", "goes_on", "done"]
"""The classes of words."""

SAYINGS: Lexicon[SayingWord] = Lexicon("sayings", get_args(SayingWord))

_OPINIONS = frozenset({"likes", "prefers", "habit", "favourite"})
_SINGLE = frozenset({"home", "origin", "name", "work", "birthday", "favourite"})
_PASSING = frozenset({"home", "origin", "name", "work", "birthday", "habit"})
_ACCENTS = re.compile("[ąćęłńóśźż]")


@dataclass(frozen=True)
class Saying:
    """A way to say one thing, over folded text (see `folding.fold`), from where a clause begins.

    The group `value` is what is said. `who` is its subject, which has to be a name or a relative; without that group
    the owner is. A group `no` denies it. `what` is a part of the attribute, as in `my favourite WHAT is`. Of a `single`
    attribute there is one value at a time. With `passing` the sentence may have words such as `now`. Where accents
    tell who speaks, `exact` has to fit too, on the text as written in lower case.
    """

    kind: FactKind
    attribute: str
    pattern: re.Pattern[str]
    single: bool = False
    passing: bool = False
    exact: re.Pattern[str] | None = None


@dataclass(frozen=True)
class SayingWords:
    """The patterns of one language.

    `lead` is what may stand before a saying. `relatives` are the words that name a subject without a name, and
    `contextual` values mean something that only the conversation tells. `goes_on` begins a clause that belongs to the
    one before it. `done` is how the assistant says that it repaired something.
    """

    code: Language
    lead: re.Pattern[str]
    sayings: tuple[Saying, ...]
    relatives: re.Pattern[str]
    contextual: re.Pattern[str]
    goes_on: re.Pattern[str]
    done: tuple[re.Pattern[str], ...]


def read_sayings(language: Language) -> SayingWords:
    """The patterns of a language, of its file of words."""
    behind = "[，,：: ]*" if language is Language.CHINESE else r"[,:.!]?\s+"  # noqa: RUF001 - of Chinese
    return SayingWords(
        code=language,
        lead=re.compile(rf"\W*(?:(?:{SAYINGS.either('lead', language)}){behind})*"),
        sayings=tuple(_sayings(language)),
        relatives=re.compile(SAYINGS.either("relatives", language)),
        contextual=re.compile(SAYINGS.either("contextual", language)),
        goes_on=re.compile(SAYINGS.either("goes_on", language)),
        done=tuple(map(re.compile, SAYINGS.fragments("done", language))),
    )


def _sayings(language: Language) -> Iterator[Saying]:
    for attribute in get_args(Attribute):
        for whole in SAYINGS.fragments(attribute, language):
            yield Saying(
                kind=FactKind.OPINION if attribute in _OPINIONS else FactKind.WORLD,
                attribute=attribute,
                pattern=re.compile(_ACCENTS.sub(lambda letter: fold(letter[0]), whole)),
                single=attribute in _SINGLE,
                passing=attribute in _PASSING,
                exact=re.compile(whole) if _ACCENTS.search(whole) else None,
            )
