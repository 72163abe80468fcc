"""The redactor that the settings ask for, without the rest of an engine."""

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.ports.engine import Redactor
from pipeline.settings.load import configured_secrets
from schemas.settings import Settings


def open_redactor(settings: Settings) -> Redactor:
    """The redactor of transcripts, logs and pings. It also masks the secrets that the settings hold.

    Its rules are loaded at the first text.
    """
    return SecretRedactor(configured_secrets(settings))
