"""The entries of a day in its daily file: decisions, and things to remember."""

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jobs.resolution.similarity import features
from jobs.wrapup.line_text import cited, link, listed
from pipeline.entries.reference import reference
from pipeline.entries.standing import EntryState, fold
from pipeline.job import Noted, Run
from pipeline.language.folding import fold as folded
from pipeline.markdown.entries import one_line
from schemas.entry import NOT_STATED, Kind, Status, Trust

_UP = "../../"  # from second-brain/summaries to the workspace
_LENGTH = 8
_NEWS = 2  # things it is about that the conclusion is not
_BRIEF = 4  # things: a conclusion about fewer needs what it answers beside it
_LONGEST = 200  # characters
_ORDER = re.compile(
    r"(?:(?:and|also|please|oh|a|i|prosze|请)\W+)*"
    r"(?:(?:remember|note)(?: that| this)?|new rule(?: then)?|(?:zapamietaj|zapisz|zanotuj)(?: mi| sobie| gdzies)?"
    r"(?:,? ze)?|记住|记得|记一下|记下)(?:[:\uff1a,\uff0c]\s*|\s+)"
)
"""The opening of a request to remember something: the label replaces it."""

_LOOSE = " .,;:"
_LABELS = {Kind.RULE: "Rule: ", Kind.ARCHITECTURE: "Architecture: ", Kind.REMEMBER: "To remember: "}


@dataclass(frozen=True)
class Decision:
    """An entry of the day that verifies and is not archived, with its file.

    `successors` are the names of the entries of the day that replaced it.
    """

    noted: Noted
    state: EntryState
    successors: tuple[str, ...] = ()

    @property
    def decides(self) -> bool:
        """Whether it is a decision; a thing to remember is only a statement."""
        return self.state.entry.kind is not Kind.REMEMBER

    @property
    def name(self) -> str:
        """The name of its item."""
        digest = hashlib.sha256(self.state.entry.id.encode(errors="replace")).hexdigest()[:_LENGTH]
        return f"{'decision' if self.decides else 'remember'}-{digest}"

    def line(self, elsewhere: Collection[str] = ()) -> str:
        """Its list item: a link to the entry, then its session. An effect that also stands `elsewhere` is left out."""
        entry = self.state.entry
        numbers = "-".join(map(str, sorted(set(entry.source.message_range))))
        sources = [link(reference(entry), _UP + self.noted.path), cited(entry.source.session_id, numbers)]
        return listed(f"{_summary(self.noted, elsewhere)}{self._succession()}", sources)

    def _succession(self) -> str:
        if self.state.status is not Status.SUPERSEDED:
            return ""
        return f" - superseded the same day by {', '.join(self.successors)}" if self.successors else " - superseded"


def decisions(run: Run) -> list[Decision]:
    """The entries whose messages are of the day, in the order of these; of a corrected one its correction."""
    noted = [one for one in run.noted if one.entry.date in run.window and one.entry.trust is not Trust.UNVERIFIED]
    folded_entries = fold(one.entry for one in noted)
    states = {name: state for name, state in folded_entries.states.items() if name not in folded_entries.corrected}
    names = {entry_id: reference(state.entry) for entry_id, state in states.items()}
    by_entry = (
        Decision(_holder(noted, holding), holding, tuple(map(names.__getitem__, holding.superseded_by)))
        for holding in states.values()
    )
    return [one for one in by_entry if one.state.status not in {Status.ARCHIVED, Status.IN_REVIEW}]


def _holder(noted: Sequence[Noted], state: EntryState) -> Noted:
    """Where the version that counts stands."""
    return next(one for one in noted if one.entry == state.entry)


def _summary(noted: Noted, elsewhere: Collection[str]) -> str:
    """The decision and its effect: of a changed block, only the quote is sure."""
    entry = noted.entry
    if not noted.as_written:
        return f'"{one_line(entry.quote)}"'
    settled, follows = one_line(entry.conclusion), one_line(entry.impact)
    if opening := _ORDER.match(folded(settled)):
        settled = settled[opening.end() :] or settled
    things = features(settled)
    brief = len(things) < _BRIEF
    about = one_line(entry.finding) if brief and entry.finding != NOT_STATED else ""
    news = features(follows) - things if entry.impact != NOT_STATED else frozenset[str]()
    doubled = not brief and any(follows.strip(_LOOSE) in text for text in elsewhere)
    lead = f"{about} → " if about and len(about) <= _LONGEST else ""
    then = f" → {follows}" if len(news) >= _NEWS and len(follows) <= _LONGEST and not doubled else ""
    return f"{_LABELS.get(entry.kind, '')}{lead}{settled}{then}"
