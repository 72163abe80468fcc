"""Decisions about suggestions by the page, about what was shown alone; a notice says what came of them."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.app.own_words import own_words
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.errors import UnknownSuggestion
from pipeline.errors.service import NothingWritten, PageOutdated
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import difference
from pipeline.surfaces.http.page.forms import digest_of
from schemas.outcome import SUCCESSES, Outcome
from schemas.reports.suggestions import DecidedSuggestions

_WAIT_SECONDS = 1.0  # for a run that is at work: a person looks at the page meanwhile


@dataclass(frozen=True)
class Decided:
    """What came of a decision: the name of a notice, and the runs that did it, which can be taken back."""

    notice: str
    run_ids: tuple[str, ...]


def seen_of(suggestion: KeptSuggestion) -> str:
    """The digest of a suggestion as it is shown."""
    return digest_of([suggestion.shown.model_dump(mode="json"), difference(suggestion)])


def as_seen(engine: Engine, wanted: Mapping[str, str]) -> list[KeptSuggestion]:
    """The suggestions of these ids, each as the person saw it by its digest."""
    known = {one.id: one for one in waiting(engine)}
    if gone := wanted.keys() - known.keys():
        _refuse(engine, min(gone))
    meant = [known[name] for name in wanted]
    if not all(hmac.compare_digest(wanted[one.id].encode(), seen_of(one).encode()) for one in meant):
        raise PageOutdated
    return meant


def accepted(engine: Engine, meant: Sequence[KeptSuggestion], text: str | None = None) -> Decided:
    """Accept suggestions, one of them in the person's own words where there is a `text`."""
    words = "" if text is None else own_words(engine, meant[0], text)
    outcomes = accept(engine, meant, words, _WAIT_SECONDS)
    return _came_of(engine, accepted_report(meant, outcomes), outcomes)


def declined(engine: Engine, meant: Sequence[KeptSuggestion]) -> Decided:
    """Decline suggestions."""
    return Decided("declined", declined_report(meant, decline(engine, meant)).run_ids)


def _refuse(engine: Engine, suggestion_id: str) -> None:
    if any(one.id == suggestion_id for one in engine.ledger.suggestions.all()):
        raise PageOutdated
    raise UnknownSuggestion(suggestion_id)


def _came_of(engine: Engine, report: DecidedSuggestions, outcomes: Sequence[Outcome]) -> Decided:
    if report.left:
        return Decided("kept", report.run_ids)
    if not all(one.ending in SUCCESSES for one in outcomes):
        return Decided("unfinished", report.run_ids)
    still = set(report.ids) & {one.id for one in waiting(engine)}
    if still == set(report.ids):
        raise NothingWritten(list(dict.fromkeys(line for one in outcomes for line in one.notices)))
    return Decided("partly" if still else "accepted", report.run_ids)
