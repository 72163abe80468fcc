"""Passwords that are ordinary words: `the password is sunflower`, several from a list, Chinese or spelled ones."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.cues import COPULA, COPULA_HAN
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import is_passphrase, is_plain_word

# The place, the owner or the purpose of a password: it stands between the cue and the words that lead to the value.
_LEAD = re.compile(
    r"(?:\s(?:for|to|of|on|at|in|from|by|do|od|w|we|z|u|na(?!\sdzi)|dla|przy)(?:\s[\w'’-]{1,20}){1,5}?){0,4}?"
    r"(?:\s(?:nasz|moj|mój|tw)\w{1,5}(?:\s[^\W\d_]{2,20}){1,2}?)?"
    rf"\s?{COPULA}(?:\s?[:：=])?(?:\s|(?<=[:：=]))[\"'`*“„]*",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"(?P<value>(?:[^\W\d_]{2,20}[ -]){0,7}?[^\W\d_]{2,20})(?=[\"'`*”]*\s*(?:(?:yesterday|today|now|from\snow|again|btw"
    r"|please|thanks|since|teraz|wczoraj|dzi[śs]|od\s(?:teraz|dzi(?:[śs]|siaj)|wczoraj))(?![^\W\d_])|[.,;!?)](?!\w)|[–—-]\s|\n|$))"
)
_HAN = re.compile(rf"\s?{COPULA_HAN}\s?[「“]?(?P<value>[一-鿿]{{2,80}})(?=[」”]?(?:[，。！？；,.!?;\s]|$))")
_PREDICATE = re.compile(
    r"[的了吗嗎呢么麼]$|[吗嗎么麼]|多少|怎|错误|錯誤|[不没沒][对對能要可是会會同用]|没有|沒有|必[填须須]|请|請|被|可以|应[该當当]|應該|需要"
    r"|自动|自動|动态|動態|加密|加盐|哈希|随机|隨機|机密|生成|谁|誰|哪|正确|正確|一样|一樣|存[在于於放]|至少|最少|长度|[长長短][^一-鿿]*$"
    r"|\d位|位[数數]|由|或者|每[个個天次月]|空[的值白]?$|默认值?$|必要|可选|过期|過期|无效|無效|有效"
)
_SPELLING = re.compile(
    r"(?<![A-Za-z])(?:capital|spelled|spelt|literuj\w+|upper\s?case|lower\s?case|underscore|wielk\w+|du[żz]\w+\s(?:liter\w+|[^\W\d_])|ma[łl]\w+\sliter\w+|podkre[śs]lnik)(?![a-z])"
    r"|[大小][写寫]|下划线",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^\n•.。;；]{4,120}")
_NETWORK = re.compile(
    r"(?<![A-Za-z])(?:wi-?fi|wlan|wpa\d?|network\skey|sieci|router\w*|hotspot\w*)(?![A-Za-z])|网络|網路|无线|無線|热点|路由",
    re.IGNORECASE,
)
"""The key of a network is a password that people choose."""
_NEAR = 12
_SHORTEST = 4


def find(cue: re.Match[str], line: Span) -> Iterator[Span]:
    """The spans of ordinary words that are called a password behind a cue in a line."""
    text = cue.string
    start, end = max(line[0], cue.start() - _NEAR), min(line[1], cue.end() + _NEAR)
    if cue.lastgroup != "password" and not _NETWORK.search(text, start, end):
        return
    if han := _HAN.match(text, cue.end(), line[1]):
        if not _PREDICATE.search(han["value"]):
            yield han.span("value")
    elif lead := _LEAD.match(text, cue.end(), line[1]):
        yield from _words(text, (lead.end(), line[1]))


def _words(text: str, stretch: Span) -> Iterator[Span]:
    clause = _CLAUSE.match(text, *stretch)
    if clause and _SPELLING.search(clause[0]):
        yield clause.span()
    elif phrase := _PHRASE.match(text, *stretch):
        value = phrase["value"]
        if is_passphrase(value.replace("-", " ")) or (
            len(value) >= _SHORTEST and not any(map(is_plain_word, value.split("-")))
        ):
            yield phrase.span("value")
