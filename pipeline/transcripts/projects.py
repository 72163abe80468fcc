"""The projects that messages were said in, by the folders that the records name, and never by a text.

The place of a project is where its repository stands, as seen from the home folder (`~/code/shop`). So two repositories
called `shop` have two places, and each has the same place whichever program and machine a session is of. The place is
the name, unless the repository was seen at another place before (`pipeline.ledger.transcripts`).
"""

import posixpath
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from pipeline.entries.project_names import is_folder
from pipeline.workspace.asking import ASKING_FOLDER
from pipeline.workspace.regular_files import read_regular
from schemas.transcript import Session

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

    A repository that begins in one of `homes`, or above it, holds a person's settings and is no project.
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
    """The address of a repository, by the `origin` in its own configuration; empty without one."""
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


_FILE_ADDRESS = "file://"
_WINDOWS = re.compile(r"/?[A-Za-z]:(?:[\\/]|$)|\\\\")
_OF_LINUX_IN_WINDOWS = re.compile(r"//(?:wsl\$|wsl\.localhost)/[^/]+(?=/)")
_DRIVE = re.compile(r"(?:/mnt/([a-z])|/?([A-Za-z]):)(?=/|$)")
_HOME = re.compile(r"(?:(?:/var)?/home/[^/]+|/Users/[^/]+|/(?:var/)?root|[A-Z]:/[Uu]sers/[^/]+)(?=/|$)")
_NOBODYS = frozenset({"", ".", "/", "~", "/home", "/Users", "/tmp", "/private/tmp", "/var/tmp"})  # noqa: S108 - only names
_WORKTREE = re.compile(r"(?P<repository>[^/].*?|/.+?)/(?:\.worktrees|\.[^/]+/worktrees)/[^/]+(?:/.*)?")


class Projects:
    """The places of projects; `home` is the owner's home folder on this machine, empty where it is not known."""

    def __init__(self, home: str = "") -> None:
        self._homes = tuple({home.rstrip("/"), str(Path(home).resolve())}) if home else ()
        self._repositories: dict[str, str] = {}

    def places(self, session: Session) -> dict[str, str]:
        """The places of a session's projects, by the folders that its files give.

        Those of a session of another machine are names already.
        """
        if session.elsewhere:
            return {name: name for name in folders_of(session)}
        return {folder: self.place(folder, session.project) for folder in folders_of(session)}

    def remotes(self, session: Session) -> dict[str, str]:
        """The addresses of a session's repositories, by their places: as they are now, else as its file says."""
        if session.elsewhere:
            return {name: remote for name, remote in session.elsewhere.remotes.items() if name}
        by_file = {session.project: remote_named(session.remote)}
        by_folder = {
            folder: remote_of(root)
            for folder in folders_of(session)
            if (root := self._repository_at(_normalize(folder)))
        }
        places = self.places(session)
        return {
            places[folder]: remote for folder, remote in {**by_file, **by_folder}.items() if remote and places[folder]
        }

    def project_name(self, given: str, name_of: Callable[[str], str] = str) -> str:
        """The name of a project that is given by a name, or by a folder of this machine from its root on.

        `name_of` gives the name of the project at a place. A folder that is no project's stays as it is.
        """
        place = self.place(given) if is_folder(given) else ""
        return name_of(place) if place else given

    def place(self, folder: str, began: str = "") -> str:
        """The place of a folder's project. A folder below that in which the session `began` is of the same project."""
        place, first = _normalize(folder), _normalize(began)
        if self._is_nobodys(place):
            return ""
        root = self._repository_at(place)
        if not root and place.startswith(f"{first}/") and not self._is_nobodys(first):
            root = self._repository_at(first) or first
        name = self._shorten(root or place)
        worktree = _WORKTREE.fullmatch(name)
        return worktree["repository"] if worktree and not self._is_nobodys(worktree["repository"]) else name

    def _is_nobodys(self, place: str) -> bool:
        """Whether a folder is no project: a home folder, the top of a drive, the folder of our own questions."""
        name = self._shorten(place)
        return name in _NOBODYS or name.endswith(":") or posixpath.basename(name) == ASKING_FOLDER

    def _shorten(self, place: str) -> str:
        own = next((home for home in self._homes if place == home or place.startswith(f"{home}/")), "")
        if own:
            return f"~{place.removeprefix(own)}"
        return _HOME.sub("~", place, count=1) if _HOME.match(place) else place

    def _repository_at(self, place: str) -> str:
        if place not in self._repositories:
            repository = repository_of(place, self._homes) if place.startswith("/") else ""
            self._repositories[place] = "" if self._is_nobodys(repository) else repository
        return self._repositories[place]


def folders_of(session: Session) -> set[str]:
    """The folders that the files of a session name as its projects; empty where they name none."""
    said, proven = session.messages, session.evidence
    return {session.project, *(source.project for source in said), *(source.project for source in proven)}


def _normalize(folder: str) -> str:
    """A folder in one spelling: slashes, the letter of a drive in upper case, no `..`, no slash at the end."""
    text = folder.strip()
    if text.startswith(_FILE_ADDRESS):
        text = unquote(text.removeprefix(_FILE_ADDRESS))
    if _WINDOWS.match(text):
        text = _OF_LINUX_IN_WINDOWS.sub("", text.replace("\\", "/"), count=1)
    if drive := _DRIVE.match(text):
        text = f"{(drive[1] or drive[2]).upper()}:{text[drive.end() :]}"
    return posixpath.normpath(text) if text else ""
