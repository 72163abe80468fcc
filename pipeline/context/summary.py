"""Summaries of conversations: when one is due, its ledger by code, and its prose by a model or by code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from pipeline.context.notes import distinct, noted_lines, weight_of
from pipeline.job import OFFLINE, Ask, Task
from pipeline.language.detection import Language, detect, languages, unknown
from pipeline.language.text import sentences
from pipeline.language.tokens import count_tokens
from schemas.conversation import (
    ConversationExcerpt,
    ConversationMessage,
    ConversationProse,
    ConversationSummary,
    NotedLine,
)
from schemas.transcript import Role

HEURISTIC = "heuristic"
DUE_MESSAGES = 20
DUE_SHARE = 0.7
VERBATIM = 4
"""The last messages, which no summary covers."""
PROSE_TOKENS = 400
_LEDGER_LINES = 2_000
_SHOWN = 48_000
"""Characters of the messages in a question; of what is more, the middle is left out."""
_CUT = "[...]"
_FIGURE = re.compile(r"\d[\d.,:/-]*\d|\d")


@dataclass(frozen=True)
class SummaryMade:
    """A summary, or the reason why the answer of the model was refused; then there may be one by code."""

    summary: ConversationSummary | None
    refused: str = ""


def is_due(history: Sequence[ConversationMessage], last: ConversationSummary | None, window: int) -> bool:
    """Whether what no summary covers has 20 messages, or takes 70 % of the window, in tokens."""
    open_messages = [message for message in history if last is None or message.number > last.last_number]
    if len(open_messages) <= VERBATIM:
        return False
    tokens = sum(message.tokens for message in open_messages)
    return len(open_messages) >= DUE_MESSAGES or tokens >= DUE_SHARE * window


def covered_messages(history: Sequence[ConversationMessage]) -> Sequence[ConversationMessage]:
    """The messages that a summary is made of: all but the last few."""
    return history[:-VERBATIM]


def ledger(said: Sequence[ConversationMessage]) -> tuple[NotedLine, ...]:
    """The lines of messages worth keeping, word for word; of very many the weightiest."""
    lines = distinct(line for message in said for line in noted_lines(message.number, message.role, message.text))
    if len(lines) > _LEDGER_LINES:
        places = sorted(range(len(lines)), key=lambda place: (-weight_of(lines[place]), place))[:_LEDGER_LINES]
        lines = [lines[place] for place in sorted(places)]
    return tuple(lines)


def offline_summary(said: Sequence[ConversationMessage], now: datetime) -> ConversationSummary:
    """A summary by code alone."""
    return _make_summary(said, heuristic_prose(said), HEURISTIC, now)


def model_summary(
    said: Sequence[ConversationMessage], ask: Ask, name: str, now: datetime, sources: frozenset[str]
) -> SummaryMade:
    """A summary whose prose a model writes; `name` is the model's, or `offline`, and `sources` those of the messages.

    Raises:
        ModelUnavailable: there is no usable answer.
        BudgetSpent: nothing is left to ask it with.
    """
    task = summary_task(said, sources)
    prose = ask([task])[0].prose.strip()
    if name == OFFLINE:
        return SummaryMade(_make_summary(said, prose, HEURISTIC, now))
    why = why_refused(prose, [message.text for message in said])
    return SummaryMade(None, why) if why else SummaryMade(_make_summary(said, prose, name, now))


def summary_task(said: Sequence[ConversationMessage], sources: frozenset[str]) -> Task[ConversationProse]:
    """The question for the prose, with the way without a model."""
    lines = [
        f"[{message.number}, {message.role.value}] {message.text}" for message in said if message.role is not Role.TOOL
    ]
    excerpt = ConversationExcerpt(language=talk_language(said).value, messages=tuple(_cut_middle(lines)))
    return Task(
        "conversation_summary",
        _read_prompt(),
        excerpt,
        ConversationProse,
        lambda: ConversationProse(prose=heuristic_prose(said)),
        sources,
        background=True,
    )


def why_refused(prose: str, originals: Sequence[str]) -> str:
    """The reason not to use the prose of a model, in a few words; empty when it is used."""
    talk = "\n".join(originals)
    if not any(character.isalnum() for character in prose):
        return "it is empty"
    if (tokens := count_tokens(prose)) > PROSE_TOKENS:
        return f"it has {tokens} tokens, more than {PROSE_TOKENS}"
    if tokens >= count_tokens(talk):
        return "it is longer than what it sums up"
    if _is_foreign(prose, originals):
        return "it is in another language than the talk"
    invented = sorted(set(_FIGURE.findall(prose)) - set(_FIGURE.findall(talk)))
    return f"it has numbers that nobody said: {', '.join(invented[:3])}" if invented else ""


def talk_language(said: Sequence[ConversationMessage]) -> Language:
    """The language that most of the user's messages are in; where there are none, of all."""
    texts = [message.text for message in said if message.role is Role.USER] or [message.text for message in said]
    spoken_languages = languages(texts)
    return max(Language, key=spoken_languages.count)


def heuristic_prose(said: Sequence[ConversationMessage]) -> str:
    """The first sentences of messages in their own words, spread over the stretch, as many as there is room for."""
    lines = [
        (message.number, text)
        for message in said
        if message.role is not Role.TOOL and (text := _first_sentence(message))
    ]
    kept = dict[int, str]()
    room = PROSE_TOKENS
    for place in _spread_places(len(lines)):
        number, text = lines[place]
        tokens = count_tokens(text) + 1
        if tokens <= room:
            kept[number] = text
            room -= tokens
    return "\n".join(kept[number] for number in sorted(kept))


def _first_sentence(message: ConversationMessage) -> str:
    first = next((span.text for span in sentences(message.text)), "")
    return f"{message.role.value}: {first}" if first and len(first) <= 2 * PROSE_TOKENS else ""


def _spread_places(size: int) -> list[int]:
    """The places below `size`: first, last, middle and so on, so that any beginning of them is spread evenly."""
    order = dict.fromkeys(place for place in (0, size - 1) if 0 <= place < size)
    step = size
    while step > 1:
        step = (step + 1) // 2
        order |= dict.fromkeys(range(0, size, step))
    return list(order)


def _is_foreign(prose: str, originals: Sequence[str]) -> bool:
    talk = "\n".join(originals)
    if unknown(talk) or unknown(prose):
        return unknown(talk) != unknown(prose)
    said = {language for text in originals if (language := detect(text))}
    return (language := detect(prose)) is not None and bool(said) and language not in said


def _cut_middle(lines: Sequence[str]) -> list[str]:
    """The lines without the middle of a long one, and without those in the middle when all are too long."""
    most = _SHOWN // 8
    short = [line if len(line) <= most else f"{line[: most // 2]}{_CUT}{line[-most // 2 :]}" for line in lines]
    if sum(map(len, short)) <= _SHOWN:
        return short
    first, last = _first_within(short), _first_within(short[::-1])[::-1]
    return [*first, _CUT, *last]


def _first_within(lines: Sequence[str]) -> list[str]:
    kept, room = list[str](), _SHOWN // 2
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    return kept


def _make_summary(said: Sequence[ConversationMessage], prose: str, made_by: str, now: datetime) -> ConversationSummary:
    return ConversationSummary(
        first_number=said[0].number,
        last_number=said[-1].number,
        prose=prose,
        ledger=ledger(said),
        made_by=made_by,
        created_at=now,
    )


@cache
def _read_prompt() -> str:
    return files("pipeline.context").joinpath("summary.md").read_text(encoding="utf-8")
