"""A suggestion: what a job did not write by itself, and a person may accept."""

import hashlib

from pydantic import AwareDatetime

from schemas.base import Value
from schemas.entry import Entry, Source

ID_LENGTH = 16
"""Hex digits of an id; the first 8 are enough as a rule."""


class Suggestion(Value):
    """What waits for a person.

    `text` is what would be written, `quote` the owner's words, `date` when they were said. `kind` is that of the entry
    it would become. `reason` tells why it is none by itself, such as `below_the_line` or `routine`. `confidence` is 0
    to 1.
    """

    id: str
    job: str
    kind: str
    title: str
    text: str
    quote: str
    date: AwareDatetime
    confidence: float
    source: Source
    reason: str


class AcceptedEntry(Value):
    """The request of a person who accepts a suggestion. `text` is the person's own, or empty: then it stays as it was.

    `identity` makes the entry the same again (`pipeline.entries.provenance`).
    """

    entry: Entry
    identity: str
    text: str = ""


def suggestion_id(identity: str) -> str:
    """The id of a suggestion: the same for the same identity, whichever run makes it."""
    return hashlib.sha256(identity.encode()).hexdigest()[:ID_LENGTH]
