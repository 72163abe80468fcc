"""Questions for a secret: which items of a message ask for one, and whether the message asks at all."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipeline.adapters.redaction.code_words import PLACE, pattern

_ASKED = pattern("asked_for")
_CODE = re.compile(
    r"(?<![A-Za-z])(?:code|combination|token(?:u|em|a)?|kod(?:u|em)?)(?![a-ząćęłńóśźż])(?P<last>\s*[?？])?",
    re.IGNORECASE,
)
_CODE_OF_OTHERS = pattern("public_code", "public_code_begun")
_WANTED = pattern("wanted", "wanted_begun")
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")
_ABOUT_SECRETS = re.compile(
    r"(?:pass(?:word|phrase|code)s?|tokens?|keys?|secrets?|credentials)[ -]"
    r"(?:polic|manager|rotat|expir|length|strength|hash|count|limit|rules?\b|reset|stor)"
    r"|has[łl]\w*\s(?:g[łl][oó]wn|przewodn)|(?:polityk|mened[żz]er|menad[żz]er|d[łl]ugo[śs][ćc])\w*\shas[eł]"
    r"|密[码碼](?:学|學|策略|长度|長度|管理|强度|規則|规则)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:^|(?<=[\n;；])|(?<=[ \t,，]))[ \t>]{0,8}(?:(?:question|q|pytanie|pyt\.|问题|第)\s?)?"
    r"\(?(?P<label>[1-9]\d?|[a-hA-H]|[一二三四五六七八九十])(?:[)）、]|[.:：](?!\d)|个?(?:问题|問題)[:：]?)\s*(?=\S)",
    re.IGNORECASE,
)
_HAN_LABEL = {mark: str(at) for at, mark in enumerate("一二三四五六七八九十", 1)}
_DASH = re.compile(r"^[ \t>]*[-*•+–][ \t]+(?=\S)")
_LIST = re.compile(r"\s*(?:[,，、;；]|\b(?:and|oraz|i|a także)\b|和|以及|与|跟)\s*", re.IGNORECASE)
_NEEDED = re.compile(
    r"\b(?:need|require|want|send me|give me|provide|share|tell me|potrzebuj\w*|poda\w*|przy[śs]lij|wy[śs]lij)\b"
    r"[^:：]{0,24}?[:：]?\s+|(?:需要|要|提供|告诉我|发给?我)[:：]?",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"\s*(?:is|are|was|were|did|does|do|should|shall|can|could|would|will|has|have|czy|mam|ma|jest|zmieni\w*)\b"
    r"|.*[吗嗎么]\s*[?？]|.*(?:changed|expired|stored|working|correct|wrong)\b",
    re.IGNORECASE,
)
_ASKING = ("?", "？", ":", "：")
_TAIL = 1200
_LONGEST_ITEM = 90
_FEWEST = 2


@dataclass(frozen=True)
class LabelledItem:
    """A part of a message from `start` to `end`, with the label before it, such as `2` of `2.`; or without one."""

    label: str
    start: int
    end: int


def items(message: str) -> list[LabelledItem]:
    """The parts of a list: what follows labels, else lines, of which each may begin with a dash."""
    labels = list(_LABEL.finditer(message))
    if labels and _counts_up([_label(one) for one in labels]):
        ends = [*(one.start() for one in labels[1:]), len(message)]
        return [
            LabelledItem(_label(one), one.end(), _line_end(message, one.end(), end))
            for one, end in zip(labels, ends, strict=True)
        ]
    return list(_lines(message))


@lru_cache(maxsize=8)  # a message stands before several others
def asks(message: str) -> bool:
    """Whether a message asks for a secret: a sentence of it, one with the question behind it, or an item of a list."""
    tail = message[-_TAIL:]
    if not (_ASKED.search(tail) or _CODE.search(tail)):  # no part of it names a secret: parts end where words end
        return False
    sentences = [sentence for sentence in _SENTENCE.findall(tail) if sentence.strip()]
    behind = [*sentences[1:], ""]
    if any(_sentence_asks(*pair) for pair in zip(sentences, behind, strict=False)):
        return True
    return any(secret for _, secret in secret_items(message))


def _sentence_asks(sentence: str, behind: str) -> bool:
    """Whether a sentence asks for a secret that it names, also where the next one asks: `A password? If so, which?`."""
    if not names_secret(sentence):
        return False
    ends = sentence.rstrip()
    if _WANTED.search(sentence + behind if ends.endswith(("?", "？")) else sentence):
        return True
    alone = ends.endswith(_ASKING) and len(sentence) < _LONGEST_ITEM
    named = _ASKED.search(sentence) or PLACE.search(sentence)
    return bool(alone and named) and not _YES_OR_NO.match(sentence)


def secret_items(message: str) -> list[tuple[str, bool]]:
    """For each item of a message that is a list of questions, its label and whether it asks for a secret."""
    tail = message[-_TAIL:]
    parts = [(item.label, tail[item.start : item.end]) for item in items(tail)]
    asked = any(part.rstrip().endswith(_ASKING) for _, part in parts) or (
        parts and parts[0][0] and _NEEDED.search(tail)
    )
    if not asked or (len(parts) < _FEWEST and not parts[0][0]):
        parts = [("", part) for part in _enumerated_items(tail)]
        if len(parts) < _FEWEST:
            return []
    return [(label, len(part) <= _LONGEST_ITEM and names_secret(part, listed=True)) for label, part in parts]


def names_secret(text: str, *, listed: bool = False) -> bool:
    """Whether words name a secret that somebody may give; a code needs the thing it opens, but as an item of a list."""
    code = _CODE.search(text)
    named = _ASKED.search(text) or (code and (listed or code["last"] or PLACE.search(text)))
    return bool(named) and not (_CODE_OF_OTHERS.search(text) or _ABOUT_SECRETS.search(text))


def _enumerated_items(tail: str) -> list[str]:
    """The items that a sentence asks for one after the other: the host, the name and the password."""
    for sentence in _SENTENCE.findall(tail):
        need = _NEEDED.search(sentence)
        if need and names_secret(sentence[need.end() :], listed=True):
            return [part for part in _LIST.split(sentence[need.end() :].strip(" .:：。?？")) if part]
    return []


def _label(match: re.Match[str]) -> str:
    label = match["label"].lower()
    return _HAN_LABEL.get(label, label)


def _counts_up(labels: list[str]) -> bool:
    """Whether labels count up; one alone may be any number."""
    places = [int(one) if one.isdigit() else ord(one) for one in labels]
    return all(one < other for one, other in pairwise(places))


def _line_end(message: str, start: int, end: int) -> int:
    return start + len(message[start:end].partition("\n")[0])


def _lines(message: str) -> Iterator[LabelledItem]:
    start = 0
    for line in message.split("\n"):
        dash = _DASH.match(line)
        if line.strip():
            yield LabelledItem("", start + (dash.end() if dash else 0), start + len(line))
        start += len(line) + 1
