"""Patterns such as `**/*.md`: which paths of a folder they choose."""

import re
from collections.abc import Iterator, Sequence

_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|\[(?:![^\]/]+|[^!\]/][^\]/]*)\]|[^*?\[]+|\[")
_RANGE = re.compile(r"(.)-(.)|(.)", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Patterns:
    """Some patterns, of which one has to match the whole path, in POSIX form.

    `*` and `?` stay within one folder, `**` does not; `[ab]` is one of some characters, `[!ab]` any other.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._expressions = tuple(re.compile(_expression(pattern), re.DOTALL) for pattern in patterns)

    def choose(self, path: str) -> bool:
        """Whether a path is one that is meant."""
        return any(expression.fullmatch(path) for expression in self._expressions)


def folders_on_the_way(patterns: Sequence[str]) -> Patterns:
    """The patterns of the folders in which something may lie that some patterns choose."""
    return Patterns([folder for pattern in patterns for folder in _above(pattern.removeprefix("./").split("/"))])


def _above(parts: Sequence[str]) -> Iterator[str]:
    for deep, part in enumerate(parts):
        if "**" in part:
            yield "/".join([*parts[:deep], "**"])
            return
        if deep:
            yield "/".join(parts[:deep])


def _expression(pattern: str) -> str:
    return "".join(_part(part) for part in _PARTS.findall(pattern.removeprefix("./")))


def _part(part: str) -> str:
    if part in _WILD or not part.startswith("[") or part == "[":
        return _WILD.get(part) or re.escape(part)
    choice = "".join(_choice(*match.groups("")) for match in _RANGE.finditer(part[1:-1].removeprefix("!")))
    return f"(?!/)[{'^' if part.startswith('[!') else ''}{choice}]"


def _choice(first: str, last: str, one: str) -> str:
    if one or first > last:
        return re.escape(one or f"{first}-{last}")
    return f"{re.escape(first)}-{re.escape(last)}"
