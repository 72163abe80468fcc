"""The findings of detect-secrets: the formats of many services, kept up to date by others."""

from collections.abc import Iterator
from functools import cache
from typing import Protocol

from pipeline.adapters.redaction.spans import Span, occurrences

# Left out on purpose: the entropy plugins (they report commits, UUIDs and message ids), KeywordDetector (in chat it
# takes the rest of the sentence), BasicAuthDetector (it takes `http://localhost:5173/@vite` for a password),
# GitLabTokenDetector and NpmDetector (they return the prefix, or cost quadratic time), JwtTokenDetector and
# OpenAIDetector (quadratic time in repeated prefixes; `formats` has both), IbmCloudIamDetector (any 44
# characters after "key"), ArtifactoryDetector (it takes words in capitals), the IP plugin (an address is no secret)
# and PrivateKeyDetector (it returns only the header; `formats` takes the whole block).
PLUGINS = (
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "CloudantDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "IbmCosHmacDetector",
    "MailchimpDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SoftlayerDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)

_SHORTEST = 19
"""No plugin of the list finds anything shorter, in characters."""


class _Plugin(Protocol):
    def analyze_string(self, string: str) -> Iterator[str]:
        """The secrets in one line."""


@cache
def _plugins() -> tuple[_Plugin, ...]:
    # Imported on first use: with `requests` it costs about 0.2 s, which commands that read no transcript need not pay.
    from detect_secrets.settings import get_plugins, transient_settings  # noqa: PLC0415 - see above

    with transient_settings({"plugins_used": [{"name": name} for name in PLUGINS], "filters_used": []}):
        return tuple(get_plugins())


def find(line: str) -> Iterator[Span]:
    """The spans of what the library finds in one line. Nothing is verified over the network."""
    if len(line) < _SHORTEST:
        return
    for plugin in _plugins():
        for secret in set(plugin.analyze_string(line)):
            yield from occurrences(line, secret)
