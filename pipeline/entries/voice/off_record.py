"""Messages off the record: no archive keeps them, and nothing is read out of them."""

import re
from bisect import bisect_right
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipeline.language.text import sentences
from schemas.transcript import Message, Origin, Session

_SPEAKERS = {Origin.OWNER, Origin.ASSISTANT}


def on_record(session: Session, silent: Container[int] = ()) -> Session:
    """The session without the stretches that the owner asked not to keep.

    A stretch is the owner's message that says so, up to the next one of the owner: an answer says again what it
    answers. When the message says nothing else, the owner's message before it belongs to the stretch; when it speaks of
    the conversation, all that was said before it. A later summary would tell the stretch again: it goes too.
    `silent` are the numbers of messages that are known not to ask for it.
    """
    left_out = {place for stretch in _stretches(session, silent) for place in stretch}
    if not left_out:
        return session
    kept = [message for place, message in enumerate(session.messages) if place not in left_out]
    starts = [message.number for message in session.messages]
    evidence = tuple(
        evidence for evidence in session.evidence if bisect_right(starts, evidence.number) - 1 not in left_out
    )
    return session.keeping(kept).model_copy(update={"evidence": evidence})


def asks_off_record(message: Message) -> bool:
    """Whether a message may ask not to keep something."""
    return message.origin is Origin.OWNER and _request(message.text) is not None


def _stretches(session: Session, silent: Container[int]) -> Iterator[range]:
    places = [place for place, message in enumerate(session.messages) if message.origin is Origin.OWNER]
    before = [*places[:1], *places]  # nothing of the owner's is before the first one
    for earlier, place, end in zip(before, places, [*places[1:], len(session.messages)], strict=False):
        message = session.messages[place]
        request = None if message.number in silent else _request(message.text)
        if request is None or _answers_about_a_file(session, place, request):
            continue
        whole = any(match.groupdict().get("all") for match in request.phrases)
        yield range(0 if whole else earlier if request.alone else place, end)


@dataclass(frozen=True)
class OffRecordRequest:
    """A request not to keep a message; `alone` when the message has no other content."""

    phrases: tuple[re.Match[str], ...]
    alone: bool


@lru_cache(maxsize=4_096)  # a session is looked through again with each of its pieces
def _request(text: str) -> OffRecordRequest | None:
    # Patterns that take long to make, in a module that every job declares its work by.
    from pipeline.entries.authorship import said_by_owner  # noqa: PLC0415 - see above
    from pipeline.entries.voice.phrases import BESIDE, NEVER_MIND, OFF_RECORD, phrase_in  # noqa: PLC0415 - see above

    spans = [span for span in sentences(text) if any(map(str.isalnum, span.text))]
    asking = [phrase_in(span, OFF_RECORD) for span in spans]
    alone = all(
        match or phrase_in(span, NEVER_MIND) or phrase_in(span, BESIDE)
        for span, match in zip(spans, asking, strict=True)
    )
    if alone and not any(asking):
        asking = [phrase_in(span, NEVER_MIND) for span in spans]
    own = [match for span, match in zip(spans, asking, strict=True) if match and said_by_owner(span.text, text)]
    return OffRecordRequest(tuple(own), alone) if own else None


def _answers_about_a_file(session: Session, place: int, request: OffRecordRequest) -> bool:
    """Whether it only says no to a question of the assistant that may be about a file: "Shall I save it?"."""
    from pipeline.entries.voice.phrases import OF_FILES  # noqa: PLC0415 - as in `_request`

    if not all(OF_FILES.search(match.group()) for match in request.phrases):
        return False
    before = next(
        (message for message in reversed(session.messages[:place]) if message.origin in _SPEAKERS and message.text),
        None,
    )
    last = sentences(before.text)[-1:] if before and before.origin is Origin.ASSISTANT else []
    return any(span.asks and OF_FILES.search(span.folded) for span in last)
