"""The result of the changes of a journal: the lines that hold, and those that were replaced."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from pipeline.language.folding import folded_words
from schemas.memory_change import SECTIONS, BrainSection, ChangeWord, MemoryChange, Operation


@dataclass(frozen=True)
class MemoryLine:
    """A line that stands. `id` is that of the change that wrote it; `said` counts how often it was said.

    `pinned` says that a person put it first.

    `place` is its place in the journal, from 0: of two lines, the one with the greater place is the newer.
    """

    id: str
    section: BrainSection
    text: str
    word: ChangeWord
    importance: int
    at: datetime
    place: int
    corrected: bool = False
    pinned: bool = False
    said: int = 1
    change: MemoryChange | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether it rests on somebody's word."""
        return self.word is not ChangeWord.NOT_CONFIRMED

    @property
    def by_person(self) -> bool:
        """Whether a person wrote, accepted or pinned it."""
        return self.word.is_decision or self.pinned


@dataclass(frozen=True)
class Replaced:
    """A line that no longer stands, and the change that took it away."""

    line: MemoryLine
    by: MemoryChange


class StandingLines(dict[str, MemoryLine]):
    """Lines by id, and the ids of those with the same words: a journal of years has thousands of lines."""

    def __init__(self, lines: Mapping[str, MemoryLine] = {}, saying: Mapping[str, tuple[str, ...]] = {}) -> None:
        super().__init__(lines)
        self._saying = dict(saying)

    def copy(self) -> "StandingLines":
        """The same lines, to be changed apart from these."""
        return StandingLines(self, self._saying)

    def put_line(self, line: MemoryLine) -> None:
        """Add a line, or a second one in place of the one with its id."""
        if line.id in self:
            self.take_out(line.id)
        self[line.id] = line
        words = folded_words(line.text)
        self._saying[words] = (*self._saying.get(words, ()), line.id)

    def take_out(self, line_id: str) -> MemoryLine:
        """Remove a line."""
        line = self.pop(line_id)
        words = folded_words(line.text)
        self._saying[words] = tuple(name for name in self._saying[words] if name != line_id)
        return line

    def saying(self, text: str) -> MemoryLine | None:
        """The first line with these words."""
        return next((self[name] for name in self._saying.get(folded_words(text), ())), None)


@dataclass(frozen=True)
class Standings:
    """The lines that stand, by id in the order of the journal, the replaced ones, and the count of its changes."""

    lines: StandingLines
    replaced: tuple[Replaced, ...]
    count: int

    def saying(self, text: str) -> MemoryLine | None:
        """The line with these words, whatever the case and the marks."""
        return self.lines.saying(text)

    def after(self, changes: Iterable[MemoryChange]) -> "Standings":
        """The lines that stand after further changes, in their order.

        A change of a line that is not there changes nothing. What says a standing line again counts as said once more.
        """
        lines, replaced, further = self.lines.copy(), list(self.replaced), tuple(changes)
        for place, change in enumerate(further, self.count):
            _apply_change(lines, replaced, change, place)
        return Standings(lines, tuple(replaced), self.count + len(further))


def stand(changes: Iterable[MemoryChange]) -> Standings:
    """The standing lines of a journal, its changes in their order."""
    return Standings(StandingLines(), (), 0).after(changes)


def _apply_change(lines: StandingLines, replaced: list[Replaced], change: MemoryChange, place: int) -> None:
    old = lines.get(change.target)
    if change.operation.adds:
        _add_line(lines, change, place)
    elif old is None:
        return
    elif change.operation is Operation.CONFIRM:
        lines[old.id] = replace(old, word=change.word, importance=max(old.importance, change.importance))
    elif change.operation.pins:
        # What a person pins rests on that person's word.
        word = old.word if old.is_confirmed else change.word
        lines[old.id] = replace(old, pinned=change.operation is Operation.PIN, word=word)
    else:
        replaced.append(Replaced(lines.take_out(old.id), change))
        if change.operation is Operation.UPDATE:
            new = _make_line(change, place, old.section)
            importance = max(new.importance, old.importance)
            # Pinned as the old line was, unless a tool replaces it.
            pinned = old.pinned and new.is_confirmed
            lines.put_line(replace(new, corrected=True, pinned=pinned, importance=importance))


def _add_line(lines: StandingLines, change: MemoryChange, place: int) -> None:
    same = lines.saying(change.text)
    if same is None:
        lines.put_line(_make_line(change, place, SECTIONS[change.operation]))
        return
    word = same.word if change.word is ChangeWord.NOT_CONFIRMED or same.word.is_decision else change.word
    again = replace(same, word=word, said=same.said + 1, importance=max(same.importance, change.importance))
    lines[same.id] = replace(again, at=change.at, place=place)


def _make_line(change: MemoryChange, place: int, section: BrainSection) -> MemoryLine:
    return MemoryLine(change.id, section, change.text, change.word, change.importance, change.at, place, change=change)
