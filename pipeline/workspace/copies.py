"""Copies of our files that something put beside them: a sync program, a merge tool, a file manager.

No list of such programs is needed. A copy lies in the folder of a file of ours; its name holds the name of that file,
and is none that the layout makes; and ids of that file stand in it. Nobody reads a copy for memory: what counts is the
file. `memory doctor` names it, and what is forgotten leaves it too.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline.markdown.blocks import find_blocks
from pipeline.workspace.layout import LISTS, TEXTS, Layout
from pipeline.workspace.regular_files import FileStamp, file_stamp, read_regular

_SUFFIX = TEXTS[0]
_TITLE = "title"


@dataclass(frozen=True)
class _Marks:
    """The marks of a file: the ids of entries and items, which have digits, the text of the title, lines of a list."""

    ids: frozenset[str] = frozenset()
    title: str = ""
    lines: frozenset[str] = frozenset()


class CopiesOfOurs:
    """The copies in a workspace. The marks of a file are kept while it has the same size, time and inode."""

    def __init__(self, root: Path, layout: Layout) -> None:
        """`root` is the folder of the workspace."""
        self._root, self._layout = root, layout
        self._kept: dict[str, tuple[FileStamp, _Marks]] = {}
        self._is_named: dict[str, bool] = {}
        """By path, whether its name may be that of a copy; every run asks it of each file."""

    def original(self, path: str) -> str:
        """The original of a copy at `path`, a file of ours; empty if the text is no copy."""
        if path not in self._is_named:
            ours = self._layout.makes(path) and not self._layout.takes_any_name(path)
            self._is_named[path] = path.endswith(_SUFFIX) and not ours
        if not self._is_named[path]:
            return ""
        folder, slash, name = path.rpartition("/")
        others = (f"{folder}{slash}{base}{_SUFFIX}" for base in _names_inside(name.removesuffix(_SUFFIX)))
        return next((other for other in others if self._layout.makes(other) and self._is_copy(path, other)), "")

    def among(self, paths: Iterable[str]) -> dict[str, str]:
        """The copies among some texts, by path, each with its original: only names beside a file of ours are looked at.

        A folder without a file of ours takes one look, however many texts are in it.
        """
        originals, inside = dict[str, str](), dict[str, frozenset[str]]()
        for path in paths:
            folder, slash, name = path.rpartition("/")
            if folder not in inside:
                inside[folder] = self._stems_of_ours(f"{folder}{slash}")
            stems = inside[folder]
            looks_like_copy = stems and not stems.isdisjoint(_names_inside(name.removesuffix(_SUFFIX)))
            if looks_like_copy and (original := self.original(path)):
                originals[path] = original
        return originals

    def _stems_of_ours(self, begin: str) -> frozenset[str]:
        """The names without suffix of the files of ours in a folder, which all paths in it begin with."""
        try:
            with os.scandir(self._root / begin) as entries:
                names = [entry.name for entry in entries if entry.name.endswith(_SUFFIX)]
        except (OSError, ValueError):  # none of the workspace
            return frozenset()
        return frozenset(name.removesuffix(_SUFFIX) for name in names if self._layout.makes(f"{begin}{name}"))

    def all(self, folders: Iterator[str]) -> dict[str, str]:
        """The copies in these folders, by path, each with the file that it is a copy of."""
        originals = dict[str, str]()
        for folder in dict.fromkeys(folders):
            with suppress(OSError), os.scandir(self._root / folder) as entries:
                paths = [f"{folder}/{entry.name}" if folder else entry.name for entry in entries]
                originals |= {path: original for path in sorted(paths) if (original := self.original(path))}
        return originals

    def _is_copy(self, path: str, other: str) -> bool:
        theirs = self._read_marks(other)
        mine = self._read_marks(path) if theirs else None
        if not mine or not theirs:
            return False
        if other in LISTS:  # of the engine, without blocks
            return bool(mine.lines & theirs.lines)
        if not mine.ids & theirs.ids:
            return False
        # A page may have any name, and name what other pages name: only its title tells whose it is.
        return not self._layout.makes(path) or mine.title == theirs.title

    def _read_marks(self, path: str) -> _Marks | None:
        """The marks of a file; `None` if it cannot be read."""
        try:
            status = (self._root / path).stat()
            stamp = file_stamp(status)
            if path not in self._kept or self._kept[path][0] != stamp:
                self._kept[path] = stamp, _marks_of(read_regular(self._root / path))
        except (OSError, ValueError):  # ValueError: a NUL in the path
            return None
        return self._kept[path][1]


def _marks_of(data: bytes) -> _Marks:
    blocks = find_blocks(data)
    ids = frozenset(block.name for block in blocks if any(map(str.isdigit, block.name)))
    title = next((block.text for block in blocks if block.name == _TITLE), "")
    lines = data.decode(errors="replace").splitlines() if not blocks else []
    return _Marks(ids, title, frozenset(line for line in lines if line.startswith("- ")))


def _names_inside(stem: str) -> Iterator[str]:
    """The names that the name of a copy may hold, the longest first: at its beginning, then at its end."""
    edges = [place for place in range(1, len(stem)) if _is_edge(stem, place)]
    yield from (stem[:place] for place in reversed(edges))
    yield from (stem[place:].lstrip() for place in edges)


def _is_edge(stem: str, place: int) -> bool:
    """Whether a name may end before a character: there a word ends, or another script begins."""
    return not stem[place].isalnum() or stem[place].isascii() != stem[place - 1].isascii() or stem[place - 1] == " "


def copied_lists(copies: dict[str, str]) -> list[str]:
    """The copies of lists of the engine."""
    return [path for path, original in copies.items() if original in LISTS]
