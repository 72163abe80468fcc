"""The files below a root that may hold a session."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath

from pipeline.errors import ReadFailed
from pipeline.workspace.regular_files import why_unsuitable
from schemas.transcript import TranscriptFile

# A path stands on one line of an entry and is encoded to UTF-8.
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")

_Wanted = tuple[Callable[[str], bool], AbstractSet[str]]


def named_folder(environment: Mapping[str, str], variable: str, usual: Path) -> Path:
    """The folder that a variable of the environment names, or else the usual one."""
    named = environment.get(variable, "")
    return Path(named).expanduser() if named else usual


def is_lines(name: str) -> bool:
    """Whether a file is one of JSON lines, by its name."""
    return name.endswith(".jsonl")


def listing(root: Path, keep: Callable[[str], bool], aside: AbstractSet[str] = frozenset()) -> list[TranscriptFile]:
    """All files below `root` whose name `keep` accepts, in the order of their paths; links are followed.

    Folders of a name in `aside` are not entered: an agent may keep a hundred thousand files there, and no session.
    Folders, named pipes and other irregular files are among them: reading one raises the error.
    """
    try:
        os.scandir(root).close()
        os.stat(os.path.join(root, "."))  # noqa: PTH116, PTH118 - a Path drops the dot, which needs the right to enter
    except OSError as error:
        raise ReadFailed(str(root), error.strerror or str(error)) from error
    seen: set[tuple[int, int]] = set()
    return sorted(_below(str(root), "", (keep, aside), seen), key=lambda file: file.path)


def _below(folder: str, prefix: str, wanted: _Wanted, seen: set[tuple[int, int]]) -> Iterator[TranscriptFile]:
    keep, aside = wanted
    try:
        status = os.stat(folder)  # noqa: PTH116 - half the time of a Path, on thousands of folders
        entries = list(os.scandir(folder))
    except OSError:
        return
    if (status.st_dev, status.st_ino) in seen:
        return
    seen.add((status.st_dev, status.st_ino))
    for entry in entries:
        if _UNSPEAKABLE.search(entry.name):
            continue
        path = prefix + entry.name
        try:
            if entry.name not in aside and entry.is_dir():
                yield from _below(entry.path, f"{path}/", wanted, seen)
            if keep(entry.name):
                state = entry.stat()
                yield TranscriptFile(path=path, size=state.st_size, mtime_ns=state.st_mtime_ns)
        except OSError:
            continue


def inside(root: Path, path: str) -> Path:
    """The file that `path` names below `root`."""
    relative = PurePosixPath(path)
    if relative.is_absolute() or ".." in relative.parts or "\x00" in path:
        raise ReadFailed(path, "it is not inside the folder of the source")
    file = root / relative
    try:
        file.stat()
        why = why_unsuitable(file, None)
    except (OSError, UnicodeEncodeError) as error:
        raise ReadFailed(path, getattr(error, "strerror", None) or str(error)) from error
    if why:
        raise ReadFailed(path, why)
    return file
