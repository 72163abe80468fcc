"""Sessions cut into questions that a model can take in: each begins where the owner speaks, each costs so many tokens.

A message costs what it costs in the question, with its number, time and the rest.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pipeline.language.tokens import count_tokens
from schemas.extraction import Conversation
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

NEW = 12_000
"""Tokens of new messages in one question."""

CONTEXT = 2_000
"""Tokens of earlier messages that a question carries to explain the new ones."""

LONGEST = 3_000
"""Tokens of one message in a question; of a longer one the middle is left out."""

_CUT = "\n[...]\n"
_EARLIER = 50  # messages; no more fit into the context, whose smallest ones cost some 45 tokens
_REACH = 16  # characters; hardly any text has that many a token, and a cut need not be looked for further away


@dataclass(frozen=True)
class SummaryChunk:
    """A question about one session: the messages from `first` to `last` (numbers, both inside) are asked about."""

    session: Session
    first: int
    last: int
    shown: Conversation


def day_pieces(session: Session, window: Window) -> list[SummaryChunk]:
    """The questions about the messages inside the window: one, or several when there are many."""
    said = session.local_conversation
    first = next((place for place, message in enumerate(said) if message.time in window), len(said))
    shown = [_clipped(message) for message in said[max(0, first - _EARLIER) :]]
    costs = [_cost(message) for message in shown]
    new = [place for place, message in enumerate(shown) if message.time in window]
    cuts = _cuts(shown, costs, range(new[0], new[-1] + 1)) if new else []
    return [_piece(session, shown, range(start - _context(costs, start), stop), start) for start, stop in cuts]


def whole_piece(session: Session, window: Window) -> list[SummaryChunk]:
    """One question about all messages inside the window, for a reader without a limit."""
    said = session.conversation
    new = [place for place, message in enumerate(said) if message.time in window]
    return [_piece(session, said, range(new[-1] + 1), new[0])] if new else []


def _piece(session: Session, said: Sequence[Message], places: range, first_new: int) -> SummaryChunk:
    first, last = said[first_new].number, said[places[-1]].number
    messages = tuple(said[place] for place in places)
    return SummaryChunk(
        session, first, last, Conversation(session_id=session.session_id, first_new=first, messages=messages)
    )


def _cuts(said: Sequence[Message], costs: Sequence[int], places: range) -> list[tuple[int, int]]:
    """Ranges that make up `places`, each of at most `NEW` tokens, begun where the owner speaks if that can be."""
    cuts, turn, size = [places.start], places.start, 0
    for place in places:
        if said[place].origin is Origin.OWNER:
            turn = place
        size += costs[place]
        if size > NEW and place > cuts[-1]:
            cuts.append(turn if turn > cuts[-1] else place)
            size = sum(costs[cuts[-1] : place + 1])
    return list(zip(cuts, [*cuts[1:], places.stop], strict=True))


def _context(costs: Sequence[int], start: int) -> int:
    """How many messages before `start` the context may hold."""
    return sum(1 for size in accumulate(reversed(costs[:start])) if size <= CONTEXT)


def _clipped(message: Message) -> Message:
    if _cost(message) <= LONGEST:
        return message
    half = max(0, LONGEST - _cost(message.model_copy(update={"text": _CUT}))) // 2
    head, tail = message.text[: half * _REACH], message.text[-half * _REACH :]
    head = head[: _fitting(half, len(head), lambda size: head[:size])]
    tail = tail[len(tail) - _fitting(half, len(tail), lambda size: tail[len(tail) - size :]) :]
    return message.model_copy(update={"text": f"{head}{_CUT}{tail}"})


def _fitting(tokens: int, most: int, part: Callable[[int], str]) -> int:
    """The greatest size up to `most` characters for which `part` costs at most so many tokens."""
    sizes = range(1, most + 1)
    return bisect_right(sizes, tokens, key=lambda size: count_tokens(json.dumps(part(size), ensure_ascii=False)))


def _cost(message: Message) -> int:
    return count_tokens(message.model_dump_json())
