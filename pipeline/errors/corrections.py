"""Corrections by people that cannot be made: of entries, links, entities, facts, topics, pages and runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes
from schemas.entry import Status

if TYPE_CHECKING:
    from schemas.reports.corrections import TopicTraces

LONGEST = 2_000
"""Characters of the words of a correction."""
_SHOWN = 3


class CorrectionRefused(PipelineError):
    """A correction cannot be made as requested."""

    exit_code = exit_codes.UNUSABLE


class CorrectionFailed(PipelineError):
    """A file is not in the state that a correction needs."""


class WordsRefused(CorrectionRefused):
    """The words of a correction cannot be in an entry."""


class NoWords(WordsRefused):
    """The words of a correction are empty."""

    sentence = "Nothing was corrected: there is nothing in {field}."
    advice = 'Say how it is: "the new words".'
    field: str
    """Such as `the title`."""


class TooManyWords(WordsRefused):
    """The words of a correction are too long to be a single thing."""

    sentence = "Nothing was corrected: there are {length:,} characters in {field}."
    advice = "Say one thing, in at most {longest:,}."
    longest = LONGEST
    field: str
    length: int


class SecretWords(WordsRefused):
    """The words of a correction hold a secret."""

    sentence = "Nothing was corrected: there is a secret in {field}, and none is ever kept."
    advice = "Say it without the secret."
    field: str


class SaidAlready(WordsRefused):
    """The entry has the words of the correction already."""

    sentence = "Nothing was corrected: {entry_id} says this already."
    entry_id: str


class NotInForce(CorrectionRefused):
    """The entry that is to be corrected does not hold."""

    entry_id: str
    status: Status
    successors: Sequence[str] = ()

    def __str__(self) -> str:
        by = f" by {', '.join(self.successors)}; correct that one" if self.successors else ""
        advice = {
            Status.SUPERSEDED: f"it was replaced{by}",
            Status.ARCHIVED: "it is archived: set its `status:` to active in the file first",
            Status.IN_REVIEW: "it waits for your decision: `memory suggestions edit` accepts it in other words",
        }
        return f"{self.entry_id} cannot be corrected, because {advice.get(self.status, self.status.value)}."


class NotOurs(CorrectionRefused):
    """The words of the entry are not known to be the owner's, so there is nothing to correct."""

    sentence = "{entry_id} in {path} is unverified: it counts for nothing, so there is nothing to correct."
    advice = "Change it or take it out in the file."
    entry_id: str
    path: str


class AlreadyForgotten(CorrectionRefused):
    """The entry that is to be corrected was deleted or forgotten."""

    sentence = "{entry_id} was forgotten, so there is nothing to correct."
    advice = "Say it again in a session, or take its line out of memory/forgotten.md to allow it again."
    entry_id: str


class NotWritten(CorrectionFailed):
    """The correction waits, or the entry has changed meanwhile."""

    sentence = "{entry_id} changed while it was being corrected, so nothing was written."
    advice = "Look at it with `memory show story {entry_id}`, and try again."
    entry_id: str


class ChangedSince(CorrectionFailed):
    """A file has changed since a person chose the text to move out of it."""

    sentence = "{path} has changed since it was looked at; nothing was moved."
    advice = "`memory doctor adopt` lists the blocks as they are now."
    path: str


class NothingToAdopt(CorrectionRefused):
    """There is no text of a person that could be moved."""

    sentence = "{path} {why}, so there is nothing to move out of it."
    path: str
    why: str


class UnknownBlock(CorrectionRefused):
    """A number names no block of a person's text."""

    sentence = "{path} has no block {numbers}: its blocks are numbered from 1 to {known}. Nothing was moved."
    path: str
    numbers: Sequence[int]
    known: int


class UnknownBackfillRuns(UnknownName):
    """No run is known that belongs to a back-fill of this id."""

    sort = "back-fill of which runs are known"
    advice = "`memory show run ID` names the back-fill of a run."
    lost: str = ""

    def __str__(self) -> str:
        rest = "Only the ledger knows which runs a back-fill had, so what they wrote stays."
        return f"{super().__str__()} {self.lost} {rest}" if self.lost else super().__str__()


class UnknownEntity(UnknownName):
    """No fact names it, and no page."""

    sort = "entity"
    advice = "`memory show entities` lists the entities."


class UnknownNode(UnknownName):
    """No node of the graph has this id or name, or it belongs to another user."""

    sort = "node of the graph"
    advice = "The graph without a focus shows the newest."


class SameEntity(CorrectionRefused):
    """Two names are names of the same entity already."""

    sentence = "{name} and {other} are one entity already."
    advice = "`memory show entities {name}` shows its names."
    name: str
    other: str


class FactOfOthers(CorrectionRefused):
    """The id is in a line that was written or changed by hand."""

    sentence = (
        "{name} is no fact of ours: somebody wrote or changed the line {place} by hand, so it is evidence for nothing."
    )
    advice = "Delete the line with your editor."
    name: str
    place: str


class NotMerged(CorrectionRefused):
    """A name is no alias of an entity."""

    sentence = "{other} is no alias of {name}."
    advice = "`memory show entities {name}` shows its names."
    name: str
    other: str


class FrontMatterUnclear(CorrectionFailed):
    """The front matter of a page cannot be changed without a guess."""

    sentence = "The front matter of {path} is no plain YAML, so it is not changed."
    advice = "Write `aliases: [...]` there by hand."
    path: str


class NotLinked(CorrectionRefused):
    """Two entries have no link."""

    sentence = "{entry_id} and {other} are not linked."
    advice = "`memory show story {entry_id}` shows the links of an entry."
    entry_id: str
    other: str


class LinkOfCorrection(CorrectionRefused):
    """An entry took the place of another one because a person corrected that: there is no link to take apart."""

    sentence = "{entry_id} corrects {other}, which is no link."
    advice = "`memory undo {run_id}` takes the correction back."
    entry_id: str
    other: str
    run_id: str


class LinkOfPerson(CorrectionFailed):
    """The link is in an entry that a person changed, which is never rewritten."""

    sentence = "{carrier} in {path} was changed by a person, so it is not rewritten."
    advice = "Take {target} out of its lines `supersedes:`, `superseded_by:` and `reinforces:` by hand."
    carrier: str
    target: str
    path: str


class NoTopic(CorrectionRefused):
    """The text that is to be forgotten has neither a letter nor a digit."""

    sentence = "{name!r} names nothing."
    advice = "Say what to forget: a name, or some words in a row."
    name: str


class TopicUnknown(CorrectionRefused):
    """Nothing of ours has the names of a topic."""

    seen: "TopicTraces"
    """Other traces: lines of people, and words that may mean it too."""

    def __str__(self) -> str:
        seen = self.seen
        names = " or ".join(f'"{name}"' for name in seen.names)
        alike = f" These words are alike; name the ones that you mean: {', '.join(seen.alike)}." if seen.alike else ""
        places = ", ".join(line.where for line in seen.kept[:_SHOWN])
        kept = f" It stands in lines that people wrote, which only people take out: {places}." if places else ""
        nothing = "" if alike or kept else " Try another form of the word: only whole words count."
        return f"Nothing that the memory wrote has {names}.{alike}{kept}{nothing}"
