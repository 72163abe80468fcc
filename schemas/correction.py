"""Corrections of a person: words in place of those of an entry, edits of lines, and runs that are taken back."""

import hashlib
from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime

from schemas.base import Value
from schemas.entry import NOT_STATED, Trust


class UndoSort(StrEnum):
    """The sort of what a person takes back: a run, a back-fill, or all runs of a day, a week or a month."""

    RUN = "runs"
    BACKFILL = "backfills"
    PERIOD = "periods"


class LineEdit(StrEnum):
    """An edit of a line of `MEMORY.md`; its value is the name of the runs in the ledger."""

    TAKE_OFF = "take_off"
    PIN = "pin"
    UNPIN = "unpin"


class CorrectedWords(Value):
    """The words of a correction, each on one line; an empty title is made of the conclusion.

    `quote` is what the person said.
    """

    title: str
    conclusion: str
    quote: str
    why: str = NOT_STATED
    finding: str = NOT_STATED
    impact: str = NOT_STATED


class CorrectionRequest(Value):
    """The request to write a correction of the entry `corrects`, which a person made `at` this time.

    `identity` makes the correction the same again.
    """

    form: Literal["correction"] = "correction"
    corrects: str
    words: CorrectedWords
    at: AwareDatetime
    trust: Trust
    identity: str


def is_correction(body: str) -> bool:
    """Whether the body of a request is that of a correction."""
    return body.startswith('{"form":"correction"')


def correction_identity(request_id: str) -> str:
    """The identity of the correction that a request asks for: it is of no message."""
    return hashlib.sha256(f"correction {request_id}".encode()).hexdigest()[:48]
