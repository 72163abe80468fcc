"""The plan that connects an agent with a workspace, or disconnects it: its record and the changes of files."""

import difflib
import hashlib
import json
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import ChangedMeanwhile, PathRefused, PipelineError, ReadFailed, WriteFailed
from pipeline.errors.service import ConfigurationRefused, PluginInstalled
from pipeline.integration.client_plugins import installed_plugin
from pipeline.integration.edits import EditRecord, FileEdit, IntegrationRecord, PieceRecord, Syntax, Uneditable
from pipeline.integration.known_agents import AGENTS, SERVER, Connection, KnownAgent, home_of
from pipeline.integration.splicing import (
    add_pieces,
    is_occupied,
    is_present,
    remove_pieces,
    stale_pieces,
    value_at,
    value_of,
)
from pipeline.settings.workspaces import RECORD, own_list
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import read_regular, write_regular

FOLDER = ".memory/integrations"
"""The folder of the record and the copies, relative to the workspace."""
_SETTINGS = "memory.toml"
# `"--workspace", "/home/x/memory"`: a JSON string that can be a path, so no control character, no lone surrogate.
_WORKSPACE_ARGUMENT = re.compile(
    r'"--workspace",\s*"((?:[^"\\\x00-\x1f]|\\(?:["\\/]|u(?!00[01]|[dD][89a-fA-F])[0-9a-fA-F]{4}))*)"'
)
_AGENT_ARGUMENT = re.compile(r'"--agent",\s*("(?:[^"\\]|\\.)*")')
_BLANK = (b"", b"{}")
_OTHER = (
    "has something at {name} that `memory agents connect` did not put there, or that was changed since, so it is left "
    "alone"
)


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
        if any(_is_same(workspace, root) for workspace in _workspaces_at(wanted[0])):
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


@dataclass(frozen=True)
class ConfigurationChange:
    """A change of the content of a file; `None` is no file. `record` is its new record, `None` if it is removed.

    `kept` are sentences about the pieces of ours that stay, because a person changed them. `base` is the content of
    which a copy is to be kept.
    """

    file: Path
    before: bytes | None
    after: bytes | None
    record: EditRecord | None
    kept: tuple[str, ...] = ()
    base: bytes | None = None


def plan_edit(
    edit: FileEdit, record: EditRecord | None, copies: RecordFolder, gone: Collection[str]
) -> ConfigurationChange:
    """The change that adds the pieces to a file, in place of those of `gone` workspaces. Nothing is written."""
    try:
        return _plan_edit(edit, record, copies, gone)
    except Uneditable as error:
        raise ConfigurationRefused(str(edit.file), str(error), manual_text(edit)) from error


def _plan_edit(
    edit: FileEdit, record: EditRecord | None, copies: RecordFolder, gone: Collection[str]
) -> ConfigurationChange:
    before = read_content(edit.file)
    text = _decode(before)
    if record and all(is_present(text, edit.syntax, piece) for piece in edit.pieces) and _is_unchanged(edit, record):
        return ConfigurationChange(edit.file, before, before, record)
    base = plan_restoring(edit.file, before, record, copies).after if record else before
    text = _decode(base)
    if (stale := stale_pieces(text, edit, gone)).pieces:
        text = remove_pieces(text, stale, ())
    for piece in edit.pieces:
        if is_occupied(text, edit.syntax, piece):
            raise Uneditable(_OTHER.format(name=piece.name or "this place"))
    ours = FileEdit(
        edit.file,
        edit.syntax,
        tuple(piece for piece in edit.pieces if not (piece.shared and is_present(text, edit.syntax, piece))),
    )
    changed, made = add_pieces(text, ours)
    if record is None and (gone or changed == text):  # a person put it in: taking it out is to be possible all the same
        bare = remove_pieces(text, ours, ())
        base = bare.encode() if bare or edit.syntax is not Syntax.WHOLE else None
    after = changed.encode()
    missing = [str(folder) for folder in edit.file.parents if not folder.exists()]
    noted = EditRecord(
        syntax=edit.syntax,
        pieces=tuple(PieceRecord.model_validate(vars(piece)) for piece in ours.pieces),
        made=tuple(made),
        copy_name=copy_name(base) if base is not None else "",
        digest=digest(after),
        folders=record.folders if record else tuple(missing),
    )
    return ConfigurationChange(edit.file, before, after, noted, base=base)


def plan_restoring(file: Path, before: bytes | None, record: EditRecord, copies: RecordFolder) -> ConfigurationChange:
    """The change that removes our pieces: it restores the bytes from before, or keeps the edits of others.

    Raises:
        Uneditable: it cannot be done without a risk for what stands there.
    """
    if before is None:
        return ConfigurationChange(file, None, None, None)
    copy = copies.copy(record.copy_name) if record.copy_name else None
    if digest(before) == record.digest and (copy is not None or not record.copy_name):
        return ConfigurationChange(file, before, copy, None)
    edit, text = record.edit(file), _decode(before)
    kept = tuple(
        f"{file}: {piece.name or 'our text'} was changed since, so it stays; take it out by hand"
        for piece in edit.pieces
        if not is_present(text, edit.syntax, piece) and is_occupied(text, edit.syntax, piece)
    )
    after: bytes | None = remove_pieces(text, edit, record.made).encode()
    if not kept and not record.copy_name and after is not None and after.strip() in _BLANK:
        after = None
    return ConfigurationChange(file, before, before if kept and edit.syntax is Syntax.WHOLE else after, None, kept)


def plan_file_removal(file: Path, record: EditRecord, copies: RecordFolder) -> ConfigurationChange:
    """The change that removes our pieces from a file, and nothing else."""
    try:
        return plan_restoring(file, read_content(file), record, copies)
    except Uneditable as error:
        why = f"{error}; take our lines out by hand"
        raise ConfigurationRefused(str(file), why, manual_text(record.edit(file))) from error


def write_changes(changes: Sequence[ConfigurationChange]) -> None:
    """Make the changes, each at once. Nothing is written when one of the files cannot be."""
    for change in changes:
        folder = next(folder for folder in Path(os.path.realpath(change.file)).parents if folder.exists())
        if not os.access(folder, os.W_OK | os.X_OK) or not folder.is_dir():
            raise WriteFailed(str(change.file), f"{folder} may not be written")
    for change in changes:
        replace_content(change.file, change.before, change.after)


def remove_folders(folders: Sequence[str]) -> None:
    """Remove folders that were made for our files, where they are empty."""
    for folder in sorted(set(folders), key=len, reverse=True):
        with suppress(OSError):  # it is a link, is gone, or has something in it
            Path(folder).rmdir()


def manual_text(edit: FileEdit) -> str:
    """The text that a person would write into the file by hand."""
    text, _ = add_pieces("", edit)
    return text.rstrip("\n")


def _is_unchanged(edit: FileEdit, record: EditRecord) -> bool:
    shared = {piece.path for piece in edit.pieces if piece.shared}
    wanted = [(piece.path, piece.value) for piece in edit.pieces if piece.path not in shared]
    put = [(piece.path, piece.value) for piece in record.pieces if piece.path not in shared]
    return len(wanted) == len(put) and all(piece in put for piece in wanted)


def _decode(data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        message = "is no text in UTF-8"
        raise Uneditable(message) from error


def installed_program() -> str | None:
    """The path of this installation's `memory`, for programs with another PATH; `None` when there is none."""
    beside = Path(sys.executable).with_name("memory")
    executable = str(beside) if beside.exists() else shutil.which("memory")
    return str(Path(executable).absolute()) if executable else None


def cron_line(program: str, root: Path) -> str:
    """The line of a crontab that runs each hour what is due in a workspace."""
    words = shlex.join([program, "run", "--workspace", str(root)])
    return "5 * * * *  " + words.replace("%", "\\%")  # cron takes a bare % as the end of the line


@dataclass(frozen=True)
class IntegrationPlan:
    """The changes for one agent, the record after them, and the bytes of the record `before` them.

    `variables` are those of the person whose agent it is.
    """

    changes: tuple[ConfigurationChange, ...]
    record: IntegrationRecord
    before: bytes | None
    variables: Mapping[str, str]
    folders: tuple[str, ...] = ()

    @property
    def pending(self) -> list[ConfigurationChange]:
        """The changes that change something."""
        return [change for change in self.changes if change.before != change.after]

    @property
    def kept_sentences(self) -> list[str]:
        """Sentences about the pieces that stay."""
        return [sentence for change in self.changes for sentence in change.kept]


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
    return {workspace for workspace in named if not _is_same(workspace, root)}


def is_standing(workspace: str) -> bool:
    """Whether a workspace is in a folder; what lies in a closed folder counts as standing."""
    try:
        return stat.S_ISREG((Path(workspace) / _SETTINGS).stat().st_mode)
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
    return recorded_connection(_own_files(own_record(root, variables)[0], name, root))[0]


def plan_apply(
    root: Path, name: str, agent: KnownAgent, connection: Connection, *, beside: str = ""
) -> IntegrationPlan:
    """Plan the changes that connect an agent. Nothing is written.

    `beside` is the alias with which it is connected where another memory has the place of that of the connection.

    Raises:
        PluginInstalled: the agent was not connected yet, and has a plugin of ours for this workspace.
        ConfigurationRefused: a file cannot be changed without a risk for what stands in it.
        WorkspaceError: a path holds what the agent would replace, or the record cannot be understood; the system
            refuses.
    """
    copies = RecordFolder(root)
    record, before = own_record(root, connection.variables)
    known = _own_files(record, name, root)
    if not known and (plugin := installed_plugin(name, agent.folder(connection), root)):
        raise PluginInstalled(agent.title, plugin.title, plugin.removal)
    connection = choose_alias(agent, connection, known, beside)
    wanted = agent.plan_edits(connection)
    gone = {one for one in _workspaces_at(wanted[0]) if not _is_same(one, root) and not is_standing(one)}
    changes = [plan_edit(edit, known.get(str(edit.file)), copies, gone) for edit in wanted]
    needless = {path: file for path, file in known.items() if path not in {str(edit.file) for edit in wanted}}
    changes += [plan_file_removal(Path(path), file, copies) for path, file in needless.items()]
    files = {str(change.file): change.record for change in changes if change.record}
    after = IntegrationRecord(
        agents=record.agents | {name: files},
        programs=record.programs | {name: connection.program},
        left_out=record.left_out | {name: connection.left_out},
    )
    folders = tuple(folder for file in needless.values() for folder in file.folders)
    return IntegrationPlan(tuple(changes), after, before, connection.variables, folders)


def choose_alias(agent: KnownAgent, connection: Connection, known: Mapping[str, EditRecord], beside: str) -> Connection:
    """The connection, by its alias `beside` where another memory that is still there has the place of its server."""
    server = agent.plan_edits(connection)[0]
    try:
        place = value_at(value_of(_decode(read_content(server.file)), server.syntax), server.pieces[0].path)
    except Uneditable:  # its edit will say so
        return connection
    put = [piece.value for file in known.values() for piece in file.pieces]
    workspaces = workspaces_in(json.dumps(place))
    stale = bool(workspaces) and not any(map(is_standing, workspaces))
    is_free = place is None or place in (server.pieces[0].value, *put) or stale
    return connection if is_free or not beside else replace(connection, alias=beside)


def plan_removal(root: Path, name: str, variables: Mapping[str, str]) -> IntegrationPlan:
    """Plan the changes that disconnect an agent; without a connection the plan is empty.

    Of a copy of a workspace only the record is removed: the connection is that of the other.

    Raises:
        ConfigurationRefused: a file cannot be changed without a risk for what stands in it.
        WorkspaceError: the record cannot be understood; the system refuses.
    """
    copies = RecordFolder(root)
    record, before = own_record(root, variables)
    known = _own_files(record, name, root)
    changes = [plan_file_removal(Path(path), file, copies) for path, file in known.items()]
    after = IntegrationRecord(
        agents={key: files for key, files in record.agents.items() if key != name},
        programs={key: program for key, program in record.programs.items() if key != name},
        left_out=record.left_out,
    )
    folders = tuple(folder for file in known.values() for folder in file.folders)
    return IntegrationPlan(tuple(changes), after, before, variables, folders)


def plan_again(root: Path, name: str, variables: Mapping[str, str], program: str = "") -> IntegrationPlan:
    """Plan to connect an agent as it was, for the workspace where it is now, with its `program` or another.

    Raises:
        HomeMissing: `HOME` is not set, or names no folder.
        ConfigurationRefused: a file cannot be changed without a risk for what stands in it.
        WorkspaceError: as for `plan_apply`.
    """
    record, _ = own_record(root, variables)
    alias, own = recorded_connection(record.agents[name])
    left_out = record.left_out.get(name, frozenset())
    home, command = home_of(variables), program or record.programs[name]
    return plan_apply(root, name, AGENTS[name], Connection(command, str(root), own, home, variables, left_out, alias))


def _own_files(record: IntegrationRecord, name: str, root: Path) -> dict[str, EditRecord]:
    files = record.agents.get(name, {})
    return {} if is_copied(files.values(), root) else files


def _workspaces_at(server: FileEdit) -> set[str]:
    """The workspaces that stand where a server is to be."""
    try:
        place = value_at(value_of(_decode(read_content(server.file)), server.syntax), server.pieces[0].path)
    except Uneditable:  # its edit will say so
        return set()
    return workspaces_in(json.dumps(place))


def _is_same(path: str, root: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(root)


def carry_out(root: Path, plan: IntegrationPlan, *, removing: bool = False) -> None:
    """Make the changes of a plan. The record is written before what is put in, and after what is taken out.

    Raises:
        WorkspaceError: a file or the record has another content by now; another process carries out a plan; the system
            refuses.
    """
    copies = RecordFolder(root)
    with copies.hold():
        copies.require_same(plan.before)
        for change in plan.changes:
            if change.base is not None:
                copies.keep(change.base)
        copies.note(plan.record, plan.variables)
        if not removing:
            copies.write(plan.record, plan.before)
        write_changes(plan.pending)
        remove_folders(plan.folders)
        if removing:
            copies.write(plan.record, plan.before)
        copies.prune(plan.record)


def difference(change: ConfigurationChange) -> str:
    """The difference that a change makes, as a unified diff."""
    versions = (change.before, change.after)
    before, after = ((data or b"").decode(errors="replace").splitlines() for data in versions)
    old, new = (str(change.file) if data is not None else "/dev/null" for data in versions)
    return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))
