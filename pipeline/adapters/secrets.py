"""Masks secrets before a model sees a text and before anything is written or logged."""


class SecretRedactor:
    """`pipeline.ports.Redactor`: detect-secrets for what services issue, our own finders for what people say."""

    def redact(self, text: str) -> str:
        """`text` with secrets masked, of the same length; doing it again changes nothing."""
        # Imported here: a command that reads no transcript need not pay for the patterns.
        from pipeline.adapters.redaction.finding import find  # noqa: PLC0415 - see above
        from pipeline.adapters.redaction.spans import masked  # noqa: PLC0415 - see above

        # Masking changes what stands around the next candidate, so it is repeated until it rests: that makes it
        # idempotent. Each turn masks at least one character more, so it ends.
        while spans := find(text):
            changed = masked(text, spans)
            if changed == text:
                break
            text = changed
        return text
