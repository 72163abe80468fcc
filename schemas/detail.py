"""A detail: a large text outside of the context, of which a placeholder tells what one needs to decide."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from schemas.base import Value


class DetailType(StrEnum):
    """What a detail is."""

    COMMAND = "command"
    JSON = "json"
    CSV = "csv"
    LOG = "log"
    CODE = "code"
    DIFF = "diff"
    TEXT = "text"


class DetailScope(StrEnum):
    """Who a detail is for: one session, the sessions of one user, or all."""

    SESSION = "session"
    USER = "user"
    GLOBAL = "global"


class Placement(Value):
    """Where a detail belongs; each is empty where it is not known."""

    agent_id: str = ""
    thread_id: str = ""
    user_id: str = ""
    scope: DetailScope = DetailScope.SESSION


class Detail(Value):
    """A row about a stored text; the text itself stands in its chunks.

    `key` is unique in the workspace. `summary` is the synopsis, `description` one line for a placeholder. `metadata` is
    a JSON object, such as an exit code. `tokens` are exact up to 256 KiB and an estimate above; `size` is in bytes,
    `sha256` that of the bytes as they are stored, with secrets masked. Without `expires_at` it stays. One that is not
    `active` has gone: of it the description alone is left, so that a placeholder can be answered.
    """

    id: str
    key: str
    type: DetailType
    summary: str
    description: str
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    placement: Placement = Placement()
    created_at: datetime
    pinned: bool = False
    tokens: int
    size: int
    lines: int
    sha256: str
    expires_at: datetime | None = None
    active: bool = True
