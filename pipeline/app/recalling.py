"""Recalled memory for a context: passages of the one search, in the order of their rank."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.context.sections import RecalledText
from pipeline.errors import Held, IndexUnavailable
from pipeline.index.search.search import Searching, SearchRequest, search
from pipeline.process.context import ProcessContext
from schemas.hit import Answer


def recalled(root: Path, process: ProcessContext, question: str, limits: tuple[int, float]) -> Sequence[RecalledText]:
    """At most so many passages, none below a floor; none when the index cannot be read now. `limits` are both."""
    try:
        with open_index(root, process) as opened:
            return recalled_by(opened.searching, question, limits)
    except (IndexUnavailable, Held):
        return ()


def recalled_by(searching: Searching, question: str, limits: tuple[int, float]) -> Sequence[RecalledText]:
    """The same, in an index that is open."""
    most, floor = limits
    return passages(search(searching, SearchRequest(text=question, k=most)), floor)


def passages(answer: Answer, floor: float) -> list[RecalledText]:
    """What answers in the hits with at least a share of the best score; none that are doubtful, or share no word.

    Scores only order the hits of one answer; so the floor is a share, 0 to 1.
    """
    best = max((hit.score for hit in answer.hits), default=0.0)
    return [
        RecalledText(f"{hit.path}#L{hit.start_line}", hit.snippet)
        for hit in answer.hits
        if hit.score >= floor * best and hit.terms and hit.trust != "unverified"
    ]
