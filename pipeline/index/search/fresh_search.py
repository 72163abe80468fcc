"""Questions to an index that is brought up to date first, as far as that takes no time to speak of."""

from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from pipeline.clock import stopwatch
from pipeline.errors import Held, WriteFailed
from pipeline.index.context import Indexing, Updated, WorkLimit
from pipeline.index.search.search import NO_VECTORS, NOTHING, Searching, search
from pipeline.index.sync.update import NONE_BEFORE, LastUpdate, update
from schemas.hit import Answer
from schemas.requests import SearchRequest

if TYPE_CHECKING:
    from schemas.reports.recall import Recalled
    from schemas.requests import RecallRequest

EFFORT = WorkLimit(files=300, vectors=2, size=1024 * 1024)
"""The work that a question may wait for: about a second of cutting and analysing, and half of one for vectors."""
EVERY_SECONDS = 2.0
"""The time for which a look at the files counts, in a process that answers many questions."""
WAITED_SECONDS = 1.0
"""For how long a question waits for another one's look at the files: about as long as one of its own may take."""


class Answering:
    """Answers questions; looks at the files before the first one, and again when some time has passed.

    May be used from several threads: one of them looks, and all others wait for the first look, but not long for a
    later one, which a slow embedder may draw out.
    """

    def __init__(
        self,
        indexing: Indexing,
        searching: Searching,
        *,
        every: float = EVERY_SECONDS,
        waited: float = WAITED_SECONDS,
        now: Callable[[], float] = stopwatch,
    ) -> None:
        """`every` and `waited` are in seconds."""
        self._indexing, self._searching, self._now = indexing, searching, now
        self._every, self._waited = every, waited
        self._looking = Lock()
        self._looked: float | None = None
        self._notes: tuple[str, ...] = ()
        self._few_vectors = False
        self._last = LastUpdate()

    def __call__(self, wanted: SearchRequest) -> Answer:
        """The answer, with notes on what the index does not know yet."""
        notes = self.freshen_index()
        answer = search(self._searching, wanted)
        if self._few_vectors and answer.by_meaning and answer.hits and not any(hit.terms for hit in answer.hits):
            # These are no more than the passages whose vectors were made first.
            answer = answer.model_copy(update={"hits": (), "replaced": (), "notes": (NOTHING,)})
        return answer.model_copy(update={"notes": _join_notes(answer.notes, notes)}) if notes else answer

    def recall_facts(self, wanted: "RecallRequest") -> "Recalled":
        """The facts, with notes on what the index does not know yet; raises as a question for hits does."""
        from pipeline.index.search.recall import recall  # noqa: PLC0415 - a search needs it not

        notes = self.freshen_index()
        answer = recall(self._searching, wanted)
        return answer.model_copy(update={"notes": _join_notes(answer.notes, notes)}) if notes else answer

    def freshen_index(self) -> tuple[str, ...]:
        """The notes about the index, after a look at the files when it is time for one; raises as a question does."""
        if not self._looking.acquire(timeout=-1 if self._looked is None else self._waited):
            return ("Another question is bringing the index up to date.",)
        try:
            if self._looked is None or self._now() - self._looked >= self._every:
                self._notes = self._update_index()
                self._looked = self._now()
            return self._notes
        finally:
            self._looking.release()

    def _update_index(self) -> tuple[str, ...]:
        try:
            # With the embedder of questions, which is not waited for without an end.
            indexing = replace(self._indexing, embedder=self._searching.embedder)
            updated = update(indexing, EFFORT, last=self._last)
            self._few_vectors = 2 * updated.waiting > updated.stretches
            return tuple(notes_on(updated, "text" if indexing.details else "file"))
        except Held:
            return ("Another process is bringing the index up to date.",)
        except WriteFailed as error:
            with self._searching.store.reading() as reader:
                if reader is None:
                    raise
            # The known state still gives a note.
            return (f"The index could not be brought up to date. {error}",)


_WORDS_ANSWER = "Words answer for now"


def _join_notes(answered: tuple[str, ...], notes: tuple[str, ...]) -> tuple[str, ...]:
    """The notes of an answer and of the look before it; that vectors are missing is said once."""
    counted = any(note.startswith(_WORDS_ANSWER) for note in notes)
    return (*(note for note in answered if not (counted and note == NO_VECTORS)), *notes)


def notes_on(updated: Updated, what: str = "file") -> list[str]:
    """The notes for a search about the state of the index, as sentences; `what` is what it is made of."""
    notes = []
    if updated.rebuilt not in {"", NONE_BEFORE}:
        notes.append(f"The index was built anew: {updated.rebuilt}.")
    if updated.behind:
        many = updated.behind != 1
        subject = f"{updated.behind} {what}s have" if many else f"1 {what} has"
        notes.append(f"{subject} changed since the index was made; `memory doctor reindex` brings it up to date.")
    if updated.waiting:
        every = max(updated.stretches, updated.waiting)
        made = f"{every - updated.waiting} of {every} vectors are made"
        notes.append(f"{_WORDS_ANSWER}: {made}; `memory doctor reindex` makes the rest.")
    if updated.unreadable:
        named = ", ".join(file.path for file in updated.unreadable[:3])
        notes.append(f"{len(updated.unreadable)} file(s) cannot be read and are left out, such as {named}.")
    return notes
