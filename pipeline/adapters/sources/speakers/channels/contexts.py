"""The metadata of a message that OpenClaw writes into a record of its own, behind the bare words of a person."""

import re

from pipeline.adapters.sources.speakers.channels.envelopes import Words, unwrap

KIND = "openclaw.runtime-context"

# Every line of an event that may stand before it bears the event's mark.
_METADATA = re.compile(r"^(?:Conversation info|Sender)(?: \(untrusted|: ⟦)", re.MULTILINE)


def named(text: str, context: str) -> list[Words]:
    """The words with the speaker that the context names, as if it stood before them; none when it names nobody."""
    start = _METADATA.search(context)
    return [*unwrap(f"{context[start.start() :].rstrip()}\n\n{text}")] if start else []
