"""The table `[model]` of `memory.toml`, set by a command: every other line stays as it is."""

import json
import re
from collections.abc import Mapping, Sequence

from schemas.settings import SourceSettings


def source_tables(sources: Sequence[SourceSettings]) -> str:
    """TOML tables for sources."""
    tables = []
    for source in sources:
        name = f"name = {toml_text(source.name)}\n" if source.name not in {"", source.kind} else ""
        chosen = ", ".join(map(toml_text, source.patterns))
        patterns = f"patterns = [{chosen}]\n" if chosen else ""
        tables.append(
            f"[[sources]]\nkind = {toml_text(source.kind)}\npath = {toml_text(source.path)}\n{name}{patterns}"
        )
    return "".join(tables)


def toml_text(text: str) -> str:
    """A text as TOML has it."""
    # A JSON string is a TOML basic string, but for the characters that JSON may leave as they are and TOML may not.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


_HEADER = re.compile(r"\s*\[")
_MODEL = re.compile(r"\s*\[\s*model\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*(?P<key>[\w-]+)\s*=")
_CHOICES = ("program", "base_url", "name", "background")
"""The settings that name a model; their values belong together."""


def set_model(text: str, values: Mapping[str, str]) -> str:
    """Set the model in the text of the settings, or none; the values of another model stay behind a `#`.

    A model that is set in another way than by lines below `[model]` stays in force.
    """
    lines = text.splitlines(keepends=True)
    if text and not text.endswith("\n"):
        lines[-1] += "\n"
    written = [f"{key} = {toml_text(value)}\n" for key, value in values.items()]
    header = next((number for number, line in enumerate(lines) if _MODEL.match(line)), None)
    if header is None:
        return "".join([*lines, *(["\n[model]\n", *written] if written else [])])
    end = _end_of_table(lines, header)
    table = lines[header + 1 : end]
    commented = zip(table, map(_comment_out, table), strict=True)
    kept = [after for before, after in commented if after == before or after not in table]
    return "".join([*lines[: header + 1], *written, *kept, *lines[end:]])


def set_values(text: str, values: Mapping[str, str]) -> str:
    """The text of the settings with these values below `[model]`, such as `mixed`, in place of earlier lines of them.

    Without `[model]` it stays as it is; where a table of its own has them, it has them twice then.
    """
    lines = text.splitlines(keepends=True)
    header = next((number for number, line in enumerate(lines) if _MODEL.match(line)), None)
    if header is None:
        return text
    written = [f"{key} = {toml_text(value)}\n" for key, value in values.items()]
    beginnings = tuple(f"{key} = " for key in values)
    lines[header] = lines[header].rstrip("\n") + "\n"
    end = _end_of_table(lines, header)
    kept = [line for line in lines[header + 1 : end] if not line.startswith(beginnings)]
    return "".join([*lines[: header + 1], *written, *kept, *lines[end:]])


def _end_of_table(lines: Sequence[str], header: int) -> int:
    """The place of the next table behind that of a header."""
    return next((number for number in range(header + 1, len(lines)) if _HEADER.match(lines[number])), len(lines))


def _comment_out(line: str) -> str:
    key = _KEY.match(line)
    return f"#{line}" if key and key["key"] in _CHOICES else line
