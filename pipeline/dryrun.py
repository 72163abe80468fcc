"""A dry run is a real run on a copy: so the run that follows is the one that was shown."""

import difflib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.locating import SETTINGS_FILE

_COPIED = ("memory", "second-brain", "bank", "agents", "MEMORY.md", SETTINGS_FILE)
_IGNORED = shutil.ignore_patterns(".locks", ".*.tmp")


@contextmanager
def scratch_copy(root: Path) -> Iterator[Path]:
    """A copy of a workspace's files in a folder that is gone afterwards; lock files and what is derived stay behind."""
    with TemporaryDirectory(prefix="memory-dry-run-") as folder:
        copy = Path(folder)
        for name in _COPIED:
            source = root / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=_IGNORED, ignore_dangling_symlinks=True)
            elif source.exists():
                shutil.copy2(source, copy / name)
        yield copy


def differences(before: Path, after: Path) -> Iterator[str]:
    """The lines of a unified diff between two workspaces, Markdown files only."""
    for path in sorted({*_pages(before), *_pages(after)}):
        old, new = _lines(before / path), _lines(after / path)
        yield from difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")


def _pages(root: Path) -> set[str]:
    """The Markdown files among what is copied; a workspace may hold others, which no job writes."""
    tops = [root / name for name in _COPIED]
    files = [file for top in tops for file in (top.rglob("*.md") if top.is_dir() else [top])]
    return {file.relative_to(root).as_posix() for file in files if file.suffix == ".md" and file.is_file()}


def _lines(file: Path) -> list[str]:
    return file.read_text(errors="replace").splitlines() if file.exists() else []
