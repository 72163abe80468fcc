"""The record of what was put into the configuration of agents, and what it tells of their connections."""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import ChangedMeanwhile, PathRefused, PipelineError, ReadFailed, WriteFailed
from pipeline.install import installed_program
from pipeline.integration.edits import EditRecord, FileEdit, IntegrationRecord, Uneditable
from pipeline.integration.known_agents import AGENTS, SERVER, Connection, home_of
from pipeline.integration.splicing import value_at, value_of
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.workspaces import RECORD, own_list
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import read_regular, write_regular

FOLDER = ".memory/integrations"
"""The folder of the record and the copies, relative to the workspace."""
# `"--workspace", "/home/x/memory"`: a JSON string that can be a path, so no control character, no lone surrogate.
_WORKSPACE_ARGUMENT = re.compile(
    r'"--workspace",\s*"((?:[^"\\\x00-\x1f]|\\(?:["\\/]|u(?!00[01]|[dD][89a-fA-F])[0-9a-fA-F]{4}))*)"'
)
_AGENT_ARGUMENT = re.compile(r'"--agent",\s*("(?:[^"\\]|\\.)*")')


class RecordFolder:
    """The record and the copies of one workspace.

    Anybody can have written them, such as the author of a repository that was cloned. So `own_record` is the record by
    which files outside of the workspace are changed.
    """

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self.path = root / FOLDER
        self._file = root / RECORD
        self._lock = self.path / "record.lock"

    def read(self) -> IntegrationRecord:
        """The record; empty if it was never written.

        Raises:
            WorkspaceError: it cannot be understood; the system refuses.
        """
        return self.read_with_content()[0]

    def read_with_content(self) -> tuple[IntegrationRecord, bytes | None]:
        """The record, and the bytes that say it; `None` if it was never written.

        Raises:
            WorkspaceError: as for `read`.
        """
        self._refuse_links()
        data = read_content(self._file)
        try:
            return IntegrationRecord.model_validate_json(data) if data else IntegrationRecord(), data
        except ValidationError as error:
            why = "is not as we wrote it; move it away, and take our lines out of the agent's configuration by hand"
            raise PathRefused(str(self._file), why) from error

    def write(self, record: IntegrationRecord, before: bytes | None) -> None:
        """Replace the record, if it still has the bytes `before`: else a part that another process wrote would be lost.

        Raises:
            WorkspaceError: it has other bytes by now; the system refuses.
        """
        self._make()
        replace_content(self._file, before, record_content(record))

    def note(self, record: IntegrationRecord, variables: Mapping[str, str]) -> None:
        """Have the person's home note a record that is about to be written; where it cannot, it does not."""
        with suppress(PipelineError):
            own_list(variables).note(self._file, record_content(record) if record.agents else None)

    def require_same(self, before: bytes | None) -> None:
        """Refuse to go on where the record has other bytes than those `before`.

        Raises:
            ChangedMeanwhile: it has.
        """
        if read_content(self._file) != before:
            raise ChangedMeanwhile(str(self._file))

    def hold(self) -> AbstractContextManager[None]:
        """Hold the folder, so that a single process carries out a plan.

        Raises:
            WorkspaceError: another process holds it; the system refuses.
        """
        self._make()
        return Latch(self._lock).hold(0)

    def keep(self, data: bytes) -> None:
        """Keep a copy, under a name made from its content."""
        self._make()
        name = copy_name(data)
        if read_content(self.path / name) is None:
            replace_content(self.path / name, None, data)

    def _refuse_links(self) -> None:
        """Refuse links in place of our files: they could lead to any file of the person."""
        for path in (self.path.parent, self.path, self._file, self._lock, self.path / ".gitignore"):
            if path.is_symlink():
                raise PathRefused(str(path), "is a link; take it away")

    def _make(self) -> None:
        """Make the folder, closed to others: configurations hold keys."""
        self._refuse_links()
        try:
            for folder in (self.path.parent, self.path):
                folder.mkdir(mode=0o700, exist_ok=True)
            if not (ignore := self.path / ".gitignore").exists():
                write_regular(ignore, b"*\n")
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or str(error)) from error

    def copy(self, name: str) -> bytes | None:
        """A copy; `None` when it is gone."""
        data = read_content(self.path / name)
        return data if data is not None and digest(data)[:32] == name.removesuffix(".copy") else None

    def prune(self, record: IntegrationRecord) -> None:
        """Remove the copies that no file needs any more."""
        used = {file.copy_name for files in record.agents.values() for file in files.values()}
        for copy in self.path.glob("*.copy"):
            if copy.name not in used:
                copy.unlink(missing_ok=True)


def record_content(record: IntegrationRecord) -> bytes:
    """The bytes of a record."""
    return record.model_dump_json(indent=1).encode()


def own_record(root: Path, variables: Mapping[str, str]) -> tuple[IntegrationRecord, bytes | None]:
    """The record of what was put into the agents of this person, and the bytes of its file.

    A record that the person's home has not noted comes from before it did so, or from a stranger. Of it counts what the
    configuration of an agent confirms, which is in the home: the server of this workspace.

    Raises:
        WorkspaceError: the record cannot be understood; the system refuses.
    """
    record, data = RecordFolder(root).read_with_content()
    with suppress(PipelineError):
        if data is None or own_list(variables).read().has_written(data, RECORD):
            return record, data
    agents = {name: _confirmed_files(root, name, record, variables) for name in record.agents if name in AGENTS}
    own = {name: files for name, files in agents.items() if files}
    programs = dict.fromkeys(own, installed_program() or SERVER)
    return IntegrationRecord(agents=own, programs=programs, left_out=record.left_out), data


def _confirmed_files(
    root: Path, name: str, record: IntegrationRecord, variables: Mapping[str, str]
) -> dict[str, EditRecord]:
    """The recorded files of an agent whose configuration has the server of this workspace: those that it wants."""
    files = record.agents[name]
    alias, own = recorded_connection(files)
    left_out = record.left_out.get(name, frozenset())
    with suppress(PipelineError):  # the doctor tells about a configuration that cannot be read
        connection = Connection(SERVER, str(root), own, home_of(variables), variables, left_out, alias)
        wanted = AGENTS[name].plan_edits(connection)
        if any(is_same_folder(workspace, root) for workspace in workspaces_at(wanted[0])):
            return {str(edit.file): files[str(edit.file)] for edit in wanted if str(edit.file) in files}
    return {}


def digest(data: bytes) -> str:
    """The SHA-256 of a content, in hex."""
    return hashlib.sha256(data).hexdigest()


def copy_name(data: bytes) -> str:
    """The name of the copy of a content."""
    return f"{digest(data)[:32]}.copy"


def read_content(file: Path) -> bytes | None:
    """The bytes of a file; `None` when there is none.

    Raises:
        ReadFailed: the system refuses.
    """
    try:
        return read_regular(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error


def replace_content(file: Path, before: bytes | None, after: bytes | None) -> None:
    """Replace the content of a file at once; `None` is no file."""
    writer = FileWriter(str(file), file)
    if read_content(file) != before:
        raise ChangedMeanwhile(str(file))
    if before is None:
        if after is not None and writer.create(after) is None:
            raise ChangedMeanwhile(str(file))
    elif after is None:
        writer.remove(before)
    elif before != after:
        writer.replace(before, after)


def decode_content(data: bytes | None) -> str:
    """The text of a content.

    Raises:
        Uneditable: it is none in UTF-8.
    """
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        message = "is no text in UTF-8"
        raise Uneditable(message) from error


def has_hook(root: Path) -> bool:
    """Whether a connected agent has large outputs that our hook replaces.

    Raises:
        WorkspaceError: the record cannot be read.
    """
    connected = RecordFolder(root).read().agents
    hooked = [files for name, files in connected.items() if name in AGENTS and AGENTS[name].hook]
    return any(not recorded_connection(files)[0] for files in hooked)


def left_out_parts(root: Path, name: str) -> frozenset[str]:
    """The parts that the owner left out of an agent the last time.

    Raises:
        WorkspaceError: the record cannot be read.
    """
    return RecordFolder(root).read().left_out.get(name, frozenset())


def workspaces_in(text: str) -> set[str]:
    """The workspaces of server commands in a text of JSON or TOML."""
    return {str(json.loads(f'"{path}"')) for path in _WORKSPACE_ARGUMENT.findall(text)}


def other_workspaces(files: Iterable[EditRecord], root: Path) -> set[str]:
    """The workspaces other than `root` that recorded pieces name: it was moved, or copied, since."""
    named = {
        workspace for file in files for piece in file.pieces for workspace in workspaces_in(json.dumps(piece.value))
    }
    return {workspace for workspace in named if not is_same_folder(workspace, root)}


def is_standing(workspace: str) -> bool:
    """Whether a workspace is in a folder; what lies in a closed folder counts as standing."""
    try:
        return stat.S_ISREG((Path(workspace) / SETTINGS_FILE).stat().st_mode)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False


def is_copied(files: Iterable[EditRecord], root: Path) -> bool:
    """Whether a connection is that of the workspace that `root` is a copy of, which is still there."""
    return any(map(is_standing, other_workspaces(files, root)))


def recorded_connection(files: Mapping[str, EditRecord]) -> tuple[str, str]:
    """The alias of a recorded connection, and the agent with a memory of its own; empty without them."""
    pieces = [piece for file in files.values() for piece in file.pieces]
    servers = [piece for piece in pieces if workspaces_in(json.dumps(piece.value)) and piece.path]
    alias = servers[0].path[-1].removeprefix(SERVER).removeprefix("-") if servers else ""
    words = _AGENT_ARGUMENT.findall(json.dumps(servers[0].value)) if servers else []
    return alias, str(json.loads(words[0])) if words else ""


def recorded_alias(root: Path, name: str, variables: Mapping[str, str]) -> str:
    """The alias with which an agent is connected with a workspace; empty without one.

    Raises:
        WorkspaceError: the record cannot be read.
    """
    return recorded_connection(own_files(own_record(root, variables)[0], name, root))[0]


def own_files(record: IntegrationRecord, name: str, root: Path) -> dict[str, EditRecord]:
    """The recorded files of an agent; none where they are those of the workspace that `root` is a copy of."""
    files = record.agents.get(name, {})
    return {} if is_copied(files.values(), root) else files


def workspaces_at(server: FileEdit) -> set[str]:
    """The workspaces that stand where a server is to be."""
    try:
        return workspaces_in(json.dumps(value_in_place(server)))
    except Uneditable:  # its edit will say so
        return set()


def value_in_place(server: FileEdit) -> object:
    """The value that stands where a server is to be; `None` where there is nothing.

    Raises:
        Uneditable: the file cannot be understood.
    """
    return value_at(value_of(decode_content(read_content(server.file)), server.syntax), server.pieces[0].path)


def is_same_folder(path: str, root: Path) -> bool:
    """Whether a path leads to a workspace."""
    return os.path.realpath(path) == os.path.realpath(root)
