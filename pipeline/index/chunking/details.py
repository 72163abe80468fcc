"""From a stored detail to its passages: the beginning of its text, and of a longer one its synopsis too.

Both are texts of their own, with lines to cite: `detail:KEY` and `detail:KEY#synopsis`. What is in the index whole
needs no synopsis: that is made of its lines.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

from pipeline.index.chunking.splitting import cut_lines
from pipeline.index.document import IndexedFile, Passage
from pipeline.index.schema import ANYBODY, reader_name
from pipeline.workspace.layout import LOW
from schemas.detail import Detail, Placement
from schemas.tier import Tier

BEGINNING: Final = "detail:"
"""The beginning of the path of a detail; its key comes next."""
SYNOPSIS: Final = "#synopsis"
"""The end of the path of a synopsis."""
SEARCHED: Final = 262_144
"""Bytes of a text that are in the index."""

SHOWN: Final = 2_000
"""Characters of a line that a hit shows."""

_TOGETHER = 16
"""Passages of one section."""


def key_of(path: str) -> str:
    """The key of the detail that a path names."""
    return path.removeprefix(BEGINNING).removesuffix(SYNOPSIS)


def all_paths_of(key: str) -> tuple[str, ...]:
    """The paths that may be in the index of the detail with a key."""
    path = f"{BEGINNING}{key}"
    return path, f"{path}{SYNOPSIS}"


def paths_of(detail: Detail) -> tuple[str, ...]:
    """The paths of what is in the index of a detail."""
    paths = all_paths_of(detail.key)
    return paths if detail.size > SEARCHED and detail.summary.strip() else paths[:1]


def lines_of_detail(data: bytes) -> list[str]:
    """The lines of the beginning of a text; the last one is left out when it was cut and others stand before it."""
    lines = data.decode("utf-8", "replace").split("\n")
    if not lines[-1] or (len(data) >= SEARCHED and len(lines) > 1):
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def shown_line(line: str) -> str:
    """A line as a hit shows it: all of its words are looked through, but a whole file may stand on one line."""
    return line[:SHOWN]


def detail_document(path: str, detail: Detail, lines: Sequence[str], day: date) -> IndexedFile:
    """The document of a detail, or of its synopsis. No person vouches for it, and it names no entry."""
    headings = (detail.description,) if detail.description.strip() else ()
    passages = list[Passage]()
    for number, part in enumerate(cut_lines(lines, 0, len(lines) - 1) if lines else ()):
        if part.text.strip():
            text = "\n".join(map(shown_line, lines[part.first : part.last + 1]))
            section = number // _TOGETHER
            passages.append(Passage(part.first + 1, part.last + 1, text, part.text, headings, section=section))
    return IndexedFile(
        path=path,
        tier=Tier.DETAIL,
        kind=detail.type.value,
        trust=LOW,
        day=day,
        agent=detail.placement.agent_id,
        passages=tuple(passages),
        readers=_reader_names(detail.placement),
        thread=detail.placement.thread_id,
    )


def _reader_names(placement: Placement) -> tuple[str, ...]:
    """The names of a detail's readers: `ANYBODY`, or each sort of reader that `schemas.detail` allows."""
    if placement.is_open:
        return (ANYBODY,)
    user = placement.user_id
    agent = [reader_name(user, placement.agent_id)] if placement.is_of_an_agent else []
    agents = [reader_name(user, None)] if placement.is_of_all_agents else []
    return (reader_name(user), *agent, *agents)
