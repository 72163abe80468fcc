"""What an earlier version of the product wrote: an entry for every message of the owner, whatever it says."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jobs import micro_sync
from jobs.resolution.resolving import accept
from pipeline.drafts import Draft, EntryDraft, Skip
from pipeline.entries.provenance import identity
from pipeline.job import Run
from schemas.entry import Kind
from schemas.transcript import Message, Origin, Session
from tests.support.builders.note_job import decision

REPLACING = "in place of all: "
"""How a message begins whose entry that version let replace all entries before it."""


def _run(run: Run) -> Sequence[Draft]:
    return accept(run) if run.request else list(_drafts(run))


def _drafts(run: Run) -> Iterator[Draft]:
    for session in run.inputs.transcripts:
        for message in session.messages:
            if message.origin is Origin.OWNER and message.time in run.window:
                yield _draft(run, session, message)


def _draft(run: Run, session: Session, message: Message) -> Draft:
    key = identity(session.session_id, message.entry_ids, (0, len(message.text)))
    entry = decision(session, message, f"DECISION-{message.time:%Y%m%d}-{key[-8:]}", message.text)
    if key in run.refusals.forgotten or entry.id in {known.id for known in run.written.entries}:
        return Skip("known")
    known = tuple(one.id for one in run.written.entries) if message.text.startswith(REPLACING) else ()
    return EntryDraft(entry.model_copy(update={"supersedes": known, "kind": Kind.RULE}), key)


JOB = replace(micro_sync.JOB, run=_run, reading=None)
