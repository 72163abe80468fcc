"""Secrets that answer a question: only `what is the password?` before it marks `Autumn2026!` as one."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator, Sequence

from pipeline.adapters.redaction.code_words import PLACE, either, pattern
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import chosen, doubtful, harmless, passphrase, plain_word, wordy

_ASKED = pattern(
    r"pass(?:word|phrase|code)s? pwd pin(?:u|em)? otp puk cvv credentials secret (?:auth|access|api|bot|bearer)_token"
    r" (?:api|access|secret|private|licen[cs]e|encryption)[_-]?keys? has[łl](?:o|a|em)"
    r" szyfr(?:u|em)? klucz(?:a|em)?_api",
    chinese="密[码碼钥鑰] 口令 令牌 [验驗][证證][码碼] [门門]禁[码碼]",
)
_CODE = re.compile(
    r"(?<![A-Za-z])(?:code|combination|token|kod(?:u|em)?)(?![a-ząćęłńóśźż])(?P<last>\s*[?？])?", re.IGNORECASE
)
_CODE_OF_OTHERS = pattern(
    r"(?:error|exit|status|response|return|source|http|zip|postal|country|area|colou?r|product|discount|promo)_code"
    r" (?:this|that|some|your)_code code_(?:review|style|base) code_for_th(?:is|at)_(?:function|class|method|module)",
    "kod(?:u)?_(?:b[łl][eę]d|poczt|produkt|[źz]r[oó]d|rabat)",
    "错误 邮",
)
_WANTED = pattern(
    r"what(?:'?s|_is|_was|_are) which tell_me give_me send_(?:me|it|us) paste provide enter type share need"
    r" remind_me i_forgot next_message here_(?:it_)?(?:is|comes) jak(?:ie|i|a) poda(?:j|sz) wpisz"
    r" wy[śs]lij przy[śs]lij napisz wklej przypomnij oto",
    "potrzeb zapomnia",
    "什么 什麼 多少 几位 发给 發給 告诉 告訴 输入 輸入 提供 给我 給我 忘了",
)
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")
_LEADING = either(
    r"it'?s it_is it_was that'?s is the ok okay sure yes yeah here there you go try use to jest tak pewnie"
    r" prosz[eę] jasne mam oto password code pin has[łl]o kod"
)
_NOTE = (
    r"(?:please\s)?(?:(?:remember|save|keep|note)(?:\s(?:it|this|that|down|it\sdown))?|fyi|reminder"
    r"|(?:zapami[eę]taj|zanotuj|zapisz|pami[eę]taj|notatka|uwaga)(?:\s(?:to|sobie|prosz[eę]))?|请?(?:记住|記住|记下|記下|记好|备注|注意)(?:它|了|吧|一下|这个)?)\s?[,:：，-]"
)
_LEAD = re.compile(rf"[\s,:;.!，。：！]*(?:{_NOTE}|(?:{_LEADING})(?![A-Za-z])|好的?|是|就是|给你|給你)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s，。；、！？\"'`()「」“”…•一-鿿]+")
_NUMBER = re.compile(r"[#*]?\d{3,10}[#*]?|\d{1,4}(?:-\d{1,4}){1,4}")
_ONE_WORD = re.compile(r"[^\W\d_]{4,24}")
_NO_SECRETS = frozenset(
    re.findall(
        r"\S+",
        """
        sure okay thanks never mind wait sorry hello stop skip pass later forgot dunno nope yeah great
        perfect continue dzięki dzieki chwila zaraz czekaj dobra dobrze pewnie jasne niestety spoko
        """,
    )
)
_TRAILING = ".,;:!?)"
_TAIL = 600
_REACH = 200


def find(text: str, before: Sequence[str]) -> Iterator[Span]:
    """The spans of the answer to a question for a secret; `before` are the messages before `text`, the latest last.

    A message that follows another answer is looked at as well, but only when it is a single word.
    """
    latest = bool(before) and _asks(before[-1])
    if not latest and not any(map(_asks, before)):
        return
    start = _begin(text)
    alone = text[start:].strip().strip(_TRAILING)
    if len(alone.split()) == 1:
        if _secret(alone, alone=latest):
            place = text.index(alone, start)
            yield place, place + len(text[place:].rstrip())
    elif latest and passphrase(alone):
        yield start, start + len(text[start:].rstrip())
    elif latest:
        yield from _inside(text)


def _asks(message: str) -> bool:
    for sentence in _SENTENCE.findall(message[-_TAIL:]):
        if _WANTED.search(sentence) and not _CODE_OF_OTHERS.search(sentence) and _names_secret(sentence):
            return True
    return False


def _names_secret(sentence: str) -> bool:
    code = _CODE.search(sentence)
    return bool(_ASKED.search(sentence) or (code and (code["last"] or PLACE.search(sentence))))


def _begin(text: str) -> int:
    start = 0
    while lead := _LEAD.match(text, start):
        start = lead.end()
    rest = re.compile(r"[\s,:;，：\"'`*]*").match(text, start)
    return rest.end() if rest else start


def _inside(text: str) -> Iterator[Span]:
    for match in _TOKEN.finditer(text, 0, _REACH):
        value = match[0].rstrip(_TRAILING)
        if _secret(value, alone=False):
            yield match.start(), match.start() + len(value)


def _secret(value: str, *, alone: bool) -> bool:
    if _NUMBER.fullmatch(value):
        return True
    if harmless(value):
        return False
    if chosen(value):
        return alone or not (value.isalpha() or doubtful(value) or (wordy(value) and value.islower()))
    return alone and bool(_ONE_WORD.fullmatch(value)) and not (plain_word(value) or value.lower() in _NO_SECRETS)
