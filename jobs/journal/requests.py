"""Changes of an agent's memory that were requested, or accepted by a person."""

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from pipeline.agents.journal import change_id, one_line, parse_change
from pipeline.agents.standing import MemoryLine, Standings, stand
from pipeline.drafts import ChangeDraft, Draft, Notice, Skip
from pipeline.job import Run
from schemas.memory_change import AcceptedChange, ChangeRequest, ChangeWord, MemoryChange, Operation

KNOWN = "known"
"""The reason of a skip: it stands already, or nothing has to change."""


def changes(run: Run) -> list[Draft]:
    """The change that the request of a run asks for; a skip or a notice when there is nothing to change."""
    known = journal_of(run)
    try:
        return _accepted_drafts(run, known, AcceptedChange.model_validate_json(run.request))
    except ValidationError:  # it is a request for a new change
        return _asked_drafts(run, known, ChangeRequest.model_validate_json(run.request))


@dataclass(frozen=True)
class Journal:
    """A journal as it stands: the lines that its changes come to, and the ids that are taken."""

    standings: Standings
    taken: Collection[str]

    def after(self, new: Iterable[MemoryChange]) -> "Journal":
        """The journal with further changes."""
        added = tuple(new)
        taken = {*self.taken, *(change.id for change in added)}
        return Journal(self.standings.after(added), taken) if added else self

    def has(self, identity: str) -> bool:
        """Whether a change of this identity stands in it."""
        return change_id(identity, ()) in self.taken


_LAST = deque[tuple[tuple[MemoryChange, ...], Standings]](maxlen=1)
"""The changes of the last journal, and what they come to: a back-fill adds to them in each session."""


def journal_of(run: Run) -> Journal:
    """The journal of the agent of a run."""
    parsed = (parse_change(item.name, item.text) for item in run.inputs.items)
    names = {item.name for item in run.inputs.items}
    changes = tuple(change for change in parsed if change)
    known, standings = _LAST[0] if _LAST else ((), stand(()))
    begins = changes[: len(known)] == known
    standings = standings.after(changes[len(known) :]) if begins else stand(changes)
    _LAST.append((changes, standings))
    return Journal(standings, names | run.refusals.forgotten)


def _asked_drafts(run: Run, known: Journal, wanted: ChangeRequest) -> list[Draft]:
    target = _meant_line(known.standings, wanted)
    text = one_line(wanted.text)
    if target is None and (wanted.operation.rewrites or wanted.operation.pins):
        return [
            Skip(KNOWN),
            Notice("Nothing that stands is meant: name the line by its id, as `memory agents know` shows it."),
        ]
    if wanted.operation.adds and known.standings.saying(text):
        return [Skip(KNOWN), Notice("It stands already.")]
    if wanted.operation.pins and target and target.pinned is (wanted.operation is Operation.PIN):
        return [Skip(KNOWN), Notice("It is pinned already." if target.pinned else "It is not pinned.")]
    if target and wanted.operation is not Operation.UPDATE:
        text = target.text
    change = MemoryChange(
        id=change_id(run.key, known.taken),
        operation=wanted.operation,
        text=text,
        at=run.window.start,
        word=wanted.word,
        target=target.id if target else "",
        before=target.text if target else "",
        importance=wanted.importance,
        asked_by=wanted.asked_by,
        over=wanted.over,
    )
    return [ChangeDraft(change, run.key, by_person=target is not None and target.by_person)]


def _meant_line(standings: Standings, wanted: ChangeRequest) -> MemoryLine | None:
    """The line that a request means: by its id, else by its words."""
    if wanted.operation.adds:
        return None
    if wanted.line:
        return standings.lines.get(wanted.line)
    return standings.saying(wanted.text) if wanted.operation is Operation.DELETE else None


def _accepted_drafts(run: Run, known: Journal, wanted: AcceptedChange) -> list[Draft]:
    """The drafts of an accepted change, if its line still stands as it did when it was suggested."""
    change, target = wanted.change, known.standings.lines.get(wanted.change.target)
    if change.operation.rewrites and (target is None or target.text != change.before):
        return [Skip(KNOWN), Notice("The line that it is about has changed since, so nothing was written.")]
    text = one_line(wanted.text) or change.text
    if change.operation.adds and known.standings.saying(text):
        return [Skip(KNOWN), Notice("It stands already.")]
    update = {
        "id": change_id(wanted.identity, known.taken),
        "text": text,
        "word": ChangeWord.ACCEPTED,
        "at": run.window.start,
    }
    return [ChangeDraft(change.model_copy(update=update), wanted.identity)]
