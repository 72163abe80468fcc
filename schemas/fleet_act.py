"""Acts: what a person asks of a workspace of a fleet, and the answer that comes with a later generation."""

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from schemas.base import RequestValue
from schemas.correction import LineEdit, UndoSort
from schemas.detail import storable
from schemas.memory_change import ChangeRequest, ProposedWords

ThingId = Annotated[str, Field(min_length=1, max_length=400, pattern=r"\S"), AfterValidator(storable)]
"""The id of an entry or of a suggestion."""
ActNumber = Annotated[int, Field(ge=1, le=2**62)]
"""The number of an act in its workspace."""
_Words = Annotated[str, AfterValidator(storable)]
# Arithmetic with days and zones ends near the first and the last year there is.
_Day = Annotated[date, Field(ge=date(1971, 1, 1), le=date(2999, 12, 31))]


class CorrectAct(RequestValue):
    """Other words for the entry with this id; without `words` another `title` alone."""

    kind: Literal["correct"] = "correct"
    id: ThingId
    words: _Words = ""
    title: _Words = ""


class AcceptAct(RequestValue):
    """A suggestion is accepted; `text` may be the person's own words for it."""

    kind: Literal["accept"] = "accept"
    id: ThingId
    text: _Words = ""


class DeclineAct(RequestValue):
    """A suggestion is declined."""

    kind: Literal["decline"] = "decline"
    id: ThingId


class TakeBackAct(RequestValue):
    """The answer about a suggestion is taken back, with the runs that carried it out."""

    kind: Literal["take_back"] = "take_back"
    id: ThingId
    run_ids: tuple[_Words, ...] = ()


class ForgettingSubject(RequestValue):
    """The subject of a forgetting: an entry, a fact or a line by its `id`, or a `topic` with other `cases` of it."""

    id: Annotated[str, Field(max_length=400), AfterValidator(storable)] = ""
    topic: _Words = ""
    cases: tuple[_Words, ...] = ()


class ForgetAct(ForgettingSubject):
    """A subject is forgotten."""

    kind: Literal["forget"] = "forget"


class UndoAct(RequestValue):
    """A run is taken back, or all runs of a back-fill or a period."""

    kind: Literal["undo"] = "undo"
    sort: UndoSort
    name: _Words


class EditLineAct(RequestValue):
    """A line of `MEMORY.md` that has this text is taken off the page, pinned or unpinned."""

    kind: Literal["edit_line"] = "edit_line"
    line: _Words
    text: _Words
    edit: LineEdit


class NamesAct(RequestValue):
    """Two names of entities are put together, or taken apart."""

    kind: Literal["merge", "split"]
    name: _Words
    other: _Words


class MemoryAct(RequestValue):
    """A change of the memory of `agent`, which was asked for at the moment `at`.

    `asker` is the agent with whose token that was done; empty, it was a person. The text may be proposed as an `entry`
    of the workspace besides.
    """

    kind: Literal["memory"] = "memory"
    agent: _Words
    change: ChangeRequest
    at: AwareDatetime
    asker: _Words = ""
    entry: ProposedWords = ProposedWords("", "")


class ProposeAct(RequestValue):
    """The agent `asker` proposes other words for the entry with this id."""

    kind: Literal["propose"] = "propose"
    id: ThingId
    words: _Words
    asker: _Words


class PushAct(RequestValue):
    """The files of a folder are merged with those of the workspace; `base` is the generation that both had."""

    kind: Literal["push"] = "push"
    base: int


class PastDays(RequestValue):
    """Jobs run over past local days, both inside; without `jobs` all of them."""

    jobs: tuple[_Words, ...] = ()
    first: _Day
    last: _Day

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.first > self.last:
            message = "the first day comes after the last one"
            raise ValueError(message)
        return self


class BackfillAct(PastDays):
    """A back-fill, which is done when other work is."""

    kind: Literal["backfill"] = "backfill"


ShortAct = (
    CorrectAct
    | AcceptAct
    | DeclineAct
    | TakeBackAct
    | ForgetAct
    | UndoAct
    | EditLineAct
    | NamesAct
    | MemoryAct
    | ProposeAct
    | PushAct
)
"""An act that is done at once."""

FleetAct = Annotated[ShortAct | BackfillAct, Field(discriminator="kind")]


class SettledAct(RequestValue):
    """An act that was carried out, or refused, with its answer: what the command prints with `--json`, or the error."""

    seq: int
    refused: bool
    answer: dict[str, Any]
