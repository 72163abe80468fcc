"""The lines that an agent always knows, as they are shown: ours, and those that others wrote into the file."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.agents.journal import one_line
from pipeline.markdown.blocks import FRONT_MATTER, find_blocks, split_lines

PAGE = "{agents}/{agent}/memory/brain{part}.md"
"""The family of pages; the part `archive` holds what found no room, and what was replaced."""

REPLACED = "replaced"
"""The name of the heading of what was replaced, the last one of the archive."""

HAS_REPLACED_MARK = re.compile(r"\((?:replaced|zastąpione|已被取代) ([0-9]{4}-[0-9]{2}-[0-9]{2}): ")
"""Finds the mark behind a person's line that a later decision replaced, and its day, in the languages of our pages."""

BY_OTHERS = "written in the file"
"""Stands behind a line that we did not write: anybody who may write the file may have written it."""

_PINNED = "p"  # in place of the first letter of the id
_LINE = "j"

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True)
class PageLine:
    """A line of a page for an agent, without comments. `name` is the id of our line, empty for another's."""

    text: str
    name: str = ""

    @property
    def heads(self) -> bool:
        """Whether it is a heading."""
        return self.text.startswith("#")


def pinned_name(line: str) -> str:
    """The name of a pinned line's item on the page: with another name it is put where it belongs by its place."""
    return f"{_PINNED}{line.removeprefix(_LINE)}"


def line_of(name: str) -> str:
    """The id of the line that an item of the page is; of an item that is no line its name."""
    return f"{_LINE}{name.removeprefix(_PINNED)}" if name.startswith(f"{_PINNED}-") else name


def page_lines(data: bytes, ours: Collection[tuple[str, str]]) -> list[PageLine]:
    """The lines of a page that are not empty, with a word behind each that is not ours and no heading.

    Our front matter is left out.

    `ours` are the names and digests of the items that we wrote into it.
    """
    items = (block for block in find_blocks(data) if block.item and block.intact)
    known = {block.start: block for block in items if (block.name, block.digest) in ours}
    lines, inside, rest = list[PageLine](), 0, list[bytes]()
    for line in split_lines(data):
        if line.start < inside:
            continue
        if block := known.get(line.start):
            lines += _lines_by_others(rest)
            rest, inside = [], block.end
            if block.name != FRONT_MATTER:
                lines.append(PageLine(one_line(block.text), line_of(block.name)))
        else:
            rest.append(line.body)
    return [*lines, *_lines_by_others(rest)]


def text_of(lines: Sequence[PageLine]) -> str:
    """The text of lines; a heading with nothing under it is left out, unless it is the last of a higher level."""
    kept = [line for place, line in enumerate(lines) if not line.heads or _has_lines_below(lines, place)]
    return "\n".join(line.text for line in kept)


def _has_lines_below(lines: Sequence[PageLine], place: int) -> bool:
    """Whether anything but headings of the same or a lower level stands behind a heading."""
    level = _level_of(lines[place])
    for line in lines[place + 1 :]:
        if not line.heads:
            return True
        if _level_of(line) <= level:
            return False
    return False


def _level_of(line: PageLine) -> int:
    return len(line.text) - len(line.text.lstrip("#"))


def _lines_by_others(bodies: Sequence[bytes]) -> Iterator[PageLine]:
    text = _COMMENT.sub("", b"\n".join(bodies).decode(errors="replace"))
    for line in filter(None, (one_line(part) for part in text.split("\n"))):
        yield PageLine(line if line.startswith("#") else f"{line} ({BY_OTHERS})")


CURRENT = "section-current"
"""The name of the heading of what is worked on now."""

Count = Callable[[str], int]
"""From a text to its tokens."""


@dataclass(frozen=True)
class Waking:
    """The parts of a wake-up as text and lines; each may be empty. The identity is always given whole."""

    identity: str = ""
    brain: tuple[PageLine, ...] = ()
    context: tuple[str, ...] = ()
    memory: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the parts that are not empty, by their names in their order."""
        sentences = "\n".join(self.context)
        texts = {"identity": self.identity, "brain": text_of(self.brain), "context": sentences, "memory": self.memory}
        return {name: text for name, text in texts.items() if text}

    @property
    def text(self) -> str:
        """All parts, as they are printed."""
        return "\n\n".join(self.texts.values())


def fit_waking(waking: Waking, budget: int, count: Count) -> tuple[Waking, tuple[str, ...]]:
    """The parts that fit into `budget` tokens, and those that were left out, in words.

    First goes what is worked on now, then the end of the context, then the brain from its end.
    """
    now = waking
    for shorter in (_without_current, _without_sentence, _without_line):
        while count(now.text) > budget and (shortened := shorter(now)):
            now = shortened
    lines, sentences = len(waking.brain) - len(now.brain), len(waking.context) - len(now.context)
    left = {f"{lines} lines of the brain": lines, f"{sentences} sentences of the context": sentences}
    return now, tuple(words for words, number in left.items() if number)


def _without_current(waking: Waking) -> Waking | None:
    place = next((place for place, line in enumerate(waking.brain) if line.name == CURRENT), len(waking.brain))
    end = next((end for end in range(place + 1, len(waking.brain)) if waking.brain[end].heads), len(waking.brain))
    if end - place <= 1:  # nothing stands below the heading
        return None
    return replace(waking, brain=(*waking.brain[: end - 1], *waking.brain[end:]))


def _without_sentence(waking: Waking) -> Waking | None:
    return replace(waking, context=waking.context[:-1]) if waking.context else None


def _without_line(waking: Waking) -> Waking | None:
    """The parts without the last line of the brain that is no heading."""
    lines = waking.brain
    last = next((place for place in reversed(range(len(lines))) if not lines[place].heads), None)
    return None if last is None else replace(waking, brain=(*lines[:last], *lines[last + 1 :]))
