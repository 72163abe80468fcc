"""Raw conversation in files: which they are, and where each turn begins."""

import re
from collections.abc import Iterator, Sequence

_HOOK_TITLE = re.compile(r"# Session:")
_HOOK_KEY = re.compile(r"- \*\*Session (?:Key|ID)\*\*:")
_ROLE = re.compile(r"(?:user|assistant|system|tool|toolresult|human|owner|agent|model|developer)[ \t]*:", re.IGNORECASE)
_SPEAKER = re.compile(r"[^\W\d_][^:\n]{0,29}:[ \t]")
_TOP = 12  # lines in which a hook's file says what it is


def is_hook(lines: Sequence[str]) -> bool:
    """Whether an agent's hook wrote the file: a heading `# Session: ...`, the session's key, then its last messages."""
    top = [line for line in lines[:_TOP] if line.strip()]
    return bool(top) and bool(_HOOK_TITLE.match(top[0])) and any(map(_HOOK_KEY.match, top))


def first_turn(lines: Sequence[str]) -> int:
    """The line of a hook's file at which its messages begin, counted from 0; the number of lines when there is none."""
    return next((at for at, line in enumerate(lines) if _ROLE.match(line)), len(lines))


def turns(lines: Sequence[str], start: int) -> Iterator[tuple[int, int]]:
    """The first and last line of each message from the line `start` on."""
    first = start
    for at in range(start + 1, len(lines) + 1):
        if at == len(lines) or _ROLE.match(lines[at]):
            yield from _filled(lines, first, at)
            first = at


def paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first and last line of each paragraph; one in which most lines begin with a speaker is cut line by line."""
    first = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if at > first:
                yield from _lines_or_all(lines, first, at - 1)
            first = at + 1


def _lines_or_all(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    spoken = [at for at in range(first, last + 1) if _SPEAKER.match(lines[at])]
    if spoken[:1] != [first] or 2 * len(spoken) <= last - first:
        yield first, last
        return
    yield from zip(spoken, [*(at - 1 for at in spoken[1:]), last], strict=True)


def _filled(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[int, int]]:
    while end > first and not lines[end - 1].strip():
        end -= 1
    if end > first:
        yield first, end - 1
