"""Sources as the tables of `memory.toml` that name them."""

import json
from collections.abc import Sequence

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
