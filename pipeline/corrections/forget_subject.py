"""Forget a subject, whichever it is: an entry, a fact, a line of an agent's memory, or a topic."""

from dataclasses import asdict, replace

from pipeline.corrections.forget import forget, forgetting_traces
from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_topic import (
    STAND_IN,
    forget_topic,
    forget_words,
    line_topic,
    line_traces,
    topic,
    traces,
)
from pipeline.engine.context import Engine
from pipeline.entries.matcher import Matcher
from pipeline.entries.mentions import TopicMatcher
from pipeline.entries.reference import wordless
from pipeline.reports.entries import is_line, subject_of
from pipeline.reports.facts import is_fact
from schemas.fleet_act import ForgettingSubject
from schemas.reports.corrections import Forgotten, ForgottenWords, TopicTraces
from schemas.reports.entries import EntryHistory, GoneEntry

_IDS = ("entries", "said_by")
"""The fields of receipts with ids of entries, which are made of their words."""


def find_matcher(engine: Engine, subject: ForgettingSubject) -> TopicMatcher | None:
    """The matcher of the words of a topic, a fact, or a line of an agent's memory; `None` for an entry.

    Raises:
        NameRefused: no fact and no line has this id.
        CorrectionRefused: the topic has no letter; a line that is none of ours has the id of a fact.
    """
    if subject.topic:
        return replace(topic([subject.topic]), cases=subject.cases)
    if is_fact(subject.id):
        return fact_topic(engine, subject.id)
    return line_topic(engine, subject.id) if is_line(subject.id) else None


def find_words(engine: Engine, subject: ForgettingSubject) -> Matcher:
    """The matcher of all words of a subject, also of an entry.

    Raises:
        NameRefused: nothing has this id.
        CorrectionRefused: as `find_matcher`.
    """
    return find_matcher(engine, subject) or subject_of(engine, forgetting_traces(engine, subject.id).id)


def find_traces(engine: Engine, subject: ForgettingSubject) -> EntryHistory | GoneEntry | TopicTraces:
    """The traces that forgetting takes away, and those that stay.

    Raises:
        NameRefused: nothing has this id.
        CorrectionRefused: nothing has the name of the topic, or the words of the line.
    """
    matcher = find_matcher(engine, subject)
    if matcher is None:
        return forgetting_traces(engine, subject.id)
    return (traces if subject.topic else line_traces)(engine, matcher)


def forget_subject(engine: Engine, subject: ForgettingSubject) -> Forgotten | ForgottenWords:
    """Forget it, for good; the receipt, which may have words of it.

    Raises:
        NameRefused: nothing has this id.
        CorrectionRefused: as `find_matcher`.
        Held: somebody is at work on the files.
    """
    matcher = find_matcher(engine, subject)
    if matcher is None:
        return forget(engine, forgetting_traces(engine, subject.id).id)
    return (forget_topic if subject.topic else forget_words)(engine, matcher)


def wordless_fields(receipt: Forgotten | ForgottenWords, matcher: TopicMatcher | None) -> dict[str, object]:
    """The fields of a receipt without words of what went: ids are made of words, and paths of names."""
    own = {"entry_id": receipt.stand_in, "also": ()} if isinstance(receipt, Forgotten) else {"names": ()}
    fields = asdict(receipt) | own
    fields |= {name: tuple(map(wordless, fields[name])) for name in _IDS if name in fields}
    if matcher is None:
        return fields
    places = {name: value for name, value in fields.items() if isinstance(value, tuple)}
    return fields | {name: tuple(matcher.without(place, STAND_IN) for place in value) for name, value in places.items()}
