"""The limits of requests to search and to recall, and the places that are named with a hit.

Next to nothing is imported: what asks the service starts at once.
"""

from collections.abc import Sequence
from typing import Literal, get_args

HITS, FACTS = 6, 25
"""Hits and facts of an answer to a request that names no number."""
MOST = 1_000
"""The most hits or facts of an answer."""
LONGEST_QUERY = 4_000
"""The most characters of a question by an agent, or over HTTP: thousands of words would keep others waiting."""
ALSO = 3
"""Other places of a hit that are named: in an old workspace some hundred weekly plans say the same."""
MEMORY_KINDS = (
    *("decision", "rule", "architecture", "remember", "world", "experience", "opinion", "observation"),
    *("note", "summary", "article", "plan", "memory", "log", "raw"),
)
"""The kinds of entries, of facts, and of other texts by the sort of file."""
RecallKind = Literal["world", "experience", "opinion", "observation", "decision"]
RECALL_KINDS: tuple[RecallKind, ...] = get_args(RecallKind)
"""The kinds of facts, and `decision` for all entries."""
DETAIL_KINDS = ("command", "json", "csv", "log", "code", "diff", "text")
"""The kind of stored texts."""


def wrong_kind(kinds: Sequence[str], *, of_details: bool) -> str:
    """The fault of kinds in a request, as a sentence; empty without a fault."""
    known, others = (DETAIL_KINDS, MEMORY_KINDS) if of_details else (MEMORY_KINDS, DETAIL_KINDS)
    wrong = next((kind for kind in kinds if kind not in known), None)
    if wrong is None:
        return ""
    missing = "no stored text (tier detail)" if of_details else "nothing in the memory"
    elsewhere = "without tier detail" if of_details else "with tier detail"
    hint = f" {wrong!r} is for a search {elsewhere}." if wrong in others else ""
    return f"{missing} is of the kind {wrong!r}; known are {', '.join(known)}.{hint}"
