"""A redactor that masks given strings."""

from collections.abc import Sequence

from schemas.transcript import MASK


class PlainRedactor:
    """`pipeline.ports.engine.Redactor` for tests: masks the strings it was given and nothing else."""

    def __init__(self, *secrets: str) -> None:
        self._secrets = sorted(secrets, key=len, reverse=True)

    def redact(self, text: str, before: Sequence[str] = ()) -> str:
        """`text` with the given strings masked, whatever came before."""
        del before
        for secret in self._secrets:
            text = text.replace(secret, MASK * len(secret))
        return text
