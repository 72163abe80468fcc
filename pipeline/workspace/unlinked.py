"""`memory/unlinked.md`: the pairs of entries that people took apart, so that no run links them again.

The file belongs to the people: a person who removes a line lets a later judgement link its entries again.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date

from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import UNLINKED
from pipeline.workspace.listed_lines import append_lines, keep_lines
from schemas.links import LinkBar

PATH = UNLINKED
LOCK = "unlink"
_HEADER = (
    "# Unlinked\n\nPairs of entries that a person took apart, by their ids and by hashes of their messages. Neither "
    "replaces nor repeats the other; remove a line to allow it.\n\n"
)
_LINE = re.compile(rb"[ \t]*- (\S+) message:([0-9a-f]+) and (\S+) message:([0-9a-f]+) on \d{4}-\d{2}-\d{2}")


def read_unlinked(workspace: Workspace) -> list[LinkBar]:
    """The pairs in `memory/unlinked.md`, in its order."""
    data = workspace.read(PATH) or b""
    return [bar for line in data.splitlines() if (bar := _parse_pair(line))]


def note_unlinked(workspace: Workspace, bars: Sequence[LinkBar], day: date) -> None:
    """Append the pairs that are not listed yet. The caller holds the lock `unlink`.

    Raises:
        WriteFailed: the system refuses.
    """
    listed = set(read_unlinked(workspace))
    lines = [
        f"- {bar.ids[0]} message:{bar.places[0]} and {bar.ids[1]} message:{bar.places[1]} on {day}"
        for bar in dict.fromkeys(bars)
        if bar not in listed
    ]
    append_lines(workspace, PATH, _HEADER, lines)


def allow_links(workspace: Workspace, pairs: Collection[frozenset[str]]) -> None:
    """Take out the lines of these pairs of ids; every other byte stays. The caller holds the lock `unlink`.

    Raises:
        WorkspaceError: another program kept writing to the file; the system refuses.
    """
    keep_lines(workspace, PATH, lambda line: not (bar := _parse_pair(line)) or frozenset(bar.ids) not in pairs)


def _parse_pair(line: bytes) -> LinkBar | None:
    """The pair in a line; `None` for a line of a person."""
    match = _LINE.match(line)
    if match is None:
        return None
    first, first_place, second, second_place = (part.decode(errors="replace") for part in match.groups())
    return LinkBar(ids=(first, second), places=(first_place, second_place))
