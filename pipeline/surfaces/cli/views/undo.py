"""An undo in a person's words: the file, the heading or the entry, and how many lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.corrections.undo import Undone
from pipeline.corrections.undo_backfill import BackfillUndone
from pipeline.ledger.changes import Change
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.moved import count_lines
from pipeline.markdown.sections import Section, find_sections
from pipeline.surfaces.cli.terminal.format import count, printable

_TOP = 1  # the level of a page's title; what stands above it has level 0
_SINCE = ": changed, moved or deleted since"


@dataclass(frozen=True)
class _UndoneBlock:
    """A block of ours: the heading that it stands under, or as an entry begins with, and how many lines it has."""

    path: str
    title: str
    lines: int
    entry: bool

    def same(self) -> tuple[str, str, bool]:
        """The grouping key: parts with the same one are printed together."""
        return self.path, self.title, self.entry


def in_words(undone: Undone, changes: Sequence[Change]) -> Iterator[str]:
    """The lines for a person, those of a file under its name. `changes` are the run's.

    What an adoption moved has no block: `undone` itself names its file and lines.
    """
    after = {name: part for change in changes for name, part in _parts(change.path, change.after).items()}
    before = {name: part for change in changes for name, part in _parts(change.path, change.before or b"").items()}
    rows = [
        *_rows("removed", undone.removed, after),
        *_rows("restored", undone.restored, before),
        *_rows("kept", undone.left, after, _SINCE),
    ]
    if undone.suggestions:
        yield f"taken back  {count(undone.suggestions, 'suggestion')}"
    # Sorting keeps the order among equals: of a file first what was removed, as it stood there.
    for path, group in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        if path:
            yield path
        for _, line in group:
            yield f"  {line}" if path else line


def sum_in_words(taken: BackfillUndone, *, dry_run: bool) -> str:
    """What became of a back-fill, in a sentence; for a dry run, what would."""
    removed, restored = (
        sum(len(names) for names in parts)
        for parts in ([one.removed for one in taken.undone], [one.restored for one in taken.undone])
    )
    kept = sum(map(len, taken.kept.values()))
    wrote, runs = len(taken.undone), len(taken.records)
    return (
        f"Back-fill {taken.backfill} {'would be' if dry_run else 'is'} undone: {count(runs, 'run')}, of which {wrote} "
        f"had written; {count(removed, 'part')} removed, {restored} restored, {kept} kept."
    )


def _rows(what: str, names: Sequence[str], parts: dict[str, _UndoneBlock], why: str = "") -> Iterator[tuple[str, str]]:
    """The files, each with a line about what was done in it."""
    for name in names:
        if name not in parts:
            yield "", f"{what:<8}  {name}{why}"
    known = [parts[name] for name in names if name in parts]
    for (path, title, entry), group in groupby(known, key=_UndoneBlock.same):
        lines = count(sum(part.lines for part in group), "line")
        yield path, f"{what:<8}  {f'{title} ({lines})' if entry else f'{lines} {_place(title)}'}{why}"


def _place(title: str) -> str:
    return f'of "{title}"' if title else "at the top"


def _parts(path: str, data: bytes) -> dict[str, _UndoneBlock]:
    """Our blocks of a file by name."""
    sections = find_sections(data)
    return {
        block.name: _UndoneBlock(
            path, _title(sections, block.start), count_lines(data[block.start : block.end]), entry=not block.item
        )
        for block in find_blocks(data)
    }


def _title(sections: Sequence[Section], place: int) -> str:
    """The heading that a block begins with or stands under; empty at the top of a page."""
    section = next((candidate for candidate in sections if candidate.start <= place < candidate.end), None)
    return "" if section is None or (section.level <= _TOP) else printable(section.title)
