"""Blocks of ours that are missing from their files, and the reasons for that.

Absence is no wish. A file that is gone as a whole may come back: a branch was switched, a folder is not mounted, a
sync is not done. A file that was saved over soon after an append, without the appended bytes, is an old copy from an
editor. Only the other missing blocks were taken out by a person.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from functools import cache, cached_property, partial

from pipeline.errors import FileAway, FileDamaged, PipelineError
from pipeline.ledger.changes import Appended, BlockState, Change, ChangeKind, Changes, KnownBlock
from pipeline.markdown.blocks import Block, find_blocks, seal_entry, seal_item
from pipeline.markdown.encoding import closing_fault
from pipeline.markdown.splice import newline_of
from pipeline.workspace.atomic import Landing, landing_of
from pipeline.workspace.families import TargetFile, TargetFiles
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
        """The missing blocks that are missing because this is an earlier version of the file."""
        if not gone:
            return []
        if self._holds_what_was_replaced:
            return list(gone)
        before = len(gone) >= SEVERAL and self._is_content_before(gone)
        if (before or (len(gone) > 1 and self._is_beginning)) and not self._has_come_back(gone):
            return list(gone)
        return [block for block in gone if self._is_older_than(block.run_id)]

    @cached_property
    def torn(self) -> int:
        """The offset at which a block of ours begins that breaks off at the end of the file; -1 without one."""
        standing = {block.name for block in find_blocks(self.data) if block.intact}
        newline, data = newline_of(self.data), self.data
        for known in (known for known in self.expected if known.name not in standing):
            for block in self._texts_written.get(known.name, ()):
                whole = seal_again(block).encode().replace(b"\n", newline)
                for start in _line_starts(data, max(len(data) - len(whole), 0)):
                    part = data[start:]
                    if len(part) >= _SHORTEST and whole.startswith(part) and part.rstrip() != whole.rstrip():
                        return start
        return -1

    @property
    def _holds_what_was_replaced(self) -> bool:
        """Whether a block of ours stands there in an older text, or although we took it out since."""
        now = {standing.block.name: standing for standing in self.changes.in_file(self.path)}
        for block in find_blocks(self.data):
            known = now.get(block.name)
            replaced = known and (known.block.digest != block.digest or known.state in _TAKEN_OUT)
            if replaced and any(block.digest == written.digest for written in self._texts_written.get(block.name, ())):
                return True
        return False

    @property
    def _is_beginning(self) -> bool:
        """Whether a page is the beginning of what we made it last, cut between two lines."""
        grown = any(block.identity for block in self.expected)  # by one block after the other, each with an identity
        return bool(self._changes_of_file) and not grown and self._changes_of_file[-1].after.startswith(self.data)

    def _is_content_before(self, gone: Collection[KnownBlock]) -> bool:
        """Whether the file has exactly what it had before blocks came that are missing."""
        names = {block.name for block in gone}
        return any(
            change.size == len(self.data) if change.kind is ChangeKind.APPEND else change.before == self.data
            for change in self._changes_of_file
            if names & change.identities.keys()
        )

    def _has_come_back(self, gone: Collection[KnownBlock]) -> bool:
        """Whether one of the missing blocks was written again before: who takes it out then has been told."""
        return any(
            sum(block.digest == written.digest for written in self._texts_written.get(block.name, ())) > 1
            for block in gone
        )

    def _is_older_than(self, run_id: str) -> bool:
        """Whether the file was saved before a run wrote into it, as the time of a copy says that kept it."""
        with suppress(ValueError, OSError):
            began = datetime.strptime(run_id.partition("-")[0], _RUN_TIME).replace(tzinfo=UTC)
            saved = self.workspace.locate(self.path).stat().st_mtime
            return saved + _TICK_SECONDS < began.timestamp()
        return False

    @cached_property
    def _changes_of_file(self) -> list[Change]:
        return self.changes.of_path(self.path)

    @cached_property
    def _texts_written(self) -> Mapping[str, Sequence[Block]]:
        """Every text of every block that we wrote into the file, by name, the newest first."""
        texts = dict[str, list[Block]]()
        for change in reversed(self._changes_of_file):
            for name, block in change.blocks().items():
                texts.setdefault(name, []).append(block)
        return texts


_TAKEN_OUT = frozenset({BlockState.DROPPED, BlockState.UNDONE})


def seal_again(block: Block) -> str:
    """The lines of a block with its check."""
    return seal_item(block.name, block.text) if block.item else seal_entry(block.text)


def _line_starts(data: bytes, at: int) -> Iterator[int]:
    """The offsets from `at` on at which a line begins."""
    if at == 0:
        yield 0
    while (at := data.find(b"\n", at) + 1) and at < len(data):
        yield at


SOON = timedelta(minutes=10)
"""The time after an append in which a saved copy of the file without the appended bytes counts as an older copy."""
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True)
class Missing:
    """The missing blocks of a family that should hold `known` blocks, which are counted where some are missing.

    An old copy of a file took away the `lost` ones. The `away` ones are gone with their whole file, with all of our
    blocks in it, or with a part of it that cannot be read; `faults` says what is wrong with such a file. A person took
    out the `deleted` ones.
    """

    known: int
    lost: tuple[KnownBlock, ...]
    away: tuple[KnownBlock, ...]
    deleted: tuple[KnownBlock, ...]
    faults: Mapping[str, str]

    @property
    def files_away(self) -> tuple[str, ...]:
        """The paths of the `away` blocks, sorted."""
        return tuple(sorted({block.path for block in self.away}))


def missing(workspace: Workspace, changes: Changes, family: TargetFiles, files: Iterable[TargetFile]) -> Missing:
    """The missing blocks of a family with these `files`.

    Raises:
        ReadFailed: the system refuses.
    """
    table, by_path = changes.held.refresh(), {file.path: file for file in files}
    elsewhere = [path for path in table.paths() - by_path.keys() if family.owns(path) and table.standing_in(path)]
    short = (file.path for file in table.find_differing(by_path.values()) if table.standing_in(file.path) - file.names)
    elsewhere += short
    if not elsewhere:
        return Missing(0, (), (), (), {})
    known, names = changes.names_where(family.owns), (file.names for file in by_path.values())
    present = frozenset[str]().union(*names)
    lost, away, deleted, faults = list[KnownBlock](), list[KnownBlock](), list[KnownBlock](), dict[str, str]()
    for path in sorted(path for path in elsewhere if not known[path] <= present):
        expected = changes.standing_in(path)
        gone = [block for block in expected if block.name not in present]
        data = workspace.read(path) or b""
        version = FileVersion(workspace, changes, path, data, expected)
        if fault := fault_of(version):
            faults[path] = fault
            away += gone
            continue
        old_copy = taken_by_an_old_copy(workspace, changes, expected, gone) if data else []
        left = [block for block in gone if block not in old_copy]
        whole = not data.strip() or SEVERAL <= len(left) == len(expected) - len(old_copy)
        old_copy += [] if whole else version.earlier(left)
        left = [block for block in left if block not in old_copy]
        lost += old_copy
        (away if whole else deleted).extend(left)
    return Missing(sum(map(len, known.values())), tuple(lost), tuple(away), tuple(deleted), faults)


def fault_of(version: FileVersion) -> str:
    """The reason for which nothing can be concluded from the blocks that a file misses; empty when something can."""
    if closed := closing_fault(version.data):
        return f"{closed.what}, in line {closed.line}"
    line = version.data.count(b"\n", 0, max(version.torn, 0)) + 1
    return f"breaks off in line {line}" if version.torn >= 0 else ""


def note_seen(
    workspace: Workspace, changes: Changes, family: TargetFiles, files: Iterable[TargetFile], now: datetime
) -> None:
    """Drop the places of appended blocks that no old copy can take away any more, for an editor has loaded them since.

    The place of a block is dropped when its file was saved with it, or when the time for an old copy is over. Of a line
    that stands behind the block since, the digest is kept: a copy with this line is not older than the block.
    """
    moment, soon, seen = now.timestamp(), SOON.total_seconds(), family.looked_at
    by_path = {
        file.path: file
        for file in files
        if (last_look := seen.get(file.path)) is None or last_look[0] is not file or moment > last_look[1]
    }
    landing_at, size_at = cache(partial(find_landing, workspace)), cache(partial(_file_size, workspace))
    # Of several blocks of one name the first counts.
    ends_in = cache(lambda path: {block.name: block.end for block, _ in reversed(by_path[path].blocks)})
    data_at = cache(workspace.read)
    places, noted, until = changes.places(by_path), set[str](), dict[str, float]()
    for (path, name), appended in places.items():
        last = appended.landing.moment / _NANOSECONDS + soon
        until[path] = min(last, until.get(path, last))
        over = moment > last
        if not over and path in seen and seen[path][0] is by_path[path]:
            continue
        end = ends_in(path).get(name, 0)
        if not end:
            continue
        landing = landing_at(path)
        # A file that ends with the block has nothing behind it: most are not read.
        looked_at = not appended.behind and size_at(path) > end
        if over or (landing and landing.file != appended.landing.file):
            changes.place(path, name, None)
            noted.add(path)
        elif looked_at and (behind := _line_behind(data_at(path) or b"", end)):
            changes.place(path, name, replace(appended, behind=behind))
            noted.add(path)
    seen |= {path: (by_path[path], last) for path, last in until.items() if path not in noted}


def put_ours(workspace: Workspace, changes: Changes, path: str, read: bytes | None, data: bytes | None) -> bool:
    """Put `data` in place of what was `read`, as `Workspace.put_file` does, so our own file is taken for no old copy.

    The places of the blocks go over to the new file. The caller has noted what is missing. A crash in between leaves
    the blocks without places.

    Raises:
        WriteFailed: the system refuses.
    """
    places = {name: appended for (_, name), appended in changes.places([path]).items()}
    changes.place_all(path, dict.fromkeys(places))
    try:
        put = workspace.put_file(path, read, data)
    except PipelineError:
        changes.place_all(path, places)
        raise
    if not put:
        changes.place_all(path, places)
    elif landing := find_landing(workspace, path):
        ours = {name: replace(old, landing=replace(old.landing, file=landing.file)) for name, old in places.items()}
        changes.place_all(path, ours)
    return put


def _line_behind(data: bytes, end: int) -> str:
    """The digest of the first whole line behind a block that stands nowhere before its end; empty without one."""
    before = set(data[:end].split(b"\n"))
    behind = (line for line in data[end:].split(b"\n")[:-1] if line.strip() and line not in before)
    return next(map(digest_of, behind), "")


def _file_size(workspace: Workspace, path: str) -> int:
    with suppress(OSError):
        return workspace.locate(path).stat().st_size
    return 0


def find_landing(workspace: Workspace, path: str) -> Landing | None:
    """The landing of a file as it stands; `None` when it is gone."""
    with suppress(OSError):
        return landing_of(workspace.locate(path))
    return None


def refuse_damaged(path: str, data: bytes | None, *, appending: bool = False) -> None:
    """Refuse to write into a file that is no text of ours any more; something may be appended behind a conflict."""
    fault = closing_fault(data or b"")
    if fault and not (appending and fault.over):
        raise FileDamaged(path, fault.what, fault.line)


def refuse_where_away(gone: Missing, patterns: Collection[str]) -> None:
    """Refuse to read or write files that match `patterns` while one of them is gone as a whole."""
    wanted = [path for path in gone.files_away if any(fnmatchcase(path, pattern) for pattern in patterns)]
    if wanted:
        entries = sum(block.path in wanted for block in gone.away)
        raise FileAway(wanted, entries, gone.faults.get(wanted[0], FileAway.fault))


def taken_by_an_old_copy(
    workspace: Workspace, changes: Changes, expected: Iterable[KnownBlock], gone: Collection[KnownBlock]
) -> list[KnownBlock]:
    """The blocks that an old copy of their file took away, of the missing ones of one file, which are one at least.

    Such a copy has nothing that was appended after it was loaded. A person who deletes entries has loaded the others.
    """
    path = next(iter(gone)).path
    # A block that was written again has no place any more: gone a second time, it was deleted by a person.
    places, lines = changes.places([path]), set(map(digest_of, (workspace.read(path) or b"").split(b"\n")))
    seen = {block.run_id for block in expected if block not in gone}
    unseen = [block for block in gone if (path, block.name) in places and block.run_id not in seen]
    unseen_places = {block: places[path, block.name] for block in unseen}
    newest = max(unseen_places.values(), key=lambda place: place.landing.moment, default=None)
    if newest is None or newest.behind in lines or not _is_saved_over(workspace, path, newest):
        return []
    return [block for block, place in unseen_places.items() if place.behind not in lines]


def _is_saved_over(workspace: Workspace, path: str, appended: Appended) -> bool:
    """Whether a file was replaced soon after an append, by another file or by what it had held before."""
    file, landed = workspace.locate(path), appended.landing
    try:
        now, status = landing_of(file), file.stat()
    except OSError:  # the file is gone since it was read: the next run handles that
        return False
    # A copy that kept its own time is older than the append; then the moment counts in which it took the name.
    saved = now.moment if now.moment >= landed.moment else status.st_ctime_ns
    if not 0 <= saved - landed.moment <= SOON.total_seconds() * _NANOSECONDS:
        return False
    return now.file != landed.file or digest_of(workspace.read(path) or b"") == appended.before


def digest_of(data: bytes) -> str:
    """SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(data).hexdigest()
