"""What became of suggestions that a person decided, as programs get it."""

from collections.abc import Sequence

from pipeline.corrections.correction import KEEPING
from pipeline.corrections.entities import NAMINGS
from pipeline.ledger.suggestions import KeptSuggestion
from schemas.outcome import Ending, Outcome
from schemas.reports.suggestions import DecidedSuggestions

_AT_ONCE = NAMINGS | {KEEPING}
"""What a decision does by a run of its own, which writes no new entry."""


def accepted_report(meant: Sequence[KeptSuggestion], outcomes: Sequence[Outcome]) -> DecidedSuggestions:
    """What was accepted, as programs get it."""
    return DecidedSuggestions(
        decision="accepted",
        ids=tuple(suggestion.id for suggestion in meant),
        entries=tuple(name for outcome in outcomes for name in outcome.written),
        paths=tuple(dict.fromkeys(path for outcome in outcomes for path in outcome.paths)),
        run_ids=tuple(outcome.run_id for outcome in outcomes if outcome.written or outcome.job in _AT_ONCE),
        left=any(outcome.ending is Ending.LOCKED for outcome in outcomes),
    )


def declined_report(meant: Sequence[KeptSuggestion], run_ids: Sequence[str]) -> DecidedSuggestions:
    """What was declined, as programs get it; `run_ids` took out what stood."""
    return DecidedSuggestions("declined", tuple(suggestion.id for suggestion in meant), run_ids=tuple(run_ids))
