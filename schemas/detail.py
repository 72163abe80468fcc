"""A detail: a large text outside of the context, and its placeholder."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from schemas.base import Value


class DetailType(StrEnum):
    """The type of a detail."""

    COMMAND = "command"
    JSON = "json"
    CSV = "csv"
    LOG = "log"
    CODE = "code"
    DIFF = "diff"
    TEXT = "text"


class NamedType(StrEnum):
    """The name of a type that a caller may give: a type, or a word of agents for it."""

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
        """Whether it never expires: a preference of a user holds until it is changed."""
        return self is NamedType.USER_PREFERENCE


class DetailScope(StrEnum):
    """The scope of a detail: one session, the sessions of one user, or all."""

    SESSION = "session"
    USER = "user"
    GLOBAL = "global"


def storable(text: str) -> str:
    """Remove the characters that a database cannot keep: zero characters, and halves of characters."""
    return text.replace("\0", _UNKNOWN).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
ExitCode = Annotated[int, Field(ge=-(2**31), lt=2**32)]
"""The exit code of a command on any system: a signal may be a negative number, and Windows has 32 bits."""
_Name = Annotated[str, Field(max_length=200), AfterValidator(storable)]
_Count = Annotated[int, Field(ge=0, lt=2**62)]


class Placement(Value):
    """The owner of a detail; unknown fields are empty. `by_person` says that a person's token stored it."""

    agent_id: _Name = ""
    thread_id: _Name = ""
    user_id: _Name = ""
    scope: DetailScope = DetailScope.SESSION
    by_person: bool = False

    @property
    def is_open(self) -> bool:
        """Whether all may read it: its scope is global, or a shell stored it, without a token."""
        return self.scope is DetailScope.GLOBAL or not (self.agent_id or self.user_id or self.by_person)

    @property
    def is_of_all_agents(self) -> bool:
        """Whether every agent that asks as its user may read it."""
        return self.scope is DetailScope.USER and bool(self.user_id)

    @property
    def is_of_an_agent(self) -> bool:
        """Whether it belongs to one agent."""
        return bool(self.agent_id) and not self.by_person


class Detail(Value):
    """The row of a stored text; the text itself is in its chunks.

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


PAGE_TOKENS = 2_000
"""Tokens of a page, about: those of a text in another language or script may be a few more."""


class PageRequest(Value):
    """The part of a text that is wanted: some `lines` (`100-180`, `7`, `500-`), those with a `query`, or a page.

    With both, the query is looked for in these lines alone. `page` is the page of what they give. All are counted from
    1.
    """

    lines: str = ""
    query: str = ""
    page: int = Field(default=1, ge=1)
    tokens: int = Field(default=PAGE_TOKENS, ge=100, le=50_000)


class DetailPage(Value):
    """Lines of a detail. `content` are the exact bytes; `text` shows them, with numbers where a query chose them.

    `matches` is how many lines, or parts of long lines, have the words of the query. `pages` is 0 where nobody has
    counted them. `more` says how to go on; empty at the end. `go_on` is the request that does.
    """

    key: str
    text: str
    first_line: int
    last_line: int
    lines: int
    page: int
    pages: int
    matches: int | None = None
    more: str = ""
    content: bytes = Field(default=b"", exclude=True, repr=False)
    go_on: PageRequest | None = Field(default=None, exclude=True, repr=False)

    @property
    def heading(self) -> str:
        """A line about the page."""
        if self.matches == 0:
            looked_at = f"lines {self.first_line}-{self.last_line} of {self.lines}"
            return f"no match in {looked_at if self.first_line else f'its {self.lines} lines'}"
        paged = f", page {self.page} of {self.pages}" if self.pages > 1 else ""
        lines = f"lines {self.first_line}-{self.last_line} of {self.lines}{paged}"
        return lines if self.matches is None else f"{self.matches} match{'es' if self.matches > 1 else ''}, {lines}"

    @property
    def full_text(self) -> str:
        """The page for an agent: heading, text, and the next step."""
        return "\n".join(filter(None, (f"{self.key}: {self.heading}", self.text.rstrip("\n"), self.more)))


@dataclass(frozen=True)
class DetailReader:
    """The reader of details: its users, and the agents with details that it may read; `None` is all, for the owner.

    The user without a name is the owner of the workspace.
    """

    users: frozenset[str] | None = None
    agents: frozenset[str] | None = None

    def may_read(self, detail: Detail) -> bool:
        """Whether a detail is theirs, or open to all. Another user's is nobody else's."""
        place = detail.placement
        if place.is_open:
            return True
        if self.users is not None and place.user_id not in self.users:
            return False
        return self.agents is None or place.is_of_all_agents or (place.is_of_an_agent and place.agent_id in self.agents)


OWNER = DetailReader()


@dataclass(frozen=True)
class DetailFilter:
    """Which details are meant; an empty field means any. `words` stand in the description or the synopsis.

    `reader` is who may read them.
    """

    thread_id: str = ""
    agent_id: str = ""
    type: DetailType | None = None
    pinned: bool | None = None
    words: str = ""
    reader: DetailReader = OWNER


ALL_DETAILS = DetailFilter()
