"""The paragraphs of a summary, by a model or of the speakers' own words."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files

from jobs.session_archive.page import escaped
from pipeline.agents.journal import one_line
from pipeline.entries.values.check import Said, ValuesSaid
from pipeline.job import OFFLINE, Run, Task
from pipeline.language.chinese import han_runs
from pipeline.language.tokens import count_tokens
from schemas.layer_summary import LayerSummary, SummaryRequest

_TOKENS = 300
"""What a summary should take."""
_MOST_TOKENS = 2 * _TOKENS
"""What a model's may take."""
_SHOWN = 48_000
"""Characters of all texts in a question; of each that is too long the middle is left out."""
_CUT = "\n[...]\n"

Extracts = Sequence[Sequence[str]]
"""The sentences of each text, the most telling first."""


def paragraphs(
    run: Run, texts: Sequence[str], extracts: Callable[[], Extracts], most: int, sources: Iterable[str]
) -> list[str]:
    """At most so many lines of plain text, each a paragraph; `sources` are those of all texts.

    A model's answer that says nothing, or more than the texts do, is not used; nor is a paragraph with a value that
    stands in none of them.
    """

    def offline() -> LayerSummary:
        return _extracted(extracts(), most)

    asked = SummaryRequest(language=run.agent.language, most=most, texts=tuple(_clipped(texts)))
    task = Task("agent_summary", _prompt(), asked, LayerSummary, offline, frozenset(sources), background=True)
    lines = _plain(run.ask([task])[0], most)
    if run.way_of(task.sources) == OFFLINE:
        return lines
    room = min(_MOST_TOKENS, sum(map(count_tokens, texts)))
    values = ValuesSaid([Said(text, run.day) for text in texts], known=[run.subject])
    lines = [line for line in lines if values.unsaid([line]) is None]
    return lines if 0 < sum(map(count_tokens, lines)) <= room else _plain(offline(), most)


def _plain(answer: LayerSummary, most: int) -> list[str]:
    return [escaped(line) for text in answer.paragraphs[:most] if (line := one_line(text))]


def _extracted(extracts: Extracts, most: int) -> LayerSummary:
    """The first sentences of the texts, in their order, as many as there is room for."""
    parts = _parts([sentences for sentences in extracts if sentences], most)
    room = _TOKENS // max(1, len(parts))
    return LayerSummary(paragraphs=tuple(_paragraph(part, room) for part in parts))


def _parts(extracts: Extracts, most: int) -> list[Extracts]:
    """Neighbours together, in at most so many parts."""
    size = -(-len(extracts) // most)
    return [extracts[first : first + size] for first in range(0, len(extracts), size or 1)]


def _paragraph(extracts: Extracts, room: int) -> str:
    """The first sentence of each text, then the second ones, and so on; those of one text stay together.

    What finds no room ends its text: a sentence may need the one before it, as the first one has the date.
    """
    kept = [list[str]() for _ in extracts]
    for rank in range(max(map(len, extracts))):
        for mine, sentences in zip(kept, extracts, strict=True):
            size = count_tokens(sentences[rank]) if len(mine) == rank < len(sentences) else 0
            if size and (size <= room or not any(kept)):
                mine.append(sentences[rank])
                room -= size
    return " ".join(_ended(one) for mine in kept for one in mine)


def _ended(sentence: str) -> str:
    """The sentence with a full stop, where it ends with a word."""
    last = sentence[-1:]
    return sentence + ("。" if han_runs(last) else ".") if last.isalnum() else sentence


def _clipped(texts: Sequence[str]) -> list[str]:
    half = _SHOWN // max(1, len(texts)) // 2
    return [text if len(text) <= 2 * half else text[:half] + _CUT + text[-half:] for text in texts]


@cache
def _prompt() -> str:
    return files("jobs").joinpath("agent_summary.md").read_text(encoding="utf-8")
