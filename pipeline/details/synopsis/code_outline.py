"""The outline of code: what it defines, with line numbers, and what it imports."""

import re
from itertools import islice

from pipeline.details.lines import numbered, spans_with
from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.ends import trouble
from pipeline.details.synopsis.sections import SynopsisPart, section

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


_WORDS = re.findall(
    r"\S+",
    """
    def class function fn func interface trait struct enum impl type module namespace object record CREATE const let
    import from #include use require( package
    """,
)
"""What every line that defines or imports something has one of."""


def code_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The definitions, the imports, and the first lines."""
    text = excerpt.head
    definitions, imports = list[str](), list[str]()
    for start, end, number in numbered(text, spans_with(text, _WORDS)):
        line = text[start:end]
        if _defines(line):
            shown = line.rstrip(" {:")
            definitions.append(shown.strip() if _NUMBERED.match(line) else f"{number}: {shown}")
        elif _IMPORT.match(line):
            imports.append(line.strip())
    others = (line for line in text.split("\n") if line.strip() and not _defines(line) and not _IMPORT.match(line))
    return [
        section(islice(others, _FIRST), 2, 0.2),
        section(imports, 3, 0.25, "more imports"),
        section(definitions, 1, 0.75, "more definitions"),
        *([] if definitions else [trouble(excerpt)]),
    ]


def _defines(line: str) -> bool:
    match = _DEFINITION.match(line)
    return match is not None and len(match["indent"] or "") <= _DEEPEST
