"""Differences of files as the page draws them: lines, and in lines that were changed the words that differ."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Parts = tuple[tuple[str, bool], ...]
"""The parts of a line, each with whether it differs."""
_HEADS = ("---", "+++")
_WORDS = re.compile(r"\w+|\W")
_ALIKE = 0.4  # from this likeness on, a line is another one in other words
_LONGEST = 2_000  # characters of a line in which words are compared


def drawn_lines(lines: Sequence[str]) -> Iterator[tuple[str, Parts]]:
    """The lines, each with its sort; those that are taken out are compared by words with those in their place."""
    place = 0
    while place < len(lines):
        gone = 0 if lines[place][:3] in _HEADS else _count(lines, place, "-")
        come = _count(lines, place + gone, "+")
        if not gone:
            line = lines[place]
            sort = "head" if line[:3] in _HEADS else {"+": "added", "@": "head"}.get(line[:1], "same")
            yield sort, (("\N{MIDLINE HORIZONTAL ELLIPSIS}" if line[:2] == "@@" else line, False),)
            place += 1
            continue
        before, after = lines[place : place + gone], lines[place + gone : place + gone + come]
        pairs = [_compare_lines(one[1:], other[1:]) for one, other in zip(before, after, strict=False)]
        yield from (("removed", _parts("-", line, pairs, at, 0)) for at, line in enumerate(before))
        yield from (("added", _parts("+", line, pairs, at, 1)) for at, line in enumerate(after))
        place += gone + come


def _count(lines: Sequence[str], place: int, mark: str) -> int:
    return next((at - place for at in range(place, len(lines)) if lines[at][:1] != mark), len(lines) - place)


def _parts(mark: str, line: str, pairs: Sequence[tuple[Parts, ...]], at: int, side: int) -> Parts:
    return ((mark, False), *pairs[at][side]) if at < len(pairs) and pairs[at] else ((line, False),)


def _compare_lines(before: str, after: str) -> tuple[Parts, ...]:
    """The parts of both lines; nothing where they have too little in common."""
    if max(len(before), len(after)) > _LONGEST:
        return ()
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ()
    steps = matcher.get_opcodes()
    return (
        tuple(("".join(old[i:j]), tag != "equal") for tag, i, j, _, _ in steps if j > i),
        tuple(("".join(new[i:j]), tag != "equal") for tag, _, _, i, j in steps if j > i),
    )
