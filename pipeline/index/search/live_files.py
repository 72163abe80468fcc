"""Files as they are at the time of an answer: the source of the lines that a hit cites."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline.errors import PathRefused, ReadFailed
from pipeline.index.chunking.details import key_of, shown_line
from pipeline.index.notes import NoteReading
from pipeline.index.schema import PATH
from pipeline.index.sync.detail_intake import detail_lines
from pipeline.markdown.encoding import NotText, readable_text
from pipeline.ports.details import DetailSource
from pipeline.ports.index import IndexPoint, Query, Scored, Searcher, Where
from pipeline.workspace.files import Workspace
from pipeline.workspace.listing import (
    LARGEST,
    LARGEST_NOTE,
    LEADS_OUT,
    NOT_A_NOTE,
    bounds_of,
    is_within,
    real_path,
    roots_of,
)
from pipeline.workspace.regular_files import read_regular
from schemas.index_settings import IndexSettings, NotePath


@dataclass(frozen=True)
class LiveDetails:
    """The details of a store, each read once for an answer."""

    details: DetailSource
    _lines: dict[str, list[str] | None] = field(default_factory=dict)

    def lines(self, path: str) -> list[str] | None:
        """The lines of a detail for citing, as far as they are in the index; `None` when it has gone."""
        if path not in self._lines:
            detail = self.details.find(key_of(path))
            self._lines[path] = [*map(shown_line, detail_lines(self.details, detail, path))] if detail else None
        return self._lines[path]


@dataclass(frozen=True)
class LiveFiles:
    """The workspace's files, those of `index.extra_paths` and agents' notes, each read once for an answer."""

    workspace: Workspace
    settings: IndexSettings
    notes: NoteReading
    _lines: dict[str, list[str] | None] = field(default_factory=dict)

    def locate(self, path: str) -> Path:
        """The file that a path of the index names.

        Raises:
            PathRefused: it leads out of the workspace, or out of the folder of its extra path.
        """
        file = self._path_of(path)
        try:
            real = real_path(file)
        except ValueError:  # a NUL: no such file; the reader's error reports it
            return file
        extra = self.settings.extra_of(path)
        if isinstance(extra, NotePath):
            if bounds_of(self.workspace.root, extra).excludes(path.partition(":")[2]):
                raise PathRefused(path, NOT_A_NOTE)
        elif real != file and not is_within(real, roots_of(self.workspace, self.settings)):
            raise PathRefused(path, LEADS_OUT)
        return file

    def _path_of(self, path: str) -> Path:
        extra = self.settings.extra_of(path)
        if extra is None:
            return self.workspace.locate(path)
        pure = PurePosixPath(path.partition(":")[2])
        if pure.is_absolute() or ".." in pure.parts or not pure.parts:
            raise PathRefused(path, f"is not a path inside {extra.name}")
        root = self.workspace.root / Path(extra.path).expanduser()
        return root if root.is_file() else root / pure

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, of a note as they are read; `None` when there is none, it is a folder, or no text.

        Raises:
            WorkspaceError: it leads out of where files are read; the system refuses, it is no regular file, or it is
                too large to have been indexed.
        """
        file, is_note = self.locate(path), self.settings.is_note(path)
        try:
            data = read_regular(file, LARGEST_NOTE if is_note else LARGEST)
            return self.notes.text_of(data) if is_note else data
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):  # a NUL in the path, or no text
            return None
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file for citing; `None` when it is not there or cannot be read."""
        if path not in self._lines:
            try:
                data = self.read(path)
            except (PathRefused, ReadFailed):
                data = None
            self._lines[path] = None if data is None else lines_of(data)
        return self._lines[path]


def lines_of(data: bytes) -> list[str]:
    """The lines of a text, by the rule that passages are counted by: only LF and CRLF end a line."""
    try:
        lines = readable_text(data).split("\n")
    except NotText:  # it was no text either when it was indexed
        lines = data.decode(errors="replace").split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


_MORE = 4


@dataclass(frozen=True)
class ReadableSearcher:
    """`pipeline.ports.index.Searcher` over another one. `readable` says of a path whether it may be seen.

    Sizes and counts are those of the whole index: they only weigh.
    """

    inner: Searcher
    readable: Callable[[str], bool]

    def search(self, query: Query) -> list[Scored]:
        """The best points; those of others take no place of them."""
        limit = query.limit
        while True:
            asked = self.inner.search(replace(query, limit=limit))
            hits = [point for point in asked if self._is_shown(point.payload)]
            if len(hits) >= query.limit or len(asked) < limit:
                return hits[: query.limit]
            limit *= _MORE

    def size(self) -> int:
        """The number of all points."""
        return self.inner.size()

    def count(self, where: Where) -> int:
        """The number of points that are meant, those of others too."""
        return self.inner.count(where)

    def retrieve(self, ids: Collection[str]) -> list[IndexPoint]:
        """The points with these ids."""
        return [point for point in self.inner.retrieve(ids) if self._is_shown(point.payload)]

    def scroll(self, where: Where) -> Iterator[IndexPoint]:
        """Every point that is meant."""
        return (point for point in self.inner.scroll(where) if self._is_shown(point.payload))

    def _is_shown(self, payload: Mapping[str, Any]) -> bool:
        return self.readable(str(payload.get(PATH) or ""))
