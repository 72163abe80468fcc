"""The list of texts: those of the workspace's layout, and those of `index.extra_paths`."""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from pipeline.workspace.files import Workspace
from pipeline.workspace.globs import Patterns
from pipeline.workspace.layout import TEXTS, Layout
from schemas.hit import Tier
from schemas.index_settings import ExtraPath, IndexSettings

LARGEST = 50_000_000
"""Bytes from which on a file is passed over."""

_EVERYBODY = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

_WILDCARD = re.compile(r"[*?\[]")

_Identity = tuple[int, int]  # device and inode


class Listed(NamedTuple):
    """A file with text. `path` is relative to the workspace, or `NAME:path` for one of `index.extra_paths`.

    The rest is what the file was like when it was listed: `size` is in bytes, the times in nanoseconds.
    """

    path: str
    file: Path
    tier: Tier
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True)
class Unreadable:
    """A file that is passed over. `why` completes the sentence."""

    path: str
    why: str


class Listing(NamedTuple):
    """The files to read and those that cannot be, both sorted by path."""

    files: tuple[Listed, ...]
    unreadable: tuple[Unreadable, ...]


def list_files(workspace: Workspace, settings: IndexSettings, *, extra: bool = True) -> Listing:
    """The texts to read; one real file is listed once, under its own path rather than under that of a link.

    Of the workspace these are the texts (Markdown, `.txt`) in places of its layout, and those that `index.include`
    chooses. Data such as JSON and hidden files are passed over silently. Without `extra` it is the workspace's alone.
    """
    walk, layout = _Walk(roots_of(workspace, settings)), workspace.layout
    ours = _WantedFiles(partial(_is_text, layout), layout.tier, rank=0)
    for name in _tops(workspace):
        walk.begin(workspace.root / name, name, ours)
    for pattern in settings.include:
        walk.include(workspace, pattern)
    for path in settings.extra_paths if extra else ():
        walk.add(workspace.root, path)
    walk.follow()
    return Listing(tuple(walk.files()), tuple(sorted(walk.unreadable, key=lambda file: (file.path, file.why))))


def roots_of(workspace: Workspace, settings: IndexSettings) -> tuple[Path, ...]:
    """The real folders and files that text is read from; a link that leads to any other place is not followed."""
    own = [workspace.root / name for name in (*_tops(workspace), *map(_fixed, settings.include))]
    return tuple(real_path(path) for path in (*own, *_extra_roots(workspace.root, settings)))


def _tops(workspace: Workspace) -> Iterator[str]:
    """The files and folders at the top that belong to the layout; one that is named need not be there."""
    for pattern in workspace.layout.files:
        yield from workspace.select(pattern) if "*" in pattern or "[" in pattern else [pattern]
    yield from workspace.layout.folders


def _fixed(pattern: str) -> str:
    """The folder that a pattern begins with, or the file that it names: as far as it has no wildcard."""
    parts = pattern.split("/")
    wild = next((place for place, part in enumerate(parts) if _WILDCARD.search(part)), len(parts))
    return "/".join(parts[:wild])


def _extra_roots(root: Path, settings: IndexSettings) -> Iterator[Path]:
    for extra in settings.extra_paths:
        with suppress(RuntimeError):  # the home folder of an unknown user
            yield root / Path(extra.path).expanduser()


def real_path(path: Path) -> Path:
    """Where a path leads to; of links in a circle it is one of them, where `Path.resolve` raises."""
    return Path(os.path.realpath(path))


def within(real: Path, roots: Sequence[Path]) -> bool:
    """Whether a real path lies below one of `roots`, and in no hidden folder there."""
    below = [real.relative_to(root).parts for root in roots if real.is_relative_to(root)]
    return any(not any(part.startswith(".") for part in parts) for parts in below)


LEADS_OUT = "is a link that leads out of what is indexed; name its folder with [[index.extra_paths]] if it is meant"


@dataclass(frozen=True, slots=True)
class _WantedFiles:
    """The wanted parts of the tree, by path, and each file's tier; of two paths, the lower `rank` counts."""

    wants: Callable[[str], bool]
    tier: Callable[[str], Tier]
    rank: int


def _is_text(layout: Layout, path: str) -> bool:
    return path.lower().endswith(TEXTS) and layout.is_searched(path)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to walk. `begin` is what the paths in it begin with, `above` the folders that it is in."""

    real: Path
    begin: str
    wanted: _WantedFiles
    above: tuple[_Identity, ...] = ()


class _Symlink(NamedTuple):
    """A symlink, which is followed when all that is no link is known."""

    path: str
    real: Path
    wanted: _WantedFiles
    above: tuple[_Identity, ...] = ()


@dataclass
class _Walk:
    """The files listed so far."""

    roots: Sequence[Path]
    unreadable: list[Unreadable] = field(default_factory=list)
    _listed: dict[_Identity, tuple[int, Listed]] = field(default_factory=dict)
    _links: list[_Symlink] = field(default_factory=list)
    _walked: set[tuple[_Identity, _WantedFiles]] = field(default_factory=set)
    _linked: bool = False

    def files(self) -> list[Listed]:
        """Every real file once, sorted by path."""
        return sorted((listed for _, listed in self._listed.values()), key=itemgetter(0))

    def add(self, root: Path, extra: ExtraPath) -> None:
        """Look through one of `index.extra_paths`."""
        try:
            real = root / Path(extra.path).expanduser()
            if stat.S_ISDIR(real.stat().st_mode):
                chosen, begin = Patterns(extra.patterns), len(extra.name) + 1
                wanted = _WantedFiles(lambda path: chosen.choose(path[begin:]), lambda _: extra.tier, 1)
                self._walk(_Folder(real, f"{extra.name}:", wanted))
            else:
                self.begin(real, f"{extra.name}:{real.name}", _WantedFiles(lambda _: True, lambda _: extra.tier, 1))
        except (OSError, RuntimeError) as error:  # RuntimeError: the home folder of an unknown user
            self._report(extra.path, error)

    def include(self, workspace: Workspace, pattern: str) -> None:
        """Look for the texts of the workspace that a pattern of `index.include` chooses."""
        name, chosen, layout = _fixed(pattern), Patterns([pattern]), workspace.layout
        wanted = _WantedFiles(lambda path: _is_text(layout, path) and chosen.choose(path), layout.tier, 1)
        if name:
            self.begin(workspace.root / name, name, wanted)
        else:
            self._walk(_Folder(workspace.root, "", wanted))

    def begin(self, real: Path, path: str, wanted: _WantedFiles) -> None:
        """Look at a file or through a folder; what is not there is passed over silently."""
        try:
            status = real.lstat()
        except FileNotFoundError:
            return
        except OSError as error:
            self._report(path, error)
            return
        if stat.S_ISLNK(status.st_mode):
            self._links.append(_Symlink(path, real, wanted))
        elif stat.S_ISDIR(status.st_mode):
            self._walk(_Folder(real, f"{path}/", wanted))
        elif wanted.wants(path):
            self._file(path, real, status, wanted)

    def follow(self) -> None:
        """Follow the symlinks that were met, and those that are met on the way."""
        self._linked = True
        while self._links:
            links, self._links = sorted(self._links, key=lambda link: link.path), []
            for link in links:
                self._follow(link)

    def _follow(self, link: _Symlink) -> None:
        named = link.wanted.wants(link.path)
        try:
            status = link.real.stat()
        except OSError as error:
            if named or "." not in link.path.rpartition("/")[2]:
                self._report(link.path, error)
            return
        if (named or stat.S_ISDIR(status.st_mode)) and self._leads_out(link):
            self.unreadable.append(Unreadable(_printable(link.path), LEADS_OUT))
        elif not stat.S_ISDIR(status.st_mode):
            if named:
                self._file(link.path, link.real, status, link.wanted)
        elif _identity(status) in link.above:
            self.unreadable.append(Unreadable(link.path, "is a link that leads back to a folder it is in"))
        else:
            self._walk(_Folder(link.real, f"{link.path}/", link.wanted, link.above))

    def _leads_out(self, link: _Symlink) -> bool:
        """Whether a link inside of what is indexed leads out of it; the folders named by a person may be links."""
        return "/" in link.path and not within(real_path(link.real), self.roots)

    def _walk(self, top: _Folder) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            try:
                waiting += self._folder(folder)
            except OSError as error:
                self._report(folder.begin.rstrip("/"), error)

    def _folder(self, folder: _Folder) -> list[_Folder]:
        """List a folder's files; the folders in it are to be walked next."""
        own, wanted = _identity(folder.real.stat()), folder.wanted
        if (own, wanted) in self._walked:
            return []
        self._walked.add((own, wanted))
        above, inside = (*folder.above, own), list[_Folder]()
        with os.scandir(folder.real) as entries:
            for entry in entries:
                name, path = entry.name, folder.begin + entry.name
                if name.startswith("."):
                    continue
                if entry.is_symlink():
                    self._links.append(_Symlink(path, folder.real / name, wanted, above))
                elif entry.is_dir(follow_symlinks=False):
                    inside.append(_Folder(folder.real / name, f"{path}/", wanted, above))
                elif wanted.wants(path):
                    try:
                        self._file(path, folder.real / name, entry.stat(follow_symlinks=False), wanted)
                    except FileNotFoundError:  # gone since its folder was read
                        continue
        return inside

    def _file(self, path: str, real: Path, status: os.stat_result, wanted: _WantedFiles) -> None:
        if why := _why_not(path, real, status):
            self.unreadable.append(Unreadable(_printable(path), why))
            return
        listed = Listed(
            path, real, wanted.tier(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
        )
        rank, known = wanted.rank + 2 * self._linked, self._listed.get(_identity(status))
        if known is None or (rank, path) < (known[0], known[1].path):
            self._listed[_identity(status)] = rank, listed

    def _report(self, path: str, error: OSError | RuntimeError) -> None:
        self.unreadable.append(Unreadable(_printable(path), _why(error)))


def _why_not(path: str, real: Path, status: os.stat_result) -> str:
    """Why a file is passed over; empty when it is not."""
    if not stat.S_ISREG(status.st_mode):
        return "is no ordinary file"
    if status.st_size >= LARGEST:
        return f"has {status.st_size // 1_000_000} MB; files of {LARGEST // 1_000_000} MB and more are not indexed"
    if status.st_mode & _EVERYBODY != _EVERYBODY and not os.access(real, os.R_OK):
        return "cannot be read: Permission denied"
    return "" if path.isprintable() or path == _printable(path) else "has a name that is not UTF-8"


def _why(error: OSError | RuntimeError) -> str:
    if not isinstance(error, OSError):
        return f"cannot be found: {error}"
    known = {
        errno.ENOENT: "is not there, or is a link that leads nowhere",
        errno.ELOOP: "is a link that leads to itself",
    }
    return known.get(error.errno or 0) or f"cannot be read: {error.strerror or error}"


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino


def _printable(path: str) -> str:
    """The path as text that can be written anywhere: a name need not be UTF-8."""
    return os.fsencode(path).decode(errors="replace")
