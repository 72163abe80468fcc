"""Opening an index to write it: one commit, or none."""

import json
import mmap
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import tantivy

from pipeline.adapters.index.tantivy import words
from pipeline.adapters.index.tantivy.index import TantivyIndexer, TantivySearcher, ask_engine
from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.ports.index import IndexLayout
from pipeline.workspace.atomic import is_alive
from pipeline.workspace.regular_files import file_mode, read_regular, write_regular

META = "meta.json"
"""The file of the engine that names the parts of an index. A change is done when it is replaced."""
WRITING = "writing"
_OPENING = "opening-"  # and the number of the process

_MAGIC = (1337).to_bytes(4, "little")  # the last bytes of a file; before them the size of a footer, and the footer


@contextmanager
def note_opening(folder: Path) -> Iterator[None]:
    """The index in this folder is opened in the block. Where no note can be made, it is opened as well."""
    left: list[Path] = []
    with suppress(FileNotFoundError):  # a build removes the folder; the engine says so next
        left = [*filter(_is_left, folder.glob(f"{_OPENING}*"))]
    if left:
        _whole_files(folder)
    note = folder / f"{_OPENING}{os.getpid()}"
    with suppress(OSError):
        write_regular(note, b"")
    try:
        yield
    finally:
        with suppress(OSError):
            for path in [note, *left]:
                path.unlink(missing_ok=True)


@contextmanager
def note_writing(folder: Path) -> Iterator[None]:
    """The index in this folder is written in the block; only when it ends well, the note is removed."""
    note = folder / WRITING
    if not folder.exists():
        why = "its folder is gone"
        raise IndexUnavailable(why)
    try:
        if note.exists():
            used = _whole_files(folder)
            for path in folder.iterdir():
                if path not in used and path.suffix not in {".json", ".lock"}:
                    path.unlink(missing_ok=True)
        write_regular(note, b"")
        yield
        note.unlink(missing_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _is_left(note: Path) -> bool:
    process = note.name.removeprefix(_OPENING)
    return not (process.isdecimal() and is_alive(int(process)))


def _whole_files(folder: Path) -> list[Path]:
    """The files in use."""
    try:
        parts = [*_parts(folder)]
    except (OSError, ValueError, TypeError, KeyError) as error:
        why = f"{META} is damaged"
        raise IndexUnavailable(why) from error
    for path in parts:
        if not _is_whole(path):
            why = f"{path.name} is damaged"
            raise IndexUnavailable(why)
    return parts


def _parts(folder: Path) -> Iterator[Path]:
    for segment in json.loads(read_regular(folder / META))["segments"]:
        name = str(segment["segment_id"]).replace("-", "")
        deletions = f"{name}.{segment['deletes']['opstamp']}.del" if segment["deletes"] else ""
        yield from (path for path in folder.glob(f"{name}.*") if path.suffix != ".del" or path.name == deletions)


def _is_whole(path: Path) -> bool:
    """Whether a file has the checksum that is in its footer."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            end = len(data) - 8
            begin = end - int.from_bytes(data[end : end + 4], "little")
            expected = json.loads(data[begin:end])["crc"]
            with memoryview(data) as view, view[:begin] as body:
                return data[end + 4 :] == _MAGIC and bool(expected == zlib.crc32(body))
    except (OSError, ValueError, TypeError, KeyError):
        return False


_HEAP = 15_000_000
"""Bytes of memory for what is not on disk yet: the least that the engine takes. With more, each commit takes longer."""
_HEAP_OF_BUILD = 30_000_000
"""The same for a new index: it has fewer segments then. A larger one adds its size to the peak of the process."""
_THREADS = 1


@contextmanager
def change_index(folder: Path, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """The index in a folder, for one commit at the end of the block."""
    with note_writing(folder):
        with note_opening(folder):
            index = ask_engine(tantivy.Index.open, str(folder))
        if index.schema != words.schema(layout):
            why = "another version made it"
            raise IndexUnavailable(why)
        with _commit_of(index, layout) as indexer:
            yield indexer
    _share(folder)


@contextmanager
def create_index(folder: Path, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """A new index in an empty folder, for one commit at the end of the block."""
    with _commit_of(ask_engine(tantivy.Index, words.schema(layout), str(folder), reuse=False), layout) as indexer:
        yield indexer
    _share(folder)


@contextmanager
def _commit_of(index: tantivy.Index, layout: IndexLayout) -> Iterator[TantivyIndexer]:
    """Commit once, at the end of the block, what was written in it; no thread that writes outlasts it."""
    ask_engine(index.config_reader, "manual")  # no thread looks for changes
    empty = not ask_engine(index.searcher).num_docs
    writer = ask_engine(index.writer, _HEAP_OF_BUILD if empty else _HEAP, _THREADS)
    try:
        indexer = TantivyIndexer(writer, layout, empty=empty)
        yield indexer
        if indexer.changed:
            ask_engine(writer.commit)
    except BaseException:
        with suppress(IndexUnavailable, WriteFailed):  # of the two errors the first is raised
            ask_engine(writer.rollback)
        raise
    finally:
        with suppress(IndexUnavailable, WriteFailed):  # what was committed stays so, merged or not
            ask_engine(writer.wait_merging_threads)


def _share(folder: Path) -> None:
    """Open to whom the folder is open: the engine gives this file to its owner alone."""
    with suppress(OSError):  # it is another owner's, who did so
        (folder / META).chmod(file_mode(folder))


def snapshot(folder: Path, counts: dict[bytes, dict[str, int]], last: TantivySearcher | None = None) -> TantivySearcher:
    """The index as it is now: the `last` snapshot, if nothing was written since.

    `counts` keeps the numbers of points that were counted in a version of it.

    The engine locks a file for the moment of opening, so that a writer does not remove what is about to be opened.
    Where that may not be written, links to all files are made in a temporary folder, and the index is opened there.
    """
    while True:
        before = version_of(folder)
        if before and last and last.version == before:
            return last
        try:
            with note_opening(folder):
                try:
                    index = _index(folder)
                except WriteFailed:
                    index = _open_by_links(folder)
            if before not in counts:
                counts.clear()
            # Where a writer was faster, the version is not known.
            version = before if before == version_of(folder) else b""
            known = counts.setdefault(version, {}) if version else {}
            return TantivySearcher(ask_engine(index.searcher), index.schema, known, version)
        except IndexUnavailable:
            if before == version_of(folder):  # else a writer was faster
                raise


def version_of(folder: Path) -> bytes:
    """The version of the index in a folder, another one after each change; empty where it cannot be read."""
    with suppress(OSError):
        return read_regular(folder / META)
    return b""


def _index(folder: Path) -> tantivy.Index:
    index = ask_engine(tantivy.Index.open, str(folder))
    ask_engine(index.config_reader, "manual")  # it stays as it is, and no thread looks for changes
    return index


def _open_by_links(folder: Path) -> tantivy.Index:
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".")]  # the locks are not linked
        with _links_to(paths) as links:
            return _index(links)
    except OSError as error:
        why = error.strerror or str(error)
        raise _unreadable(why) from error
    except WriteFailed as error:
        raise _unreadable(error.reason) from error


def _unreadable(why: str) -> IndexUnavailable:
    return IndexUnavailable(f"it cannot be read ({why})", "Give the right to read it.")


@contextmanager
def _links_to(paths: Sequence[Path]) -> Iterator[Path]:
    """A temporary folder of links to these files."""
    import tempfile  # noqa: PLC0415 - it takes longer to load than the engine, and is seldom needed

    with tempfile.TemporaryDirectory(prefix="memory-") as links:
        for path in paths:
            (Path(links) / path.name).symlink_to(path.absolute())
        yield Path(links)
