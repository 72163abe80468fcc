"""The repository that a folder of this machine belongs to, by the `.git` in it or above it."""

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from pipeline.workspace.regular_files import read_regular

_LONGEST_LINK = 4096  # bytes
_LONGEST_CONFIGURATION = 65_536
_SECTION = re.compile(r"\s*\[(.*)\]\s*")
_ADDRESS_OF = re.compile(r"\s*url\s*=\s*\"?([^\"]+?)\"?\s*")
_ADDRESS = re.compile(
    r"(?:(?!file:)[a-z][a-z0-9+.-]*://(?:[^@/\s]*@)?([^/:\s]+)(?::\d+)?/|(?:[^@/:\s]+@)?([^@/:\s]{2,}):(?!//))"
    r"/*([^\s?#]+?)(?:\.git)?/*"
)


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


def remote_of(repository: str) -> str:
    """Where a repository comes from, by the `origin` in its own configuration; empty where none is told."""
    configuration = ""
    with suppress(OSError):
        configuration = read_regular(Path(repository) / ".git" / "config", _LONGEST_CONFIGURATION).decode(
            errors="replace"
        )
    section = ""
    for line in configuration.splitlines():
        if match := _SECTION.fullmatch(line):
            section = match[1]
        elif section == 'remote "origin"' and (match := _ADDRESS_OF.fullmatch(line)):
            return remote_named(match[1])
    return ""


def remote_named(address: str) -> str:
    """An address of a repository in one spelling, `host/path`, without a user or a password; empty for a folder.

    A folder that was cloned from another one on its machine is named by no address.
    """
    match = _ADDRESS.fullmatch(address.strip())
    return f"{match[1] or match[2]}/{match[3]}".casefold() if match else ""


def _main_checkout(place: Path) -> Path:
    """The main checkout of the repository of which `place` is a worktree; `place` itself when it is none."""
    link = read_regular(place / ".git", _LONGEST_LINK).decode(errors="replace").strip()
    target = place / link.removeprefix("gitdir:").strip()
    if target.parent.name != "worktrees":  # a submodule, or a checkout whose store lies apart
        return place
    store = target.parent.parent.resolve()
    return store.parent if store.name.startswith(".") else store.with_suffix("")
