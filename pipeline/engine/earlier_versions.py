"""Signs that a file is no person's edit of what we wrote: it breaks off, or it is an earlier version of itself.

A backup that is brought back, a branch that is checked out, a sync that has not ended: none of them is a wish that what
is missing be forgotten. A person who takes lines out saves the file after our last write, and leaves all other lines of
ours as they are. So each sign here is one that such a person does not leave.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from pipeline.ledger.changes import BlockState, Change, ChangeKind, Changes, KnownBlock
from pipeline.markdown.blocks import Block, find_blocks, seal_entry, seal_item
from pipeline.markdown.splice import newline_of
from pipeline.workspace.files import Workspace

SEVERAL = 3
"""From so many missing blocks on, bytes that a file has had before are an earlier version of it, and no coincidence."""
_SHORTEST = 4  # bytes of a block's beginning by which it is known
_RUN_TIME = "%Y%m%dT%H%M%S"
_TICK_SECONDS = 2.0
"""Some file systems keep the time of a file in steps of that."""


@dataclass(frozen=True)
class FileVersion:
    """A file as it stands, with what the ledger knows of its blocks and of its past."""

    workspace: Workspace
    changes: Changes
    path: str
    data: bytes
    expected: Sequence[KnownBlock]

    def earlier(self, gone: Collection[KnownBlock]) -> list[KnownBlock]:
        """Those of the missing blocks that are missing because this is an earlier version of the file."""
        if not gone:
            return []
        if self._holds_what_was_replaced:
            return list(gone)
        before = len(gone) >= SEVERAL and self._stood_before(gone)
        if (before or (len(gone) > 1 and self._is_beginning)) and not self._came_back(gone):
            return list(gone)
        return [block for block in gone if self._is_older_than(block.run_id)]

    @cached_property
    def torn(self) -> int:
        """The offset at which a block of ours begins that breaks off at the end of the file; -1 without one."""
        standing = {block.name for block in find_blocks(self.data) if block.intact}
        newline, data = newline_of(self.data), self.data
        for known in (known for known in self.expected if known.name not in standing):
            for block in self._written.get(known.name, ()):
                whole = _sealed(block).replace(b"\n", newline)
                for start in _line_starts(data, max(len(data) - len(whole), 0)):
                    part = data[start:]
                    if len(part) >= _SHORTEST and whole.startswith(part) and part.rstrip() != whole.rstrip():
                        return start
        return -1

    @property
    def _holds_what_was_replaced(self) -> bool:
        """Whether a block of ours stands there in an older text, or although we took it out since."""
        now = {one.block.name: one for one in self.changes.in_file(self.path)}
        for block in find_blocks(self.data):
            known = now.get(block.name)
            replaced = known and (known.block.digest != block.digest or known.state in _TAKEN_OUT)
            if replaced and any(block.digest == written.digest for written in self._written.get(block.name, ())):
                return True
        return False

    @property
    def _is_beginning(self) -> bool:
        """Whether a page is the beginning of what we made it last, cut between two lines."""
        grown = any(block.identity for block in self.expected)  # by one block after the other, each with an identity
        return bool(self._past) and not grown and self._past[-1].after.startswith(self.data)

    def _stood_before(self, gone: Collection[KnownBlock]) -> bool:
        """Whether the file has exactly what it had before blocks came that are missing."""
        names = {block.name for block in gone}
        return any(self._is_state_before(change) for change in self._past if names & change.identities.keys())

    def _came_back(self, gone: Collection[KnownBlock]) -> bool:
        """Whether one of the missing blocks was written again before: who takes it out then has been told."""
        return any(sum(_brings(change, block) for change in self._past) > 1 for block in gone)

    def _is_state_before(self, change: Change) -> bool:
        if change.kind is ChangeKind.APPEND:
            return change.size == len(self.data)
        return change.before == self.data

    def _is_older_than(self, run_id: str) -> bool:
        """Whether the file was saved before a run wrote into it, as the time of a copy says that kept it."""
        with suppress(ValueError, OSError):
            began = datetime.strptime(run_id.partition("-")[0], _RUN_TIME).replace(tzinfo=UTC)
            saved = self.workspace.locate(self.path).stat().st_mtime
            return saved + _TICK_SECONDS < began.timestamp()
        return False

    @cached_property
    def _past(self) -> list[Change]:
        return self.changes.of_path(self.path)

    @cached_property
    def _written(self) -> Mapping[str, Sequence[Block]]:
        """Every text of every block that we wrote into the file, by name, the newest first."""
        texts = dict[str, list[Block]]()
        for change in reversed(self._past):
            for name, block in change.blocks().items():
                texts.setdefault(name, []).append(block)
        return texts


_TAKEN_OUT = frozenset({BlockState.DROPPED, BlockState.UNDONE})


def _brings(change: Change, block: KnownBlock) -> bool:
    written = change.blocks().get(block.name)
    return written is not None and written.digest == block.digest


def _sealed(block: Block) -> bytes:
    return (seal_item(block.name, block.text) if block.item else seal_entry(block.text)).encode()


def _line_starts(data: bytes, at: int) -> Iterator[int]:
    """The offsets from `at` on at which a line begins."""
    if at == 0:
        yield 0
    while (at := data.find(b"\n", at) + 1) and at < len(data):
        yield at
