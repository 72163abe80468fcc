"""Secrets that answer a question: only `what is the password?` before it marks `Autumn2026!` as one.

First come the questions: which items of a message ask for a secret, and whether the message asks at all.
"""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipeline.adapters.redaction.code_words import PLACE, loose_pattern, pattern
from pipeline.adapters.redaction.spans import Span, fold
from pipeline.adapters.redaction.values import (
    PLAIN_WORDS,
    is_chosen,
    is_doubtful,
    is_harmless,
    is_passphrase,
    is_plain_word,
    is_wordy,
)

_ASKED = pattern("asked_for")
# A code that is asked for: `the code?`, `kod do bramy`.
_CODE = re.compile(
    r"(?<![A-Za-z])(?:code|combination|token(?:u|em|a)?|kod(?:u|em)?)(?![a-ząćęłńóśźż])(?P<last>\s*[?？])?",
    re.IGNORECASE,
)
NAME_STEMS = tuple(
    re.findall(
        r"\S+",
        """
        pass pwd pin otp puk cvv cred secret token key security code combination hasł hasl szyfr klucz kod pytani fraz
        密 口令 令牌 验证 驗證 验證 驗证 门禁 門禁
        """,
    )
)
"""A text without any of these names no secret that somebody may ask for."""
_CODE_OF_OTHERS = pattern("public_code", "public_code_begun")
_WANTED = pattern("wanted", "wanted_begun")
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")
# Talk about secrets, in which none is asked for: `password policy`, `token expiry`, `długość hasła`, `密码策略`.
_ABOUT_SECRETS = re.compile(
    r"(?:pass(?:word|phrase|code)s?|tokens?|keys?|secrets?|credentials)[ -]"
    r"(?:polic|manager|rotat|expir|length|strength|hash|count|limit|rules?\b|reset|stor)"
    r"|has[łl]\w*\s(?:g[łl][oó]wn|przewodn)|(?:polityk|mened[żz]er|menad[żz]er|d[łl]ugo[śs][ćc])\w*\shas[eł]"
    r"|密[码碼](?:学|學|策略|长度|長度|管理|强度|規則|规则)",
    re.IGNORECASE,
)
# The beginning of an item: `2. `, `(b) `, `问题三:`.
_LABEL = re.compile(
    r"(?:^|(?<=[\n;；])|(?<=[ \t,，]))[ \t>]{0,8}(?:(?:question|q|pytanie|pyt\.|问题|第)\s?)?"
    r"\(?(?P<label>[1-9]\d?|[a-hA-H]|[一二三四五六七八九十])(?:[)）、]|[.:：](?!\d)|个?(?:问题|問題)[:：]?)\s*(?=\S)",
    re.IGNORECASE,
)
_HAN_LABEL = {mark: str(at) for at, mark in enumerate("一二三四五六七八九十", 1)}
# `- ` and the like before an item.
_DASH = re.compile(r"^[ \t>]*[-*•+–][ \t]+(?=\S)")
# What stands between the things that one sentence asks for: `the password and the PIN`.
_LIST = re.compile(r"\s*(?:[,，、;；]|\b(?:and|oraz|i|a także)\b|和|以及|与|跟)\s*", re.IGNORECASE)
# `I need: `, `podaj `, `告诉我`: the things that are asked for stand behind it.
_NEEDED = re.compile(
    r"\b(?:need|require|want|send me|give me|provide|share|tell me|potrzebuj\w*|poda\w*|przy[śs]lij|wy[śs]lij)\b"
    r"[^:：]{0,24}?[:：]?\s+|(?:需要|要|提供|告诉我|发给?我)[:：]?",
    re.IGNORECASE,
)
# A question whose answer is no secret: `is the password changed?`, `czy hasło działa?`, `密码对吗?`.
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
    folded = fold(tail)
    if not any(stem in folded for stem in NAME_STEMS):
        return False
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


_LEADING = loose_pattern("answer_lead")
_NOTE = (
    r"(?:please\s)?(?:(?:remember|save|keep|note)(?:\s(?:it|this|that|down|it\sdown))?|fyi|reminder"
    r"|(?:zapami[eę]taj|zanotuj|zapisz|pami[eę]taj|notatka|uwaga)(?:\s(?:to|sobie|prosz[eę]))?|请?(?:记住|記住|记下|記下|记好|备注|注意)(?:它|了|吧|一下|这个)?)\s?[,:：，-]"
)
_LEAD = re.compile(
    rf"[\s,:;.!，。：！]*(?:{_NOTE}|(?:{_LEADING})(?![A-Za-z])|好的?|是|就是|就?用|就?设成?|改成|给你|給你|可以)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\s，。；、！？\"'`()「」“”…•一-鿿]+")
_NUMBER = re.compile(r"[#*]?\d{3,10}[#*]?|\d{1,4}(?:-\d{1,4}){1,4}")
_ONE_WORD = re.compile(r"(?:(?![一-鿿])[^\W\d_]){4,24}")  # no Chinese sentence, which has no blanks
_NO_SECRETS = frozenset(
    re.findall(
        r"\S+",
        """
        sure okay thanks never mind wait sorry hello stop skip pass later forgot dunno nope yeah great
        perfect continue dzięki dzieki chwila zaraz czekaj dobra dobrze pewnie jasne niestety spoko
        """,
    )
)
_TRAILING = ".,;:!?)，。；！？吧哦啊\"'`”’」"
_REFUSING = (
    "no ",
    "none",
    "not ",
    "don't",
    "skip",
    "later",
    "same ",
    "nie ",
    "brak",
    "bez ",
    "pomi",
    "później",
    "pozniej",
    "不",
    "没",
    "無",
    "无",
    "跳过",
    "以后",
)
_PART = re.compile(r"[^,，、;；\n]+")
_GIVING = re.compile(
    r"[:：]\s*$|(?:make it|let'?s \w+|take|use|be|niech b[eę]dzie|ustaw|we[zź]|用|成)\s*$", re.IGNORECASE
)
_PAUSE = re.compile(r"(?:[,;，；。！]\s*|[.!]?\s*\n\s*|[.!]\s+|\s+[–—-]\s+)(?=\S)")
_SHORT_HAN = re.compile("[一-鿿]{0,4}")
_LONGEST_REMARK = 40
_GROUPS = re.compile(r"\d{3,4}(?:[ -]\d{3,4}){1,2}(?![\d.,])")
_MOST_WORDS = 5
_ANSWER = 4_000
_LONGEST_PART = 80
_REACH = 200


def find(text: str, before: Sequence[str]) -> Iterator[Span]:
    """The spans of the answer to a question for a secret; `before` are the messages before `text`, the latest last.

    A message that follows another answer is looked at as well, but only when it is a single word.
    """
    asked = [*map(asks, before)]
    if not any(asked):
        return
    latest = asked[-1]
    if latest and (listed := list(_answers_in_list(text, secret_items(before[-1])))):
        yield from listed
        return
    start = _start_of_answer(text)
    end = _end_of_answer(text, start, len(text))
    alone = text[start:end].strip().strip(_TRAILING).strip()
    if len(alone.split()) == 1:
        if _is_secret(alone, alone=latest):
            place = text.index(alone, start)
            yield place, place + len(text[place:end].rstrip())
    elif latest and (is_passphrase(alone) or (_GIVING.search(text[:start]) and _is_few_words(alone))):
        yield start, start + len(text[start:end].rstrip())
    elif latest:
        if groups := _GROUPS.match(text, start):  # a code in groups: 582 119
            yield groups.span()
        yield from _secrets_inside(text)


def _answers_in_list(text: str, asked: Sequence[tuple[str, bool]]) -> Iterator[Span]:
    """The answers to those of several questions that ask for a secret, by their labels, else by their places."""
    if not any(secret for _, secret in asked):
        return
    given = items(text[:_ANSWER])
    labels = {label for label, secret in asked if secret and label}
    if any(item.label for item in given):
        chosen_items = [item for item in given if item.label in labels]
    elif len(asked) > 1:
        parts = given if len(given) > 1 else [LabelledItem("", *part.span()) for part in _PART.finditer(text[:_ANSWER])]
        fits = len(parts) == len(asked) and all(item.end - item.start <= _LONGEST_PART for item in parts)
        chosen_items = [item for item, (_, secret) in zip(parts, asked, strict=True) if secret] if fits else []
    else:
        chosen_items = []
    for item in chosen_items:
        yield from _secrets_of_item(text, item)


def _secrets_of_item(text: str, item: LabelledItem) -> Iterator[Span]:
    """The secret of an answer: all of it where it is a word or a few, else what looks like one."""
    start = item.start + _start_of_answer(text[item.start : item.end])
    value = text[start : _end_of_answer(text, start, item.end)].rstrip().rstrip(_TRAILING)
    words = value.split()
    if not value.strip("-*+–—") or value.lower() in _NO_SECRETS | PLAIN_WORDS or value.lower().startswith(_REFUSING):
        return
    if len(words) == 1 or _is_few_words(value):
        yield start, start + len(value)
        return
    for match in _TOKEN.finditer(text, start, item.end):
        if _is_secret(match[0].rstrip(_TRAILING), alone=False):
            yield match.start(), match.start() + len(match[0].rstrip(_TRAILING))


def _is_few_words(value: str) -> bool:
    words = [word.strip(_TRAILING).lower() for word in value.split()]
    return (
        bool(words)
        and len(words) <= _MOST_WORDS
        and not any(is_plain_word(word) or word in _NO_SECRETS for word in words if word.isalpha())
    )


def _start_of_answer(text: str) -> int:
    start = 0
    while lead := _LEAD.match(text, start):
        start = lead.end()
    rest = re.compile(r"[\s,:;，：\"'`*“„「]*").match(text, start)
    return rest.end() if rest else start


def _end_of_answer(text: str, start: int, end: int) -> int:
    """The place where an answer ends before a remark: `sunflower, thanks`."""
    for pause in _PAUSE.finditer(text, max(start, end - _LONGEST_REMARK), end):
        rest = text[pause.end() : end]
        remark = rest[_start_of_answer(rest) :].lower()
        if not remark.startswith(_REFUSING) and all(
            word in _NO_SECRETS or _SHORT_HAN.fullmatch(word) or (word.isalpha() and is_plain_word(word))
            for word in (part.strip(_TRAILING) for part in remark.split())
        ):
            return pause.start()
    return end


def _secrets_inside(text: str) -> Iterator[Span]:
    for match in _TOKEN.finditer(text, 0, _REACH):
        value = match[0].rstrip(_TRAILING)
        if _is_secret(value, alone=False):
            yield match.start(), match.start() + len(value)


def _is_secret(value: str, *, alone: bool) -> bool:
    if is_harmless(value) and not value.isdigit():
        return False
    if _NUMBER.fullmatch(value):
        return True
    if is_harmless(value):
        return False
    if is_chosen(value):
        return alone or not (value.isalpha() or is_doubtful(value) or (is_wordy(value) and value.islower()))
    return alone and bool(_ONE_WORD.fullmatch(value)) and not (is_plain_word(value) or value.lower() in _NO_SECRETS)
