"""The plan that connects an agent with a workspace, or disconnects it: the changes of files, and the record of them."""

import difflib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import WriteFailed
from pipeline.errors.service import ConfigurationRefused, PluginInstalled
from pipeline.integration.client_plugins import installed_plugin
from pipeline.integration.edits import EditRecord, FileEdit, IntegrationRecord, PieceRecord, Syntax, Uneditable
from pipeline.integration.known_agents import AGENTS, Connection, KnownAgent, home_of
from pipeline.integration.records import (
    RecordFolder,
    copy_name,
    decode_content,
    digest,
    is_same_folder,
    is_standing,
    own_files,
    own_record,
    read_content,
    recorded_connection,
    replace_content,
    value_in_place,
    workspaces_at,
    workspaces_in,
)
from pipeline.integration.splicing import add_pieces, is_occupied, is_present, remove_pieces, stale_pieces

_BLANK = (b"", b"{}")
_OTHER = (
    "has something at {name} that `memory agents connect` did not put there, or that was changed since, so it is left "
    "alone"
)


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
    text = decode_content(before)
    if record and all(is_present(text, edit.syntax, piece) for piece in edit.pieces) and _is_unchanged(edit, record):
        return ConfigurationChange(edit.file, before, before, record)
    base = plan_restoring(edit.file, before, record, copies).after if record else before
    text = decode_content(base)
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
    edit, text = record.edit(file), decode_content(before)
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
    known = own_files(record, name, root)
    if not known and (plugin := installed_plugin(name, agent.folder(connection), root)):
        raise PluginInstalled(agent.title, plugin.title, plugin.removal)
    connection = choose_alias(agent, connection, known, beside)
    wanted = agent.plan_edits(connection)
    gone = {one for one in workspaces_at(wanted[0]) if not is_same_folder(one, root) and not is_standing(one)}
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
        place = value_in_place(server)
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
    known = own_files(record, name, root)
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
