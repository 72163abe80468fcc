"""Making the edits of an agent's configuration, and taking them back byte for byte."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby
from pathlib import Path

from pipeline.errors import ChangedMeanwhile
from pipeline.errors.integration import ConfigRefused
from pipeline.integration.edits import Edit
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.regular_files import read_regular

COPY = ".before-memory"
"""Behind the name of a file stands the copy of it from before the first change."""


@dataclass(frozen=True)
class FileChange:
    """One file about to be changed; without `before` it is made, without `after` it is removed.

    `ours` says that something of ours is in it already: then it is no file from before.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    ours: bool = False

    def diff(self) -> Iterator[str]:
        """The lines of a unified diff."""
        old, new = ((data or b"").decode(errors="replace").splitlines() for data in (self.before, self.after))
        yield from unified_diff(old, new, str(self.path), str(self.path), lineterm="")

    def write(self) -> None:
        """Write the file, once a copy of what stood there is kept.

        Raises:
            ChangedMeanwhile: another program wrote to it since it was read.
            WriteFailed: the system refuses.
        """
        writer, copy = FileWriter(str(self.path), self.path), copy_of(self.path)
        if self.before is None:
            if writer.create(self.after or b"") is None:
                raise ChangedMeanwhile(str(self.path))
        elif self.after is None:
            writer.remove(self.before)
        else:
            if not self.ours and not copy.exists():
                FileWriter(str(copy), copy).create(self.before)
                copy.chmod(self.path.stat().st_mode & 0o777)
            writer.replace(self.before, self.after)


def copy_of(path: Path) -> Path:
    """Where the copy of a file is kept."""
    return path.with_name(path.name + COPY)


def to_apply(edits: Sequence[Edit]) -> list[FileChange]:
    """The changes of files that put the edits in; none where they stand.

    Raises:
        ConfigRefused: a file cannot be changed without harm.
    """
    return [one for path, group in _by_path(edits) if (one := _applied(path, group)).after != one.before]


def to_remove(edits: Sequence[Edit]) -> list[FileChange]:
    """The changes that take the edits out: to the bytes from before, when nothing else has changed since.

    Raises:
        ConfigRefused: a file cannot be changed without harm.
    """
    return [one for path, group in _by_path(edits) if (one := _removed(path, group)).after != one.before]


def finish_removal(changes: Sequence[FileChange]) -> None:
    """Remove the copies of files that have their bytes from before again."""
    for change in changes:
        copy = copy_of(change.path)
        if copy.exists() and read_regular(copy) == change.after:
            copy.unlink()


def stands(edits: Sequence[Edit]) -> bool:
    """Whether all edits stand in their files."""
    return not to_apply(edits)


def _applied(path: Path, edits: Sequence[Edit]) -> FileChange:
    data = _read(path)
    text = _text(path, data)
    ours = any(edit.take(text) != text for edit in edits)
    for edit in edits:
        text = edit.put(text)
    return FileChange(path, data, text.encode(), ours)


def _removed(path: Path, edits: Sequence[Edit]) -> FileChange:
    data, earlier = _read(path), _read(copy_of(path))
    if data is None:
        return FileChange(path, None, None)
    text = _text(path, data)
    for before in (earlier, None):
        put = _text(path, before)
        for edit in edits:
            put = edit.put(put)
        if put == text and put != _text(path, before):
            return FileChange(path, data, before)
    for edit in reversed(edits):
        text = edit.take(text)
    return FileChange(path, data, text.encode(), ours=True)


def _by_path(edits: Sequence[Edit]) -> Iterator[tuple[Path, list[Edit]]]:
    for path, group in groupby(sorted(edits, key=lambda edit: str(edit.path)), key=lambda edit: edit.path):
        yield path, list(group)


def _read(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigRefused(str(path), f"cannot be read ({error.strerror or error})") from error


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigRefused(str(path), "is no UTF-8 text") from error
