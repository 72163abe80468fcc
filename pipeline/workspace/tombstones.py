"""`memory/forgotten.md`: the entries that people deleted, as ids and hashes, so that they are never extracted again.

The file belongs to the people: a person who removes a line allows a later back-fill to extract its entry again.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import FORGOTTEN
from pipeline.workspace.listed_lines import append_lines, keep_lines, reword_lines

PATH = FORGOTTEN
HEADER = (
    "# Forgotten\n\nEntries that a person deleted, as ids and hashes. They are not extracted again; "
    "remove a line to allow it.\n\n"
)
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
    lines = [f"- {tombstone.entry_id} identity:{tombstone.identity} on {day}" for tombstone in new]
    append_lines(workspace, PATH, HEADER, lines)


def rename(workspace: Workspace, names: Mapping[str, str]) -> None:
    """Put other names in place of some, on their lines; every other byte stays. The caller holds the lock `forget`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """

    def renamed(line: bytes) -> bytes:
        listed = _entry_of_line(line)
        name = listed.entry_id if listed else ""
        return line.replace(name.encode(), names[name].encode(), 1) if name in names else line

    reword_lines(workspace, PATH, renamed)


def strike_out(workspace: Workspace, back: Collection[Tombstone]) -> None:
    """Take out the lines of entries that are in files again; every other byte stays.

    The caller holds the lock `forget`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """
    keep_lines(workspace, PATH, lambda line: _entry_of_line(line) not in back)
