"""The checks of the index, with advice."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

from pipeline.app.status import detail_index_report
from pipeline.doctor.machine import drop_index, drop_words_index, tidy_index
from pipeline.doctor.run_check import NAMED
from pipeline.errors import Held, IndexUnavailable, PipelineError, WriteFailed
from pipeline.index.context import Indexing
from pipeline.index.said.update import SaidIndexing, said_report
from pipeline.index.sync.changes import passed_over, read_known
from pipeline.index.sync.stamp import Stamp, difference, identity_now, space_now, stamp_now
from pipeline.index.sync.update import count_behind
from pipeline.index.sync.vectors import missing_files
from pipeline.ports.index import VectorSpace
from pipeline.workspace.layout import DETAILS_FOLDER, SAID_FOLDER, VECTORS_FOLDER, WORDS_FOLDER
from pipeline.workspace.listing import Listing, Patterns, Unreadable, list_files
from schemas.checkup import CheckResult, Health
from schemas.settings import Settings

_SAID = "said"
_FOLLOW = "`memory doctor reindex` takes it in; `memory serve` does while it runs."
_DROP = "`memory doctor --fix` removes it; it is derived, and `memory doctor reindex` makes it anew."


def check_said_index(indexing: SaidIndexing, settings: Settings) -> Iterator[CheckResult]:
    """Check the index of messages, where they are searched; it is not changed."""
    if not (settings.search.said and settings.sources):
        return
    try:
        report = said_report(indexing)
    except IndexUnavailable as error:
        drop = partial(drop_words_index, indexing.latch, indexing.store, "what was said", "`memory doctor reindex`")
        yield CheckResult(_SAID, Health.FAIL, str(error), _DROP, drop)
    except PipelineError as error:
        yield CheckResult(_SAID, Health.FAIL, str(error))
    else:
        yield CheckResult(_SAID, Health.OK, report.sentence, _FOLLOW if report.behind else "")
        if report.owed:
            owed = "words of messages that are gone stand in its files yet, though nothing finds them"
            yield CheckResult(_SAID, Health.WARN, owed, f"`{report.erase}` erases them.")


_DETAILS = "details"
_TAKES_IN = "A search among them takes in some, `memory doctor reindex` all."


def check_detail_index(indexing: Indexing) -> Iterator[CheckResult]:
    """Check the index of stored texts, where there are any; it is not changed."""
    try:
        standing = detail_index_report(indexing)
    except IndexUnavailable as error:
        maker = "`memory doctor reindex`, or the next search among them,"
        drop = partial(drop_words_index, indexing.latch, indexing.store, "stored texts", maker)
        yield _failure(_DETAILS, error, drop)
    except PipelineError as error:
        yield CheckResult(_DETAILS, Health.FAIL, str(error))
    else:
        if standing:
            waiting = f", {standing.waiting} of them not in the index yet" if standing.waiting else ", all in the index"
            message = f"{standing.stored} text(s) are stored{waiting if standing.stored else ''}"
            yield CheckResult(_DETAILS, Health.OK, message, _TAKES_IN if standing.waiting else "")


def _failure(name: str, error: IndexUnavailable, drop: Callable[[], str]) -> CheckResult:
    """The check of an index that cannot be used. `drop` removes a damaged one; other errors have their own advice."""
    if "--full" not in str(error):
        return CheckResult(name, Health.FAIL, str(error))
    return CheckResult(name, Health.FAIL, str(error), _DROP, drop)


_BLOCK = 512  # bytes, whatever the file system's own blocks are (stat(2))
ALARM_TIMES = 40
ALARM_BYTES = 500_000_000
"""The ratio of the size of an index to the size of its files from which a large index is reported: some have grown to
hundreds."""
_OTHERS = (DETAILS_FOLDER, SAID_FOLDER)
_NOTICED = timedelta(days=7)
"""The time for which a change of the embedder's vectors is reported: the update that made them ran unseen."""


def check_index(indexing: Indexing) -> Iterator[CheckResult]:
    """Check the index of files; it is not changed."""
    listing = list_files(indexing.workspace, indexing.settings)
    state, unreadable = _state_result(indexing, listing)
    yield state
    yield from _write_results(indexing)
    for file in unreadable[:NAMED]:
        yield CheckResult("index", Health.WARN, f"{file.path} {file.why}, so it is not found", "All else is indexed.")
    if len(unreadable) > NAMED:
        yield CheckResult("index", Health.WARN, f"{len(unreadable) - NAMED} more files cannot be indexed")
    paths = [file.path for file in listing.files]
    for pattern in indexing.settings.include:
        if not any(map(Patterns([pattern]).matches, paths)):
            yield CheckResult("index", Health.WARN, f"index.include = {pattern!r} chooses no text", _PATTERN)
    text, size = sum(file.size for file in listing.files), _size_on_disk(indexing)
    if size > ALARM_BYTES and size > ALARM_TIMES * text:
        message = f"it takes {size // 1_000_000} MB for {text // 1_000_000} MB of text"
        yield CheckResult("index", Health.WARN, message, "`memory doctor reindex --full` makes it anew, and small.")
    if (left := _count_leftovers(indexing)) > 0:
        message = f"{left} folder(s) of index were left by builds that were killed"
        yield CheckResult("index", Health.WARN, message, _TIDY, lambda: tidy_index(indexing))


_OTHER_MODEL = "All are made anew. If you did not change the model, its server has another one under the same name now."
_PATTERN = "It is relative to the workspace; `**` goes through sub-folders, and Markdown and .txt files alone count."
_TIDY = "The next build removes them; so does `memory doctor --fix`."


def _state_result(indexing: Indexing, listing: Listing) -> tuple[CheckResult, tuple[Unreadable, ...]]:
    """The check of the index as a whole, and the files that it cannot hold."""
    try:
        with indexing.store.reading() as reader:
            if reader is None:
                advice = "`memory doctor reindex` makes it; so does a first search."
                return CheckResult("index", Health.OK, "there is none yet", advice), listing.unreadable
            stamp = stamp_now(indexing, reader)
            why = difference(stamp.identity if stamp else None, identity_now(indexing))
            if why or stamp is None:
                message, advice = f"the next update makes it anew: {why}", "`memory doctor reindex` does it now."
                return CheckResult("index", Health.WARN, message, advice), ()
            unreadable = passed_over(listing, read_known(reader, listing))
        changed = count_behind(indexing)
    except IndexUnavailable as error:
        return _failure("index", error, partial(drop_index, indexing)), listing.unreadable
    except PipelineError as error:
        return CheckResult("index", Health.FAIL, str(error)), listing.unreadable
    return _freshness_result(indexing, stamp, changed), unreadable


def _freshness_result(indexing: Indexing, stamp: Stamp, changed: int) -> CheckResult:
    """The check of the texts and vectors that the index does not have yet."""
    space = space_now(indexing, stamp.space, for_sure=True)
    there = stamp.space
    if there and space and space != there and space.embedder == there.embedder:
        message = (
            f"its vectors have {there.dimension} numbers, and {space.embedder} makes some of {space.dimension} now"
        )
        advice = "Search compares words alone until `memory doctor reindex` makes them anew."
        return CheckResult("index", Health.WARN, message, advice)
    try:
        left = _count_without_vectors(indexing, stamp, space) if indexing.embedder and space else 0
    except IndexUnavailable as error:
        if indexing.settings.url:  # what is behind a server is not ours to drop
            return CheckResult("index", Health.FAIL, str(error))
        return _failure("index", error, partial(drop_index, indexing))
    except PipelineError as error:
        return CheckResult("index", Health.FAIL, str(error))
    parts = [
        *([f"{changed} file(s) have changed since it was made"] if changed else []),
        *([f"{left} stretch(es) of text are found by their words alone yet"] if left else []),
    ]
    advice = "`memory doctor reindex`; `memory doctor reindex --watch` keeps it up to date." if parts else ""
    if stamp.past and stamp.space and indexing.clock.now() - stamp.past.until < _NOTICED:
        before = f"its embedder made vectors of {stamp.past.dimension} numbers until {stamp.past.until:%Y-%m-%d}"
        parts.append(f"{before}, and makes some of {stamp.space.dimension} since")
        return CheckResult("index", Health.WARN, "; ".join(parts), advice or _OTHER_MODEL)
    return CheckResult("index", Health.OK, "; ".join(parts) or "up to date", advice)


def _write_results(indexing: Indexing) -> Iterator[CheckResult]:
    """The check of the right to write the index; search works without it."""
    try:
        if indexing.latch.path.parent.exists():
            with suppress(Held), indexing.latch.hold(0):
                pass
    except WriteFailed as error:
        yield CheckResult("index", Health.FAIL, str(error))


def _count_without_vectors(indexing: Indexing, stamp: Stamp, space: VectorSpace) -> int:
    """The number of texts that need a vector and have none."""
    with indexing.store.reading() as reader, indexing.vectors.reading(space) as vectors:
        if reader is None or (space == stamp.space and stamp.embedded):
            return 0
        return len(set[str]().union(*missing_files(reader, vectors).values()))


def _count_leftovers(indexing: Indexing) -> int:
    """The number of folders of index that are not in use; 0 while an update is running."""
    folder = indexing.latch.path.parent
    # When it is in use, damaged or not readable, another check reports it.
    with suppress(PipelineError, OSError), indexing.latch.hold(0):
        return _count_other_folders(folder / WORDS_FOLDER) + (
            0 if indexing.settings.url else _count_other_folders(folder / VECTORS_FOLDER)
        )
    return 0


def _count_other_folders(place: Path) -> int:
    """The number of folders, less one."""
    return max(sum(entry.is_dir() for entry in place.iterdir()) - 1, 0) if place.exists() else 0


def _size_on_disk(indexing: Indexing) -> int:
    folder = indexing.latch.path.parent
    size = 0
    for place, folders, names in os.walk(folder):
        if Path(place) == folder:  # without those of stored texts and of what was said
            folders[:] = [name for name in folders if name not in _OTHERS]
        for name in names:
            with suppress(FileNotFoundError):  # a process that uses the index removes files
                # What the disk gives to it: the engine's files are large, and mostly holes.
                size += (Path(place) / name).stat().st_blocks * _BLOCK
    return size
