"""The part of a hit that answers, on one line."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pipeline.index.chunking.plain_text import is_ours, of_item, plain
from pipeline.language.words import Word, words_of
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import one_line, parse_entry
from schemas.entry import NOT_STATED, Entry

LONGEST = 240
"""Characters of a snippet."""
_BEFORE = 40  # of the first word that answers
_CUT = "…"
_SPACE = re.compile(r"\s")


@dataclass(frozen=True)
class PassageText:
    """The text of some lines: `whole` has no machine-readable parts; `entry` is the entry in them, as written."""

    whole: str
    entry: Entry | None

    def snippet(self, wanted: Collection[str]) -> str:
        """The part where most of the wanted terms stand; of an entry, its title and its words."""
        return cut(flat(_best(self.entry, wanted) if self.entry else self.whole), wanted)


def passage_text(text: str) -> PassageText:
    """The text of some lines of Markdown."""
    entry = entry_in(text)
    return PassageText("\n".join([entry.title, *_texts(entry)]) if entry else plainly(text), entry)


def plainly(text: str) -> str:
    """The words of some lines, without what only machines read."""
    return of_item(text) if is_ours(text) else plain(text)


def entry_in(text: str) -> Entry | None:
    """The entry that some lines are, as written; `None` when they are none."""
    blocks = [block for block in find_blocks(text.encode("utf-8", "replace")) if not block.item]
    return parse_entry(blocks[0]) if len(blocks) == 1 else None


def cut(line: str, wanted: Collection[str], longest: int = LONGEST) -> str:
    """At most so many characters of a line, around the place where most of the wanted terms stand, whole words only."""
    if len(line) <= longest:
        return line
    room = longest - 2 * len(_CUT)
    start = _start(words_of(line, wanted), room, len(line))
    start, end = _whole(line, start, start + room)
    return f"{_CUT if start else ''}{line[start:end].strip()}{_CUT if end < len(line) else ''}"


def flat(text: str) -> str:
    """A text on one line."""
    line = " ".join(text.split())
    return line if line.isprintable() else one_line(line)


def _texts(entry: Entry) -> list[str]:
    fields = [entry.quote, entry.conclusion, entry.why, entry.finding, entry.impact]
    return [text for text in fields if text != NOT_STATED]


def _best(entry: Entry, wanted: Collection[str]) -> str:
    """The title and the quote, or another field of the entry with more of the wanted terms."""
    best = max(_texts(entry), key=lambda text: len(_terms(words_of(text, wanted)) & set(wanted)))
    title = entry.title.rstrip(f"{_CUT}. ")
    return best if one_line(best).casefold().startswith(title.casefold()) else f"{title}: {best}"


def _start(words: Sequence[Word], room: int, length: int) -> int:
    """Where the window begins that holds the most different terms, the first of several."""
    best, most = 0, 0
    for first, word in enumerate(words):
        inside = words[first : bisect_right([inner.end for inner in words], word.start + room - _BEFORE)]
        if len(_terms(inside)) > most:
            best, most = word.start, len(_terms(inside))
    return max(0, min(best - _BEFORE, length - room))


def _terms(words: Sequence[Word]) -> set[str]:
    return set().union(*(word.terms for word in words))


def _whole(line: str, start: int, end: int) -> tuple[int, int]:
    """The window without cut words at its ends, in text with spaces."""
    spaces = [match.start() for match in _SPACE.finditer(line, start, end)]
    if start and not line[start - 1].isspace() and (at := bisect_left(spaces, start)) < len(spaces):
        start = spaces[at] + 1 if spaces[at] < start + _BEFORE else start
    if end < len(line) and not line[end].isspace() and spaces and spaces[-1] > end - _BEFORE:
        end = spaces[-1]
    return start, min(end, len(line))
