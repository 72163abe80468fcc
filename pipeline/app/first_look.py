"""What a new workspace could read: the stores and notes of agents on this machine, and how much each holds."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

from pipeline.app.engine import open_sources, propose_sources
from pipeline.app.note_proposals import note_changes, propose_notes
from pipeline.clock import stopwatch
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.settings import Settings, SourceSettings

LOOK_SECONDS = 3.0
"""How long all stores together may take to be listed; a slow one is proposed without its size."""

_FIRST_YEAR = timedelta(days=365 * 20)  # after 1970: an earlier change is a broken clock, or no time at all


@dataclass(frozen=True)
class Extent:
    """What a store lists: so many `files` that may hold a session or a note, and when they changed first and last."""

    files: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True)
class Proposal:
    """A store that a workspace could read; without an extent where it could not be listed in time."""

    source: SourceSettings
    extent: Extent | None


def proposals(home: Path, environment: Mapping[str, str], seconds: float = LOOK_SECONDS) -> list[Proposal]:
    """The stores on this machine, and what agents noted beside them. They are listed, never read.

    Of kinds that share a folder, those that list nothing there are left out when another one does.
    """
    sources = propose_sources(home, environment)
    extents = measured(open_sources(home, Settings(sources=tuple(sources))), seconds)
    made = [Proposal(source, extents.get(source.root_name)) for source in sources]
    filled = {_folder(proposal) for proposal in made if proposal.extent and proposal.extent.files}
    stores = [one for one in made if one.extent is None or one.extent.files or _folder(one) not in filled]
    return [*stores, *(Proposal(source, _extent(note_changes(source))) for source in propose_notes(home, environment))]


def measured(
    sources: Sequence[TranscriptSource], seconds: float, now: Callable[[], float] = stopwatch
) -> dict[str, Extent]:
    """The extents of sources by name, of those that can be listed within so many seconds."""
    extents = dict[str, Extent]()

    def look(source: TranscriptSource) -> None:
        with suppress(ReadFailed):
            extents[source.name] = _extent(file.mtime_ns for file in source.files())

    # Daemons: a listing that hangs, as on a network that is away, must not hold the command.
    threads = [Thread(target=look, args=(source,), daemon=True) for source in sources]
    until = now() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(until - now(), 0))
    return dict(extents)


def _extent(changed: Iterable[int]) -> Extent:
    """The extent of files by the times of their last changes, in nanoseconds since 1970."""
    changes = list(changed)
    times = [change for change in changes if change > _FIRST_YEAR.total_seconds() * 1e9]
    return Extent(len(changes), _moment(min(times, default=0)), _moment(max(times, default=0)))


def _moment(nanoseconds: int) -> datetime | None:
    with suppress(OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(nanoseconds // 10**9, UTC) if nanoseconds else None
    return None


def _folder(proposal: Proposal) -> str:
    return os.path.realpath(proposal.source.path)
