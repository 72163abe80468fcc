"""Pairs of entries: questions about them, the answers of a model, and the pairs that a person took apart.

A model judges a pair; code proposes it and writes the link.
"""

from enum import StrEnum

from pydantic import Field

from schemas.base import Value
from schemas.entry import Kind, is_corrected

_KEPT = "a person kept the link to "


def is_kept(grounds: str, target: str) -> bool:
    """Whether a person made or kept the link to an entry, by the grounds of the entry that has it."""
    return is_corrected(grounds) or (grounds.startswith(_KEPT) and target in _kept_targets(grounds))


def with_kept(grounds: str, target: str) -> str:
    """The grounds of an entry of which a person keeps one link more; what its links rested on before falls away."""
    before = _kept_targets(grounds) if grounds.startswith(_KEPT) else []
    return _KEPT + ", ".join(dict.fromkeys([*before, target]))


def _kept_targets(grounds: str) -> list[str]:
    return grounds.removeprefix(_KEPT).split(", ")


class LinkVerdict(StrEnum):
    """What the later of two entries is to the earlier one."""

    SAME = "same"
    REPLACES = "replaces"
    REPLACES_PART = "replaces_part"
    NARROWS = "narrows"
    DIFFERENT = "different"


class LinkSide(Value):
    """One entry of a pair as a model sees it: its words, all of them data. `date` is the day that the owner said it."""

    kind: Kind
    date: str
    title: str
    quote: str
    conclusion: str
    finding: str


class LinkQuestion(Value):
    """A pair of entries, by the dates of their messages."""

    later: LinkSide
    earlier: LinkSide


class LinkJudgement(Value):
    """The model's answer: the verdict on the pair, and its reason in a few words."""

    verdict: LinkVerdict
    reason: str = Field(default="", max_length=400)


class LinkBar(Value):
    """A pair that is not to be linked: the ids of its entries, and 16 hex digits of the message of each."""

    ids: tuple[str, str]
    places: tuple[str, str]
