"""Keep the index of what was said up to date, where the settings want it."""

from dataclasses import dataclass, field

from pipeline.app.index import OpenIndex
from pipeline.index.context import Updated
from pipeline.index.said.update import SaidUpdated, behind_said, drop_said, rebuild_said, update_said


@dataclass(frozen=True)
class Reindexed(Updated):
    """What was done to the index of files and, as `said`, to that of what was said."""

    said: SaidUpdated = field(default_factory=SaidUpdated)


def update_said_index(opened: OpenIndex, *, full: bool = False, wait: float = 0.0, erase: bool = True) -> SaidUpdated:
    """Look at the transcripts, and take in what is new; without `search.said` the index is removed.

    With `erase` no word of messages that are gone stays in its files, however many transcripts are read for that.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested.
        PipelineError: the workspace cannot be used.
    """
    if not opened.settings.search.said:
        drop_said(opened.said.indexing)
        return SaidUpdated()
    opened.look_at_transcripts()
    if full:
        return rebuild_said(opened.said.indexing, wait=wait)
    return update_said(opened.said.indexing, wait=wait, erase=erase)


def said_behind(opened: OpenIndex) -> int:
    """How many sessions have changed since they were indexed, after a look at the transcripts; errors as above."""
    if not opened.settings.search.said:
        return 0
    opened.look_at_transcripts()
    return behind_said(opened.said.indexing)
