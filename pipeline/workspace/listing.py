"""The list of texts: those of the workspace's layout, those of `index.extra_paths`, and agents' notes."""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import TEXTS, Layout
from pipeline.workspace.regular_files import LATEST_CHANGE
from schemas.index_settings import ExtraPath, IndexSettings, NotePath
from schemas.tier import Tier

_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|\[(?:![^\]/]+|[^!\]/][^\]/]*)\]|[^*?\[]+|\[")
_RANGE = re.compile(r"(.)-(.)|(.)", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Patterns:
    """A set of patterns; a path, in POSIX form, has to match one as a whole.

    `*` and `?` stay within one folder, `**` does not; `[ab]` is one of some characters, `[!ab]` any other.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        texts = ("".join(map(_expression_of, _PARTS.findall(pattern.removeprefix("./")))) for pattern in patterns)
        self._expressions = tuple(re.compile(text, re.DOTALL) for text in texts)

    def matches(self, path: str) -> bool:
        """Whether a path matches."""
        return any(expression.fullmatch(path) for expression in self._expressions)


def folders_on_the_way(patterns: Sequence[str]) -> Patterns:
    """The patterns of the folders that may hold paths of some patterns."""
    return Patterns(
        [folder for pattern in patterns for folder in _folders_above(pattern.removeprefix("./").split("/"))]
    )


def _folders_above(parts: Sequence[str]) -> Iterator[str]:
    for deep, part in enumerate(parts):
        if "**" in part:
            yield "/".join([*parts[:deep], "**"])
            return
        if deep:
            yield "/".join(parts[:deep])


def _expression_of(part: str) -> str:
    if part in _WILD or not part.startswith("[") or part == "[":
        return _WILD.get(part) or re.escape(part)
    choice = ""
    for match in _RANGE.finditer(part[1:-1].removeprefix("!")):
        first, last, single = match.groups("")
        is_range = not single and first <= last
        choice += f"{re.escape(first)}-{re.escape(last)}" if is_range else re.escape(match[0])
    return f"(?!/)[{'^' if part.startswith('[!') else ''}{choice}]"


LARGEST = 50_000_000
"""The size in bytes from which a file is passed over."""
LARGEST_NOTE = 2_000_000
"""The size in bytes from which a note is passed over: agents read their notes as a whole."""

_EVERYBODY = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

_WILDCARD = re.compile(r"[*?\[]")

_Identity = tuple[int, int]  # device and inode


class Listed(NamedTuple):
    """A file with text. `path` is relative to the workspace, or `NAME:path` for one of `index.extra_paths`.

    `place` is where it is. The rest is what the file was like when it was listed: `size` is in bytes, the times in
    nanoseconds.
    """

    path: str
    place: str
    tier: Tier
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @property
    def file(self) -> Path:
        """The file. To make it takes as long as to list it, and few of those listed are read."""
        return Path(self.place)


@dataclass(frozen=True)
class Unreadable:
    """A file that is passed over. `why` completes the sentence."""

    path: str
    why: str


class Listing(NamedTuple):
    """The files to read and those that cannot be, both sorted by path."""

    files: tuple[Listed, ...]
    unreadable: tuple[Unreadable, ...]


def list_files(
    workspace: Workspace,
    settings: IndexSettings,
    *,
    extra: bool = True,
    searched: bool = True,
    before: Mapping[str, Listed] = MappingProxyType({}),
) -> Listing:
    """List the texts to read. A real file is listed once, under its own path rather than under that of a link.

    Of the workspace these are the texts (Markdown, `.txt`) in places of its layout, and those that `index.include`
    chooses. Data such as JSON and hidden files are passed over silently. Without `extra` it is the workspace's alone,
    without `searched` with those that no search finds. `before` are files as the same list had them: of those that are
    as they were nothing is decided again.
    """
    walk, layout = _Walk(roots_of(workspace, settings), before), workspace.layout
    ours = _WantedFiles(partial(_is_text, layout) if searched else layout.has_text, layout.tier, rank=0)
    for name in _top_paths(workspace):
        walk.begin(workspace.root / name, name, ours)
    for pattern in settings.include:
        walk.include(workspace, pattern)
    for path in settings.extra_paths if extra else ():
        walk.add(workspace.root, path)
    walk.follow()
    return Listing(tuple(walk.files()), tuple(sorted(walk.unreadable, key=lambda file: (file.path, file.why))))


def roots_of(workspace: Workspace, settings: IndexSettings) -> tuple[Path, ...]:
    """The real folders and files that text is read from; a link that leads to any other place is not followed."""
    roots = [workspace.root / name for name in (*_top_paths(workspace), *map(_fixed_part, settings.include))]
    for extra in settings.extra_paths:
        if not isinstance(extra, NotePath):  # what agents wrote vouches for no link
            with suppress(RuntimeError):  # the home folder of an unknown user
                roots.append(workspace.root / Path(extra.path).expanduser())
    return tuple(map(real_path, roots))


def _top_paths(workspace: Workspace) -> Iterator[str]:
    """The top files and folders of the layout; a named file need not exist."""
    for pattern in workspace.layout.files:
        yield from workspace.select(pattern) if "*" in pattern or "[" in pattern else [pattern]
    yield from workspace.layout.folders


def _fixed_part(pattern: str) -> str:
    """The part of a pattern before its first wildcard: a folder, or a file."""
    parts = pattern.split("/")
    wild = next((place for place, part in enumerate(parts) if _WILDCARD.search(part)), len(parts))
    return "/".join(parts[:wild])


def real_path(path: Path) -> Path:
    """The real path; for links in a circle it is one of the links, where `Path.resolve` raises."""
    return Path(os.path.realpath(path))


def is_within(real: Path, roots: Sequence[Path]) -> bool:
    """Whether a real path is below one of `roots`, and in no hidden folder there."""
    below = [real.relative_to(root).parts for root in roots if real.is_relative_to(root)]
    return any(not any(part.startswith(".") for part in parts) for parts in below)


LEADS_OUT = "is a link that leads out of what is indexed; name its folder with [[index.extra_paths]] if it is meant"


NOT_A_NOTE = "is a link that leads out of its folder, and to no text in the home folder, so it is no note"
OURS = "lies in this workspace, whose texts are no notes of others"
NOT_UTF_8 = "has a name that is not UTF-8"


@dataclass(frozen=True, slots=True)
class NoteBounds:
    """The bounds of a source of notes: its files are in its real `folder`, and not in the workspace at `root`.

    A link may lead to a text there or in the home folder, where people keep their settings together, but to nothing
    else: a repository that was cloned could make it lead to a key.
    """

    folder: Path
    root: Path

    def excludes(self, inside: str) -> bool:
        """Whether a path in the folder leads out of the bounds."""
        real = real_path(self.folder / inside)
        if real.is_relative_to(self.root):
            return True
        if real == self.folder / inside:
            return False
        if real.is_dir():
            return not real.is_relative_to(self.folder)
        near = real.is_relative_to(self.folder) or real.is_relative_to(real_path(Path.home()))
        return not near or real.suffix.lower() not in _NOTE_SUFFIXES


_NOTE_SUFFIXES = (*TEXTS, ".mdc")


def bounds_of(root: Path, note: NotePath) -> NoteBounds:
    """The bounds of a source of notes of the workspace at `root`."""
    place = root / Path(note.path).expanduser()
    return NoteBounds(real_path(place if place.is_dir() else place.parent), real_path(root))


@dataclass(frozen=True, slots=True)
class _WantedFiles:
    """The wanted parts of the tree, by path, and each file's tier; of two paths, the lower `rank` counts.

    `enters` says which folders may hold some, `largest` is the first size in bytes that is too much. Without `bounds`
    links may lead to the roots of all.
    """

    wants: Callable[[str], bool]
    tier: Callable[[str], Tier]
    rank: int
    enters: Callable[[str], bool] = lambda _: True
    largest: int = LARGEST
    bounds: NoteBounds | None = None


def _wanted_of_notes(note: NotePath, bounds: NoteBounds, *, whole: bool) -> _WantedFiles:
    """The wanted files of a source of notes; without `whole` the single file that it names."""
    chosen, way, begin = Patterns(note.patterns), folders_on_the_way(note.patterns), len(note.name) + 1
    return _WantedFiles(
        wants=lambda path: not whole or chosen.matches(path[begin:]),
        tier=lambda _: note.tier,
        rank=2,
        enters=lambda path: way.matches(path[begin:]),
        largest=LARGEST_NOTE,
        bounds=bounds,
    )


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
    before: Mapping[str, Listed]
    unreadable: list[Unreadable] = field(default_factory=list)
    _listed: dict[_Identity, tuple[int, Listed]] = field(default_factory=dict)
    _links: list[_Symlink] = field(default_factory=list)
    _walked: set[tuple[_Identity, _WantedFiles]] = field(default_factory=set)
    _linked: bool = False

    def files(self) -> list[Listed]:
        """Every real file once, sorted by path."""
        return sorted((listed for _, listed in self._listed.values()), key=itemgetter(0))

    def add(self, root: Path, extra: ExtraPath) -> None:
        """List the files of an item of `index.extra_paths`."""
        try:
            if isinstance(extra, NotePath):
                self._add_notes(root, extra)
                return
            real = root / Path(extra.path).expanduser()
            if stat.S_ISDIR(real.stat().st_mode):
                chosen, begin = Patterns(extra.patterns), len(extra.name) + 1
                wanted = _WantedFiles(lambda path: chosen.matches(path[begin:]), lambda _: extra.tier, 1)
                self._walk(_Folder(real, f"{extra.name}:", wanted))
            else:
                self.begin(real, f"{extra.name}:{real.name}", _WantedFiles(lambda _: True, lambda _: extra.tier, 1))
        except (OSError, RuntimeError) as error:  # RuntimeError: the home folder of an unknown user
            self._report(extra.path, error)

    def _add_notes(self, root: Path, note: NotePath) -> None:
        """List the files of a source of notes, from the fixed parts of its patterns on."""
        place, bounds = root / Path(note.path).expanduser(), bounds_of(root, note)
        if bounds.folder.is_relative_to(bounds.root):
            self.unreadable.append(Unreadable(printable_path(note.path), OURS))
            return
        is_folder = stat.S_ISDIR(place.stat().st_mode)
        wanted = _wanted_of_notes(note, bounds, whole=is_folder)
        top, starts = (place, map(_fixed_part, note.patterns)) if is_folder else (place.parent, iter([place.name]))
        for start in dict.fromkeys(starts):
            if bounds.excludes(start):
                self.unreadable.append(Unreadable(printable_path(f"{note.name}:{start}"), NOT_A_NOTE))
            elif start:
                self.begin(top / start, f"{note.name}:{start}", wanted)
            else:
                self._walk(_Folder(top, f"{note.name}:", wanted))

    def include(self, workspace: Workspace, pattern: str) -> None:
        """List the texts of the workspace that a pattern of `index.include` chooses."""
        name, chosen, layout = _fixed_part(pattern), Patterns([pattern]), workspace.layout
        wanted = _WantedFiles(lambda path: _is_text(layout, path) and chosen.matches(path), layout.tier, 1)
        if name:
            self.begin(workspace.root / name, name, wanted)
        else:
            self._walk(_Folder(workspace.root, "", wanted))

    def begin(self, real: Path, path: str, wanted: _WantedFiles) -> None:
        """List a file, or the files of a folder; a missing path is passed over silently."""
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
            self._file(path, str(real), status, wanted)

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
        if (named or stat.S_ISDIR(status.st_mode)) and (why := self._reason_not_to_follow(link)):
            self.unreadable.append(Unreadable(printable_path(link.path), why))
        elif not stat.S_ISDIR(status.st_mode):
            if named:
                self._file(link.path, str(link.real), status, link.wanted)
        elif _identity(status) in link.above:
            self.unreadable.append(Unreadable(link.path, "is a link that leads back to a folder it is in"))
        else:
            self._walk(_Folder(link.real, f"{link.path}/", link.wanted, link.above))

    def _reason_not_to_follow(self, link: _Symlink) -> str:
        """The reason not to follow a link; empty to follow it. Folders that a person named may be links."""
        if bounds := link.wanted.bounds:
            return NOT_A_NOTE if bounds.excludes(link.path.partition(":")[2]) else ""
        return LEADS_OUT if "/" in link.path and not is_within(real_path(link.real), self.roots) else ""

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
        if (own, wanted) in self._walked or (wanted.bounds and real_path(folder.real) == wanted.bounds.root):
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
                    if wanted.enters(path):
                        inside.append(_Folder(folder.real / name, f"{path}/", wanted, above))
                elif path in self.before or wanted.wants(path):
                    try:
                        self._file(path, entry.path, entry.stat(follow_symlinks=False), wanted)
                    except FileNotFoundError:  # gone since its folder was read
                        continue
        return inside

    def _file(self, path: str, place: str, status: os.stat_result, wanted: _WantedFiles) -> None:
        numbers = status.st_size, min(status.st_mtime_ns, LATEST_CHANGE), status.st_ctime_ns, status.st_ino
        listed = self.before.get(path)
        if not listed or listed != (path, place, listed.tier, *numbers):
            if why := _reason_to_pass_over(path, place, status, wanted.largest):
                self.unreadable.append(Unreadable(printable_path(path), why))
                return
            listed = Listed(path, place, wanted.tier(path), *numbers)
        identity, rank = _identity(status), wanted.rank + 3 * self._linked
        known = self._listed.get(identity)
        if known is None or (rank, path) < (known[0], known[1].path):
            self._listed[identity] = rank, listed

    def _report(self, path: str, error: OSError | RuntimeError) -> None:
        self.unreadable.append(Unreadable(printable_path(path), _reason_of(error)))


def _reason_to_pass_over(path: str, place: str, status: os.stat_result, largest: int) -> str:
    """The reason to pass over a file; empty without one."""
    if not stat.S_ISREG(status.st_mode):
        return "is no ordinary file"
    if status.st_size >= largest:
        sort = "files" if largest == LARGEST else "notes"
        return f"has {status.st_size // 1_000_000} MB; {sort} of {largest // 1_000_000} MB and more are not indexed"
    if status.st_mode & _EVERYBODY != _EVERYBODY and not os.access(place, os.R_OK):
        return "cannot be read: Permission denied"
    return "" if path.isprintable() or path == printable_path(path) else NOT_UTF_8


def _reason_of(error: OSError | RuntimeError) -> str:
    if not isinstance(error, OSError):
        return f"cannot be found: {error}"
    known = {
        errno.ENOENT: "is not there, or is a link that leads nowhere",
        errno.ELOOP: "is a link that leads to itself",
    }
    return known.get(error.errno or 0) or f"cannot be read: {error.strerror or error}"


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino


def printable_path(path: str) -> str:
    """The path as text that can be written anywhere: a name need not be UTF-8."""
    return os.fsencode(path).decode(errors="replace")
