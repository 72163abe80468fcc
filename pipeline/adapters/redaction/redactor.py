"""Masks secrets before a model sees a text and before anything is written or logged."""

from collections.abc import Collection, Sequence

from pipeline.adapters.redaction.spans import Span, mask_spans, neighbourhood, occurrences


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
        text = mask_spans(text, (span for secret in self._known for span in occurrences(text, secret)))
        # Masking changes what stands around the next candidate, so it is repeated until it rests: that makes it
        # idempotent. Each turn masks at least one character more, so it ends.
        while spans := _spans(text, before):
            changed = mask_spans(text, spans)
            if changed == text or _rests(changed, spans, before):
                return changed
            text = changed
        return text


def _spans(text: str, before: Sequence[str]) -> set[Span]:
    # Imported here: a command that reads no transcript need not pay for the patterns.
    from pipeline.adapters.redaction.finding import find  # noqa: PLC0415 - see above

    return find(text) | _answers(text, before)


def _answers(text: str, before: Sequence[str]) -> set[Span]:
    from pipeline.adapters.redaction import answers  # noqa: PLC0415 - see above

    return set(answers.find(text, before))


def _rests(text: str, spans: set[Span], before: Sequence[str]) -> bool:
    """Whether no more is found around what was masked: most texts are looked through once then, and not twice."""
    near = neighbourhood(text, spans)
    if near == text:
        return False
    return mask_spans(near, _spans(near, ())) == near and mask_spans(text, _answers(text, before)) == text
