"""The lines of an output that tell of trouble or of a result, in English, Polish and Chinese."""

import re
from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum

LONGEST = 300
"""Characters of a line that are kept."""

_MOST = 300  # lines of a severity that are kept apart
_LATEST = 20  # beside these, the latest ones
_FRAMES = 4
_KINDS = 5_000  # of lines that are told apart
_KEY = 2_000  # characters of a line that tell its kind


class Severity(StrEnum):
    """How bad a line is."""

    ERROR = "error"
    WARNING = "warning"


_CUES = (
    r"(?P<error>\b(?:error|err!|errors|e(?:rr)?no|fatal|fail|failed|fails|failure|failures|failing|traceback"
    r"|panic|panicked|critical|segfault|segmentation fault|core dumped|abort|aborted|denied|refused|unreachable|cannot"
    r"|can't|could not|couldn't|unable to|not found|no such|undefined|unresolved|killed|oom|oomkilled|timeout|timed out"
    r"|conflict|eresolve|unhandled|uncaught|unexpected|invalid|missing|exceeded|corrupt|corrupted|crash|crashed"
    r"|deadlock|rejected|forbidden|unauthorized|not permitted|out of memory|no space left"
    r"|błąd|błędu|błędy|błędów|blad|bledy|niepowodzenie|nie udało|nie można|nie powiodł\w*|nie znaleziono"
    r"|brak dostępu|odmowa"
    r"|wyjątek|krytyczn\w+|awaria|przerwano|przekroczono)\b|\b\w+(?:error|exception)\b"
    r"|错误|錯誤|失败|失敗|异常|異常|无法|無法|致命|拒绝|拒絕|超时|超時|找不到|崩溃|崩潰|不存在)"
    r"|(?P<warning>\b(?:warn|warning|warnings|deprecated|caution|ostrzeżenie|ostrzeżenia|uwaga|przestarzał\w+)\b"
    r"|警告|已弃用|已棄用)"
    r"|(?P<result>\b\d+ (?:passed|failing|passing|problems?|vulnerabilities|tests?)\b"
    r"|^tests?:\s|^test suites:"
    r"|^test result:|^ran \d+ tests?|^build (?:success|fail)|tests run:|^added \d+ packages|^finished|^done in "
    r"|\bexit (?:code|status)\b|^real\t)"
)
_CUE = re.compile(_CUES)
_STEMS = tuple(
    re.findall(
        r"\S+",
        """
        err exception fatal fail traceback panic critical segfault segmentation dumped abort denied refused unreachable
        cannot can't could unable such undefined unresolved kill oom timeout timed conflict eresolve unhandled uncaught
        unexpected invalid missing exceeded corrupt crash deadlock reject forbidden unauthorized permitted memory space
        błąd błęd blad bledy niepowodzenie udało można powiodł znaleziono dostępu odmowa wyjątek krytyczn awaria
        przerwano przekroczono 错误 錯誤 失败 失敗 异常 異常 无法 無法 致命 拒绝 拒絕 超时 超時 找不到 崩溃 崩潰 不存在
        warn deprecated caution ostrzeżeni uwaga przestarzał 警告 已弃用 已棄用
        passed passing problem vulnerabilit tests packages finished exit
        """,
    )
)
_SOUGHT = tuple((stem, stem.encode()) for stem in _STEMS)
_PHRASES = ("not found", "test suites", "test result", "build succ", "done in", "real\t")
"""What every line of interest has one of: looking for them one by one is several times as fast as one expression."""
_NONE = re.compile(
    r"\b(?:0|no|zero|without|bez|brak|never|ignore|if|on)\s+(?:\w+\s)?(?:errors?|failures?|failed|warnings?|conflicts?"
    r"|błędów|ostrzeżeń|problems?)\b|\b(?:errors?|failures?|failed|warnings?)\s?[:=]\s?(?:0|none|null|false|\[\])\b"
    r"|[\w/]*(?:error|exception|fail|warn)\w*\.(?:py|js|ts|go|rs|java|html|md)\b|没有错误|無錯誤|无错误"
)
_OF_WORDS = bytes(one if chr(one).isalpha() or chr(one) == "'" else ord(" ") for one in range(128))
_WORDS = _OF_WORDS + bytes(range(128, 256))
"""A table that leaves the characters of stems as they are, and makes blanks of all others."""
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
    """What a line is, which is the same for all that differ in digits alone."""

    severity: Severity | None
    result: bool
    place: int
    note: Notable | None = None


@dataclass
class Notes:
    """What has been noted so far; of `latest` each is one of the last, in order."""

    counts: dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))
    results: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    latest: deque[Notable] = field(default_factory=lambda: deque(maxlen=_LATEST))
    _first: list[Notable] = field(default_factory=list)
    _kinds: dict[str, _LineKind] = field(default_factory=dict)

    def look(self, text: str, first_line: int) -> None:
        """Look at whole lines, the first of which has this number."""
        number, counted = first_line, 0
        for start, end in sorted(_candidates(text).items()):
            number += text.count("\n", counted, start)
            counted = start
            self._note(text, (start, end), number)

    def _note(self, text: str, span: tuple[int, int], number: int) -> None:
        line = text[slice(*span)]
        key = line[:_KEY].translate(_NO_DIGITS)
        kind = self._kinds.get(key) or _kind_of(line)
        if len(self._kinds) < _KINDS:
            self._kinds[key] = kind
        if kind.result:
            self.results.append(_clipped(line, kind.place))
        if not kind.severity:
            return
        self.counts[kind.severity] += 1
        if kind.note:
            kind.note.times += 1
            return
        kind.note = Notable(number, _clipped(line, kind.place), kind.severity, frames=_frames(text, *span))
        (self._first if len(self._first) < _MOST else self.latest).append(kind.note)

    def all(self) -> list[Notable]:
        """The lines that were noted, in order."""
        return sorted([*self._first, *self.latest], key=lambda note: note.number)


def _candidates(text: str) -> dict[int, int]:
    """The beginnings and the ends of the lines that may be of interest."""
    low, spans = text.lower(), dict[int, int]()
    if len(low) != len(text):  # a Turkish İ, of which lower case makes two characters
        low = text
    # The different words of a text are few: a stem that is in none of them is not in the text.
    words = b" ".join({*low.encode(errors="surrogatepass").translate(_WORDS).split()})
    for stem in (*(stem for stem, sought in _SOUGHT if sought in words), *_PHRASES):
        place = low.find(stem)
        while place >= 0:
            start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
            spans[start] = end if end >= 0 else len(text)
            place = low.find(stem, spans[start])
    return spans


def _kind_of(line: str) -> _LineKind:
    low = line.lower()
    kinds = {match.lastgroup: match.start() for match in reversed(list(_CUE.finditer(_NONE.sub(_blank, low))))}
    severity = next((one for one in Severity if one.value in kinds), None)
    return _LineKind(severity, "result" in kinds, kinds.get(severity.value if severity else "result", 0))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _clipped(line: str, place: int) -> str:
    line = line.rstrip()
    if len(line) <= LONGEST:
        return line.strip()
    start = max(0, place - LONGEST // 2)
    return f"{'…' if start else ''}{line[start : start + LONGEST].strip()}…"


def _frames(text: str, start: int, end: int) -> tuple[str, ...]:
    """The lines of a stack trace around its error: those before it in Python, those behind it elsewhere."""
    after = text[end + 1 : end + 1_200].split("\n")[:_FRAMES]
    behind = [line for line in after if _AT.match(line)]
    if behind:
        return tuple(line.strip()[:LONGEST] for line in behind[: _FRAMES - 1])
    before = text[max(0, start - 1_200) : max(0, start - 1)].split("\n")[-_FRAMES:]
    if any(line.startswith("  File ") for line in before):
        return tuple(line.strip()[:LONGEST] for line in before if line.startswith(" "))
    return ()
