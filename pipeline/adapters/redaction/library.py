"""The findings of detect-secrets: the formats of many services, kept up to date by others."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from pipeline.adapters.redaction.screening import ALPHANUMERIC, WORD, Screen, Stems
from pipeline.adapters.redaction.spans import Span, occurrences

# Left out on purpose: the entropy plugins (they report commits, UUIDs and message ids), KeywordDetector (in chat it
# takes the rest of the sentence), BasicAuthDetector (it takes `http://localhost:5173/@vite` for a password),
# GitLabTokenDetector and NpmDetector (they return the prefix, or cost quadratic time), JwtTokenDetector and
# OpenAIDetector (quadratic time in repeated prefixes; `formats` has both), IbmCloudIamDetector (any 44
# characters after "key"), ArtifactoryDetector (it takes words in capitals), the IP plugin (an address is no secret)
# and PrivateKeyDetector (it returns only the header; `formats` takes the whole block).
PLUGINS = {
    "AWSKeyDetector": ("a3t", "abia", "acca", "akia", "asia", "aws"),
    "AzureStorageKeyDetector": ("accountkey=",),
    "CloudantDetector": ("cl",),
    "DiscordBotTokenDetector": (".",),
    "GitHubTokenDetector": ("gh",),
    "IbmCosHmacDetector": ("secret",),
    "MailchimpDetector": ("-us",),
    "PypiTokenDetector": ("pypi-",),
    "SendGridDetector": ("sg.",),
    "SlackDetector": ("xox", "hooks.slack.com"),
    "SoftlayerDetector": ("sl", "softlayer"),
    "SquareOAuthDetector": ("sq0csp-",),
    "StripeDetector": ("k_live_",),
    "TelegramBotTokenDetector": (":",),
    "TwilioKeyDetector": ("ac", "sk"),
}
"""The plugins, each with strings in lower case of which one stands in whatever it finds: a cheap test before it."""

_SHORTEST = 19
"""No plugin of the list finds anything shorter, in characters."""
_RUN, _TOKEN = b"A" * 20, b"A" * 27
"""The fewest letters and digits, and those with `-` and `_`, that stand together in what most plugins find."""
_BEGINS = Stems(
    re.findall(r"\S+", "ghp_ gho_ ghu_ ghs_ ghr_ pypi- sg. sq0csp- xox hooks.slack.com accountkey= aws k_live_")
)
"""A line without such a run has one of these."""
_LONG = re.compile(r"[\w+/=.:-]{19}", re.ASCII)


class _Plugin(Protocol):
    def analyze_string(self, string: str) -> Iterator[str]:
        """The secrets in one line."""


@cache
def _plugins() -> tuple[tuple[tuple[str, ...], _Plugin], ...]:
    # Imported on first use: with `requests` it costs about 0.2 s, which commands that read no transcript need not pay.
    from detect_secrets.settings import get_plugins, transient_settings  # noqa: PLC0415 - see above

    with transient_settings({"plugins_used": [{"name": name} for name in PLUGINS], "filters_used": []}):
        return tuple((PLUGINS[type(plugin).__name__], plugin) for plugin in get_plugins())


def find(screen: Screen) -> Iterator[Span]:
    """The spans of what the library finds. Nothing is verified over the network."""
    numbers = screen.shaped(ALPHANUMERIC, _RUN) | screen.shaped(WORD, _TOKEN) | screen.lines(_BEGINS)
    for start, end in screen.spans(numbers):
        if _LONG.search(screen.text, start, end):
            for first, last in _in_line(screen.text[start:end]):
                yield start + first, start + last


def _in_line(line: str) -> Iterator[Span]:
    if len(line) < _SHORTEST:
        return
    low = line.lower()
    for hints, plugin in _plugins():
        if not any(hint in low for hint in hints):
            continue
        for secret in set(plugin.analyze_string(line)):
            yield from occurrences(line, secret)
