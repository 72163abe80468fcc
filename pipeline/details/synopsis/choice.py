"""The synopsis of a text: by its type, or, of a command's output, by the form that this has."""

from collections.abc import Callable

from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.code_outline import code_sections
from pipeline.details.synopsis.diff_stat import diff_sections
from pipeline.details.synopsis.json_shape import json_sections
from pipeline.details.synopsis.log_lines import log_sections
from pipeline.details.synopsis.plain_text import text_sections
from pipeline.details.synopsis.recognition import TextHint, form_of
from pipeline.details.synopsis.sections import SynopsisPart, fitted
from pipeline.details.synopsis.table import table_sections
from schemas.detail import DetailType

BUDGET = 300
"""Tokens of a synopsis."""
AFTER_A_FAILURE = 3
"""So many times as much is told of a command that failed."""

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
    """What one needs to know of a text, in `BUDGET` tokens or at most `most`."""
    budget = min(most, BUDGET * AFTER_A_FAILURE if hint.failed else BUDGET)
    if excerpt.binary or budget <= 0:
        return ""
    if kind is DetailType.COMMAND and not hint.failed:
        kind = form_of(excerpt.head, hint)
        kind = DetailType.LOG if kind is DetailType.TEXT else kind
    return fitted(_SECTIONS[kind](excerpt), budget)
