"""Masks secrets before a model sees a text and before anything is written or logged."""

from collections.abc import Collection, Sequence

from pipeline.adapters.redaction.spans import mask_spans, occurrences


class SecretRedactor:
    """`pipeline.ports.engine.Redactor`: detect-secrets for formats of services, our own finders for prose."""

    def __init__(self, known: Collection[str] = ()) -> None:
        """`known` are secrets that are masked wherever they stand, whatever they look like."""
        # A secret that holds another one first: what is left of it afterwards would not be found.
        self._known = sorted(filter(None, known), key=len, reverse=True)

    def redact(self, text: str, before: Sequence[str] = ()) -> str:
        """`text` with secrets masked, of the same length; doing it again changes nothing.

        `before` are the messages that it follows, the latest last: what answers a question for a secret is one.
        """
        if not text:
            return text
        # Imported here: a command that reads no transcript need not pay for the patterns.
        from pipeline.adapters.redaction.finding import find, has_rest  # noqa: PLC0415 - see above

        if self._known:
            text = mask_spans(text, (span for secret in self._known for span in occurrences(text, secret)))
        # Masking changes what stands around the next candidate, so it is repeated until it rests: that makes it
        # idempotent. Each turn masks at least one character more, so it ends.
        while spans := find(text, before):
            changed = mask_spans(text, spans)
            if changed == text or not has_rest(changed, spans, before):
                return changed
            text = changed
        return text
