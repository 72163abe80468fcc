"""Opening an index to write it: one commit, or none."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import tantivy

from pipeline.adapters.index.tantivy import words
from pipeline.adapters.index.tantivy.answers import asked
from pipeline.adapters.index.tantivy.checksums import META, note_opening, note_writing
from pipeline.adapters.index.tantivy.index import TantivyIndexer
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import IndexLayout
from pipeline.workspace.regular_files import file_mode

_HEAP = 15_000_000
"""Bytes of memory for what is not on disk yet: the least that the engine takes. With more, each commit takes longer."""
_HEAP_OF_BUILD = 60_000_000
"""The same for a new index. 54,000 passages are one segment then instead of seven, and the process takes no more."""
_THREADS = 1


@contextmanager
def changed(folder: Path, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """The index in a folder, for one commit at the end of the block."""
    with note_writing(folder):
        with note_opening(folder):
            index = asked(tantivy.Index.open, str(folder))
        if index.schema != words.schema(layout):
            why = "another version made it"
            raise IndexUnavailable(why)
        with _committed(index, layout) as indexer:
            yield indexer
    _share(folder)


@contextmanager
def created(folder: Path, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """A new index in an empty folder, for one commit at the end of the block."""
    with _committed(asked(tantivy.Index, words.schema(layout), str(folder), reuse=False), layout) as indexer:
        yield indexer
    _share(folder)


@contextmanager
def _committed(index: tantivy.Index, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """What is written in the block, as one commit at its end; no thread that writes outlasts it."""
    asked(index.config_reader, "manual")  # no thread looks for changes
    empty = not asked(index.searcher).num_docs
    writer = asked(index.writer, _HEAP_OF_BUILD if empty else _HEAP, _THREADS)
    try:
        indexer = TantivyIndexer(writer, layout, empty=empty)
        yield indexer
        if indexer.changed:
            asked(writer.commit)
    except BaseException:
        with suppress(IndexUnavailable, WriteFailed):  # of the two errors the first is raised
            asked(writer.rollback)
        raise
    finally:
        with suppress(IndexUnavailable, WriteFailed):  # what was committed stays so, merged or not
            asked(writer.wait_merging_threads)


def _share(folder: Path) -> None:
    """Open to whom the folder is open: the engine gives this file to its owner alone."""
    with suppress(OSError):  # it is another owner's, who did so
        (folder / META).chmod(file_mode(folder))
