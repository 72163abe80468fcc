"""Secrets that no form gives away: words that name one, and an assistant that answers that it keeps none."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterable

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


def is_kept_by_nobody(quote: str, answers: Iterable[str], *, to_remember: bool) -> bool:
    """Whether words give a code, and the assistant answers that it keeps no passwords, codes and the like.

    Words that are `to_remember` need not name the kind of secret.
    """
    words = fold(quote)
    if not _VALUE.search(words) or not (to_remember or _NAMES.search(words)):
        return False
    return any(_KEEPS_NONE.search(fold(answer)) for answer in answers)
