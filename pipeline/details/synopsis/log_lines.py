"""Of a log or another output of a program: lines that tell of trouble, results, and both ends."""

from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.ends import end_sections, results, trouble
from pipeline.details.synopsis.sections import SynopsisPart


def log_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """First lines, trouble, results, last lines."""
    first, last = end_sections(excerpt)
    return [first, trouble(excerpt), results(excerpt), last]
