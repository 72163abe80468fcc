"""The decisions of a day, as they stand in its daily file."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.wrapup.wording import link, listed
from pipeline.job import Noted, Run
from pipeline.markdown.entries import one_line
from pipeline.state import State, fold
from schemas.entry import Kind, Status, Trust

_UP = "../../"  # from second-brain/summaries to the workspace
_LENGTH = 8
_LABELS = {Kind.RULE: "Rule: ", Kind.ARCHITECTURE: "Architecture: ", Kind.REMEMBER: "To remember: "}


@dataclass(frozen=True)
class Decision:
    """An entry of the day that verifies and that nobody archived, with the file it stands in."""

    noted: Noted
    state: State

    @property
    def name(self) -> str:
        """The name of its item."""
        return f"decision-{hashlib.sha256(self.state.entry.id.encode(errors='replace')).hexdigest()[:_LENGTH]}"

    @property
    def session_id(self) -> str:
        """The session it comes from."""
        return self.state.entry.source.session_id

    def line(self, short: str) -> str:
        """Its list item; `short` is how the page calls its session."""
        entry = self.state.entry
        sources = [
            link(entry.id, _UP + self.noted.path),
            f"{link(short, entry.source.session_path)} {'-'.join(map(str, sorted(set(entry.source.message_range))))}",
        ]
        return listed(f"{_told(self.noted)}{_succession(self.state)}", sources)


def decisions(run: Run) -> list[Decision]:
    """The entries whose messages are of the day, in the order of these."""
    noted = [one for one in run.noted if one.entry.date in run.window and one.entry.trust is not Trust.UNVERIFIED]
    states = fold(one.entry for one in noted).states
    found = {state.entry.id: Decision(_holder(noted, state), state) for state in states.values()}
    return [one for one in found.values() if one.state.status is not Status.ARCHIVED]


def _holder(noted: Sequence[Noted], state: State) -> Noted:
    """Where the version that counts stands."""
    return next(one for one in noted if one.entry == state.entry)


def _told(noted: Noted) -> str:
    """What was settled: of a text that somebody changed, only the quote is sure."""
    if noted.as_written:
        return f"{_LABELS.get(noted.entry.kind, '')}{one_line(noted.entry.conclusion)}"
    return f'"{one_line(noted.entry.quote)}"'


def _succession(state: State) -> str:
    if state.status is not Status.SUPERSEDED:
        return ""
    followed = f" the same day by {', '.join(state.superseded_by)}" if state.superseded_by else ""
    return f" - superseded{followed}"
