"""A detail: a large text outside of the context, of which a placeholder tells what one needs to decide."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

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


class NamedType(StrEnum):
    """What a caller may call a text that is to be stored: its type, or a word that agents have for it."""

    COMMAND = "command"
    JSON = "json"
    CSV = "csv"
    LOG = "log"
    CODE = "code"
    DIFF = "diff"
    TEXT = "text"
    COMMAND_OUTPUT = "command_output"
    FILE_CONTENT = "file_content"
    USER_PREFERENCE = "user_preference"

    @property
    def type(self) -> DetailType | None:
        """The type of the detail; `None` where the text itself tells it."""
        if self is NamedType.FILE_CONTENT:
            return None
        words = {NamedType.COMMAND_OUTPUT: DetailType.COMMAND, NamedType.USER_PREFERENCE: DetailType.TEXT}
        return words.get(self) or DetailType(self.value)

    @property
    def is_pinned(self) -> bool:
        """Whether it never expires: what a user wants holds until somebody says otherwise."""
        return self is NamedType.USER_PREFERENCE


class DetailScope(StrEnum):
    """Who a detail is for: one session, the sessions of one user, or all."""

    SESSION = "session"
    USER = "user"
    GLOBAL = "global"


def storable(text: str) -> str:
    """A text without what a database cannot keep: a zero character, and halves of characters."""
    return text.replace("\0", _UNKNOWN).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
ExitCode = Annotated[int, Field(ge=-(2**31), lt=2**32)]
"""How a command ended, on any system: a signal may be a negative number, and Windows has 32 bits."""
_Name = Annotated[str, Field(max_length=200), AfterValidator(storable)]
_Count = Annotated[int, Field(ge=0, lt=2**62)]


class Placement(Value):
    """Where a detail belongs; each is empty where it is not known. `by_person` says that a person's token stored it."""

    agent_id: _Name = ""
    thread_id: _Name = ""
    user_id: _Name = ""
    scope: DetailScope = DetailScope.SESSION
    by_person: bool = False

    @property
    def is_open(self) -> bool:
        """Whether everybody may read what is here: it is for all, or a shell stored it, without any token."""
        return self.scope is DetailScope.GLOBAL or not (self.agent_id or self.user_id or self.by_person)

    @property
    def is_of_all_agents(self) -> bool:
        """Whether every agent that asks as its user may read it."""
        return self.scope is DetailScope.USER and bool(self.user_id)

    @property
    def is_of_an_agent(self) -> bool:
        """Whether it is the own of one agent."""
        return bool(self.agent_id) and not self.by_person


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
    tokens: _Count
    size: _Count
    lines: _Count
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    expires_at: datetime | None = None
    active: bool = True
