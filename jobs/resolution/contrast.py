"""Two sentences of one form about different things: `the kayak key hangs with David`, `the saw key hangs with David`.

Common words make such sentences look alike, but the words that differ name the subjects.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from jobs.resolution.change_words import denies, replaces
from jobs.resolution.similarity import features
from pipeline.language.chinese import HAN, han_runs
from pipeline.language.dates import undated
from pipeline.language.folding import flat

ONE_FORM = 0.5
"""The part of two clauses that has to be the same, in the same order, for both to be of one form."""

FRAME = 3.5
"""Words in common, in one order, from which a form is more than a turn of phrase; two Chinese characters are one."""

_CLAUSE = re.compile(r"[.,:](?!\d)|[;!?()\n\u2014\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]")
_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)*|[{HAN}]|[^\W\d_{HAN}]+")
_STEM = 4  # shorter than in the likeness: here it must not pass for a contrast that `biuro` has become `biura`
_ANY_NUMBER = "0"

_SETTLING = """
accep agree annou chang confi decid decis fine forget fixed migra mind move note remem remin rule settl shift
switc swear
decyz posta potwi pamie przyp uzgod ustal ustas zapam zapis zasad zdani zdecy zgoda zmian zmien
决定 记住 定了 说好 主意 改主 规定 商量 规则 同意 确认 记下 说定 定下 就定 定为
"""

SETTLING = frozenset(_SETTLING.split())
"""Beginnings of words of settling, changing and reminding: they name no subject."""

Clause = tuple[str, ...]


def contrast(later: str, earlier: str, around: tuple[str, str], *, change: bool = False) -> bool:
    """Whether a clause of `later` and a clause of `earlier` have the same form and different subjects.

    `around` are all the words of either: words that are in it too do not distinguish them. With `change`, words after a
    verb of change are the new state of something, and may differ.
    """
    known = tuple(frozenset(feature[:_STEM] for feature in features(text)) for text in around)
    return any(
        _unheard(ours, known[1]) and _unheard(theirs, known[0])
        for clause in _clauses(later)
        for other in _clauses(earlier)
        for ours, theirs in _slots(clause, other, change=change)
    )


def _unheard(slot: frozenset[str], known: frozenset[str]) -> bool:
    return any(feature[:_STEM] not in known for feature in slot)


@lru_cache(maxsize=65536)
def _clauses(text: str) -> tuple[Clause, ...]:
    """The tokens of each clause and of the whole, without days: words, numbers and single Chinese characters."""
    candidates = (tuple(_TOKEN.findall(undated(flat(clause)))) for clause in (*_CLAUSE.split(text), text))
    return tuple(dict.fromkeys(clause for clause in candidates if clause))


@lru_cache(maxsize=4096)
def _slots(clause: Clause, other: Clause, *, change: bool) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The differing words of two clauses of one form, place by place; nothing when their forms differ."""
    matcher = SequenceMatcher(None, _form(clause), _form(other), autojunk=False)
    if not _of_one_form(clause, matcher):
        return ()
    end = _changes_at(clause) if change else len(clause)
    return tuple(_differing(clause[:end], other, matcher))


def _of_one_form(clause: Clause, matcher: SequenceMatcher[str]) -> bool:
    """Whether half of both is the same and makes up a frame, or a whole frame stands in both in one piece."""
    runs = [clause[block.a : block.a + block.size] for block in matcher.get_matching_blocks()]
    if matcher.ratio() >= ONE_FORM:
        return sum(map(_words, runs)) >= FRAME
    return max(map(_words, runs)) >= FRAME


def _words(tokens: Clause) -> float:
    return sum(0.5 if _han(token) else 1 for token in tokens)


def _form(clause: Clause) -> list[str]:
    return [_ANY_NUMBER if token[0].isdigit() else token[:_STEM] for token in clause]


def _changes_at(clause: Clause) -> int:
    """The number of tokens before the first words of change, or all of them."""
    last = next((end for end in range(len(clause)) if replaces(_text(clause[: end + 1]))), None)
    if last is None:
        return len(clause)
    return max(start for start in range(last + 1) if not start or replaces(_text(clause[start : last + 1])))


def _differing(
    clause: Clause, other: Clause, matcher: SequenceMatcher[str]
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind == "replace" and not (denies(_text(clause[start:stop])) and denies(_text(other[first:last]))):
            ours, theirs = _telling(clause, start, min(stop, len(clause))), _telling(other, first, last)
            if not SETTLING & (ours | theirs):  # else it is only how each of them opens
                yield ours, theirs


def _telling(clause: Clause, start: int, stop: int) -> frozenset[str]:
    """The informative words of the tokens from `start` to `stop`; a Chinese character counts with the one beside it."""
    if start >= stop:
        return frozenset()
    first = start - (start > 0 and _han(clause[start]) and _han(clause[start - 1]))
    last = stop + (stop < len(clause) and _han(clause[stop - 1]) and _han(clause[stop]))
    return features(_text(clause[first:last]))


def _han(token: str) -> bool:
    return bool(han_runs(token))


def _text(tokens: Clause) -> str:
    """Tokens as they stand in a text: a Chinese character follows another without a space."""
    return "".join(token if _han(token) else f" {token} " for token in tokens).replace("  ", " ").strip()
