"""Following the files as they change."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from threading import Event as Flag

from pipeline.clock import stopwatch
from pipeline.errors import Held, ReadFailed
from pipeline.index.context import Indexing
from pipeline.index.sync.update import update

LOOK_MILLISECONDS = 500
"""The longest time of a look for changes: a stop request is noticed after each."""
_STEPS_MILLISECONDS = (50, 100)
"""The rest of the files before a look ends, at least and at most; a stop by its flag is noticed in between."""
MOST_FOLDERS = 2_000
"""Folders of sources that are watched at most: many systems give a person 8,192 of them, for all programs."""
_BESIDE_DATABASES = ("-shm", "-journal")
_TEXT = {"", ".md", ".markdown", ".txt"}  # without a suffix it may be a folder


@dataclass
class Rhythm:
    """When to update. Times are in seconds on one stopwatch; `updated` is when the last update began.

    An update is due some time after the last change, so that no text is read while it is being written. It is also due
    at intervals, for changes without a notice: those of other machines, links, folders mounted and unmounted.
    """

    debounce: float
    sweep: float
    updated: float
    changed: float | None = None

    def notice(self, now: float) -> None:
        """Something has changed."""
        self.changed = now

    def due(self, now: float) -> bool:
        """Whether it is time."""
        rested = self.changed is not None and now - self.changed >= self.debounce
        return rested or now - self.updated >= self.sweep

    def begin(self, now: float) -> None:
        """An update begins; what changes from here on is for the next one."""
        self.updated, self.changed = now, None


Looking = Callable[[Indexing], Iterator[bool]]
"""Yields again and again, at least every second, whether something has changed since the last time."""


def watch(
    indexing: Indexing,
    quiet: Callable[[], bool],
    *,
    look: Looking | None = None,
    work: Callable[[Indexing], object] = update,
) -> None:
    """Update the index whenever files have changed, until the safe point raises.

    Args:
        indexing: the workspace and its index.
        quiet: whether the index is to be left alone for now.
        look: the source of change notices; those of the system when left out.
        work: brings the index up to date; a service passes a function that starts another process.

    Raises:
        Interrupted: a stop was requested.
        IndexUnavailable: the index is damaged, or its server does not answer.
        ReadFailed: the system has no more notices to give.
    """
    settings, now = indexing.settings, stopwatch()
    # No notice comes for changes between the last update and the start of the watch.
    debounce, sweep = settings.debounce.total_seconds(), settings.sweep.total_seconds()
    rhythm = Rhythm(debounce, sweep, updated=now, changed=now)
    for changed in (look or notices)(indexing):
        indexing.safe_point()
        if changed:
            rhythm.notice(stopwatch())
        if rhythm.due(stopwatch()) and not quiet():
            rhythm.begin(stopwatch())
            try:
                work(indexing)
            except Held:
                rhythm.notice(stopwatch())  # others are at it: look again when they may be done


def notices(indexing: Indexing, stopping: Flag | None = None, sources: Sequence[str] = ()) -> Iterator[bool]:
    """The system's notices of changes in the workspace, the extra paths, and `sources`, the places of transcripts.

    The system gives notices of so many folders only: sources with more than `MOST_FOLDERS` are left to the sweep, and
    so are all when it gives no more. Once `stopping` is set, the look that lasts is the last one that waits.

    Raises:
        ReadFailed: the system has no more to give.
    """
    import watchfiles  # noqa: PLC0415 - only a watch loads it

    # Shorter than the time that files are to rest, so that it is not much longer until a change is taken in.
    shortest, longest = _STEPS_MILLISECONDS
    step = min(max(indexing.settings.debounce // timedelta(milliseconds=4), shortest), longest)
    while True:
        folders, there = _watched_folders(indexing), _existing_sources(indexing, sources)
        talk = _with_few_folders(there)
        looks = watchfiles.watch(
            *folders,
            *talk,
            watch_filter=None,  # or a stream of changes that are no concern of ours would keep a stop from being seen
            step=step,
            stop_event=stopping,
            debounce=LOOK_MILLISECONDS,
            rust_timeout=LOOK_MILLISECONDS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        try:
            for changes in looks:
                yield any(
                    concerns(path, folders)
                    or concerns_talk(path, folders, talk, written=change.raw_str() == "modified")
                    for change, path in changes
                )
                if folders != _watched_folders(indexing) or there != _existing_sources(indexing, sources):
                    break
        except OSError as error:
            if not talk:
                raise ReadFailed(str(folders[0]), f"changes there cannot be followed ({error})") from error
            sources = ()
        yield True


def concerns(path: str, folders: Sequence[Path]) -> bool:
    """Whether what changed may be something that is indexed: neither hidden nor derived, and in the workspace text.

    `folders` are the workspace and the extra paths.
    """
    root, changed = folders[0], Path(path)
    for folder in sorted(folders, key=lambda directory: -len(directory.parts)):
        if changed.is_relative_to(folder):
            hidden = any(part.startswith(".") for part in changed.relative_to(folder).parts)
            return not hidden and (folder != root or changed.suffix in _TEXT)
    return False


def concerns_talk(path: str, folders: Sequence[Path], sources: Sequence[Path], *, written: bool) -> bool:
    """Whether what changed may be a transcript: it is in one of the `sources`, and not in the workspace.

    Of a database the log counts once something was `written` into it: who only reads makes and removes it.
    """
    changed = Path(path)
    inside = [folder for folder in (*folders, *sources) if changed.is_relative_to(folder)]
    nearest = max(inside, key=lambda folder: len(folder.parts), default=None)
    if nearest not in sources or nearest in folders:
        return False
    return written if changed.name.endswith("-wal") else not changed.name.endswith(_BESIDE_DATABASES)


def _existing_sources(indexing: Indexing, sources: Sequence[str]) -> list[Path]:
    """The sources that are there."""
    return sorted({real for source in sources if (real := _resolve(indexing.workspace.root, source))})


def _with_few_folders(sources: Iterable[Path]) -> list[Path]:
    """The sources whose folders are few, those with the fewest first."""
    sizes = sorted((sum(1 for _ in islice(os.walk(source), MOST_FOLDERS + 1)), source) for source in sources)
    chosen, left = list[Path](), MOST_FOLDERS
    for size, source in sizes:
        left -= size
        if left >= 0:
            chosen.append(source)
    return chosen


def _watched_folders(indexing: Indexing) -> list[Path]:
    """The folders and files to follow that are there, the workspace first; that of the agents may be hidden."""
    root, paths = indexing.workspace.root, [extra.path for extra in indexing.settings.extra_paths]
    agents = indexing.workspace.layout.agents
    paths += [agents] if agents.startswith(".") or "/." in agents else []
    return [root, *(folder for path in paths if (folder := _resolve(root, path)))]


def _resolve(root: Path, path: str) -> Path | None:
    with suppress(OSError, RuntimeError):  # RuntimeError: the home folder of an unknown user
        return (root / Path(path).expanduser()).resolve(strict=True)
    return None
