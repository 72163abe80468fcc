"""What the owner asked not to keep: it is in no archive, and nothing is read out of it."""

from jobs.voice.phrases import OFF_RECORD
from pipeline.entries.authorship import said_by_owner
from pipeline.language.text import sentences
from schemas.transcript import Message, Origin, Session


def on_record(session: Session) -> Session:
    """The session without the stretches that the owner asked not to keep.

    A stretch is the owner's message that says so. When it says nothing else, the one before it belongs to it, with all
    that was answered in between.
    """
    left_out, last = set[int](), None
    for place, message in enumerate(session.messages):
        if message.origin is not Origin.OWNER:
            continue
        spans = [span for span in sentences(message.text) if any(map(str.isalnum, span.text))]
        asking = [any(pattern.fullmatch(span.folded.strip()) for pattern in OFF_RECORD) for span in spans]
        if any(asking) and _own(message, [span.text for span, asks in zip(spans, asking, strict=True) if asks]):
            first = last if all(asking) and last is not None else place
            left_out.update(range(first, place + 1))
        last = place
    if not left_out:
        return session
    kept = tuple(message for place, message in enumerate(session.messages) if place not in left_out)
    return session.model_copy(update={"messages": kept})


def _own(message: Message, texts: list[str]) -> bool:
    return any(said_by_owner(text, message.text) for text in texts)
