"""The parts that all clients of an OpenAI API share: the HTTP client, and the sentences for its failures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from schemas.index_settings import EmbedderSettings
from schemas.settings import ModelSettings

if TYPE_CHECKING:
    import openai

_REASONS = {
    401: "the server refuses the key (401); set {table}.api_key, best as MEMORY_{variable}__API_KEY",
    403: "the key may not use it (403); check {table}.api_key and {model}",
    404: "the server does not know it (404); check {model} and {table}.base_url",
    429: "the server has had too many requests, or the account is used up (429)",
}


@dataclass(frozen=True)
class OpenAIServer:
    """A server that some settings name.

    `table` is where they stand in `memory.toml`, `model` the one for its model.

    `reasons` are further ones, by the status of the answer.
    """

    settings: ModelSettings | EmbedderSettings
    table: str
    model: str
    reasons: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def client(self) -> "openai.OpenAI":
        """The SDK's client, which does the retries and heeds `Retry-After`."""
        import openai  # noqa: PLC0415 - it takes most of a second, which only a request needs to pay

        return openai.OpenAI(
            base_url=self.settings.base_url.rstrip("/"),
            # A local server needs no key, but without one the SDK would take OPENAI_API_KEY and send it there.
            api_key=self.settings.api_key.get_secret_value() or "none",
            timeout=self.settings.timeout.total_seconds(),
            max_retries=self.settings.attempts - 1,
        )

    @property
    def other_language(self) -> str:
        """Why an answer of another form is of no use."""
        return f"what answers does not speak the OpenAI API ({self.table}.base_url)"

    def known_reason(self, status: int) -> str:
        """What an answer with a status says, and the setting to check; empty where it says little."""
        known = {**_REASONS, **self.reasons}.get(status, "")
        return known.format(table=self.table, model=self.model, variable=self.table.upper())

    def reason(self, error: Exception) -> str:
        """Why a request failed, in our own words only: what a server writes may repeat the text, or the key."""
        import openai  # noqa: PLC0415 - as in `client`

        tried = f"tried {self.settings.attempts} time(s) at most"
        if isinstance(error, openai.APITimeoutError):
            return f"no answer within {self.settings.timeout.total_seconds():g} s ({self.table}.timeout), {tried}"
        if isinstance(error, openai.APIStatusError):
            failed = f"the server answers with status {error.status_code}"
            return f"{self.known_reason(error.status_code) or failed}, {tried}"
        if isinstance(error, openai.APIConnectionError):
            host = urlsplit(self.settings.base_url).hostname or "the server"
            return f"{host} cannot be reached or broke off ({self.table}.base_url), {tried}"
        return self.other_language
