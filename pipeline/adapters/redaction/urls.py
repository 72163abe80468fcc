"""Secrets in addresses: a password, a webhook, a token in a query, the tail of a link that lets its holder in."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.naming import ValueKind, kind_of
from pipeline.adapters.redaction.screening import PARAMETER, PATH, Screen, register_stems
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import PLAIN_WORDS, is_mixed, is_stand_in, is_wordy, looks_random

_DATABASES = (
    r"(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqps?|clickhouse|mssql|sqlserver|oracle|nats|ldaps?)"
)
_CREDENTIALS = (
    re.compile(
        r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/?#:@\"'<>\[({]{0,80}:[^\s/?#\"'<>]{1,200}@[^\s\"'<>，。；）)]{0,300}"
    ),
    re.compile(
        rf"(?<![A-Za-z0-9]){_DATABASES}(?:\+\w+)?://[^\s:/@\"'<>\[({{]{{0,80}}:[^\s\"'<>]{{1,200}}@[^\s\"'<>，。；）)]{{1,300}}"
    ),
)
_NAMED = re.compile(r"https?://(?=[A-Za-z]{0,64}\d)[A-Za-z0-9_-]{16,64}@[^\s\"'<>]{1,200}")
_HOOKS = (
    re.compile(r"https?://(?:\w{1,20}\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]+"),
    re.compile(
        r"https?://(?:hooks\.slack\.com/\w+|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v\d/hook)/[\w/-]+"
    ),
)
_HOOK = re.compile(r"https?://[^\s\"'<>/]{0,100}(?:hook|/[^\s\"'<>]{0,100}hook)[^\s\"'<>，。；（）]{0,300}", re.ASCII)
_PARAMETER = re.compile(r"[?&;#](?P<name>[A-Za-z][\w.-]{0,40})=(?P<value>[^\s&\"'<>#，。；）)]{4,400})", re.ASCII)
_BEGIN, _TAIL = b"?A", b"/" + b"A" * 16
"""The shapes of a parameter's beginning, and of the tail that lets somebody in."""
_LETS_IN = re.compile(
    r"(?<=/)(?:reset|verif|confirm|invit|magic|login|signin|sign-in|activat|auth|token|password|recover|unsubscribe|sso)[\w-]{0,20}"
    r"/(?P<value>[\w-]{16,200})(?![\w./-])",
    re.ASCII | re.IGNORECASE,
)
_PASSING = frozenset({"sig", "auth", "key"})
_PASSING_IF_RANDOM = frozenset({"code", "sid", "ticket", "session", "sessionid", "hmac", "t", "k", "invite"})
_OPAQUE_LENGTH = 16
_SHORTEST = 6


_ADDRESS = register_stems(["://"])
_LETTING_IN = register_stems(
    f"/{word}"
    for word in re.findall(
        r"\S+",
        "reset verif confirm invit magic login signin sign-in activat auth token password recover unsubscribe sso",
    )
)


def find(screen: Screen) -> Iterator[Span]:
    """The spans of secrets in the addresses of a text, which may have many lines."""
    text = screen.text
    for line in screen.spans(screen.lines_of_shape(PARAMETER, _BEGIN) if "=" in text else ()):
        for match in _PARAMETER.finditer(text, *line):
            if _passes(match["name"], match["value"]):
                yield match.span("value")
    if "://" not in text:
        return
    for line in screen.spans(screen.lines(_ADDRESS)):
        yield from _secrets_in_line(text, line)
    for line in screen.spans(screen.lines_of_shape(PATH, _TAIL) if screen.has(_LETTING_IN) else ()):
        yield from (match.span("value") for match in _LETS_IN.finditer(text, *line) if _is_made(match["value"]))


def _secrets_in_line(text: str, line: Span) -> Iterator[Span]:
    if "@" in text[slice(*line)]:
        for pattern in _CREDENTIALS:
            yield from (match.span() for match in pattern.finditer(text, *line) if _has_password(match[0]))
        yield from (match.span() for match in _NAMED.finditer(text, *line))
    if "hook" in text[slice(*line)]:
        for pattern in _HOOKS:
            yield from (match.span() for match in pattern.finditer(text, *line))
        yield from (match.span() for match in _HOOK.finditer(text, *line) if _is_opaque(match[0]))


def _passes(name: str, value: str) -> bool:
    """Whether a parameter of an address holds a secret."""
    kind = kind_of(name)
    if kind is ValueKind.PASSWORD:
        return not (is_stand_in(value) or value.lower() in PLAIN_WORDS)
    if kind or name.lower() in _PASSING or name.lower().endswith("signature"):
        return len(value) >= _SHORTEST and is_mixed(value) and not is_wordy(value)
    if name.lower().endswith(("key", "token")) and len(value) >= _OPAQUE_LENGTH:
        return is_mixed(value) and not is_wordy(value)
    return name.lower() in _PASSING_IF_RANDOM and looks_random(value)


def _is_opaque(url: str) -> bool:
    tail = re.split(r"[/=]", url.rstrip("/"))[-1]
    return len(tail) >= _OPAQUE_LENGTH and is_mixed(tail) and not is_wordy(tail)


def _is_made(tail: str) -> bool:
    return looks_random(tail) or (is_mixed(tail) and "-" not in tail and not is_wordy(tail))


def _has_password(url: str) -> bool:
    password = re.sub(r"^[^:]+://[^:]*:(.*)@.*$", r"\1", url, flags=re.DOTALL)
    return password == url or not is_stand_in(password)
