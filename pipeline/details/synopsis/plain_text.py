"""Of a text its headings, its first lines and its last ones."""

import re

from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.ends import end_sections, trouble
from pipeline.details.synopsis.sections import SynopsisPart, section

_HEADING = re.compile(r"#{1,4} \S.*|\d+(?:\.\d+)*\.? [A-ZĄĆĘŁŃÓŚŹŻ].{2,80}|[A-Z][A-Z0-9 ,'-]{5,80}")


def text_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """Headings with line numbers, the ends, and lines that tell of trouble."""
    lines = enumerate(excerpt.head.split("\n"), 1)
    headings = [f"{number}: {line}" for number, line in lines if _HEADING.fullmatch(line.strip())]
    first, last = end_sections(excerpt)
    return [first, section(headings, 2, 0.4, "more headings"), trouble(excerpt), last]
