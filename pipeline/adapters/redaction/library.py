"""The findings of detect-secrets: the formats of many services, kept up to date by others."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Protocol

from pipeline.adapters.redaction.screening import ALPHANUMERIC, TAIL, WORD, Screen, register_stems
from pipeline.adapters.redaction.spans import Span, occurrences

# Left out on purpose: the entropy plugins (they report commits, UUIDs and message ids), KeywordDetector (in chat it
# takes the rest of the sentence), BasicAuthDetector (it takes `http://localhost:5173/@vite` for a password),
# GitLabTokenDetector and NpmDetector (they return the prefix, or cost quadratic time), JwtTokenDetector and
# OpenAIDetector (quadratic time in repeated prefixes; `formats` has both), IbmCloudIamDetector (any 44
# characters after "key"), ArtifactoryDetector (it takes words in capitals), the IP plugin (an address is no secret)
# and PrivateKeyDetector (it returns only the header; `formats` takes the whole block).
_KEY = "(?:key|pw|pass|token)"
PLUGINS = {
    "AWSKeyDetector": (
        ("a3t", "abia", "acca", "akia", "asia", "aws"),
        ("A3T", "ABIA", "ACCA", "AKIA", "ASIA"),
        f"aws.{{0,20}}?{_KEY}.{{0,20}}?['\"][0-9a-z/+]{{40}}['\"]",
    ),
    "AzureStorageKeyDetector": (("accountkey=",), (), ""),
    "CloudantDetector": (("cl",), (), f"cl(?:(?:oudant|ou)?[_-]?(?:api)?{_KEY}|oudant\\.com)"),
    "DiscordBotTokenDetector": ((".",), (), r"\.[\w-]{6}\.[\w-]{27}"),
    "GitHubTokenDetector": (("gh",), (), "gh[pousr]_"),
    "IbmCosHmacDetector": (("secret",), (), "secret[-_]?(?:access)?[-_]?key"),
    "MailchimpDetector": (("-us",), (), "-us[0-9]"),
    "PypiTokenDetector": (("pypi-",), (), ""),
    "SendGridDetector": (("sg.",), (), ""),
    "SlackDetector": (("xox", "hooks.slack.com"), (), ""),
    "SoftlayerDetector": (("sl", "softlayer"), ("softlayer",), f"sl[_-]?(?:api)?[_-]?{_KEY}"),
    "SquareOAuthDetector": (("sq0csp-",), (), ""),
    "StripeDetector": (("k_live_",), (), ""),
    "TelegramBotTokenDetector": ((":",), (), r":[\w-]{35}"),
    "TwilioKeyDetector": (("ac", "sk"), ("AC", "SK"), None),
}
"""The plugins, each with cheap tests before it: a line has one of the first strings, in lower case; and it has one of
the second, as they are written here, or the pattern, in lower case."""

_RUN, _TOKEN = b"A" * 20, b"A" * 27
"""The fewest letters and digits, and those with `-` and `_`, that stand together in what most plugins find."""
_BEGINS = register_stems(
    re.findall(r"\S+", "ghp_ gho_ ghu_ ghs_ ghr_ pypi- sg. sq0csp- xox hooks.slack.com accountkey= aws k_live_")
)
"""A line without such a run has one of these."""
_TAILS = {
    "DiscordBotTokenDetector": b".AAAAAA." + b"A" * 27,
    "TelegramBotTokenDetector": b":" + b"A" * 35,
}
"""The shapes of what two plugins find: looking for one in all of the text is faster than a pattern."""
_LONG = re.compile(r"[\w+/=.:-]{19}", re.ASCII)
"""No plugin of the list finds anything shorter."""


class _Plugin(Protocol):
    def analyze_string(self, string: str) -> Iterator[str]:
        """The secrets in one line."""


@dataclass(frozen=True)
class _TestedPlugin:
    """A plugin behind its tests."""

    hints: tuple[str, ...]
    literals: tuple[str, ...]
    pattern: re.Pattern[str] | None
    plugin: _Plugin

    def may_find(self, screen: Screen, line: Span) -> bool:
        """Whether the line, or the text, has what the plugin needs."""
        if not any(screen.folded.find(hint, *line) >= 0 for hint in self.hints):
            return False
        for literal in self.literals:
            if (screen.folded if literal.islower() else screen.text).find(literal, *line) >= 0:
                return True
        return bool(self.pattern and self.pattern.search(screen.folded, *line))


_LOADING = Lock()


@cache
def _load_plugins() -> tuple[_TestedPlugin, ...]:
    # Imported on first use: with `requests` it costs about 0.2 s, which commands that read no transcript need not pay.
    from detect_secrets.settings import get_plugins, transient_settings  # noqa: PLC0415 - see above

    with transient_settings({"plugins_used": [{"name": name} for name in PLUGINS], "filters_used": []}):
        return tuple(_with_tests(plugin) for plugin in get_plugins())


def _with_tests(plugin: _Plugin) -> _TestedPlugin:
    hints, literals, pattern = PLUGINS[type(plugin).__name__]
    return _TestedPlugin(hints, literals, None if pattern is None else re.compile(pattern), plugin)


def find(screen: Screen) -> Iterator[Span]:
    """The spans of what the library finds. Nothing is verified over the network."""
    numbers = screen.lines_of_shape(ALPHANUMERIC, _RUN) | screen.lines_of_shape(WORD, _TOKEN) | screen.lines(_BEGINS)
    if numbers:
        excerpt = screen.excerpt(numbers)
        yield from excerpt.spans(_findings(excerpt.screen, excerpt.lines))


def _findings(screen: Screen, lines: Iterable[Span]) -> Iterator[Span]:
    whole = (0, len(screen.text))
    with _LOADING:  # their modules import each other in a circle, which two threads at once break
        plugins = _load_plugins()
    tested = [one for one in plugins if _has_tail(screen, one) and one.may_find(screen, whole)]
    if not tested:
        return
    for start, end in lines:
        if not _LONG.search(screen.text, start, end):
            continue
        for one in tested:
            if one.may_find(screen, (start, end)):
                yield from _occurrences_of(one.plugin, screen.text[start:end], start)


def _has_tail(screen: Screen, tested: _TestedPlugin) -> bool:
    shape = _TAILS.get(type(tested.plugin).__name__)
    return not shape or bool(screen.lines_of_shape(TAIL, shape))


def _occurrences_of(plugin: _Plugin, line: str, start: int) -> Iterator[Span]:
    for secret in set(plugin.analyze_string(line)):
        for first, last in occurrences(line, secret):
            yield start + first, start + last
