"""The messages inside a window, as the summary reads them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from jobs.extraction import extract
from jobs.extraction.exchanges import Turn, turns_of
from jobs.extraction.weights import UNCERTAIN
from jobs.summary.sentence import Sentence, sentences_of
from pipeline.language.text import values
from schemas.entry import Kind
from schemas.extraction import Conversation
from schemas.transcript import Session
from schemas.window import Window

_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
_AHEAD = 8  # remarks
_SHARED = 2  # terms
_BANTER = 200  # characters: a longer message is more than banter, whatever picture it ends with


@dataclass(frozen=True)
class Remark:
    """One message with its sentences. `worked`: something was done, by tools, between it and the message before."""

    turn: Turn
    sentences: tuple[Sentence, ...]
    worked: bool

    @property
    def number(self) -> int:
        """The number of the message."""
        return self.turn.message.number

    @property
    def owner(self) -> bool:
        """Whether the owner speaks."""
        return self.turn.owner

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the message."""
        return frozenset().union(*(one.terms for one in self.sentences))

    @cached_property
    def light(self) -> bool:
        """Whether it is banter: short, with a picture of a face or a thing in it."""
        return len(self.turn.text) <= _BANTER and _EMOJI.search(self.turn.text) is not None

    @cached_property
    def jests(self) -> bool:
        """Whether it ends in jest, in a mood, or in a dream."""
        return bool(self.sentences) and self.sentences[-1].has_cue("mood", "counterfactual")

    @property
    def asks(self) -> bool:
        """Whether it ends with a question."""
        return bool(self.sentences) and self.sentences[-1].span.asks

    @property
    def inquires(self) -> bool:
        """Whether it ends with a question, if only by its words: people leave out the mark."""
        return bool(self.sentences) and self.sentences[-1].asks


@dataclass(frozen=True)
class WindowRemarks:
    """The remarks inside a window, in order; the place of a remark is its index.

    `settled` are the owner's words that the extraction takes for decisions, by the number of their message; of the
    numbers in `lasting` it makes a rule, or something to remember.
    """

    remarks: tuple[Remark, ...]
    settled: dict[int, str]
    lasting: frozenset[int] = frozenset()

    def before(self, place: int) -> Remark | None:
        """The remark just before."""
        return self.remarks[place - 1] if place > 0 else None

    def after(self, place: int) -> tuple[Remark, ...]:
        """The remarks that follow it closely."""
        return self.remarks[place + 1 : place + 1 + _AHEAD]

    def next_of_owner(self, place: int) -> Remark | None:
        """The owner's next remark."""
        return next((remark for remark in self.after(place) if remark.owner), None)

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each remark, by its number."""
        return {remark.number: place for place, remark in enumerate(self.remarks)}

    @cached_property
    def first_named(self) -> dict[str, int]:
        """The place of the remark that named a figure first."""
        first_places: dict[str, int] = {}
        for place, remark in enumerate(self.remarks):
            for figure in values(remark.turn.text):
                first_places.setdefault(figure, place)
        return first_places

    @cached_property
    def taken_back(self) -> tuple[tuple[int, Sentence], ...]:
        """The owner's sentences that take something back, each with the place of its remark."""
        return tuple((place, one) for place, one in self._sentences if one.turn.owner and one.takes_back)

    @cached_property
    def concluded(self) -> tuple[tuple[int, Sentence], ...]:
        """The owner's decisions and the assistant's deeds, each with the place of its remark."""
        stated = [(place, one) for place, one in self._sentences if not one.asks]
        return tuple((place, one) for place, one in stated if self._concludes(one))

    def _concludes(self, sentence: Sentence) -> bool:
        return self.settles(sentence) if sentence.turn.owner else sentence.shows("done", "promise")

    def reports_done(self, wish: Sentence, place: int) -> bool:
        """Whether the assistant reports, in some words of its own, that what the owner wishes is done."""
        later = (one for after, one in self.concluded if after > place and not one.turn.owner and not one.brief)
        return any(len(one.terms & wish.terms) >= max(_SHARED, len(wish.terms) / 3) for one in later)

    @property
    def _sentences(self) -> Iterator[tuple[int, Sentence]]:
        return ((place, one) for place, remark in enumerate(self.remarks) for one in remark.sentences)

    def settles(self, sentence: Sentence) -> bool:
        """Whether the sentence is part of what the owner settled."""
        quote = self.settled.get(sentence.number, "")
        return bool(quote) and (quote in sentence.span.text or sentence.span.text in quote)


def observe(session: Session, window: Window) -> WindowRemarks | None:
    """The remarks inside the window; `None` for a session of machines, or without a message of the owner inside."""
    seen = [message for message in session.conversation if message.time < window.end]
    new = [place for place, message in enumerate(seen) if message.time in window]
    turns = turns_of(seen)
    if session.machine or not any(turns[place].owner for place in new):
        return None
    remarks = [_remark(turns, place) for place in new]
    whole = Conversation(session_id=session.session_id, first_new=seen[new[0]].number, messages=tuple(seen))
    candidates = [one for one in extract(whole).candidates if one.confidence > UNCERTAIN]
    lasting = frozenset(one.quote_number for one in candidates if one.kind is not Kind.DECISION)
    return WindowRemarks(tuple(remarks), {one.quote_number: one.quote for one in candidates}, lasting)


def _remark(turns: Sequence[Turn], place: int) -> Remark:
    turn = turns[place]
    before = turns[place - 1].message.number if place else turn.message.number
    worked = not turn.owner and turn.message.number > before + 1
    return Remark(turn, sentences_of(turn), worked)


def known(remark: Remark | None) -> frozenset[str]:
    """The terms of a remark, or none."""
    return remark.terms if remark else frozenset()
