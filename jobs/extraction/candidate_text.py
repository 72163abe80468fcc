"""The words of a candidate: its quote, title, conclusion and reason, all taken from the conversation."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator, Sequence

from jobs.extraction.profile import Profile
from pipeline.language.folding import fold
from pipeline.language.text import Span, clauses, weight
from schemas.entry import NOT_STATED
from schemas.transcript import MASK

QUOTE_LIMIT = 200
TITLE_LIMIT = 80
CONCLUSION_LIMIT = 240
_INFORMATIVE = 12  # in Latin letters
_GAP = 6  # characters between neighbouring clauses: marks and white space
_EDGES = " \t\r\n,;:，；：、-–—"

# How people head what they settle, folded as `fold` does; marks of emphasis may stand around it.
_LABEL = re.compile(
    r"[\W_]*(?:(?:final |new )?(?:decision|rule|architecture|remember)"
    r"|(?:ostateczna |nowa )?(?:decyzja|zasada|regula|architektura)|zapamietaj|pamietaj"
    r"|(?:最终|新)?(?:决定|规则|规矩|架构)|记住)"
    r"[*_ ]*[:：][*_ ]*(?=[\W_]*[^\W_])"
)


def quote_of(text: str, spans: Sequence[Span]) -> Span | None:
    """The first informative stretch of `text`, cut at clauses, that lies in `spans` and may be quoted."""
    runs = _neighbouring_clauses(text, [part for span in spans for part in _quotable_clauses(text, span)])
    stretches = [Span(run[0].start, run[-1].end, text[run[0].start : run[-1].end]) for run in runs]
    telling = [stretch for stretch in stretches if weight(stretch.text) > _INFORMATIVE]
    return next(iter(telling or stretches), None)


def _quotable_clauses(text: str, span: Span) -> Iterator[Span]:
    """The clauses of a sentence that hold no secret, each cut to the limit."""
    for part in clauses(span):
        start = part.end - len(part.text.lstrip(_EDGES + MASK))
        end = part.start + len(part.text.rstrip(_EDGES))
        if start < end and MASK not in text[start:end]:
            end = start + len(_cut_at_word(text[start:end], QUOTE_LIMIT))
            yield Span(start, end, text[start:end])


def _neighbouring_clauses(text: str, parts: Sequence[Span]) -> list[list[Span]]:
    """Stretches of neighbouring clauses that fit the limit."""
    runs: list[list[Span]] = []
    for part in parts:
        gap = text[runs[-1][-1].end : part.start] if runs else MASK
        if MASK not in gap and len(gap) <= _GAP and part.end - runs[-1][0].start <= QUOTE_LIMIT:
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def title_of(text: str) -> str:
    """A title of at most `TITLE_LIMIT` characters, without the label that the owner began with."""
    label = _LABEL.match(fold(text))  # folding keeps the length
    unlabelled = text[label.end() :] if label else text
    title = shorten(unlabelled.lstrip(_EDGES).rstrip(_EDGES + ".。!！"), TITLE_LIMIT)
    return title[:1].upper() + title[1:]


def reason_in(spans: Sequence[Span], profile: Profile) -> str:
    """The clause that a word such as `because` opens in one of the sentences, else `NOT_STATED`."""
    for span in spans:
        match = profile.first("reason", fold(span.text))
        if match and MASK not in span.text:
            reason = span.text[match.end() :].strip(_EDGES + ".。!！")
            if len(reason) > len(match.group()):
                return shorten(reason, CONCLUSION_LIMIT)
    return NOT_STATED


def shorten(text: str, limit: int) -> str:
    """Put `text` on one line, cut at the edge of a word where it is longer than `limit`."""
    line = " ".join(text.split())
    return line if len(line) <= limit else _cut_at_word(line, limit - 1).rstrip(_EDGES) + "…"


def _cut_at_word(text: str, limit: int) -> str:
    """The beginning of `text` that fits, ending with a whole word where that is possible."""
    if len(text) <= limit:
        return text
    edge = text.rfind(" ", limit // 2, limit + 1)
    return text[: edge if edge > 0 else limit]
