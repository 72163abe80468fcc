"""A dry run: a real run on a copy, so that the next run does the same."""

import difflib
import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.errors import ReadFailed, WriteFailed
from pipeline.ledger.changes import ChangeKind
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from pipeline.workspace.regular_files import LARGEST, read_regular, why_unsuitable
from schemas.reports.runs import FileChange

_IGNORED = shutil.ignore_patterns(".locks", ".*.tmp")


@contextmanager
def scratch_copy(root: Path, layout: Layout) -> Iterator[Path]:
    """A copy of the files of a workspace's layout, in a folder that is removed afterwards.

    Lock files and derived files are not copied.

    Raises:
        WorkspaceError: the system refuses to read a file; there is no room for the copy.
    """
    with TemporaryDirectory(prefix="memory-dry-run-") as folder:
        copy = Path(folder)
        for name in (SETTINGS_FILE, *_tops(root, layout)):
            source = root / name
            if os.path.lexists(source):
                _copy(source, copy / name)
        yield copy


def _copy(source: Path, target: Path, above: tuple[Path, ...] = ()) -> None:
    """Copy a file, or a folder with its contents; a link to a folder above is left out.

    A file that cannot be read, for it is not regular or too large, is replaced by one that is refused for that reason.
    """
    real = Path(os.path.realpath(source))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            if real not in above:
                target.mkdir(exist_ok=True)
                names = os.listdir(source)  # noqa: PTH208 - as the patterns want them
                for name in sorted({*names} - _IGNORED(str(source), names)):
                    _copy(source / name, target / name, (*above, real))
        elif not why_unsuitable(source):
            shutil.copy2(source, target)
        elif source.is_file():
            target.touch()
            os.truncate(target, LARGEST + 1)
        else:
            target.symlink_to(real)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise WriteFailed(str(target), error.strerror or str(error)) from error
        raise ReadFailed(str(source), error.strerror or str(error)) from error


def page_texts(root: Path, layout: Layout) -> dict[str, str]:
    """The Markdown files that are copied, by path, as text."""
    return {path: "\n".join(_lines(root / path)) for path in _pages(root, layout)}


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[FileChange]:
    """The files with another text, by path, each with the lines of a unified diff."""
    for path in sorted({*before, *after}):
        old, new = before.get(path, ""), after.get(path, "")
        if old != new:
            diff = difflib.unified_diff(old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm="")
            yield FileChange(path, ChangeKind.REPLACE.value, (), "\n".join(diff))


def differences(before: Path, after: Path, layout: Layout) -> Iterator[str]:
    """The lines of a unified diff between two workspaces, Markdown files only."""
    for path in sorted({*_pages(before, layout), *_pages(after, layout)}):
        old, new = _lines(before / path), _lines(after / path)
        yield from difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")


def _tops(root: Path, layout: Layout) -> list[str]:
    """The files and folders at the top of the layout."""
    return [*(name for pattern in layout.files for name in Workspace(root).select(pattern)), *layout.folders]


def _pages(root: Path, layout: Layout) -> set[str]:
    """The Markdown files among what is copied; a workspace may hold others, which no job writes."""
    tops = [root / name for name in _tops(root, layout)]
    files = [file for top in tops for file in (top.rglob("*.md") if top.is_dir() else [top])]
    return {file.relative_to(root).as_posix() for file in files if file.suffix == ".md" and file.is_file()}


def _lines(file: Path) -> list[str]:
    try:
        return read_regular(file).decode(errors="replace").splitlines()
    except OSError:  # no file, or not a readable one
        return []
