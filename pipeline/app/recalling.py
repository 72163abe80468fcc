"""Recalled memory for a context: passages of the one search that answer a question, and say different things."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.context.sections import RecalledText
from pipeline.errors import Held, IndexUnavailable
from pipeline.index.search.search import search
from pipeline.language.analysis import terms
from pipeline.language.folding import fold
from pipeline.language.stopwords import FREQUENT, FUNCTION, WORDS
from pipeline.language.words import Word, words
from pipeline.process.context import ProcessContext
from schemas.entry import Status, Trust
from schemas.hit import Answer, Hit
from schemas.requests import SearchRequest

LOOKED_AT = 5
"""Hits that are looked at for each passage that is wanted: several say the same."""
_WORDS_A_PASSAGE = 4
"""Of so many words that a question is about, a passage has one at least."""
_SAME = 0.6
"""The share of the words of the shorter text by which two say the same."""


def recall_passages(
    root: Path, process: ProcessContext, question: str, limits: tuple[int, float]
) -> Sequence[RecalledText]:
    """The passages, at most so many and none below a floor; none when the index cannot be read now. `limits` are both.

    Notes of agents are none of them: a model reads these, and a note may be an order of a stranger to it.
    """
    most, floor = limits
    try:
        with open_index(root, process) as opened:
            answer = search(opened.searching, SearchRequest(query=question, k=most * LOOKED_AT))
            own = tuple(hit for hit in answer.hits if not opened.searching.settings.is_note(hit.path))
            return passages(answer.model_copy(update={"hits": own}), most, floor)
    except (IndexUnavailable, Held):
        return ()


def passages(answer: Answer, most: int, floor: float) -> list[RecalledText]:
    """The first hits that answer the question of an answer and say different things; none where none answers.

    A hit answers that holds now, has at least a share of the best score (`floor`, 0 to 1), and has enough of the words
    that the question is about. Words of any talk, such as "when" and "leave", are about nothing.
    """
    about = [word.terms for word in words_about(answer.query)]
    best = max((hit.score for hit in answer.hits), default=0.0)
    needed = -(-len(about) // _WORDS_A_PASSAGE)
    chosen = list[Hit]()
    for hit in answer.hits:
        held = frozenset(terms("\n".join([hit.text, *hit.headings])))
        answers = bool(about) and sum(not word.isdisjoint(held) for word in about) >= needed
        believed = hit.trust != Trust.UNVERIFIED and hit.status == Status.ACTIVE
        if answers and believed and hit.score >= floor * best and not any(_same(hit, other) for other in chosen):
            chosen.append(hit)
    return [RecalledText(f"{hit.path}#L{hit.start_line}", hit.snippet) for hit in chosen[:most]]


def _same(one: Hit, other: Hit) -> bool:
    """Whether two hits say the same: an entry or a fact in two places, or nearly the same words."""
    names = {one.entry_id, one.fact_id} & {other.entry_id, other.fact_id} - {""}
    return bool(names) or say_the_same(one.snippet, other.snippet)


def say_the_same(one: str, other: str) -> bool:
    """Whether two texts are about nearly the same words."""
    ours, theirs = _subjects(one), _subjects(other)
    return len(ours & theirs) >= _SAME * min(len(ours), len(theirs)) > 0


@lru_cache(maxsize=256)
def _subjects(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(word.terms for word in words_about(text)))


def words_about(text: str) -> list[Word]:
    """The words that say what a text is about: none that stands in any talk."""
    return [word for word in words(text) if not _is_frequent(text[word.start : word.end])]


def _is_frequent(word: str) -> bool:
    """Whether a word, or a pair of Chinese characters, stands in any talk."""
    plain = fold(word)
    return plain in FREQUENT or plain in WORDS or not FUNCTION.isdisjoint(plain) or not plain.isalnum()
