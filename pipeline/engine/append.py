"""Drafts become blocks of files: every change is noted in the ledger, made, and noted as made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pipeline.drafts import BlockDraft, EntryDraft, StatusDraft
from pipeline.engine.absence import digest_of, missing, put_ours, refuse_damaged, refuse_where_away, seal_again
from pipeline.engine.recovery import intend_change
from pipeline.errors import ChangedMeanwhile
from pipeline.ledger import Ledger
from pipeline.ledger.changes import STANDING, Appended, BlockState, Change, ChangeKind, KnownBlock
from pipeline.markdown.blocks import find_blocks, seal_item
from pipeline.markdown.encoding import closing_fault
from pipeline.markdown.entries import parse_entry, render_entry
from pipeline.markdown.splice import appendix, newline_of, replace_block
from pipeline.workspace.families import Slots, TargetFiles
from pipeline.workspace.files import Workspace
from schemas.entry import Status

ATTEMPTS = 5  # at a rewrite while another process writes to the same file

AppendDraft = EntryDraft | BlockDraft


FieldUpdate = Mapping[str, object]
"""New values of an entry by the names of its fields."""


def name_of(draft: AppendDraft) -> str:
    """The id of the block that a draft becomes."""
    return draft.entry.id if isinstance(draft, EntryDraft) else draft.name


def _file_head(path: str, slots: Slots, heading: str) -> str:
    """The first lines that a file is made with."""
    title = f"# {slots.day or PurePosixPath(path).stem}\n"
    return f"{title}\n## {heading}\n" if heading else title


@dataclass(frozen=True)
class Committer:
    """Writes for one run. The caller holds the lock of the family's only writer."""

    workspace: Workspace
    ledger: Ledger
    family: TargetFiles
    run_id: str

    def append(self, slots: Slots, drafts: Sequence[AppendDraft]) -> list[str]:
        """Append blocks to the file of their partition, or to its next volume; the paths that grew.

        Raises:
            WorkspaceError: one of these files is gone as a whole, or damaged; the system refuses; the files are as they
                were.
        """
        paths, left, volume, capacity = list[str](), list(drafts), 0, self.family.target.capacity
        while left:
            volume += 1
            path = self.family.path(slots, volume)
            file = self.family.file(path)
            room = max(capacity - (len(file.blocks) if file else 0), 0) if capacity else len(left)
            part, left = left[:room], left[room:]
            if part:
                sealed = [
                    render_entry(draft.entry) if isinstance(draft, EntryDraft) else seal_item(draft.name, draft.text)
                    for draft in part
                ]
                head = _file_head(path, slots, self.family.target.heading)
                self._append(path, head, sealed, {name_of(draft): draft.identity for draft in part})
                paths.append(path)
        return paths

    def append_again(self) -> list[KnownBlock]:
        """Write once more, word for word, what an old copy of its file took away; these blocks.

        Raises:
            WorkspaceError: one of their files is gone as a whole; the system refuses.
        """
        changes, texts = self.ledger.changes, list[tuple[KnownBlock, str]]()
        for block in (standing.block for standing in changes.in_state(BlockState.LOST)):
            run = self.ledger.runs.find(block.run_id) if self.family.owns(block.path) else None
            if run and run.undone:  # then the block is undone too, and no longer lost
                changes.set_state(block.path, block.name, BlockState.UNDONE)
            elif self.family.owns(block.path) and (text := changes.as_written(block.path, block.name, block.digest)):
                texts.append((block, seal_again(text)))
        for path in dict.fromkeys(block.path for block, _ in texts):
            part = {block.name: (block.identity, text) for block, text in texts if block.path == path}
            sealed, identities = [text for _, text in part.values()], {name: part[name][0] for name in part}
            head = _file_head(path, self.family.slots_of(path) or Slots(), self.family.target.heading)
            self._append(path, head, sealed, identities)
        return [block for block, _ in texts]

    def set_status(self, drafts: Sequence[StatusDraft]) -> list[str]:
        """Bring `status:` lines up to date where the block is still ours; the paths that changed."""
        updates = {draft.entry_id: {"status": draft.status, "superseded_by": draft.superseded_by} for draft in drafts}
        return self.set_fields(updates)

    def set_fields(self, wanted: Mapping[str, FieldUpdate]) -> list[str]:
        """Give entries other values where the block is still ours, and its file not damaged; the paths that changed.

        Raises:
            WorkspaceError: somebody kept writing to a file; the system refuses.
        """
        files = self.family.files() if wanted else []
        paths = [file.path for file in files if any(block.name in wanted and block.intact for block, _ in file.blocks)]
        whole = [path for path in paths if not closing_fault(self.workspace.read(path) or b"")]
        return [path for path in whole if self._rewrite(path, wanted)]

    def _append(self, path: str, head: str, sealed: Sequence[str], identities: Mapping[str, str]) -> None:
        """Append blocks to a file, which is made with `head`."""
        data = self.workspace.read(path)
        refuse_damaged(path, data, appending=True)
        # Text written in place of a file that is away would be lost, or replace the file, when that comes back. Where
        # a file has all of its blocks the others are not looked at: they are hundreds.
        file = self.family.file(path)
        present = {block.name for block, _ in file.blocks} if file else set()
        if any(block.name not in present for block in self.ledger.changes.standing_in(path)):
            refuse_where_away(missing(self.workspace, self.ledger.changes, self.family, self.family.files()), [path])
        with self.workspace.lease(path) as lease:
            if data is None:
                whole = head.encode() + appendix(sealed, b"\n")
                created = Change(self.run_id, path, ChangeKind.CREATE, whole, identities)
                with intend_change(self.workspace, self.ledger, created) as change:
                    if landing := lease.create(whole):
                        self.ledger.changes.settle(change, identities, Appended(landing, digest_of(b"")))
                        return
                    self.ledger.changes.drop(change.number)  # another process made the file first; append to it
                data = self.workspace.read(path) or b""
            grown = appendix(sealed, newline_of(data))
            appended = Change(self.run_id, path, ChangeKind.APPEND, grown, identities, size=len(data))
            with intend_change(self.workspace, self.ledger, appended) as change:
                landing = lease.append(grown)
                self.ledger.changes.settle(change, identities, Appended(landing, digest_of(data)))

    def _rewrite(self, path: str, wanted: Mapping[str, FieldUpdate]) -> bool:
        for _ in range(ATTEMPTS):
            data = self.workspace.read(path) or b""
            changed, identities = self._data_with_fields(data, wanted)
            if changed == data:
                return False
            replaced = Change(self.run_id, path, ChangeKind.REPLACE, changed, identities, before=data)
            with intend_change(self.workspace, self.ledger, replaced) as change:
                if put_ours(self.workspace, self.ledger.changes, path, data, changed):
                    self.ledger.changes.settle(change, identities)
                    return True
                self.ledger.changes.drop(change.number)
        raise ChangedMeanwhile(path)

    def _data_with_fields(self, data: bytes, wanted: Mapping[str, FieldUpdate]) -> tuple[bytes, dict[str, str]]:
        # Only blocks with a text of the ledger: a block sealed by another process must not become ours by a rewrite.
        expected = (known.block for known in self.ledger.changes.standings_of(wanted) if known.state in STANDING)
        known = {(block.name, block.digest): block.identity for block in expected}
        touched = {}
        for block in reversed(find_blocks(data)):
            update, entry = wanted.get(block.name), parse_entry(block)
            if update and entry and block.intact and (block.name, block.digest) in known:
                # A person's `archived` stands whatever the fold results in.
                kept = {"status": Status.ARCHIVED} if entry.status is Status.ARCHIVED else {}
                data = replace_block(data, block, render_entry(entry.model_copy(update={**update, **kept})))
                touched[block.name] = known[block.name, block.digest]
        return data, touched
