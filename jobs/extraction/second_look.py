"""A second look at words that another reader takes for settled: the objections of the reading without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobs.extraction.exchanges import Exchange, Turn, exchanges
from jobs.extraction.grounds import is_undone
from jobs.extraction.observe import observe_sentences
from jobs.extraction.options import picked_option
from jobs.extraction.retraction import Settled, find_withdrawn
from jobs.extraction.signals import Signal
from pipeline.entries.authorship.reported import perhaps_reported
from pipeline.language.chinese import han_runs
from pipeline.language.text import Span, terms
from schemas.entry import Kind
from schemas.extraction import Candidate, WordsDoubt
from schemas.transcript import Message

_TAKES = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY, Signal.APPROVES, Signal.LABEL, Signal.CHOICE})
_REPORTS = frozenset({Signal.PAST, Signal.OTHERS})  # what is to be remembered may have happened, and be about others


@dataclass(frozen=True)
class SecondLook:
    """The words at `span` of one message of the owner, in their exchange."""

    exchange: Exchange
    span: tuple[int, int]
    signals: frozenset[Signal]
    around: Sequence[Exchange]

    def is_undone(self, kind: Kind) -> bool:
        """Whether a question, a hedge, a report, a mood or another noise undoes what the words would settle."""
        signals = self.signals - _REPORTS if kind is Kind.REMEMBER else self.signals
        return is_undone(signals) or Signal.DECLINES in signals

    @property
    def naming_words(self) -> int:
        """The number of words of the quote that name something; two Chinese characters are a word."""
        start, end = self.span
        names = self.exchange.said.profile.names(self.exchange.said.message.text[start:end])
        pairs = [name for name in names if han_runs(name)]
        return len(names) - len(pairs) // 2

    @property
    def taken_proposal(self) -> tuple[Message, frozenset[str]] | None:
        """The proposal of the assistant that the words take, with the terms that only options not taken have."""
        before = self.exchange.standing
        takes = _TAKES | {Signal.ACCEPTS_OFFER} if before and before.proposes else _TAKES
        if before is None or not self.signals & takes or self.is_undone(Kind.DECISION):
            return None
        if not before.options:
            return None if before.weighs else (before.message, frozenset())
        chosen = self._chosen_option(before)
        every = frozenset().union(*(terms(option) for _, option in before.options))
        return (before.message, every - terms(chosen)) if chosen else None

    def _chosen_option(self, before: Turn) -> str | None:
        """The option that the words pick by its mark or its place, else the owner's own words for it."""
        first = next(iter(self._sentences), None)
        if first is None:
            return None
        own = first.text if Signal.CHOICE in self.signals else None
        return picked_option(first, before.options, before.profile) or own

    def doubt_of(self, candidate: Candidate) -> WordsDoubt | None:
        """The doubt about a candidate that only a person can settle, if there is a doubt."""
        said = self.exchange.said
        if not self._sentences:
            return WordsDoubt.NOT_UNDERSTOOD  # none of it is the owner's own sentence
        if find_withdrawn([Settled(self.exchange, self._sentences, candidate)], self.around):
            return WordsDoubt.TAKEN_BACK
        reported = candidate.kind is not Kind.REMEMBER and perhaps_reported(said.text, candidate.quote)
        return WordsDoubt.OF_OTHERS if reported else None

    @property
    def _sentences(self) -> tuple[Span, ...]:
        start, end = self.span
        return tuple(span for span in self.exchange.said.spans if span.start < end and start < span.end)


def look_again(conversation: Sequence[Message], number: int, span: tuple[int, int]) -> SecondLook:
    """Look again at words of the message `number` of a conversation, a message of the owner."""
    around = exchanges(conversation)
    start, end = span
    exchange = next(exchange for exchange in around if exchange.said.message.number == number)
    meant = (
        sentence.signals
        for sentence in observe_sentences(exchange)
        if sentence.span.start < end and start < sentence.span.end
    )
    return SecondLook(exchange, span, frozenset().union(*meant), around)
