"""The short mark of cited words that the memory has replaced or taken back.

Nothing is imported: what asks the service starts at once.
"""

from collections.abc import Mapping
from typing import Any

_STATES = {"superseded": "replaced", "archived": "archived", "in_review": "in review", "taken_back": "taken back"}


def said_mark(words: Mapping[str, Any]) -> str:
    """Such as `[replaced by ID]`, by the fields of a `schemas.said.CitedWords`; empty where nothing is known."""
    status, by = words.get("status"), words.get("superseded_by")
    if not status:
        return ""
    state = f"{_STATES.get(status, status)}{' in part' if words['in_part'] else ''}"
    return f"[{state} by {', '.join(by)}]" if by else f"[{state}: {', '.join(words['entry_ids'])}]"
