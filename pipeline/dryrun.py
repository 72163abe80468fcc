"""A dry run is a real run on a copy: so the run that follows is the one that was shown."""

import difflib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.layout import Layout
from pipeline.locating import SETTINGS_FILE
from pipeline.workspace import Workspace

_IGNORED = shutil.ignore_patterns(".locks", ".*.tmp")


@contextmanager
def scratch_copy(root: Path, layout: Layout) -> Iterator[Path]:
    """A copy of what belongs to a workspace's layout, in a folder that is gone afterwards.

    Lock files and what is derived stay behind.
    """
    with TemporaryDirectory(prefix="memory-dry-run-") as folder:
        copy = Path(folder)
        for name in (SETTINGS_FILE, *_tops(root, layout)):
            source = root / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=_ignored, ignore_dangling_symlinks=True, dirs_exist_ok=True)
            elif source.is_file():
                shutil.copy2(source, copy / name)
        yield copy


def differences(before: Path, after: Path, layout: Layout) -> Iterator[str]:
    """The lines of a unified diff between two workspaces, Markdown files only."""
    for path in sorted({*_pages(before, layout), *_pages(after, layout)}):
        old, new = _lines(before / path), _lines(after / path)
        yield from difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")


def _ignored(folder: str, names: list[str]) -> set[str]:
    """What is not copied: also a pipe or a socket, which cannot be."""
    there = {name: file for name in names if (file := Path(folder, name)).exists()}
    return {*_IGNORED(folder, names), *(name for name, file in there.items() if not (file.is_file() or file.is_dir()))}


def _tops(root: Path, layout: Layout) -> list[str]:
    """The files and folders at the top of the layout."""
    return [*(name for pattern in layout.files for name in Workspace(root).select(pattern)), *layout.folders]


def _pages(root: Path, layout: Layout) -> set[str]:
    """The Markdown files among what is copied; a workspace may hold others, which no job writes."""
    tops = [root / name for name in _tops(root, layout)]
    files = [file for top in tops for file in (top.rglob("*.md") if top.is_dir() else [top])]
    return {file.relative_to(root).as_posix() for file in files if file.suffix == ".md" and file.is_file()}


def _lines(file: Path) -> list[str]:
    return file.read_text(errors="replace").splitlines() if file.exists() else []
