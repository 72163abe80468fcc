"""Prompts that a person typed while Claude Code was busy, and of which only the queue tells.

A prompt is written down when it comes into the queue (`enqueue`), and again as a message when the program gives it to
the model. The program takes the oldest one (`dequeue`, or `remove` for an attachment), the person takes all back
(`popAll`). A prompt that the program took and never wrote down as a message was lost on the way: its words are here.
"""

from collections import deque

from pipeline.adapters.sources.claude_code.words import typed_words
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import Record, moment, texts, word
from pipeline.entries.provenance import id_by_place
from schemas.transcript import Origin, Role


class PromptQueue:
    """The prompts that wait, and those that the program took out of the queue, by their places in the file."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._waiting: deque[DraftMessage] = deque()
        self._taken: list[tuple[DraftMessage, int]] = []

    def take(self, number: int, record: Record) -> None:
        """Reads an operation."""
        operation = word(record.get("operation"))
        if operation == "enqueue":
            time = moment(record.get("timestamp"))
            origin, parts = typed_words(texts(record.get("content")))
            draft = DraftMessage(number, [id_by_place(number, time, record)], Role.USER, origin, parts, time=time)
            draft.folder = self._assembly.folder
            self._waiting.append(draft)
        elif operation == "popAll":
            self._waiting.clear()
        elif operation == "dequeue" and self._waiting:
            self._taken.append((self._waiting.popleft(), number))
        elif operation == "remove" and self._waiting:
            self._waiting.popleft()

    def settle(self) -> None:
        """Adds what was lost on the way, if a person speaks in the session: a program's prompts wait there too.

        A message after the operation shows that the program went on without the prompt.
        """
        drafts = self._assembly.drafts
        if not self._taken or not any(draft.origin is Origin.OWNER for draft in drafts):
            return
        last = max(draft.number for draft in drafts)
        said = {"\n".join(draft.parts) for draft in drafts if draft.role is Role.USER}
        lost = [
            draft
            for draft, taken in self._taken
            if draft.origin is Origin.OWNER and draft.time and taken < last and "\n".join(draft.parts) not in said
        ]
        drafts += lost
        drafts.sort(key=lambda draft: draft.number)
