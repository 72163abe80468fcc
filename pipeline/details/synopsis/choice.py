"""The synopsis of a text: by its type, or, of a command's output, by the form that this has."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pipeline.details.notable import number_lines, spans_with
from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.json_shape import json_sections
from pipeline.details.synopsis.recognition import TextHint, delimiter_of, form_of, rows_of
from pipeline.details.synopsis.sections import SynopsisPart, end_sections, fit_sections, log_sections, section, trouble
from pipeline.language.word_search import WordSearch
from schemas.detail import DetailType

# `  12: export async function name`, `pub(crate) struct Name`, `CREATE TABLE name`, `const name = (`
_DEFINITION = re.compile(
    r"^(?P<indent>\s*)(?:\d+[\t→|:]\s*)?"
    r"(?:(?:export|public|private|protected|static|async|abstract|final|pub|default|unsafe|inline|extern|open|override|data)"
    r"(?:\([a-z]+\))?\s+)*"
    r"(?:(?:def|class|function|fn|func|interface|trait|struct|enum|impl|type|module|namespace|object|record"
    r"|CREATE (?:TABLE|VIEW|INDEX|FUNCTION))\b[ *(]+\w|(?:const|let) \w+ = (?:async )?(?:\(|function)).*"
)
_IMPORT = re.compile(r"^\s*(?:\d+[\t→|:]\s*)?(?:import\s|from \S+ import|#include|use \w+|require\(|package )")
_NUMBERED = re.compile(r"\s*\d+[\t→|:]")  # as `cat -n` and agents' readers do
_DEEPEST = 4  # blanks before a definition that is shown
_FIRST = 3  # lines, of what a file says of itself


_WORDS = WordSearch(
    re.findall(
        r"\S+",
        """
        def class function fn func interface trait struct enum impl type module namespace object record CREATE const let
        import from #include use require( package
        """,
    )
)
"""Words of which every line that defines or imports something has at least one."""


def code_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The definitions, the imports, and the first lines."""
    text = excerpt.head
    definitions, imports = list[str](), list[str]()
    for start, end, number in number_lines(text, spans_with(text, _WORDS)):
        line = text[start:end]
        if _is_definition(line):
            shown = line.rstrip(" {:")
            definitions.append(shown.strip() if _NUMBERED.match(line) else f"{number}: {shown}")
        elif _IMPORT.match(line):
            imports.append(line.strip())
    others = (
        line for line in text.split("\n") if line.strip() and not _is_definition(line) and not _IMPORT.match(line)
    )
    return [
        section(islice(others, _FIRST), 2, 0.2),
        section(imports, 3, 0.25, "more imports"),
        section(definitions, 1, 0.75, "more definitions"),
        *([] if definitions else [trouble(excerpt)]),
    ]


def _is_definition(line: str) -> bool:
    match = _DEFINITION.match(line)
    return match is not None and len(match["indent"] or "") <= _DEEPEST


# `diff --git a/old b/new`, `+++ b/new`
_FILE = re.compile(r"^(?:diff --git a/.* b/(?P<git>.*)|\+\+\+ (?:b/)?(?P<plain>[^\t\n]*).*)$")
_BEGINS_FILE = ("diff --git a/", "+++ ")
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
    files = list(_read_changes(excerpt.head))
    added, removed = sum(file.added for file in files), sum(file.removed for file in files)
    at_least = "" if excerpt.whole else "at least "
    total = f"{at_least}{len(files)} files, +{added} -{removed}"
    rows = [f"{file.name} +{file.added} -{file.removed}{file.state}" for file in files]
    places = [f"{file.name}: {', '.join(dict.fromkeys(file.places))}" for file in files if file.places]
    lines = (line for line in excerpt.head.split("\n") if line.startswith(("+", "-")) and line[1:2] not in {"+", "-"})
    return [
        section([total], 0),
        section(rows, 1, 0.6, "more files"),
        section(places, 2, 0.6, "more places"),
        section(islice(lines, 12), 3, 0.4),
    ]


def _read_changes(text: str) -> Iterator[_DiffFile]:
    current: _DiffFile | None = None
    for line in text.split("\n"):
        if line.startswith(" "):  # most lines are as they were
            continue
        if line.startswith(_BEGINS_FILE) and (match := _FILE.match(line)):
            name = match["git"] or match["plain"]
            if not current or (name not in {current.name, "/dev/null"}):
                yield from [current] if current else ()
                current = _DiffFile(name)
        elif current:
            _count_line(current, line)
    if current:
        yield current


def _count_line(change: _DiffFile, line: str) -> None:
    if line.startswith("+"):
        change.added += 1
    elif line.startswith("-") and not line.startswith("--- "):
        change.removed += 1
    elif match := line.startswith("@@ ") and _WHERE.match(line):
        change.places += [match["where"].strip()] if match["where"].strip() else []
    elif line.startswith(_STATES) and not change.state:
        change.state = next(f" ({state})" for state in _STATES if line.startswith(state))


# `## Title`, `1.2 Title`, `TITLE IN CAPITALS`
_HEADING = re.compile(r"#{1,4} \S.*|\d+(?:\.\d+)*\.? [A-ZĄĆĘŁŃÓŚŹŻ].{2,80}|[A-Z][A-Z0-9 ,'-]{5,80}")


def text_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """Headings with line numbers, the ends, and lines that tell of trouble."""
    lines = enumerate(excerpt.head.split("\n"), 1)
    headings = [f"{number}: {line}" for number, line in lines if _HEADING.fullmatch(line.strip())]
    first, last = end_sections(excerpt)
    return [first, section(headings, 2, 0.4, "more headings"), trouble(excerpt), last]


_COLUMNS = 40
_ROWS = 3
_FEW = 5


def table_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The columns, the first rows, and the last one."""
    lines = [line for line in excerpt.head.split("\n") if line.strip()]
    delimiter = delimiter_of(lines[:20]) or ("\t" if "\t" in excerpt.head[:2_000] else ",")
    rows = rows_of(lines if excerpt.whole else lines[:-1], delimiter)
    if len(rows) <= 1:
        return [trouble(excerpt), *end_sections(excerpt)]
    head, *body = rows
    last = [line for line in excerpt.tail.split("\n") if line.strip()][-1:]
    return [
        section([f"columns: {', '.join(head[:_COLUMNS])}", *lines[1 : 1 + _ROWS]], 1, 0.6),
        section([f"last: {line}" for line in last], 2, 0.2),
        trouble(excerpt),
        section(_describe_columns(head, body), 2, rest="more columns"),
    ]


def _describe_columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for place, name in enumerate(head[:_COLUMNS]):
        cells = [row[place] for row in rows if place < len(row)]
        numbers = list(map(_parse_number, cells))
        if cells and None not in numbers:
            known = [number for number in numbers if number is not None]
            yield f"{name}: {min(known):g}..{max(known):g}"
        elif 0 < len(different := list(dict.fromkeys(cells))) <= _FEW:
            yield f"{name}: {', '.join(different)}"
        else:
            yield f"{name}: {len(different)} different"


def _parse_number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


BUDGET = 300
"""Tokens of a synopsis."""
AFTER_A_FAILURE = 3
"""The factor by which more is told of a command that failed."""

_SECTIONS: dict[DetailType, Callable[[Excerpt], list[SynopsisPart]]] = {
    DetailType.COMMAND: log_sections,
    DetailType.LOG: log_sections,
    DetailType.JSON: json_sections,
    DetailType.CSV: table_sections,
    DetailType.DIFF: diff_sections,
    DetailType.CODE: code_sections,
    DetailType.TEXT: text_sections,
}


def synopsis(excerpt: Excerpt, kind: DetailType, hint: TextHint, most: int) -> str:
    """The synopsis of a text, of `BUDGET` tokens, more for a command that failed, and of at most `most`."""
    budget = min(most, BUDGET * AFTER_A_FAILURE if hint.has_failed else BUDGET)
    if excerpt.binary or budget <= 0:
        return ""
    if kind is DetailType.COMMAND and not hint.has_failed:
        kind = form_of(excerpt.head, hint)
        kind = DetailType.LOG if kind is DetailType.TEXT else kind
    return fit_sections(_SECTIONS[kind](excerpt), budget)
