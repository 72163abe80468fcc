"""Opening an index to read it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import tantivy

from pipeline.adapters.index.tantivy.answers import asked
from pipeline.adapters.index.tantivy.checksums import META, note_opening
from pipeline.adapters.index.tantivy.index import TantivySearcher
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.workspace.regular_files import read_regular


def snapshot(folder: Path) -> TantivySearcher:
    """The index as it is now.

    The engine locks a file for the moment of opening, so that a writer does not remove what is about to be opened.
    Where that may not be written, links to all files are made in a temporary folder, and the index is opened there.
    """
    while True:
        before = _version(folder)
        try:
            with note_opening(folder):
                return _opened(folder)
        except IndexUnavailable:
            if before == _version(folder):  # else a writer was faster
                raise


def _version(folder: Path) -> bytes:
    with suppress(OSError):
        return read_regular(folder / META)
    return b""


def _opened(folder: Path) -> TantivySearcher:
    try:
        return _searcher(folder)
    except WriteFailed:
        return _opened_by_links(folder)


def _searcher(folder: Path) -> TantivySearcher:
    index = asked(tantivy.Index.open, str(folder))
    asked(index.config_reader, "manual")  # it stays as it is, and no thread looks for changes
    return TantivySearcher(asked(index.searcher), index.schema)


def _opened_by_links(folder: Path) -> TantivySearcher:
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".")]  # the locks are not linked
        with _linked(paths) as links:
            return _searcher(links)
    except OSError as error:
        why = error.strerror or str(error)
        raise _unreadable(why) from error
    except WriteFailed as error:
        raise _unreadable(error.reason) from error


def _unreadable(why: str) -> IndexUnavailable:
    return IndexUnavailable(f"it cannot be read ({why})", "Give the right to read it.")


@contextmanager
def _linked(paths: Sequence[Path]) -> Iterator[Path]:
    """A temporary folder of links to these files."""
    import tempfile  # noqa: PLC0415 - it takes longer to load than the engine, and is seldom needed

    with tempfile.TemporaryDirectory(prefix="memory-") as links:
        for path in paths:
            (Path(links) / path.name).symlink_to(path.absolute())
        yield Path(links)
