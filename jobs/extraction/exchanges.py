"""A conversation as exchanges: the owner's words, the turns before them and the answer."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from jobs.extraction.options import options_of
from jobs.extraction.profile import PROFILES, Profile
from pipeline.entries.authorship import foreign
from pipeline.entries.authorship.data import code
from pipeline.entries.authorship.enclosed import fences, long_quotations
from pipeline.entries.authorship.lines import cover_stretches
from pipeline.language.detection import Language, detect, languages, unknown
from pipeline.language.folding import fold
from pipeline.language.text import Span, sentences
from schemas.transcript import MASK, Message, Origin

# A secret is masked character by character; a single bullet opens an item of a list.
_MASKED = re.compile(rf"(?<![^,;。，；\n])[^,;。，；\n]*{MASK}{{3}}[^,;。，；\n]*")


def own_words(message: Message) -> str:
    """The text with line feeds for everything that is not the speaker's own; the length stays."""
    text = message.text
    for find in (foreign,) if message.origin is Origin.OWNER else (fences, code, long_quotations):
        text = cover_stretches(text, find(text), "\n")
    return _MASKED.sub(lambda match: "\n" * len(match[0]), text)


_NUMBER = re.compile(r"(?<![^\s:：])(?P<number>\d{1,2})[.)、](?=\s|[^\W\d])")
_LIST = 2  # items
_TYPED = 8000  # characters; what is longer was not typed, and its end is not read
_BACK = 8  # turns of context before a message
_AHEAD = 8  # turns after it that may correct it


@dataclass(frozen=True)
class Turn:
    """A message of the conversation with its language. `place` is its index in the conversation."""

    place: int
    message: Message
    profile: Profile

    @property
    def owner(self) -> bool:
        """Whether the owner speaks."""
        return self.message.origin is Origin.OWNER

    @property
    def text(self) -> str:
        """The text of the message, as far as it was typed."""
        return self.message.text[:_TYPED]

    @property
    def foreign(self) -> bool:
        """Whether it is in a language that is not known."""
        return unknown(self.text)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The sentences that are the speaker's own: no code, no quotation; of the owner, nothing foreign."""
        own = own_words(self.message)[:_TYPED]
        return tuple(sentences(_split_numbered_list(own) if self.owner else own))

    @cached_property
    def questions(self) -> tuple[Span, ...]:
        """The sentences that end with a question mark."""
        return tuple(span for span in self.spans if span.asks)

    @cached_property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The options that it shows, each with its mark (see `options.options_of`)."""
        return options_of(self.text)

    @cached_property
    def weighs(self) -> bool:
        """Whether it compares alternatives."""
        return self.profile.finds("either", fold(self.text))

    @cached_property
    def proposes(self) -> bool:
        """Whether it proposes something."""
        return any(self.profile.finds("propose", span.folded) for span in self.spans)

    @property
    def asks(self) -> bool:
        """Whether the message ends with a question."""
        return bool(self.spans) and self.spans[-1].asks


@dataclass(frozen=True)
class Exchange:
    """An owner's message with the turns around it: `earlier` ends just before it, `later` begins just after it."""

    said: Turn
    earlier: tuple[Turn, ...]
    answer: Turn | None
    later: tuple[Turn, ...]

    @cached_property
    def _in_languages(self) -> dict[Language, "Exchange"]:
        return {
            language: replace(self, said=replace(self.said, profile=profile)) for language, profile in PROFILES.items()
        }

    def read_as(self, span: Span) -> "Exchange":
        """The exchange with the owner's message read in the language of one of its sentences: people mix them."""
        language = detect(span.text) or self.said.profile.code
        return self if language is self.said.profile.code else self._in_languages[language]

    @property
    def before(self) -> Turn | None:
        """The assistant's last turn, if it is newer than the owner's message before last."""
        recent = [turn for turn in self.earlier[-3:] if not turn.owner]
        return recent[-1] if recent else None

    @property
    def standing(self) -> Turn | None:
        """The assistant's last turn, unless the owner has refused it since."""
        before = self.before
        if before is None:
            return None
        replies = (turn for turn in self.earlier if turn.owner and turn.place > before.place)
        refused = any(turn.spans and turn.profile.finds("refuse", turn.spans[0].folded) for turn in replies)
        return None if refused else before


def _split_numbered_list(text: str) -> str:
    """The text with an end of line before each number of a list, also where its items are on one line."""
    marks = list(_NUMBER.finditer(text))
    if [int(mark["number"]) for mark in marks] != list(range(1, len(marks) + 1)) or len(marks) < _LIST:
        return text
    return _NUMBER.sub(lambda mark: "\n".ljust(len(mark[0])), text)


def exchanges(messages: Sequence[Message]) -> list[Exchange]:
    """The exchanges, one for each message of the owner, in order."""
    turns, around = turns_of(messages), list[Exchange]()
    for place, turn in enumerate(turns):
        if turn.owner:
            later = turns[place + 1 : place + 1 + _AHEAD]
            answer = next((turn for turn in later[:2] if not turn.owner), None)
            around.append(Exchange(turn, tuple(turns[max(0, place - _BACK) : place]), answer, tuple(later)))
    return around


def turns_of(messages: Sequence[Message]) -> list[Turn]:
    """The messages in order, each with its language."""
    pairs = zip(messages, languages(message.text for message in messages), strict=True)
    return [Turn(place, message, PROFILES[language]) for place, (message, language) in enumerate(pairs)]
