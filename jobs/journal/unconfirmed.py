"""What a tool asked for in a session that has ended: the owner's words confirm it, or it waits for a person."""

from collections.abc import Iterator, Sequence

from jobs.journal.requests import Journal
from pipeline.agents.journal import change_id
from pipeline.agents.standing import MemoryLine
from pipeline.drafts import ChangeDraft, Draft
from pipeline.entries.authorship import said_by_owner
from pipeline.job import Run
from pipeline.language.text import sentences, terms
from schemas.memory_change import SECTIONS, ChangeWord, MemoryChange, Operation
from schemas.transcript import Message, Origin, Session

_SAID = 0.75
"""The share of a line's words that have to stand in one sentence of the owner."""


def confirmations(run: Run, session: Session, known: Journal, new: Sequence[MemoryChange]) -> Iterator[Draft]:
    """A confirmation, or a withdrawal with a suggestion, for each line that was only asked for in the window."""
    confirmed = {change.target for change in new if change.operation is Operation.CONFIRM}
    for line in known.standings.lines.values():
        if line.confirmed or line.id in confirmed or line.at not in run.window:
            continue
        said = next(_saying(line, session, run), None)
        if said:
            yield _confirmation(line, *said, session, known)
        else:
            yield from _withdrawal(line, run, known)


def _saying(line: MemoryLine, session: Session, run: Run) -> Iterator[tuple[Message, str]]:
    """The owner's messages of the window that say a line, each with the sentence."""
    wanted = terms(line.text)
    for message in session.conversation:
        if message.origin is Origin.OWNER and message.time in run.window:
            for span in sentences(message.text):
                share = len(wanted & terms(span.text)) / len(wanted) if wanted else 0
                if share >= _SAID and not span.asks and said_by_owner(span.text, message.text):
                    yield message, span.text


def _confirmation(line: MemoryLine, message: Message, quote: str, session: Session, known: Journal) -> ChangeDraft:
    identity = f"confirm {line.id} {session.session_id} {message.number}"
    change = MemoryChange(
        id=change_id(identity, known.taken),
        operation=Operation.CONFIRM,
        text=line.text,
        at=message.time,
        word=ChangeWord.OWNER,
        target=line.id,
        before=line.text,
        quote=quote,
        session_id=session.session_id,
        number=message.number,
        importance=line.importance,
    )
    return ChangeDraft(change, identity)


def _withdrawal(line: MemoryLine, run: Run, known: Journal) -> Iterator[ChangeDraft]:
    """Nobody said it: the line is taken back, and the change waits for a person."""
    asked = line.change
    if asked is None:
        return
    identity = f"withdraw {line.id} {run.key}"
    back = {"id": change_id(identity, known.taken), "operation": Operation.WITHDRAW, "target": line.id}
    yield ChangeDraft(asked.model_copy(update={**back, "text": line.text, "before": line.text}), identity)
    operation = next(name for name, section in SECTIONS.items() if section is line.section)
    again = asked.model_copy(update={"operation": operation, "text": line.text, "target": "", "before": ""})
    yield ChangeDraft(again, f"unconfirmed {line.id}", unconfirmed=True)
