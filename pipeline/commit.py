"""From drafts to files: every change is noted in the ledger, made, and noted as made."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date

from pipeline.errors import ChangedMeanwhile
from pipeline.family import Family
from pipeline.job import EntryDraft, StatusDraft
from pipeline.ledger import Ledger
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import parse_entry, render_entry
from pipeline.markdown.splice import appendix, newline_of, replace_block
from pipeline.recovery import intended
from pipeline.workspace import Workspace
from schemas.entry import Status

ATTEMPTS = 5  # at a rewrite that somebody else's writing foils


@dataclass(frozen=True)
class Committer:
    """Writes for one run. The caller holds the lock of the family's only writer."""

    workspace: Workspace
    ledger: Ledger
    family: Family
    run_id: str

    def append(self, day: date, drafts: Sequence[EntryDraft]) -> list[str]:
        """Append entries to the file of their day, or to its next volume; the paths that grew.

        Raises:
            WriteFailed: the system refuses; the files are as they were.
        """
        paths = []
        for path, part in self._volumes(day, drafts):
            self._append(path, day, part)
            paths.append(path)
        return paths

    def set_status(self, drafts: Sequence[StatusDraft]) -> list[str]:
        """Bring `status:` lines up to date where the block is still ours; the paths that changed."""
        wanted = {draft.entry_id: draft for draft in drafts}
        found: dict[str, list[StatusDraft]] = defaultdict(list)
        for file in self.family.files() if wanted else ():
            for block, _ in file.blocks:
                if block.name in wanted and block.intact:
                    found[file.path].append(wanted[block.name])
        return [path for path, part in found.items() if self._rewrite(path, part)]

    def _volumes(self, day: date, drafts: Sequence[EntryDraft]) -> Iterator[tuple[str, list[EntryDraft]]]:
        left, volume = list(drafts), 1
        while left:
            path = self.family.path(day, volume)
            file = self.family.file(path)
            capacity = self.family.target.capacity
            room = max(capacity - (len(file.blocks) if file else 0), 0) if capacity else len(left)
            if room:
                yield path, left[:room]
            left, volume = left[room:], volume + 1

    def _append(self, path: str, day: date, drafts: Sequence[EntryDraft]) -> None:
        sealed = [render_entry(draft.entry) for draft in drafts]
        identities = {draft.entry.id: draft.identity for draft in drafts}
        data = self.workspace.read(path)
        with self.workspace.lease(path) as lease:
            if data is None:
                whole = f"# {day}\n".encode() + appendix(sealed, b"\n")
                with self._intended(Change(self.run_id, path, ChangeKind.CREATE, whole, identities)) as change:
                    if lease.create(whole):
                        self.ledger.changes.settle(change, identities)
                        return
                    self.ledger.changes.drop(change.number)  # somebody made the file first; append to it
                data = self.workspace.read(path) or b""
            grown = appendix(sealed, newline_of(data))
            appended = Change(self.run_id, path, ChangeKind.APPEND, grown, identities, size=len(data))
            with self._intended(appended) as change:
                lease.append(grown)
                self.ledger.changes.settle(change, identities)

    def _rewrite(self, path: str, drafts: Sequence[StatusDraft]) -> bool:
        for _ in range(ATTEMPTS):
            data = self.workspace.read(path) or b""
            changed, identities = self._with_status(data, drafts)
            if changed == data:
                return False
            replaced = Change(self.run_id, path, ChangeKind.REPLACE, changed, identities, before=data)
            with self._intended(replaced) as change:
                if self.workspace.put(path, data, changed):
                    self.ledger.changes.settle(change, identities)
                    return True
                self.ledger.changes.drop(change.number)
        raise ChangedMeanwhile(path)

    def _intended(self, change: Change) -> AbstractContextManager[Change]:
        return intended(self.workspace, self.ledger, change)

    def _with_status(self, data: bytes, drafts: Sequence[StatusDraft]) -> tuple[bytes, dict[str, str]]:
        wanted = {draft.entry_id: draft for draft in drafts}
        # Only what the ledger knows word for word: a block that somebody else sealed must not become ours by a rewrite.
        known = {(block.name, block.digest): block.identity for block in self.ledger.changes.live()}
        touched = {}
        for block in reversed(find_blocks(data)):
            draft, entry = wanted.get(block.name), parse_entry(block)
            # A person's `archived` stands whatever the fold says.
            ours = block.intact and (block.name, block.digest) in known
            if draft and entry and ours and entry.status is not Status.ARCHIVED:
                update = {"status": draft.status, "superseded_by": draft.superseded_by}
                data = replace_block(data, block, render_entry(entry.model_copy(update=update)))
                touched[block.name] = known[block.name, block.digest]
        return data, touched
