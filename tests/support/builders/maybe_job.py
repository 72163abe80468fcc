"""A job for tests of suggestions: `note:` begins what is written, `maybe:` what a person has to decide."""

from collections.abc import Iterator, Sequence

from jobs.resolution.resolving import accept
from pipeline.drafts import Draft, EntryDraft, Skip, SuggestionDraft
from pipeline.entries.provenance import identity
from pipeline.job import Job, Reads, Run, Schedule, Target
from schemas.transcript import Message, Origin, Session
from tests.support.builders.note_job import MARK, decision

MAYBE = "maybe:"


def _run(run: Run) -> Sequence[Draft]:
    return accept(run) if run.request else list(_drafts(run))


def _drafts(run: Run) -> Iterator[Draft]:
    for session in run.inputs.transcripts:
        for message in session.conversation:
            begins = message.text.startswith((MARK, MAYBE))
            if message.origin is Origin.OWNER and begins and message.time in run.window:
                yield _draft(run, session, message)


def _draft(run: Run, session: Session, message: Message) -> Draft:
    key = identity(session.session_id, message.entry_ids, (0, len(message.text)))
    known = {entry.source.entry_ids[0] for entry in run.written.entries}
    if key in run.refusals.forgotten or message.entry_ids[0] in known:
        return Skip("known")
    text = message.text.partition(":")[2].strip()
    entry = decision(session, message, f"DECISION-{message.time:%Y%m%d}-{key[-8:]}", text)
    if message.text.startswith(MARK):
        return EntryDraft(entry, key)
    return SuggestionDraft(entry.model_copy(update={"confidence": 0.5}), key, "below_the_line")


JOB = Job(
    name="maybe",
    purpose="write down what begins with note:, and suggest what begins with maybe:",
    schedule=Schedule("0 */6 * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True),
    run=_run,
    on_request=True,
)
