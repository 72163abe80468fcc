"""The calls of a session and their results, from which its evidence comes."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from pipeline.adapters.sources.evidence.readings import CallClaim, open_todos
from pipeline.adapters.sources.evidence.table import TOOLS
from pipeline.adapters.sources.reading.records import identifier, mapping
from schemas.evidence import EvidenceKind, RecordEvidence, Todo

_SAID = frozenset({EvidenceKind.TODOS, EvidenceKind.NOTE})
"""What counts by the call alone, unless it failed; a line of a file only when that was written."""


class RecordPlace(NamedTuple):
    """Where a record stands: its number, its time if one is known, and the folder of the work."""

    number: int
    time: datetime | None
    folder: str


@dataclass(frozen=True, slots=True)
class CallResult:
    """What the program recorded of a result, `None` where it recorded nothing.

    `approved` is whether the owner allowed the call by an act of his own, or refused it; `outcome` is the program's own
    record.
    """

    succeeded: bool | None = None
    approved: bool | None = None
    outcome: object = None


def by_status(code: object, *, otherwise: bool | None = None) -> bool | None:
    """Whether a command succeeded, by its status; `otherwise` where there is none."""
    return code == 0 if isinstance(code, int) and not isinstance(code, bool) else otherwise


@dataclass(slots=True)
class CallLog:
    """The calls that wait for their result, and the evidence so far, in the order of the results."""

    _waiting: dict[str, tuple[RecordPlace, list[CallClaim]]] = field(default_factory=dict)
    _proven: list[RecordEvidence] = field(default_factory=list)
    _tasks: dict[str, tuple[str, str]] = field(default_factory=dict)
    _failing: bool = False

    def called(self, harness: str, name: str, call_id: object, arguments: object, place: RecordPlace) -> None:
        """Takes a call of a tool; one that the table does not have, or without an id, is no evidence."""
        reading, key = TOOLS[harness].get(name), identifier(call_id)
        if reading and key and (claims := list(reading(mapping(arguments)))):
            self._waiting[key] = (place, claims)

    def returned(self, call_id: object, result: CallResult) -> None:
        """Takes the result of a call."""
        if waiting := self._waiting.pop(identifier(call_id), None):
            for claim in waiting[1]:
                self._settle(waiting[0], claim, result)

    def stated(self, kind: EvidenceKind, place: RecordPlace, text: str, about: str = "") -> None:
        """Takes an act of the owner."""
        self._add(place, CallClaim(kind, text, about=about))

    def keep(self, stays: Callable[[RecordEvidence], bool]) -> None:
        """Drops what was taken back, or belongs to another session."""
        self._proven = [evidence for evidence in self._proven if stays(evidence)]

    def evidence(self) -> tuple[RecordEvidence, ...]:
        """All evidence in the order of the records; a list or a note whose result never came counts too."""
        for place, claims in self._waiting.values():
            for claim in claims:
                self._settle(place, claim, CallResult())
        self._waiting.clear()
        return tuple(sorted(self._proven, key=lambda evidence: evidence.number))

    def _settle(self, place: RecordPlace, claim: CallClaim, result: CallResult) -> None:
        if claim.kind is EvidenceKind.PLAN_APPROVED:
            if result.approved is not None:
                kind = EvidenceKind.PLAN_APPROVED if result.approved else EvidenceKind.PLAN_REJECTED
                self._add(place, CallClaim(kind, claim.text))
        elif claim.kind is EvidenceKind.FAILED:
            self._ran(place, claim, result)
        elif result.succeeded or (claim.kind in _SAID and not claim.about and result.succeeded is None):
            todos = claim.todos if claim.task is None else self._changed(claim.task, result.outcome)
            self._add(place, replace(claim, todos=todos))

    def _ran(self, place: RecordPlace, claim: CallClaim, result: CallResult) -> None:
        """Of the commands, those that failed are kept, and the first that succeeded after them."""
        if result.succeeded is None:
            return
        if not result.succeeded:
            self._add(place, claim)
        elif self._failing:
            self._add(place, CallClaim(EvidenceKind.PASSED, claim.text))
        self._failing = not result.succeeded

    def _changed(self, task: tuple[str, str, str], outcome: object) -> tuple[Todo, ...]:
        """The open tasks after a task was added, whose id stands in the outcome, or changed."""
        given, text, state = task
        key = given or identifier(mapping(mapping(outcome).get("task")).get("id"))
        before = self._tasks.get(key, ("", "pending"))
        if key:
            self._tasks[key] = (text or before[0], state or before[1])
        return open_todos(list(self._tasks.values()))

    def _add(self, place: RecordPlace, claim: CallClaim) -> None:
        if place.time is not None:
            self._proven.append(
                RecordEvidence(
                    kind=claim.kind,
                    number=place.number,
                    time=place.time,
                    text=claim.text,
                    about=claim.about,
                    todos=claim.todos,
                    project=place.folder,
                )
            )
