"""Secrets given to a name in code, configuration or a command: `DB_PASSWORD=...`, `"apiKey": "..."`, `--token ...`."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Callable, Iterator

from pipeline.adapters.redaction.naming import NAME, ValueKind, is_deliberate, kind_of
from pipeline.adapters.redaction.screening import Screen, register_stems
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import (
    PLAIN_WORDS,
    is_chosen,
    is_digest,
    is_harmless,
    is_issued,
    is_mixed,
    is_passphrase,
    is_reference,
)

_NAMED = re.compile(
    rf"""(?<![A-Za-z0-9_ąćęłńóśźż])(?P<name>{NAME})
    (?P<between>\\{{0,3}}["'`]?\]?\s{{0,3}}(?:=>|:=|={{1,3}}|:|：)\s{{0,3}}
    |\s(?:is|was|to|as|now|jest|na|是|为|為|设为|设成|改成|should\sbe|must\sbe|equals|set\sto|set\sas)\s(?:now\s|set\sto\s)?
    |["'`]?\s{{1,2}}(?=["'])|\((?=["'][^"'\n]{{5,100}}["']\s?\))|>(?=[^\s<>]{{4,400}}</)|\s)""",
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = re.compile(
    r"""(?:[brf]?\\{0,3}(?:"(?P<double>[^"\\\n•]{4,400})\\{0,3}"|'(?P<single>[^'\\\n•]{4,400})\\{0,3}'|`(?P<ticked>[^`\n•]{4,400})`)
    |(?P<bare>(?:[^\s"'`<>,;)\]}，。；•\\]|(?<=\w)["'](?=\w)){4,400}))""",
    re.VERBOSE | re.IGNORECASE,
)
_SIGN = re.compile(r"[=:：>(]")
_NUMBER = re.compile(r"[\"'`]?(?P<number>[#*]?\d{3,10}[#*]?)(?![\w.%])")

_STEM = re.compile(
    r"pass|pw|psk|has[lł]o|se[ck]ret|token|cred|key|access|[as]k"
    r"|pin|otp|puk|cv[vc]|code"
)
_STEMS = register_stems(
    re.findall(r"\S+", "pass pw psk haslo hasło secret sekret token cred key access pin otp puk cvv cvc code")
)
"""In the name of a secret stands one of these, or one of the next, which are whole words."""
_SHORT = register_stems(["ak", "sk"])
_SHORT_WORD = re.compile("(?<![a-z])[as]k(?![a-z])")
_OF_NAME = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ąćęłńóśźżĄĆĘŁŃÓŚŹŻ-\u0131\u0130\u017f\u212a"
)
_BEHIND = re.compile(
    rf"(?:{_STEM.pattern})[{''.join(sorted(_OF_NAME - {'-'}))}-]{{0,60}}(?:(?P<sign>\s{{0,3}}[=:：]|[\\\"'`\]>(])|\s)"
)
"""A stem in a name that has a value, and whether there is a sign or a quote right behind the name."""
_DELIBERATE = re.compile(r"[_A-Z]|--")
"""Without these, a name is a word of a sentence, if no sign follows."""
_LONGEST_NAME = 61


def find(screen: Screen, may: Callable[[Span], bool]) -> Iterator[Span]:
    """The spans of values assigned to a secret's name, each in a line that `may` have one."""
    position = 0
    short = any(_SHORT_WORD.match(screen.folded, place) for place in screen.occurrences(_SHORT))
    for place in screen.occurrences(_STEMS | _SHORT if short else _STEMS):
        if place < position or not (stem := _BEHIND.match(screen.folded, place)):
            continue
        line = screen.line_at(place)
        named = _name_at(screen.text, stem, (max(line[0], position), line[1]))
        if not named:
            continue
        position = named.end("name")
        kind = kind_of(named["name"])
        if kind and _is_assigned(named) and may(line) and (value := _secret_value(named, kind, line[1])):
            yield value.span(value.lastgroup or 0)
            position = value.end()


def _name_at(text: str, stem: re.Match[str], stretch: Span) -> re.Match[str] | None:
    """The first name in a stretch of a line that has this stem in it."""
    start = place = stem.start()
    while start > max(stretch[0], place - _LONGEST_NAME) and text[start - 1] in _OF_NAME:
        start -= 1
    if not (stem["sign"] or _DELIBERATE.search(text, start, stem.end())):
        return None
    for begin in range(start, place + 1):
        if (begin == start or text[begin - 1] == "-") and (named := _NAMED.match(text, begin, stretch[1])):
            return named
    return None


def _secret_value(named: re.Match[str], kind: ValueKind, end: int) -> re.Match[str] | None:
    value = (_NUMBER if kind is ValueKind.CODE else _VALUE).match(named.string, named.end(), end)
    if not value:
        return None
    group = value.lastgroup or 0
    if kind is ValueKind.CODE or (
        _is_bare_secret(value["bare"], named, kind) if group == "bare" else _is_quoted_secret(value[group], kind)
    ):
        return value
    return None


def _is_assigned(named: re.Match[str]) -> bool:
    # `--password X` has no sign between; `password X` in a sentence belongs to `said`.
    between = named["between"]
    if _SIGN.search(between) or '"' in between or "'" in between:
        return True
    option = named.string.endswith("--", 0, named.start())
    return option or is_deliberate(named["name"])


def _is_quoted_secret(value: str, kind: ValueKind) -> bool:
    if value.lower() in PLAIN_WORDS or is_harmless(value):
        return False
    if " " in value.strip():
        return kind is ValueKind.PASSWORD and is_passphrase(value)
    return kind is ValueKind.PASSWORD or is_chosen(value)


def _is_bare_secret(value: str, named: re.Match[str], kind: ValueKind) -> bool:
    if is_harmless(value) or value.lower() in PLAIN_WORDS:
        return False
    # People choose passwords and what is called a secret; a token is issued, so letters alone are none.
    is_chosen_by_people = kind is ValueKind.PASSWORD or named["name"].endswith(("SECRET", "SEKRET"))
    if is_chosen_by_people and _is_environment_value(value, named):
        return True
    if is_reference(value):
        return False
    if not _SIGN.search(named["between"]) and kind is ValueKind.KEY:
        return is_issued(value) or is_digest(value)
    return is_chosen(value) and (is_mixed(value) or kind is ValueKind.PASSWORD)


def _is_environment_value(value: str, named: re.Match[str]) -> bool:
    # `PASSWORD=SunFlower`, as a shell and a file of variables have it, is no name in code; `DB_PASSWORD=PGPASSWORD` and
    # `PASSWORD=PasswordField` name where it is.
    name = named["name"]
    is_variable = named["between"] == "=" and name == name.upper() and not named.string.endswith("(", 0, named.start())
    is_word = value[1:].islower() or value.isupper()
    is_name = kind_of(value) if is_word else _STEM.search(value.lower())
    return is_variable and value.isalpha() and not is_name
