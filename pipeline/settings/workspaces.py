"""The list of a person's workspaces, in the person's configuration: names, folders and the default.

A workspace that is neither on it nor named is found by its folder, but may not lead out of it (`listed.py`). Beside it
each workspace notes its own place in `.memory/place`, so that it can tell later that it was moved; the list knows it by
an id in that file.

The list also has the digests of files in `.memory/` that change what is outside of a workspace. Only what has a digest
here was written for this person: all else in a workspace may come from a stranger, with a clone.
"""

import hashlib
import os
import re
import secrets
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline.errors import PipelineError, ReadFailed, WriteFailed
from pipeline.errors.workspaces import ListDamaged, NoListPlace, UnknownWorkspace, WorkspaceAway, WorkspaceNameTaken
from pipeline.settings.locate import LIST_FILE, SETTINGS_FILE, configuration_folder
from pipeline.settings.tables import toml_text
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import read_regular, replace_private

PLACE = ".memory/place"
"""The file of a workspace with the folder in which it was last, and an id that only its home knows."""
RECORD = ".memory/integrations/record.json"
"""The file of a workspace with what was put into the configuration of agents."""
_ID = re.compile(rb"\n[0-9a-f]{32}\Z")
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A name of a workspace. It stands in names of servers, units and folders."""
_LOCK_SECONDS = 10.0
_LATCH = ".workspaces.lock"
_SLUG_LENGTH = 36
_LONGEST_PATH = 16_384  # bytes
_HEAD = "# Your workspaces, as `memory workspaces` lists them. Others send nothing, and read nothing outside of them.\n"
_WRITTEN = "\n# The digests of files that were written for you: no others change what is outside.\n[written]\n"


@dataclass(frozen=True)
class KnownWorkspaces:
    """The list: the folders by name, and the name of the default, which may be empty.

    `written` are the digests of our files in workspaces, by their paths.
    """

    folders: Mapping[str, str] = field(default_factory=dict)
    default: str = ""
    written: Mapping[str, str] = field(default_factory=dict)

    def has_written(self, data: bytes, path: str) -> bool:
        """Whether a content was written for this person at this path in a workspace, wherever that is now."""
        digest = hashlib.sha256(data).hexdigest()
        return any(digest == known and Path(file).match(path) for file, known in self.written.items())

    def name_of(self, folder: str) -> str:
        """The name of the workspace in a folder; empty if it is not listed."""
        return next((name for name, listed in self.folders.items() if listed == folder), "")

    def folder_of(self, name: str) -> str:
        """The folder of a name, and of the default for an empty name; empty if there is none."""
        return self.folders.get(name or self.default, "")

    def require(self, name: str) -> str:
        """The folder of a name.

        Raises:
            UnknownWorkspace: the list has no such name.
        """
        if name not in self.folders:
            raise UnknownWorkspace(name, sorted(self.folders))
        return self.folders[name]


class WorkspaceList:
    """The file of the list. It is replaced at once, by a single process at a time."""

    def __init__(self, folder: Path) -> None:
        """`folder` is `memory` in the person's configuration; it need not be there."""
        self.file = folder / LIST_FILE

    def read(self) -> KnownWorkspaces:
        """The list; empty if there is no file."""
        try:
            return _parse(tomllib.loads(read_regular(self.file).decode()))
        except FileNotFoundError:
            return KnownWorkspaces()
        except (ValueError, TypeError, AttributeError) as error:
            raise ListDamaged(str(self.file)) from error
        except OSError as error:
            raise ReadFailed(str(self.file), error.strerror or str(error)) from error

    def add(self, root: Path, name: str = "") -> str:
        """Put a workspace on the list, or give it another name; its name. The first becomes the default."""
        folder, given = str(root), name

        def change(listed: KnownWorkspaces) -> KnownWorkspaces:
            nonlocal name
            name = given or listed.name_of(folder) or free_name(root, listed.folders)
            if listed.folders.get(name, folder) != folder:
                raise WorkspaceNameTaken(name, listed.folders[name])
            before = listed.name_of(folder)
            others = {other: there for other, there in listed.folders.items() if other != before}
            default = name if listed.default in {"", before} else listed.default
            return replace(listed, folders=others | {name: folder}, default=default)

        self._change(change)
        return name

    def rename(self, name: str, new: str) -> None:
        """Give a workspace another name."""
        self.add(Path(self.read().require(name)), new)

    def set_default(self, name: str) -> None:
        """Make a workspace the default."""

        def change(listed: KnownWorkspaces) -> KnownWorkspaces:
            listed.require(name)
            return replace(listed, default=name)

        self.read().require(name)
        self._change(change)

    def remove(self, name: str) -> None:
        """Take a workspace off the list; a single remaining workspace becomes the default. Nothing is deleted."""

        def change(listed: KnownWorkspaces) -> KnownWorkspaces:
            listed.require(name)
            left = {other: there for other, there in listed.folders.items() if other != name}
            sole = next(iter(left)) if len(left) == 1 else ""
            place = f"{listed.folders[name]}/{PLACE}"
            written = {path: digest for path, digest in listed.written.items() if path != place}
            return KnownWorkspaces(left, sole if listed.default == name else listed.default, written)

        self.read().require(name)
        self._change(change)

    def note(self, file: Path, data: bytes | None) -> None:
        """Note the content of a file that was written for this person; `None` forgets the file."""

        def change(listed: KnownWorkspaces) -> KnownWorkspaces:
            others = {path: digest for path, digest in listed.written.items() if path != str(file)}
            now = {str(file): hashlib.sha256(data).hexdigest()} if data is not None else {}
            return replace(listed, written=others | now)

        before = self.read()
        if change(before) != before:
            self._change(change)

    def move(self, before: str, root: Path) -> None:
        """Write the folder of a workspace that was moved."""

        def change(listed: KnownWorkspaces) -> KnownWorkspaces:
            name = listed.name_of(before)
            kept = {other: there for other, there in listed.folders.items() if there != str(root)}
            folders = kept | {name: str(root)} if name else listed.folders
            inside = {
                path: str(root) + path.removeprefix(before)
                for path in listed.written
                if Path(before) in Path(path).parents
            }
            written = {inside.get(path, path): digest for path, digest in listed.written.items()}
            return replace(listed, folders=folders, written=written)

        listed = self.read()
        if change(listed) != listed:
            self._change(change)

    def _change(self, change: Callable[[KnownWorkspaces], KnownWorkspaces]) -> None:
        """Change the list; an empty one is deleted, and our folder where nothing else is in it."""
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise WriteFailed(str(self.file.parent), error.strerror or str(error)) from error
        with Latch(self.file.with_name(_LATCH)).hold(_LOCK_SECONDS):
            before = self.read()
            after = change(before)
            try:
                if after == KnownWorkspaces():
                    self.file.unlink(missing_ok=True)
                    self.file.with_name(_LATCH).unlink()
                elif after != before:
                    replace_private(self.file, _render(after), lasting=True)
            except OSError as error:
                raise WriteFailed(str(self.file), error.strerror or str(error)) from error
        if after == KnownWorkspaces():
            with suppress(OSError):  # something else is in it
                self.file.parent.rmdir()


def own_list(environment: Mapping[str, str]) -> WorkspaceList:
    """The list of this person.

    Raises:
        NoListPlace: nothing says where the person's configuration is.
    """
    folder = configuration_folder(environment)
    if folder is None:
        raise NoListPlace
    return WorkspaceList(folder)


def listed_folder(name: str, environment: Mapping[str, str]) -> str:
    """The folder of a listed workspace, of the default for an empty name; empty where there is none, or no list.

    Raises:
        WorkspaceError: the workspace is not in its folder any more; the list cannot be used.
    """
    folder = configuration_folder(environment)
    listed = WorkspaceList(folder).read().folder_of(name) if folder else ""
    if listed and not is_workspace(listed):
        raise WorkspaceAway(listed)
    return listed


def register(root: Path, environment: Mapping[str, str], name: str = "") -> str:
    """Put a new workspace on the list; its name, or an empty text where the list cannot be written: none needs it."""
    with suppress(PipelineError):
        given = own_list(environment).add(root, name)
        note_place(root, environment)
        return given
    return ""


def name_of(root: Path, environment: Mapping[str, str]) -> str:
    """The name of a workspace: that of the list, else that which it would get."""
    listed = KnownWorkspaces()
    with suppress(PipelineError):
        listed = own_list(environment).read()
    return listed.name_of(str(root)) or free_name(root, listed.folders)


def free_name(root: Path, taken: Mapping[str, str]) -> str:
    """A name that is not taken, made from the name of the folder."""
    plain = unicodedata.normalize("NFKD", root.name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH].strip("-") or "workspace"
    names = [slug, *(f"{slug}-{number}" for number in range(2, len(taken) + 2))]
    return next(name for name in names if name not in taken)


def note_place(root: Path, environment: Mapping[str, str], *, moved: bool = False) -> None:
    """Have a workspace note where it is, and the person's list its id; where nothing can be written, they do not.

    A workspace of this person that was `moved` keeps the folder in which it was, until what names that is mended.
    """
    if not moved and moved_from(root) and is_own_place(root, environment):
        return
    with suppress(OSError, PipelineError):
        if (state := (root / PLACE).parent).is_dir() and not state.is_symlink():
            data = os.fsencode(root) + b"\n" + secrets.token_hex(16).encode()
            replace_private(root / PLACE, data)
            own_list(environment).note(root / PLACE, data)


def moved_from(root: Path) -> str:
    """The folder from which a workspace was moved; empty if it is where it was, is a copy, or has noted nothing."""
    with suppress(OSError):
        noted = os.fsdecode(_ID.sub(b"", read_regular(root / PLACE, _LONGEST_PATH)))
        return "" if noted == str(root) or is_workspace(noted) else noted
    return ""


def is_own_place(root: Path, environment: Mapping[str, str]) -> bool:
    """Whether the place that a workspace has noted was noted for this person: a stranger's does not have the id."""
    with suppress(OSError, PipelineError):
        return own_list(environment).read().has_written(read_regular(root / PLACE, _LONGEST_PATH), PLACE)
    return False


def is_workspace(folder: str) -> bool:
    """Whether a workspace is in a folder."""
    return os.path.lexists(Path(folder) / SETTINGS_FILE)


def _parse(values: Mapping[str, object]) -> KnownWorkspaces:
    """The list in the values of its file; raises `ValueError` for values that are no list."""
    folders, default = values.get("workspaces", {}), values.get("default", "")
    listed = folders if isinstance(folders, dict) else {"": ""}
    names = {name: str(folder) for name, folder in listed.items() if NAME.fullmatch(name)}
    digests = values.get("written", {})
    written = {path: str(digest) for path, digest in digests.items()} if isinstance(digests, dict) else {"": ""}
    if names != folders or written != digests:
        raise ValueError
    return KnownWorkspaces(names, str(default) if default in names else "", written)


def _render(listed: KnownWorkspaces) -> bytes:
    lines = [f"{name} = {toml_text(folder)}\n" for name, folder in sorted(listed.folders.items())]
    if listed.written:
        digests = sorted(listed.written.items())
        lines += [_WRITTEN, *(f"{toml_text(path)} = {toml_text(digest)}\n" for path, digest in digests)]
    return "".join([_HEAD, f"default = {toml_text(listed.default)}\n\n[workspaces]\n", *lines]).encode()
