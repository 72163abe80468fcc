"""Restores of a workspace, with the engine that forgets again what was forgotten since."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.app.corrections import NO_MODEL, forget_in_index
from pipeline.app.engine import EngineOptions, open_engine
from pipeline.backup.key import KeyFile, OwnerKey
from pipeline.backup.manifest import Manifest, SavedFile, chosen, read_list
from pipeline.backup.merge import Side
from pipeline.backup.merge_state import WorkspaceMerging
from pipeline.backup.note import read_note
from pipeline.backup.restore import OpenBackup, open_backup, require_room_for, restore_new
from pipeline.corrections.erasure import all_held
from pipeline.corrections.forget_since import forget_since
from pipeline.engine.context import Engine
from pipeline.errors import PipelineError
from pipeline.errors.backup import BackupDamaged
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.settings.locate import SETTINGS_FILE, WORKSPACE_VARIABLE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.locks import Locks
from schemas.reports.backup import RestoreReport

_UNFINISHED = "(a restore that has not ended)"
"""The host that owns a workspace while a back-up is merged into it: until the end nobody runs jobs there."""


def prepare_restore(
    folder: Path, key: OwnerKey | None, keys: KeyFile, generation: int | None, *, accept_older: bool
) -> tuple[OpenBackup, Manifest]:
    """The back-up in a folder, and the generation to restore; without a `key` nobody has checked who wrote them.

    Raises:
        BackupError: as of `open_backup`.
        UnknownGeneration: there is no generation of this number.
    """
    opened = open_backup(folder, key, (lambda _: 0) if accept_older else keys.read_seen_generation)
    return opened, chosen(opened.chain, generation)


@dataclass(frozen=True)
class Restoring:
    """A generation that is to be restored into `target`; `into_new` is a folder that is empty or not there yet."""

    backup: OpenBackup
    manifest: Manifest
    target: Path
    into_new: bool
    context: ProcessContext
    prefer: Side | None = None

    @property
    def forgotten(self) -> bytes:
        """All lists of what is forgotten as one: of the workspaces that are here, and of all generations.

        A line that a person has taken out of a list here since its last generation stays out.
        """
        newest = self.backup.chain[-1]
        saved = {manifest.digest: self._listed_in(manifest) for manifest in reversed(self.backup.chain)}
        lists, allowed = list[bytes](), set[bytes]()
        for workspace in map(Workspace, dict.fromkeys([self.target, Path(newest.folder)])):
            note = read_note(workspace)
            if note.workspace == newest.workspace and (listed := workspace.read(FORGOTTEN)):
                lists.append(listed)
                base = note.backups.get(newest.chain)
                before = saved.get(base.digest, b"") if base else b""
                allowed |= set(before.splitlines()) - set(listed.splitlines())
        return _join_lists([*lists, *saved.values()], allowed)

    def _listed_in(self, manifest: Manifest) -> bytes:
        """The list of a generation; empty where there is none, or it is damaged."""
        with suppress(BackupDamaged):
            return self.backup.content(read_list(self.backup.pieces, manifest).get(FORGOTTEN)) or b""
        return b""

    def plan_paths(self) -> list[str]:
        """The paths that would be written; raises as `done`, and changes nothing."""
        if self.into_new:
            require_room_for(self.target)
            return sorted(self.backup.files(self.manifest))
        with self._engine() as engine:
            return self._merging(engine).plan().paths

    def done(self) -> RestoreReport:
        """Restore it.

        Raises:
            BackupError: it cannot be restored there; a piece is missing, or is not as it was written.
            WorkspaceError: somebody is at work there; the system refuses.
        """
        paths, forgotten = (
            restore_new(self.backup, self.manifest, self.target, self._settle)
            if self.into_new
            else self._merge_backup()
        )
        return RestoreReport(
            folder=str(self.target),
            generation=self.manifest.number,
            made=self.manifest.made,
            host=self.manifest.host,
            merged=not self.into_new,
            signed=self.backup.signed,
            files=tuple(paths),
            forgotten=forgotten,
            missing=tuple(missing_paths(self.target, self.context.environment)),
        )

    def _settle(self, staging: Path) -> int:
        """Forget in a new folder what was forgotten since; how many things went."""
        files, today = self.backup.files(self.manifest), self.forgotten
        if today == (self.backup.content(files.get(FORGOTTEN)) or b""):
            return 0
        environment = {**self.context.environment, **NO_MODEL, WORKSPACE_VARIABLE: str(staging)}
        context = ProcessContext(environment, self.context.clock)
        engine = open_engine(staging, context, EngineOptions(take_over=True, copied_from=self.target))
        try:
            erased = forget_since(engine, today, self._texts(files.values()))
        finally:
            engine.ledger.store.close()
            if engine.store is not None:
                engine.store.close()
        _, error = forget_in_index(staging, context)
        if error:
            raise error
        return erased

    def _texts(self, files: Iterable[SavedFile]) -> Iterator[str]:
        """All that files hold, also of databases."""
        return (self.backup.pieces.read(name).decode(errors="replace") for file in files for name in file.pieces)

    def _merge_backup(self) -> tuple[list[str], int]:
        """Merge it into the workspace; the paths, and how much was erased again."""
        forgotten = self.forgotten
        with self._engine() as engine:
            folder = engine.workspace.lock_folder
            engine.locks.take_over()  # of the host before, or of a restore that was killed
            with all_held(engine):
                merging = self._merging(engine)
                merge = merging.plan()
                Locks(folder, _UNFINISHED).take_over()
                merging.apply(merge)
                engine.locks.take_over()
        with self._engine() as engine:  # with the ledger that the back-up may have brought
            today = _join_lists([engine.workspace.read(FORGOTTEN) or b"", forgotten])
            return merge.paths, forget_since(engine, today, self._texts(self.backup.files(self.manifest).values()))

    def _merging(self, engine: Engine) -> WorkspaceMerging:
        changes = engine.ledger.changes
        written = set(changes.paths())

        def is_erased(path: str) -> bool:
            return path in written and not changes.standing_in(path)

        return WorkspaceMerging(self.backup, self.manifest, engine.workspace, is_erased, self.prefer)

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        environment = {**self.context.environment, WORKSPACE_VARIABLE: str(self.target)}  # a person named it
        engine = open_engine(self.target, replace(self.context, environment=environment))
        try:
            yield engine
        finally:
            engine.ledger.store.close()
            if engine.store is not None:
                engine.store.close()


def _join_lists(lists: Iterable[bytes], allowed: Collection[bytes] = ()) -> bytes:
    """The first list that is not empty, with the lines of the others that it lacks, but for those that are allowed."""
    first, *others = [listed for listed in lists if listed] or [b""]
    lines = dict.fromkeys(line for listed in others for line in listed.splitlines() if line.strip())
    added = [line for line in lines if line not in {*first.splitlines(), *allowed}]
    lead = b"\n" if added and not first.endswith(b"\n") else b""
    return b"".join([first, lead, *(b"%b\n" % line for line in added)])


def missing_paths(root: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """The paths of the settings that are not on this machine, each as `setting: path`."""
    try:
        settings = load_settings(root, {**environment, WORKSPACE_VARIABLE: str(root)})
    except PipelineError as error:
        yield f"{SETTINGS_FILE}: {error}"
        return
    named = [(f"sources.{source.root_name}", source.path) for source in settings.sources]
    named += [(f"index.extra_paths.{extra.name}", extra.path) for extra in settings.index.extra_paths]
    for name, path in named:
        if path and not os.path.exists(root / Path(path).expanduser()):
            yield f"{name}: {path}"
