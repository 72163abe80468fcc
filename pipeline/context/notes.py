"""The lines of a message worth keeping word for word: by code, in any language, and never summed up again."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pipeline.language.date_terms import MONTH, WEEKDAYS
from pipeline.language.folding import fold
from pipeline.language.lexicon import Lexicon
from pipeline.language.text import sentences, weight
from schemas.conversation import NotedLine, NoteKind
from schemas.transcript import Role

LONGEST = 300
"""Characters of a line; of a longer sentence the part around what makes it worth keeping."""
SHORT = 160
"""Of a line that is kept whole; a Chinese character counts for three."""
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_EDGE = re.compile(r"\s")
_WEEKDAY = "|".join(WEEKDAYS.values())
_FIRST = r"(?<![\w-])-*\b"
"""The beginning of letters and dashes. Who tried from each letter of a long word would take hours."""
_PATTERNS = {
    NoteKind.PATH: re.compile(
        r"(?<![\w/])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]*)*"  # `/etc/hosts`, `~/notes`, `../a`
        r"|\b[A-Za-z]:\\[\w\\.-]+"  # `C:\data\in`
        rf"|{_FIRST}[\w-]+(?:/[\w.-]+)+"  # `src/app`
        rf"|{_FIRST}[\w-]+\.(?:py|md|js|ts|tsx|json|toml|ya?ml|sql|sh|go|rs|java|csv|txt|log|cfg|ini|html|css|pdf|docx?|xlsx?)\b"
    ),
    NoteKind.DATE: re.compile(
        r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}"  # `2026-03-12`, `12.03.2026`, `3/12/26`
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?(?:{MONTH})\b"  # `12th of March`, `12 marca`
        rf"|\b(?:{MONTH})\.? \d{{1,2}}\b"  # `Mar. 12`
        r"|\b\d{1,2}:\d\d\b"  # `9:30`
        r"|\d{1,2}月(?:\d{1,2}[日号])?|(?:周|星期|礼拜)[一二三四五六日天]"  # `3月12日`, `周五`
        rf"|\b(?:{_WEEKDAY})\b"  # `Friday`, `piątek`
    ),
    NoteKind.IDENTIFIER: re.compile(
        r"https?://\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+|#\d+"  # an address, `ana@firm.example`, `#4411`
        # `3f9a1c2`, `K-17`: letters and digits; they are sought no further, for the same reason.
        r"|\b(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b"
        r"|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z]+(?:_[A-Z0-9]+)+\b|\b[a-z]+[A-Z]\w+"  # `user_id`, `MAX_SIZE`, `userId`
        r"|\bv?\d+(?:\.\d+){2,}\b|(?<!\w)--?[a-z][\w-]+"  # `v1.2.3`, `--dry-run`
        r"|`[^`\n]{2,80}`"
    ),
    NoteKind.NUMBER: re.compile(
        r"\d|[零一二三四五六七八九十百千万亿两]{2,}|[一二三四五六七八九十两][个次天年月周块元人台%]"
    ),
}
SPOKEN = (NoteKind.DENIAL, NoteKind.CORRECTION, NoteKind.DECISION)
"""Kinds of lines that words tell."""
WORDS = Lexicon("noted_lines", SPOKEN)
_WEIGHTS = {
    NoteKind.DENIAL: 4,
    NoteKind.CORRECTION: 4,
    NoteKind.DECISION: 4,
    NoteKind.IDENTIFIER: 3,
    NoteKind.PATH: 2,
    NoteKind.DATE: 3,
    NoteKind.NUMBER: 2,
    NoteKind.STATEMENT: 2,
}
_SPEAKERS = {Role.USER: 4, Role.SYSTEM: 2, Role.ASSISTANT: 2, Role.TOOL: 1}


def noted_lines(number: int, role: Role, text: str) -> list[NotedLine]:
    """The lines of a message that are denials, corrections or decisions, or name an identifier, path, date or number.

    Of a user whatever is no question is a statement at least. Of code, and of what a tool put out, cues of decisions do
    not count: these are not talk.
    """
    lines = list[NotedLine]()
    for sentence, is_code in _split_sentences(text):
        kinds = kinds_of(sentence, spoken=role is not Role.TOOL and not is_code)
        if not kinds and role is Role.USER and not is_code and not _is_question(sentence):
            kinds = [NoteKind.STATEMENT]
        if kinds:
            lines.append(NotedLine(number=number, role=role, kind=kinds[0], text=_cut_to_reason(sentence, kinds[0])))
    return lines


def kinds_of(sentence: str, *, spoken: bool = True) -> list[NoteKind]:
    """The reasons to keep a sentence, the weightiest first; none when it is not worth keeping."""
    folded = fold(sentence)
    cues = [kind for kind in SPOKEN if spoken and WORDS.finds(kind, folded)]
    searched = {NoteKind.DATE: folded}
    return cues + [kind for kind, pattern in _PATTERNS.items() if pattern.search(searched.get(kind, sentence))]


@lru_cache(maxsize=8192)
def weight_of(line: NotedLine) -> int:
    """The weight of a line when there is no room for all; the speaker counts most."""
    kinds = kinds_of(line.text, spoken=line.role is not Role.TOOL) or [line.kind]
    return _SPEAKERS[line.role] * sum(_WEIGHTS[kind] for kind in kinds) // (2 if _is_question(line.text) else 1)


def _is_question(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？"))  # noqa: RUF001 - of Chinese


def distinct(lines: Iterable[NotedLine]) -> list[NotedLine]:
    """The lines in the order of their messages, each text of a speaker once: where it was said last."""
    last = {(line.role, fold(line.text)): line for line in lines}
    return sorted(last.values(), key=lambda line: line.number)


def weightiest(lines: Sequence[NotedLine], room: int, tokens: Sequence[int]) -> list[int]:
    """The places of the lines that get the room, in tokens: the weightiest first, then the earliest."""
    kept = list[int]()
    for place in sorted(range(len(lines)), key=lambda index: (-weight_of(lines[index]), index)):
        if tokens[place] <= room:
            kept.append(place)
            room -= tokens[place]
    return sorted(kept)


def _split_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of each line, and whether they stand in a fence of code, where a line is one sentence."""
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif is_code:
            yield line.strip(), True
        else:
            yield from ((sentence, False) for sentence in _split_line(line.strip()))


def _split_line(line: str) -> list[str]:
    """A short line as a whole, for `Train. Not by plane.` is one thing; else its sentences."""
    if weight(line) <= SHORT:
        return [line] if any(character.isalnum() for character in line) else []
    return [span.text for span in sentences(line)]


def _cut_to_reason(sentence: str, kind: NoteKind) -> str:
    """The sentence; of a long one the part around its reason, cut between words."""
    if len(sentence) <= LONGEST:
        return sentence
    pattern = WORDS.pattern(kind) if kind in SPOKEN else _PATTERNS.get(kind)  # a statement has none
    searched = fold(sentence) if kind in SPOKEN or kind is NoteKind.DATE else sentence
    match = pattern.search(searched) if pattern else None
    middle = match.start() if match else 0
    start = max(0, min(middle - LONGEST // 2, len(sentence) - LONGEST))
    piece = sentence[start : start + LONGEST]
    if start and (edge := _EDGE.search(piece[:40])):
        piece = piece[edge.end() :]
    return piece if start + LONGEST >= len(sentence) else piece.rsplit(None, 1)[0]
