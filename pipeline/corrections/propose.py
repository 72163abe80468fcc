"""Proposing other words for an entry: an agent may, and a person decides."""

import hashlib

from pipeline.corrections.correct import correction
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import keep
from pipeline.ledger.suggestions import KeptSuggestion
from schemas.correction import correction_identity
from schemas.suggestion import ProposedCorrection

PROPOSED = "proposed"
"""The reason of a suggestion that an agent made."""
_JOB = "micro_sync"


def propose(engine: Engine, entry_id: str, words: str, by: str) -> tuple[str, ...]:
    """Keep a correction as a suggestion; its id, or nothing where the same waits already or was declined.

    `by` is the agent that proposes it.

    Raises:
        NameRefused: there is no such entry, or more than one.
        CorrectionRefused: there is no such entry, or more than one; it does not hold; the words cannot stand in it.
    """
    wanted = correction(engine, entry_id, words)
    about = ProposedCorrection(entry=wanted.entry, words_of=wanted.words, by=by, at=engine.local_now())
    name = hashlib.sha256(f"{wanted.entry.id} {wanted.conclusion}".encode()).hexdigest()
    return keep(engine, [KeptSuggestion(_JOB, about, correction_identity(f"proposed {name}"), PROPOSED, "")])
