"""Forms: what was shown has a digest, so that an old page decides about nothing that has changed since."""

import hashlib
import hmac

from pydantic import ConfigDict, Field

from pipeline.errors.service import PageOutdated
from schemas.base import Value
from schemas.json_line import json_line

_LENGTH = 16


class Form(Value):
    """A form that decides about something; `seen` is the digest of what the person saw."""

    model_config = ConfigDict(defer_build=False)

    seen: str = Field(max_length=64)

    def require_same(self, value: object) -> None:
        """Refuse when that is not what the person saw."""
        if not hmac.compare_digest(self.seen.encode(), digest_of(value).encode()):
            raise PageOutdated


def digest_of(value: object) -> str:
    """The digest of what is shown: of the value as JSON."""
    return hashlib.sha256(json_line(value).encode()).hexdigest()[:_LENGTH]
