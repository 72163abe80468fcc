"""What a diff changes: its files with the numbers of lines that come and go."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.sections import SynopsisPart, section

_FILE = re.compile(r"^(?:diff --git a/.* b/(?P<git>.*)|\+\+\+ (?:b/)?(?P<plain>[^\t\n]*).*)$")
_WHERE = re.compile(r"^@@ -\S+ \+\S+ @@ ?(?P<where>.*)$")
_STATES = ("new file", "deleted file", "rename to", "Binary files")


@dataclass
class _DiffFile:
    name: str
    added: int = 0
    removed: int = 0
    state: str = ""
    places: list[str] = field(default_factory=list)


def diff_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The files, and in which functions they change."""
    files = list(_changes(excerpt.head))
    added, removed = sum(one.added for one in files), sum(one.removed for one in files)
    at_least = "" if excerpt.whole else "at least "
    total = f"{at_least}{len(files)} files, +{added} -{removed}"
    rows = [f"{one.name} +{one.added} -{one.removed}{one.state}" for one in files]
    places = [f"{one.name}: {', '.join(dict.fromkeys(one.places))}" for one in files if one.places]
    lines = [line for line in excerpt.head.split("\n") if line.startswith(("+", "-")) and line[1:2] not in {"+", "-"}]
    return [
        section([total], 0),
        section(rows, 1, 0.6, "more files"),
        section(places, 2, 0.6, "more places"),
        section(lines[:12], 3, 0.4),
    ]


def _changes(text: str) -> Iterator[_DiffFile]:
    current: _DiffFile | None = None
    for line in text.split("\n"):
        if match := _FILE.match(line):
            name = match["git"] or match["plain"]
            if not current or (name not in {current.name, "/dev/null"}):
                yield from [current] if current else ()
                current = _DiffFile(name)
        elif current:
            _count(current, line)
    if current:
        yield current


def _count(change: _DiffFile, line: str) -> None:
    if match := _WHERE.match(line):
        change.places += [match["where"].strip()] if match["where"].strip() else []
    elif line.startswith("+"):
        change.added += 1
    elif line.startswith("-") and not line.startswith("--- "):
        change.removed += 1
    else:
        change.state = change.state or next((f" ({state})" for state in _STATES if line.startswith(state)), "")
