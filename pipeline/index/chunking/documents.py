"""From a file's bytes to its passages. Nothing here raises but `NotText`, whatever the file holds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pipeline.index.chunking.dates import day_in
from pipeline.index.chunking.entry_passages import Recorded, recorded
from pipeline.index.chunking.front_matter import FrontMatter, front_matter
from pipeline.index.chunking.passages import Cutter
from pipeline.index.chunking.turns import first_turn, is_hook, paragraphs, turns
from pipeline.index.document import IndexedFile, Passage
from pipeline.markdown.encoding import readable_text
from pipeline.workspace.layout import LOW, RAW, FileRole
from pipeline.workspace.listing import Listed

if TYPE_CHECKING:
    from pipeline.index.chunking.fact_passages import RetainedFact

VERSION: Final = 8
"""Raised when the passages of some file change; a part of the index's identity."""


def read_document(listed: Listed, data: bytes, where: FileRole) -> IndexedFile:
    """The document of a file. `data` is what stands in it, `where` its role.

    Lines end with LF or CRLF, as everywhere in our reading of a page; a lone CR, a form feed or U+2028 ends none.

    Raises:
        NotText: it holds what no text has.
    """
    text = readable_text(data)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    front = front_matter(lines)
    cutter = Cutter(lines, front.titles)
    if is_hook(lines):
        where = FileRole(where.tier, RAW, LOW, where.agent)
        _cut_hook(cutter)
    elif where.kind == RAW:
        _cut_raw(cutter)
    else:
        _cut_markdown(cutter, data if b"\0" not in data else text.encode(), front.lines, listed.path)
    return IndexedFile(
        path=listed.path,
        tier=listed.tier,
        kind=where.kind,
        trust=where.trust,
        day=day_in(listed.path.rpartition("/")[2]) or front.day or day_in(cutter.first_heading),
        agent=where.agent,
        passages=tuple(_or_titles(cutter.end(), lines, front)),
    )


def _cut_markdown(cutter: Cutter, data: bytes, start: int, path: str) -> None:
    at = start
    blocks: list[Recorded | RetainedFact] = [*recorded(data), *_facts(cutter, data, path)]
    for block in sorted(blocks, key=lambda block: block.first):
        if block.first < at:
            continue
        cutter.markdown(at, block.first)
        if isinstance(block, Recorded):
            cutter.recorded(block)
        else:
            cutter.retained(block)
        at = block.last + 1
    cutter.markdown(at, len(cutter.lines))


def _facts(cutter: Cutter, data: bytes, path: str) -> "list[RetainedFact]":
    """The facts of a text of the workspace; they are not looked for in `index.extra_paths`."""
    if b"retain" not in data.lower() or ":" in path.partition("/")[0]:
        return []
    from pipeline.index.chunking.fact_passages import retained  # noqa: PLC0415 - a search may meet no fact

    return retained(data, path, cutter.lines)


def _cut_hook(cutter: Cutter) -> None:
    begin = first_turn(cutter.lines)
    cutter.markdown(0, begin)
    for first, last in turns(cutter.lines, begin):
        cutter.text(first, last)


def _cut_raw(cutter: Cutter) -> None:
    for first, last in paragraphs(cutter.lines):
        cutter.text(first, last)


def _or_titles(passages: Sequence[Passage], lines: Sequence[str], front: FrontMatter) -> Sequence[Passage]:
    """The passages; of a file with front matter alone, its titles."""
    if passages or not front.titles:
        return passages
    return [Passage(1, front.lines, "\n".join(lines[: front.lines]), "\n".join(front.titles))]
