"""Requests that write suggested entries: a person accepted one, or nobody has to be asked."""

from collections.abc import Collection, Sequence

from pipeline.engine.context import Engine
from pipeline.entries.provenance import message_part
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from schemas.suggestion import AcceptedEntry, NewEntry


def ask_at_once(engine: Engine, suggestions: Sequence[KeptSuggestion], settled: Collection[str]) -> frozenset[str]:
    """Ask for entries that nobody has to accept, as the run that suggests them; the ids of their suggestions.

    Not for one on a message on which something of the identities `settled` rests: the person is asked about that. The
    caller holds a transaction.
    """
    messages = {message_part(identity) for identity in settled}
    asked = [one for one in suggestions if message_part(one.identity) not in messages]
    for suggestion in asked:
        if isinstance(suggestion.about, NewEntry):
            engine.ledger.requests.keep(_request(engine, suggestion, suggestion.about))
    return frozenset(one.id for one in asked)


def drop_of_run(engine: Engine, run_id: str) -> int:
    """Drop the suggestions of a run, and those of its requests that nobody has carried out; how many suggestions.

    The caller holds a transaction.
    """
    engine.ledger.requests.drop_open(_prefix(run_id))
    return engine.ledger.suggestions.drop_of_run(run_id)


def _request(engine: Engine, suggestion: KeptSuggestion, about: NewEntry) -> Request:
    body = AcceptedEntry(entry=about.entry, identity=suggestion.identity, by_person=False).model_dump_json()
    request_id = f"{_prefix(suggestion.run_id)}{suggestion.id}"
    return Request(request_id, suggestion.job, "", body, asked=engine.clock.now(), about=about.entry.date)


def _prefix(run_id: str) -> str:
    """The begin of the ids of what a run asks for."""
    return f"at-once-{run_id}-"
