"""Names of settings, variables and fields: `dbPassword`, `MAILGUN_KEY` and `gate-pin` name secrets."""

import re
from enum import StrEnum
from functools import lru_cache


class ValueKind(StrEnum):
    """The kind of a value, by its name."""

    PASSWORD = "password"  # noqa: S105 - the name of a kind
    KEY = "key"
    CODE = "code"


NAME = r"[A-Za-z_][A-Za-z0-9_ąćęłńóśźż-]{0,60}"
"""A pattern: a name in code, settings or a command; a longer one is not looked at to its end."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-ząćęłńóśźż]+|\d+")
_PASSWORDS = frozenset(["password", "passwd", "passphrase", "passcode", "pwd", "psk", "haslo", "hasło"])
_LAST_PASSWORDS = frozenset({"pass", "pw"})  # `pass_rate`, `pw_file` name other things
_KEYS = frozenset(
    re.findall(
        r"\S+",
        """
        secret sekret token credential credentials cred creds apikey authkey secretkey accesskey
        """,
    )
)
_QUALIFIERS = frozenset(
    re.findall(
        r"\S+",
        """
        shared api access secret private auth signing signature encryption account service license licence master
        admin deploy app application client server bot session bearer jwt hmac webhook storage subscription
        registration ssh wpa wifi
        """,
    )
)
_LONE_KEYS = frozenset({"access", "ak", "sk"})  # as the halves of a pair of keys are written
_CODES = frozenset({"pin", "otp", "puk", "cvv", "cvc"})
_CODE_QUALIFIERS = frozenset(
    re.findall(
        r"\S+",
        """
        access alarm auth bike building card door entry garage gate keypad lock locker login safe security
        sms unlock vault verification backup recovery
        """,
    )
)
_NOT_BEFORE = frozenset(
    re.findall(
        r"\S+",
        """
        get find hash compare encrypt decrypt generate max min num total count next previous prev page
        cursor continuation has is no use show hide forgot reset change check valid validate verify require
        allow stop pad eos bos sep unk mask public primary foreign sort partition
        """,
    )
)
_NOT_BEHIND = re.compile(
    r"(?:id|count|limit|type|name|ur[li]|path|file|field|var|size|manager|version|rule|hint|bucket|pattern|form|format|label"
    r"|prompt|header|input|error)s?"
    r"|ttl|expir\w*|len|length|hash\w*|polic\w+|reset|env|budget|usage|ring|min|max|rotat\w*|age|regex|valid\w*|check\w*"
    r"|placeholder|column|strength|rounds|algorithm|provider|store|storage|service|generator|class|required|enabled|disabled"
    r"|changed|updated|created|at|is|has|show|prefix|rate|window|review|page|screen|mode|pad|number"
)


@lru_cache(maxsize=4096)
def kind_of(name: str) -> ValueKind | None:
    """The kind of secret that a name names; `None` for a name such as `password_hash` or `max_tokens`."""
    words = [word.lower() for word in _WORD.findall(name)]
    for place in range(len(words) - 1, -1, -1):
        kind = _kind(words, place, shouted=name == name.upper())
        if not kind:
            continue
        behind = words[place + 1 :]
        if words[: place + 1][-2:] == ["private", "key"] and behind == ["id"]:
            return kind  # it names the key to look for, and stands beside it
        if any(_NOT_BEHIND.fullmatch(word) for word in behind) or (place and words[place - 1] in _NOT_BEFORE):
            return None
        return kind
    return None


def _kind(words: list[str], place: int, *, shouted: bool) -> ValueKind | None:
    word, before, last = words[place], words[place - 1] if place else "", place == len(words) - 1
    if word in _PASSWORDS or (last and word in _LAST_PASSWORDS) or word.endswith(("password", "passwd", "passphrase")):
        return ValueKind.PASSWORD
    if word in _KEYS or word.endswith(("secret", "token", "apikey")):
        return ValueKind.KEY
    if len(words) == 1 and word in _LONE_KEYS:
        return ValueKind.KEY
    if word == "key" and (before in _QUALIFIERS or (shouted and last and before)):
        return ValueKind.KEY
    if word in _CODES or (word == "code" and before in _CODE_QUALIFIERS):
        return ValueKind.CODE
    return None


def is_deliberate(name: str) -> bool:
    """Whether a name is one in code or settings, and not a word of a sentence: `DB_PASSWORD`, `dbPassword`."""
    return "_" in name.strip("_") or bool(re.search(r"[a-z][A-Z]", name))
