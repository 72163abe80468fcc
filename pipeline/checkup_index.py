"""What may be wrong with the index, and what to do about it."""

from collections.abc import Iterator

from pipeline.checkup import NAMED, Check, Health
from pipeline.errors import PipelineError
from pipeline.index.indexing import Indexing, Unreadable
from pipeline.index.reading.listing import Listing, list_files
from pipeline.index.upkeep.changes import passed_over, read_records
from pipeline.index.upkeep.update import behind
from pipeline.index.upkeep.vectors import waiting

_BLOCK = 512  # bytes, whatever the file system's own blocks are (stat(2))
ALARM_TIMES = 40
ALARM_BYTES = 500_000_000
"""An index of so many times the size of its files, and not small, is told of: others grew to hundreds of times."""


def index_checks(indexing: Indexing) -> Iterator[Check]:
    """What can be said of the index; it is looked at and not changed."""
    listing = list_files(indexing.workspace, indexing.settings)
    state, unreadable = _looked(indexing, listing)
    yield state
    for each in unreadable[:NAMED]:
        yield Check("index", Health.WARN, f"{each.path} {each.why}, so it is not found", "All else is indexed.")
    if len(unreadable) > NAMED:
        yield Check("index", Health.WARN, f"{len(unreadable) - NAMED} more files cannot be indexed")
    text, size = sum(each.size for each in listing.files), _size(indexing)
    if size > ALARM_BYTES and size > ALARM_TIMES * text:
        told = f"it takes {size // 1_000_000} MB for {text // 1_000_000} MB of text"
        yield Check("index", Health.WARN, told, "`memory reindex --full` makes it anew, and small.")


def _looked(indexing: Indexing, listing: Listing) -> tuple[Check, tuple[Unreadable, ...]]:
    """How the index stands, and the files that are not in it."""
    try:
        with indexing.store.reading() as reader:
            if reader is None:
                advice = "`memory reindex` makes it; so does a first search."
                return Check("index", Health.OK, "there is none yet", advice), listing.unreadable
            unreadable, left = passed_over(listing, read_records(reader)), len(waiting(reader))
        changed = behind(indexing)
    except PipelineError as error:
        return Check("index", Health.FAIL, str(error)), listing.unreadable
    told = [
        *([f"{changed} file(s) have changed since it was made"] if changed else []),
        *([f"{left} passage(s) are found by their words alone yet"] if left else []),
    ]
    advice = "`memory reindex`; `memory reindex --watch` keeps it up to date." if told else ""
    return Check("index", Health.OK, "; ".join(told) or "up to date", advice), unreadable


def _size(indexing: Indexing) -> int:
    folder = indexing.latch.path.parent
    # What the disk gives to it: the engine's files are large, and mostly holes.
    return sum(file.stat().st_blocks * _BLOCK for file in folder.rglob("*") if file.is_file())
