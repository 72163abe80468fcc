"""The checks of the index, with advice."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.doctor.checks import NAMED
from pipeline.doctor.fixes import drop_index, settle_index
from pipeline.errors import IndexUnavailable, PipelineError
from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.index.sync.changes import passed_over, read_records
from pipeline.index.sync.stamp import difference, identity_now, read_stamp
from pipeline.index.sync.update import behind
from pipeline.index.sync.vectors import waiting
from pipeline.ports.index import Searcher
from pipeline.workspace.listing import Listing, Unreadable, list_files
from schemas.checkup import Check, Health

_BLOCK = 512  # bytes, whatever the file system's own blocks are (stat(2))
ALARM_TIMES = 40
ALARM_BYTES = 500_000_000
"""The ratio of the size of an index to the size of its files from which a large index is reported: some have grown to
hundreds."""


@dataclass(frozen=True)
class Freshness:
    """How the index follows its files: how many have changed since. Without an index that is 0."""

    there: bool
    changed: int = 0


def freshness(indexing: Indexing) -> Freshness:
    """How fresh the index is; no embedder is loaded, and no server of one is asked.

    Raises:
        PipelineError: the index cannot be used, or others use it too long.
    """
    bare = replace(indexing, embedder=None)
    with bare.store.reading() as reader:
        there = reader is not None
    return Freshness(there, behind(bare) if there else 0)


def index_checks(indexing: Indexing) -> Iterator[Check]:
    """The checks of the index. They do not change it."""
    listing = list_files(indexing.workspace, indexing.settings)
    state, unreadable = _looked(indexing, listing)
    yield state
    for file in unreadable[:NAMED]:
        yield Check("index", Health.WARN, f"{file.path} {file.why}, so it is not found", "All else is indexed.")
    if len(unreadable) > NAMED:
        yield Check("index", Health.WARN, f"{len(unreadable) - NAMED} more files cannot be indexed")
    text, size = sum(file.size for file in listing.files), _size(indexing)
    if size > ALARM_BYTES and size > ALARM_TIMES * text:
        message = f"it takes {size // 1_000_000} MB for {text // 1_000_000} MB of text"
        yield Check("index", Health.WARN, message, "`memory reindex --full` makes it anew, and small.")
    if (left := _left_over(indexing)) > 0:
        message = f"{left} folder(s) of index were left by builds that were killed"
        yield Check("index", Health.WARN, message, _TIDY, lambda: settle_index(indexing))


_TIDY = "The next build removes them; so does `memory doctor --fix`."
_DROP = "`memory doctor --fix` removes it; it is derived, and `memory reindex` makes it anew."


def _looked(indexing: Indexing, listing: Listing) -> tuple[Check, tuple[Unreadable, ...]]:
    """How the index stands, and the files that are not in it."""
    try:
        with indexing.store.reading() as reader:
            if reader is None:
                advice = "`memory reindex` makes it; so does a first search."
                return Check("index", Health.OK, "there is none yet", advice), listing.unreadable
            unreadable = passed_over(listing, read_records(reader))
            left = len(waiting(reader)) if indexing.embedder else 0  # without one, nothing will ever make vectors
            why = _outdated(indexing, reader)
        changed = 0 if why else behind(indexing)
    except IndexUnavailable as error:
        return _unavailable(indexing, error), listing.unreadable
    except PipelineError as error:
        return Check("index", Health.FAIL, str(error)), listing.unreadable
    if why:
        message = f"the next update makes it anew: {why}"
        return Check("index", Health.WARN, message, "`memory reindex` does it now; until then the old one answers."), ()
    message = "; ".join(
        [
            *([f"{changed} file(s) have changed since it was made"] if changed else []),
            *([f"{left} passage(s) are found by their words alone yet"] if left else []),
        ]
    )
    advice = "`memory reindex`; `memory reindex --watch` keeps it up to date." if message else ""
    return Check("index", Health.OK, message or "up to date", advice), unreadable


def _outdated(indexing: Indexing, reader: Searcher) -> str:
    """Why the index was made with something else than would be used now; empty when it was not."""
    stamps = [point.payload for point in reader.retrieve([layout.STAMP_ID]) if point.id == layout.STAMP_ID]
    known = read_stamp(stamps[0].get(layout.IDENTITY)) if stamps else None
    return difference(known, identity_now(indexing, known))


def _unavailable(indexing: Indexing, error: IndexUnavailable) -> Check:
    """An index in our own folder that is damaged is thrown away; what is behind a server is not ours to drop."""
    # The advice for a file without rights is another one than to build anew.
    if indexing.settings.url or "--full" not in str(error):
        return Check("index", Health.FAIL, str(error))
    return Check("index", Health.FAIL, str(error), _DROP, lambda: drop_index(indexing))


def _left_over(indexing: Indexing) -> int:
    """The number of folders beside the one in use; 0 while a build is under way."""
    folder = indexing.latch.path.parent
    if indexing.settings.url or not folder.exists():
        return 0
    with suppress(PipelineError, OSError):  # in use, damaged or not readable: another check reports it
        with indexing.latch.hold(0):
            folders = sum(entry.is_dir() for entry in folder.iterdir())
        with indexing.store.reading() as reader:
            return folders - (reader is not None)
    return 0


def _size(indexing: Indexing) -> int:
    folder = indexing.latch.path.parent
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):  # a process that uses the index removes files
                # What the disk gives to it: the engine's files are large, and mostly holes.
                size += (Path(place) / name).stat().st_blocks * _BLOCK
    return size
