"""What may be wrong with the index, and what to do about it."""

from collections.abc import Iterator

from pipeline.checkup import NAMED, Check, Health
from pipeline.errors import PipelineError
from pipeline.index.indexing import Indexing
from pipeline.index.reading.listing import list_files
from pipeline.index.upkeep.update import behind

_BLOCK = 512  # bytes, whatever the file system's own blocks are (stat(2))
ALARM_TIMES = 40
ALARM_BYTES = 500_000_000
"""An index of so many times the size of its files, and not small, is told of: others grew to hundreds of times."""


def index_checks(indexing: Indexing) -> Iterator[Check]:
    """What can be said of the index; it is looked at and not changed."""
    yield _state(indexing)
    listing = list_files(indexing.workspace, indexing.settings)
    for each in listing.unreadable[:NAMED]:
        yield Check("index", Health.WARN, f"{each.path} {each.why}, so it is not found", "All else is indexed.")
    if len(listing.unreadable) > NAMED:
        yield Check("index", Health.WARN, f"{len(listing.unreadable) - NAMED} more files cannot be indexed")
    text, size = sum(each.size for each in listing.files), _size(indexing)
    if size > ALARM_BYTES and size > ALARM_TIMES * text:
        told = f"it takes {size // 1_000_000} MB for {text // 1_000_000} MB of text"
        yield Check("index", Health.WARN, told, "`memory reindex --full` makes it anew, and small.")


def _state(indexing: Indexing) -> Check:
    try:
        with indexing.store.reading() as reader:
            there = reader is not None
        changed = behind(indexing) if there else 0
    except PipelineError as error:
        return Check("index", Health.FAIL, str(error))
    if not there:
        return Check("index", Health.OK, "there is none yet", "`memory reindex` makes it; so does a first search.")
    if changed:
        advice = "`memory reindex`; `memory reindex --watch` keeps it up to date."
        return Check("index", Health.OK, f"{changed} file(s) have changed since it was made", advice)
    return Check("index", Health.OK, "up to date")


def _size(indexing: Indexing) -> int:
    folder = indexing.latch.path.parent
    # What the disk gives to it: the engine's files are large, and mostly holes.
    return sum(file.stat().st_blocks * _BLOCK for file in folder.rglob("*") if file.is_file())
