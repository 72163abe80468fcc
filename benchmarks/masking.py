"""`python -m benchmarks.masking`: secrets masked in texts of several kinds, against detect-secrets over their lines.

The baseline runs those plugins of detect-secrets that the redactor runs, and no rule of ours.
"""

from collections.abc import Sequence
from pydoc_data.topics import topics

from detect_secrets.core.plugins.util import Plugin
from detect_secrets.settings import get_plugins, transient_settings

from benchmarks.details import texts
from benchmarks.measuring import head, middle, processor_seconds, row
from benchmarks.replacing import code, diff
from pipeline.adapters.redaction.library import PLUGINS
from pipeline.adapters.redaction.redactor import SecretRedactor

ROUNDS, SHORT, MEBIBYTE = 5, 8_000, 1 << 20


def masking() -> None:
    """The rows of the table."""
    logs = texts()
    prose = "\n".join(topics.values())
    for name, given in {
        "paragraphs of prose": [text for text in prose.split("\n\n") if text.strip()],
        "logs": [logs["a log"][:MEBIBYTE], logs["npm"][:MEBIBYTE]],
        f"{SHORT:,} short lines": [f"Line {number} of the talk, as ever." for number in range(SHORT)],
        "256 KiB of code, of a diff, of prose": [text[: MEBIBYTE // 4] for text in (code(), diff(), prose)],
    }.items():
        _mask(name, given)


def _mask(name: str, given: Sequence[str]) -> None:
    redactor = SecretRedactor()
    with transient_settings({"plugins_used": [{"name": name} for name in PLUGINS], "filters_used": []}):
        plugins = list(get_plugins())
    pairs = [
        (
            processor_seconds(lambda: [*map(redactor.redact, given)]),
            processor_seconds(lambda: [_scan(text, plugins) for text in given]),
        )
        for _ in range(ROUNDS)
    ]
    times, mine, _ = middle(pairs)
    speeds = f"{sum(map(len, given)) / mine / 1e6:.1f} MB/s, {1e6 * mine / len(given):,.0f} µs a text"
    row(f"mask {name}", "the plugins of detect-secrets", [f"{times:.2f} x the time", speeds])


def _scan(text: str, plugins: Sequence[Plugin]) -> list[str]:
    return [secret for line in text.split("\n") for one in plugins for secret in one.analyze_string(line)]


if __name__ == "__main__":
    head()
    masking()
