"""The recognition of a text's type, by its own form and by what is known of its origin."""

import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from schemas.detail import DetailType


@dataclass(frozen=True)
class TextHint:
    """Knowledge about the origin of a text; each field is empty or `None` where it is not known."""

    command: str = ""
    exit_code: int | None = None
    file_name: str = ""

    @property
    def has_failed(self) -> bool:
        """Whether the text is of a command that failed."""
        return bool(self.exit_code)


_SUFFIXES = {
    DetailType.JSON: "json jsonl ndjson geojson",
    DetailType.CSV: "csv tsv",
    DetailType.LOG: "log",
    DetailType.DIFF: "diff patch",
    DetailType.TEXT: "md txt rst adoc",
    DetailType.CODE: "py pyi js jsx mjs cjs ts tsx go rs java kt c h cc cpp hpp cs rb php swift scala sh bash sql vue",
}
_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_DIFF = re.compile(r"^diff --git |^--- [^\n]*\n\+\+\+ [^\n]*\n@@ -", re.MULTILINE)
# The beginning of a line of a log: `2026-03-02T09:15`, `[09:15:00`, `Mar  2 09:15:00`, `host - ana [02/Mar`,
# `[WARN`, `I0302`, `level=`.
_LOG_LINE = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
    r"|\S+ \S+ \S+ \[\d\d/[A-Z]"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|[IWEF]\d{4} |level=|ts=|time=)"
)
# A line of code, also with its number before it: `12: def name`, `import os`, `const x`, `if (`, `}`, `x = 1;`.
_CODE_LINE = re.compile(
    r"^\s*(?:\d+[\t→|:]\s*)?(?:(?:async )?def \w|class \w|(?:export |public |private |static )*(?:async )?function\b"
    r"|import [\w{*]|from [\w.]+ import|#include|package \w|use \w+::|fn \w|func \w|(?:const|let|var) \w|return\b"
    r"|if ?\(|for ?\(|@\w+|[})\]]+;?$)|[;{]\s*$"
)
_ENOUGH = 3
_SAMPLE = 60  # lines
_LARGEST = 8_388_608  # characters of JSON that is parsed


def recognize_type(text: str, hint: TextHint) -> DetailType:
    """The type of a text; of the output of a command it is a command's."""
    return DetailType.COMMAND if hint.command or hint.exit_code is not None else form_of(text, hint)


def form_of(text: str, hint: TextHint) -> DetailType:
    """The form of a text, whether a command made it or not: any type but a command's."""
    named = _BY_SUFFIX.get(PurePath(hint.file_name).suffix.lower().lstrip("."))
    if named:
        return named
    if text.lstrip()[:1] in {"{", "["} and (parse_json(text) is not None or json_lines(text)):
        return DetailType.JSON
    return DetailType.DIFF if _DIFF.search(text[:20_000]) else _form_of_lines(text)


def reports_trouble(text: str, kind: DetailType, hint: TextHint) -> bool:
    """Whether lines that name errors report any: code and diffs only speak of them, unless a command failed."""
    if kind is DetailType.COMMAND and not hint.has_failed and text.lstrip()[:1] not in {"{", "["}:
        kind = form_of(text, hint)
    return kind not in {DetailType.CODE, DetailType.DIFF}


def _form_of_lines(text: str) -> DetailType:
    lines = [line for line in text[:40_000].splitlines() if line.strip()][:_SAMPLE]
    if len(lines) < _ENOUGH:
        return DetailType.TEXT
    if sum(bool(_LOG_LINE.match(line)) for line in lines) * 2 >= len(lines):
        return DetailType.LOG
    if delimiter_of(lines):
        return DetailType.CSV
    code = sum(bool(_CODE_LINE.search(line)) for line in lines) * 3 >= len(lines)
    return DetailType.CODE if code else DetailType.TEXT


def parse_json(text: str) -> object | None:
    """The JSON value that a text is; `None` when it is none, or too large to look at."""
    if len(text) > _LARGEST:
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def json_lines(text: str) -> list[object]:
    """The values of lines of JSON; nothing when the first ones are something else."""
    lines = [line for line in text.split("\n") if line.strip()]
    values = list[object]()
    for line in lines[:2_000]:
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            break
    complete = len(values) >= min(2, len(lines))
    return values if complete and len(values) > 1 and isinstance(values[0], dict | list) else []


def delimiter_of(lines: list[str]) -> str:
    """The delimiter of a table, all rows of which have the same number of columns; empty when it is no table."""
    for delimiter in ("\t", ",", ";", "|"):
        widths = Counter(len(row) for row in rows_of(lines, delimiter))
        width, times = max(widths.items(), key=lambda pair: pair[1], default=(0, 0))
        if width > 1 and times >= _ENOUGH and times == widths.total() and (width > 2 or delimiter in "\t;"):  # noqa: PLR2004 - a sentence may have one comma
            return delimiter
    return ""


def rows_of(lines: list[str], delimiter: str) -> list[list[str]]:
    """The rows of a table, as far as they can be read."""
    try:
        return list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter))
    except csv.Error:
        return []
