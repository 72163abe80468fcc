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
    r"|^test result:|^ran \d+ tests?|^build (?:success|fail)|tests run:|^added \d+ packages|^finished|^done in |^ok$"
    r"|\bexit (?:code|status)\b|^real\t)"
)
_CUE = re.compile(_CUES, re.MULTILINE)
_NONE = re.compile(
    r"\b(?:0|no|zero|without|bez|brak|never|ignore|if|on)\s+(?:\w+\s)?(?:errors?|failures?|failed|warnings?|conflicts?"
    r"|błędów|ostrzeżeń|problems?)\b|\b(?:errors?|failures?|failed|warnings?)\s?[:=]\s?(?:0|none|null|false|\[\])\b"
    r"|[\w/]*(?:error|exception|fail|warn)\w*\.(?:py|js|ts|go|rs|java|html|md)\b|没有错误|無錯誤|无错误"
)
_DIGITS = re.compile(r"\d+|0x[0-9a-f]+")
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
class Notes:
    """What has been noted so far; of `latest` each is one of the last, in order."""

    counts: dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))
    results: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    latest: deque[Notable] = field(default_factory=lambda: deque(maxlen=_LATEST))
    _kinds: dict[tuple[Severity, str], Notable] = field(default_factory=dict)

    def look(self, text: str, first_line: int) -> None:
        """Look at whole lines, the first of which has this number."""
        low, number, counted, end = text.lower(), first_line, 0, -1
        if len(low) != len(text):  # a Turkish İ, of which lower case makes two characters
            low = text
        for match in _CUE.finditer(low):
            if match.start() < end:
                continue
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            end = len(text) if end < 0 else end
            number += text.count("\n", counted, start)
            counted = start
            self._note(text, low, (start, end), number, match)

    def _note(self, text: str, low: str, span: tuple[int, int], number: int, match: re.Match[str]) -> None:
        line, kind = low[slice(*span)], match.lastgroup
        if kind == "result":
            self.results.append(_clipped(text[slice(*span)], match.start() - span[0]))
            # A summary such as `2 failed, 10 passed` is an error too.
        others = _CUE.finditer(_NONE.sub(" ", line))
        kinds = {one.lastgroup for one in others}
        severity = next((one for one in Severity if one.value in kinds), None)
        if not severity:
            return
        self.counts[severity] += 1
        shown = _clipped(text[slice(*span)], match.start() - span[0])
        known = self._kinds.get(key := (severity, _DIGITS.sub("0", shown)))
        if known:
            known.times += 1
            return
        note = Notable(number, shown, severity, frames=_frames(text, *span))
        if len(self._kinds) < _MOST:
            self._kinds[key] = note
        else:
            self.latest.append(note)

    def all(self) -> list[Notable]:
        """The lines that were noted, in order."""
        return sorted([*self._kinds.values(), *self.latest], key=lambda note: note.number)


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
