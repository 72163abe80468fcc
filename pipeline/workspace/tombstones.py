"""`memory/forgotten.md`: the entries that people deleted, as ids and hashes, so that they are never extracted again.

The file belongs to the people: a person who removes a line allows a later back-fill to extract its entry again.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.errors import ChangedMeanwhile
from pipeline.markdown.splice import newline_of
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN

PATH = FORGOTTEN
_HEADER = (
    b"# Forgotten\n\nEntries that a person deleted, as ids and hashes. They are not extracted again; "
    b"remove a line to allow it.\n\n"
)
_ATTEMPTS = 5
_LINE = re.compile(rb"[ \t]*- (\S+) identity:([0-9a-f]*) on \d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Tombstone:
    """An entry that is to stay away. `identity` is empty when its source is gone too."""

    entry_id: str
    identity: str


def read_forgotten(workspace: Workspace) -> list[Tombstone]:
    """The entries in `memory/forgotten.md`, in its order."""
    data = workspace.read(PATH) or b""
    return [listed for line in data.splitlines() if (listed := _entry_of_line(line))]


def _entry_of_line(line: bytes) -> Tombstone | None:
    """The tombstone of a line; `None` when it is a person's line, which may also be about a tombstone."""
    match = _LINE.match(line)
    return Tombstone(match.group(1).decode(errors="replace"), match.group(2).decode()) if match else None


def note_forgotten(workspace: Workspace, gone: Sequence[Tombstone], day: date) -> None:
    """Append what is not listed yet. The caller holds the lock `forget`.

    Raises:
        WriteFailed: the system refuses.
    """
    # By both: an id that is free again may be given to another entry, which may be deleted too.
    listed = set(read_forgotten(workspace))
    new = dict.fromkeys(tombstone for tombstone in gone if tombstone not in listed)
    lines = [f"- {tombstone.entry_id} identity:{tombstone.identity} on {day}\n" for tombstone in new]
    if not lines:
        return
    with workspace.lease(PATH) as lease:
        _append(workspace, lease, "".join(lines).encode())


def strike_out(workspace: Workspace, back: Collection[Tombstone]) -> None:
    """Take out the lines of entries that are in files again; every other byte stays.

    The caller holds the lock `forget`.

    Raises:
        ChangedMeanwhile: another program kept writing to the file.
        WriteFailed: the system refuses.
    """
    for _ in range(_ATTEMPTS):
        data = workspace.read(PATH)
        kept = b"".join(line for line in (data or b"").splitlines(keepends=True) if _entry_of_line(line) not in back)
        if kept == (data or b"") or workspace.put(PATH, data, kept):
            return
    raise ChangedMeanwhile(PATH)


def _append(workspace: Workspace, lease: FileWriter, lines: bytes) -> None:
    if workspace.read(PATH) is None and lease.create(_HEADER + lines):
        return
    data = workspace.read(PATH) or b""
    newline = newline_of(data)
    lead = b"" if data.endswith(newline) else newline
    lease.append(lead + lines.replace(b"\n", newline))
