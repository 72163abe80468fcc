"""The points of a part of the summary, and the choice of those worth a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.language.text import terms
from schemas.summary import Part

_SAME = 0.6  # of the terms of the shorter
_LINE_TURNS = 5  # times that the owner spoke, for each further line of a part
_TALK_TURNS = 8


@dataclass(frozen=True)
class Offer:
    """A line that a part offers; the best score first. `numbers` starts with the message whose words are quoted."""

    part: Part
    text: str
    numbers: tuple[int, ...]
    score: float


_MOST = {Part.LOOP: 4, Part.NEXT: 4, Part.ACTION: 4, Part.TECHNICAL: 4, Part.CONVERSATION: 3}
"""How many lines a part has at most, in the order in which the parts take theirs."""


def chosen(offers: Sequence[Offer], turns: int) -> list[Offer]:
    """The best offers of each part, without repetition, in the order of their messages.

    `turns` is how often the owner spoke: a short talk is worth fewer lines than a long one.
    """
    kept: list[Offer] = []
    for part in _MOST:
        mine = [offer for offer in offers if offer.part is part]
        room = _room(part, turns)
        for offer in sorted(mine, key=lambda one: (-one.score, one.numbers)):
            if room and not _repeats(offer, kept):
                kept.append(offer)
                room -= 1
    return sorted(kept, key=lambda one: (min(one.numbers), list(_MOST).index(one.part)))


def _room(part: Part, turns: int) -> int:
    if part is Part.CONVERSATION:
        return min(_MOST[part], 1 + turns // _TALK_TURNS)
    return min(_MOST[part], 2 + turns // _LINE_TURNS)


def _repeats(offer: Offer, kept: Sequence[Offer]) -> bool:
    """Whether a line already kept has most of its words; the open points of one message are one loop."""
    loops = [one for one in kept if one.part is offer.part is Part.LOOP]
    if any(set(one.numbers) & set(offer.numbers) for one in loops):
        return True
    return any(_overlap(terms(offer.text), terms(one.text)) >= _SAME for one in kept)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    least = min(len(one), len(other))
    return len(one & other) / least if least else 1.0
