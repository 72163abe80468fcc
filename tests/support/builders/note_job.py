"""A job for tests of the engine: it writes an entry for every owner message that begins with `note:`."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from pipeline.drafts import Draft, EntryDraft, Skip
from pipeline.entries.provenance import identity
from pipeline.job import Job, Reads, Run, Schedule, Target
from schemas.entry import Entry, Kind, Source
from schemas.transcript import Message, Origin, Session

MARK = "note:"


def _run(run: Run) -> Sequence[Draft]:
    said = [
        (session, message)
        for session in run.inputs.transcripts
        for message in session.conversation
        if message.origin is Origin.OWNER and message.text.startswith(MARK) and message.time in run.window
    ]
    said.sort(key=lambda pair: (pair[1].time, pair[0].session_id))
    return [_draft(run, session, message) for session, message in said]


def _draft(run: Run, session: Session, message: Message) -> Draft:
    key = identity(session.session_id, message.entry_ids, (0, len(message.text)))
    known = {(entry.source.session_id, entry.source.entry_ids[0]) for entry in run.written.entries}
    if key in run.refusals.forgotten:
        return Skip("forgotten")
    if (session.session_id, message.entry_ids[0]) in known:
        return Skip("known")
    text = message.text.removeprefix(MARK).strip() or "nothing"
    return EntryDraft(decision(session, message, f"DECISION-{message.time:%Y%m%d}-{key[:8]}", text), key)


def decision(session: Session, message: Message, entry_id: str, text: str) -> Entry:
    """A decision that rests on the whole of one message."""
    return Entry(
        id=entry_id,
        title=text,
        kind=Kind.DECISION,
        date=message.time.astimezone(ZoneInfo(session.zone)),
        source=Source(
            session_id=session.session_id,
            session_path=session.session_path,
            message_range=(message.number, message.number),
            entry_ids=message.entry_ids,
        ),
        quote=message.text,
        conclusion=text,
        confidence=0.9,
    )


JOB = Job(
    name="note",
    purpose="write down what begins with note:",
    schedule=Schedule("0 */6 * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True, overflow="memory/recent/{day}-{volume}.md", capacity=300),
    run=_run,
)
