"""The settings of the store: where large outputs and conversations in progress are kept, and for how long."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from schemas.base import Duration, Value

POSTGRESQL = ("postgresql://", "postgres://")


class SummaryWay(StrEnum):
    """The author of the prose of a summary: a model, or code if it does not answer; code alone; no author."""

    LLM_WITH_FALLBACK = "llm_with_fallback"
    HEURISTIC_ONLY = "heuristic_only"
    OFF = "off"


_READ_BY_THEN = timedelta(days=7)
"""The jobs that read transcripts have windows of a day at most; a service that stood still has a week to catch up."""


def _long_enough(retention: timedelta) -> timedelta:
    if timedelta(0) < retention < _READ_BY_THEN:
        message = "give the jobs a week to read a conversation: write P7D or more, or 0 to keep them for ever"
        raise ValueError(message)
    return retention


def _known_address(url: SecretStr) -> SecretStr:
    if url.get_secret_value() and not url.get_secret_value().startswith(POSTGRESQL):
        message = "write postgresql://USER@HOST/DATABASE, or leave it empty for a file in the workspace"
        raise ValueError(message)
    return url


class StoreSettings(Value):
    """The store. Without `url` it is a SQLite file in the workspace; several workspaces may share a PostgreSQL server.

    `workspace` is how this one is named there. A text of more than `threshold` tokens is stored as a detail. After
    `retention` what belongs to one session is dropped, unless it is pinned or a transcript still cites it. A
    conversation is dropped `conversation_retention` after its last message, when no job has to read it any more; 0 is
    never. `summary` is who writes the summaries of a conversation that does not say it itself.
    """

    url: Annotated[SecretStr, AfterValidator(_known_address)] = SecretStr("")
    workspace: str = ""
    threshold: int = Field(default=500, ge=50, le=100_000)
    retention: Duration = timedelta(days=30)
    conversation_retention: Annotated[Duration, AfterValidator(_long_enough)] = timedelta(0)
    summary: SummaryWay = SummaryWay.LLM_WITH_FALLBACK

    @model_validator(mode="after")
    def _named_on_a_server(self) -> Self:
        """Without a name, two workspaces on one server would be one."""
        if self.url.get_secret_value() and not self.workspace.strip():
            message = "with a url, set workspace too: a name that no other workspace on that server has"
            raise ValueError(message)
        return self
