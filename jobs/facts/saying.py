"""Patterns of saying: how people say what lasts about themselves and about named people and things."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.language.detection import Language
from pipeline.language.folding import fold
from schemas.fact import FactKind

OWNER = "Owner"
"""The name of the owner as an entity."""

_ACCENTS = re.compile("[ąćęłńóśźż]")
_FRAGMENT = re.compile(r"(?<!P)<(\w+)>")


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


def sayings(
    kind: FactKind, fragments: Mapping[str, str], attributes: Mapping[str, tuple[str, ...]], flags: str = ""
) -> Iterator[Saying]:
    """Sayings of one kind: patterns by their attribute, in which `<name>` stands for a fragment.

    `flags` are `single` and `passing`, where they hold.
    """
    for attribute, patterns in attributes.items():
        for pattern in patterns:
            whole = pattern
            while _FRAGMENT.search(whole):
                whole = _FRAGMENT.sub(lambda part: fragments[part[1]], whole)
            exact = re.compile(whole) if _ACCENTS.search(whole) else None
            folded = _ACCENTS.sub(lambda letter: fold(letter[0]), whole)
            yield Saying(kind, attribute, re.compile(folded), "single" in flags, "passing" in flags, exact)
