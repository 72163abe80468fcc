"""The outline of code: what it defines, with line numbers, and what it imports."""

import re

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


def code_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The definitions, the imports, and the first lines."""
    definitions, imports, first = list[str](), list[str](), list[str]()
    for number, line in enumerate(excerpt.head.split("\n"), 1):
        match = _DEFINITION.match(line)
        if match and len(match["indent"] or "") <= _DEEPEST:
            shown = line.rstrip(" {:")
            definitions.append(shown.strip() if _NUMBERED.match(line) else f"{number}: {shown}")
        elif _IMPORT.match(line):
            imports.append(line.strip())
        elif line.strip() and len(first) < 6:  # noqa: PLR2004 - what a file says of itself
            first.append(line)
    return [
        section(first[:3], 2, 0.2),
        section(imports, 3, 0.25, "more imports"),
        section(definitions, 1, 0.75, "more definitions"),
        *([] if definitions else [trouble(excerpt)]),
    ]
