"""The lines of an output that report trouble or a result."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, get_args

from pipeline.details.paging import to_lower
from pipeline.language.lexicon import Lexicon
from pipeline.language.word_search import WordSearch


def spans_with(text: str, words: WordSearch) -> dict[int, int]:
    """The beginnings of the lines with one of the words, in any order, and their ends."""
    spans = dict[int, int]()
    for places in words.places(text).values():
        stop = 0
        for place in places:
            if place >= stop:
                start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
                spans[start] = stop = end if end >= 0 else len(text)
    return spans


def number_lines(text: str, spans: dict[int, int], first: int = 1) -> Iterator[tuple[int, int, int]]:
    """The beginnings, the ends and the numbers of lines, in order; `first` is the number of the first of the text."""
    number, counted = first, 0
    for start, end in sorted(spans.items()):
        number += text.count("\n", counted, start)
        counted = start
        yield start, end, number


LONGEST = 300
"""Characters of a line that are kept."""

_MOST = 300  # lines of a severity that are kept apart
_LATEST = 20  # beside these, the latest ones
_FRAMES = 4
_KINDS = 5_000  # of lines that are told apart
_KEY = 2_000  # characters of a line that tell its kind


class Severity(StrEnum):
    """The severity of a line."""

    ERROR = "error"
    WARNING = "warning"


OutputWord = Literal[
    "error", "warning", "result", "stem", "phrase", "absence", "trouble", "no_trouble", "trouble_stem"
]  # fmt: skip
"""The classes of words of an output."""

LINES: Lexicon[OutputWord] = Lexicon("output_lines", get_args(OutputWord))


def _by_first_letter(words: Iterable[str]) -> str:
    """An expression that tries only the words which begin as the text does."""
    groups = dict[str, list[str]]()
    for word in words:
        groups.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in groups.items())


_SPACED = ("en", "pl")
_ERROR = rf"(?:{_by_first_letter(LINES.fragments('error', *_SPACED))})\b|\w+(?:error|exception)\b"
_WARNING = rf"(?:{_by_first_letter(LINES.fragments('warning', *_SPACED))})\b"
_RESULT = LINES.either("result", *_SPACED)
_ABSENCE = LINES.either("absence", *_SPACED)
_TROUBLE = LINES.either("trouble", *_SPACED)
_ASCII_CUE = re.compile(rf"\b(?:(?P<error>{_ERROR})|(?P<warning>{_WARNING})|(?P<result>{_RESULT}))")
_CUE = re.compile(
    rf"(?P<error>\b(?:{_ERROR})|{LINES.either('error', 'zh')})"
    rf"|(?P<warning>\b{_WARNING}|{LINES.either('warning', 'zh')})|(?P<result>\b(?:{_RESULT}))"
)
"""Chinese has no ends of words, so of a line in any alphabet each character may begin a cue."""
_SOUGHT = WordSearch((*LINES.fragments("stem"), *LINES.fragments("phrase"), "real\t"))
"""Words of which every line of interest has at least one."""
_NOTHING_WRONG = (
    rf"\b(?:{_ABSENCE})\s+(?:\w+\s)?(?:{_TROUBLE})\b"
    r"|\b(?:errors?|failures?|failed|warnings?)\s?[:=]\s?(?:0|none|null|false|\[\])\b"
    rf"|{LINES.either('no_trouble', 'zh')}"
)
_ENDINGS = ("py", "js", "ts", "go", "rs", "java", "html", "md")
_NONE = re.compile(_NOTHING_WRONG)
_NONE_OR_FILE = re.compile(rf"{_NOTHING_WRONG}|[\w/]*(?:error|exception|fail|warn)\w*\.(?:{'|'.join(_ENDINGS)})\b")
"""Words that nothing is wrong; in a line with the ending of a file, also a file that is named after an error."""
_FILE_ENDINGS = tuple(f".{ending}" for ending in _ENDINGS)
_NONE_STEMS = LINES.fragments("trouble_stem")
"""Words of which everything that it matches has at least one."""
_SEVERITIES = {severity.value: severity for severity in Severity}
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_AT = re.compile(r"\s+(?:at\s|\^|\||-->|File \")|\s*-->")


@dataclass
class Notable:
    """A line, the first of those that differ in numbers alone: its number, how often it came, and a trace's frames."""

    number: int
    text: str
    severity: Severity
    times: int = 1
    frames: tuple[str, ...] = ()


@dataclass
class _LineKind:
    """The kind of a line, which is the same for all that differ in digits alone."""

    severity: Severity | None
    result: bool
    place: int
    note: Notable | None = None


@dataclass
class Notes:
    """The lines noted so far; `latest` are the last ones, in order."""

    counts: dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))
    results: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    latest: deque[Notable] = field(default_factory=lambda: deque(maxlen=_LATEST))
    _first: list[Notable] = field(default_factory=list)
    _kinds: dict[str, _LineKind] = field(default_factory=dict)

    def look(self, text: str, first_line: int) -> None:
        """Look at whole lines, the first of which has this number."""
        for start, end, number in number_lines(text, spans_with(to_lower(text), _SOUGHT), first_line):
            self._note(text, (start, end), number)

    def _note(self, text: str, span: tuple[int, int], number: int) -> None:
        line = text[slice(*span)]
        key = line[:_KEY].translate(_NO_DIGITS)
        kind = self._kinds.get(key) or _kind_of(line)
        if len(self._kinds) < _KINDS:
            self._kinds[key] = kind
        if kind.result:
            self.results.append(_clip(line, kind.place))
        if not kind.severity:
            return
        self.counts[kind.severity] += 1
        if kind.note:
            kind.note.times += 1
            return
        kind.note = Notable(number, _clip(line, kind.place), kind.severity, frames=_trace_frames(text, *span))
        (self._first if len(self._first) < _MOST else self.latest).append(kind.note)

    def all(self) -> list[Notable]:
        """The lines that were noted, in order."""
        return sorted([*self._first, *self.latest], key=lambda note: note.number)


class NotesOnDemand:
    """Notes of a text that is looked at when somebody asks for them: of code and of a diff nobody does.

    What would wait with more than `most` characters is looked at as it comes, so it stays small.
    """

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._notes, self._waiting = Notes(), list[tuple[str, int]]()

    def add(self, text: str, first_line: int) -> None:
        """Take whole lines, the first of which has this number."""
        self._waiting.append((text, first_line))
        self._size += len(text)
        if self._size > self._most:
            self.look()

    def look(self) -> Notes:
        """The notes of all that has come."""
        for text, first_line in self._waiting:
            self._notes.look(text, first_line)
        self._waiting, self._size = [], 0
        return self._notes


def _kind_of(line: str) -> _LineKind:
    low = to_lower(line)
    if any(stem in low for stem in _NONE_STEMS):
        none = _NONE_OR_FILE if any(ending in low for ending in _FILE_ENDINGS) else _NONE
        low = none.sub(lambda match: " " * len(match[0]), low)
    cue = _ASCII_CUE if low.isascii() else _CUE
    kinds = {match.lastgroup: match.start() for match in reversed(list(cue.finditer(low)))}
    name = next((name for name in ("error", "warning", "result") if name in kinds), "")
    return _LineKind(_SEVERITIES.get(name), "result" in kinds, kinds.get(name, 0))


def _clip(line: str, place: int) -> str:
    line = line.rstrip()
    if len(line) <= LONGEST:
        return line.strip()
    start = max(0, place - LONGEST // 2)
    return f"{'…' if start else ''}{line[start : start + LONGEST].strip()}…"


def _trace_frames(text: str, start: int, end: int) -> tuple[str, ...]:
    """The lines of a stack trace around its error: those before it in Python, those behind it elsewhere."""
    after = text[end + 1 : end + 1_200].split("\n", _FRAMES)[:_FRAMES]
    behind = [line for line in after if _AT.match(line)]
    if behind:
        return tuple(line.strip()[:LONGEST] for line in behind[: _FRAMES - 1])
    before = text[max(0, start - 1_200) : max(0, start - 1)].rsplit("\n", _FRAMES)[-_FRAMES:]
    if any(line.startswith("  File ") for line in before):
        return tuple(line.strip()[:LONGEST] for line in before if line.startswith(" "))
    return ()
