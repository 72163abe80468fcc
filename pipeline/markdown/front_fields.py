"""The fields that a page of ours states about its partition, which outlive a lost ledger."""

import json
from typing import Any

from pipeline.markdown.blocks import FRONT_MATTER, find_blocks


def front_fields(page: bytes) -> dict[str, Any]:
    """The values of a page's front matter, by field; none when a person changed it, or when it is not ours."""
    blocks = find_blocks(page)
    front = next((block.text for block in blocks if block.name == FRONT_MATTER and block.intact), "")
    fields = dict[str, Any]()
    for name, _, value in (line.partition(": ") for line in front.split("\n") if ": " in line):
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return fields
