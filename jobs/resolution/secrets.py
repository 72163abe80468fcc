"""Secrets that no form gives away: words that name one, and an assistant that answers that it keeps none."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from pipeline.language.folding import fold

_NAMES = re.compile(
    r"\b(?:pass(?:word|code|phrase)s?|pins?|puk|codes?|combination|secrets?|credentials|tokens?|keys?"
    r"|hasl\w{1,3}|kod(?:u|em|y|ow)?|szyfr\w{0,2}|sekret\w{0,2}|klucz\w{0,3})\b|密码|口令|验证码|密钥|暗号|门禁"
)
_VALUE = re.compile(r"\d{3}|\d[-# ]\d|[一二三四五六七八九零]{3}")
_KEEPS_NONE = re.compile(
    r"\bi(?:'d|'ll| will| would| can)? ?(?:rather )?(?:don't|do not|won't|will not|never|can't|cannot|not)\b"
    r"[^.!?\n]{0,30}\b(?:stor|sav|keep|remember|record|writ|not(?:e|ing)|memori|retain)\w*\b[^.!?\n]{0,40}"
    r"\b(?:pass(?:word|code|phrase)|pin|code|secret|credential|token|key)s?\b"
    r"|\bnie (?:zapis(?:uje|ze)|zapamiet(?:uje|am)|przechow(?:uje|am)|(?:za)?notuje|zachow(?:uje|am)|trzymam)\b"
    r"[^.!?\n]{0,40}\b(?:hasl|kod|pin|sekret|klucz|danych logowania)\w*"
    r"|我不(?:会|能|想)?[^。！？\n]{0,6}[存记][^。！？\n]{0,14}(?:密码|口令|验证码|密钥|敏感|码)"
)


def keeps_none(answer: str) -> bool:
    """Whether an assistant answers that it keeps no passwords, codes and the like."""
    return _KEEPS_NONE.search(fold(answer)) is not None


def names_secret(text: str) -> bool:
    """Whether words name a kind of secret."""
    return _NAMES.search(fold(text)) is not None


def has_code(text: str) -> bool:
    """Whether words have a number that may be a code."""
    return _VALUE.search(fold(text)) is not None
