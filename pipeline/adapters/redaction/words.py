"""Passwords that are ordinary words: `the password is sunflower`, several from a list, Chinese or spelled ones."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.cues import CUE
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import passphrase, plain_word

_LEAD = re.compile(
    r"(?:\s(?:for|to|of|do|od|w|z|on|at)\s(?:the\s|my\s|our\s)?[\w-]{2,20}(?:\s[^\W\d_]{2,15})?){0,3}"
    r"(?:\s(?:is|was|=|to|jest|brzmi|będzie|bedzie)(?:\s(?:now|still|just|set\sto|teraz|nadal))?\s|(?:\s(?:is|jest|to|brzmi))?\s?[:：=]\s?)[\"'`*“„]*",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"(?P<value>(?:[^\W\d_]{2,20}[ -]){0,7}[^\W\d_]{2,20})(?=[\"'`*”]*\s*(?:[.,;!?)](?!\w)|[–—-]\s|\n|$))"
)
_HAN = re.compile(
    r"\s?(?:还|還)?(?:就?是|为|為|叫|[:：]|[改设設]成了?|[改设設]为)\s?[「“]?(?P<value>[一-鿿]{3,16})(?=[」”]?(?:[，。！？；,.!?;\s]|$))"
)
_SENTENCE = re.compile(
    r"[的了吗嗎呢么麼多少怎错錯空必填不没沒请請被要可应應该該自动動态態加机機谁誰哪正确確样樣存在于於长長短位由和与與或从從每]"
)
_SPELLING = re.compile(
    r"(?<![A-Za-z])(?:capital|spelled|spelt|literuj\w+|upper\s?case|lower\s?case|underscore|wielk\w+|du[żz]\w+\s(?:liter\w+|[^\W\d_])|ma[łl]\w+\sliter\w+|podkre[śs]lnik)(?![a-z])"
    r"|[大小][写寫]|下划线",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^\n•.。;；]{4,120}")
_SHORTEST = 4


def find(text: str, line: Span) -> Iterator[Span]:
    """The spans of ordinary words that one line of `text` calls a password."""
    for cue in CUE.finditer(text, *line):
        if cue.lastgroup != "password":
            continue
        if han := _HAN.match(text, cue.end(), line[1]):
            if not _SENTENCE.search(han["value"]):
                yield han.span("value")
        elif lead := _LEAD.match(text, cue.end(), line[1]):
            yield from _words(text, (lead.end(), line[1]))


def _words(text: str, stretch: Span) -> Iterator[Span]:
    clause = _CLAUSE.match(text, *stretch)
    if clause and _SPELLING.search(clause[0]):
        yield clause.span()
    elif phrase := _PHRASE.match(text, *stretch):
        value = phrase["value"]
        if passphrase(value.replace("-", " ")) or (
            len(value) >= _SHORTEST and not any(map(plain_word, value.split("-")))
        ):
            yield phrase.span("value")
