"""Secrets that answer a question: only `what is the password?` before it marks `Autumn2026!` as one."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator, Sequence

from pipeline.adapters.redaction.code_words import loose_pattern
from pipeline.adapters.redaction.questions import LabelledItem, asks, items, secret_items
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import (
    PLAIN_WORDS,
    is_chosen,
    is_doubtful,
    is_harmless,
    is_passphrase,
    is_plain_word,
    is_wordy,
)

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
        yield from _spaced_number(text, start)
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


def _spaced_number(text: str, start: int) -> Iterator[Span]:
    """A code in groups: 582 119."""
    if match := _GROUPS.match(text, start):
        yield match.span()


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
