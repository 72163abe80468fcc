"""The repository that a folder of this machine belongs to, by the `.git` in it or above it."""

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from pipeline.workspace.regular_files import read_regular

_LONGEST_LINK = 4096  # bytes


def repository_of(folder: str, homes: Collection[str] = ()) -> str:
    """The folder of the repository, for a worktree that of its main checkout; empty when there is none.

    A repository that begins in one of `homes`, or above it, holds a person's settings and is nobody's project.
    """
    for place in (Path(folder), *Path(folder).parents):
        if str(place) in homes:
            break
        with suppress(OSError):  # a folder that may not be read names no repository
            if (place / ".git").is_dir():
                return str(place)
            if (place / ".git").is_file():
                return str(_main_checkout(place))
    return ""


def _main_checkout(place: Path) -> Path:
    """The main checkout of the repository of which `place` is a worktree; `place` itself when it is none."""
    link = read_regular(place / ".git", _LONGEST_LINK).decode(errors="replace").strip()
    target = place / link.removeprefix("gitdir:").strip()
    if target.parent.name != "worktrees":  # a submodule, or a checkout whose store lies apart
        return place
    store = target.parent.parent.resolve()
    return store.parent if store.name.startswith(".") else store.with_suffix("")
