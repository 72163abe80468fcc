"""The settings of agents with a memory of their own: `[agents]`, and one `[agents.NAME]` table each."""

import re
from datetime import timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from schemas.base import Duration, Value

TAKEN = (
    *("memory", "tasks", "second-brain", "bank", ".memory"),
    *("agents.md", "claude.md", "identity.md", "memory.md", "soul.md", "tools.md", "user.md", "memory.toml"),
)
"""The names at the top of a workspace, in small letters: some file systems ignore the case."""

_LONGEST = 200  # characters
_PART = re.compile(r"[\w.-]+(?: [\w.-]+)*")


def folder_of_agents(value: str) -> str:
    """The path of the folder, relative to the workspace, without a `/` at its end.

    Raises:
        ValueError: it is no such path, or something else of the workspace stands there.
    """
    parts = [part for part in value.split("/") if part not in {"", "."}]
    if value.startswith("/") or ".." in parts or not parts:
        message = "name a folder inside the workspace, relative to it, such as agents"
        raise ValueError(message)
    if not all(map(_PART.fullmatch, parts)) or len(value) > _LONGEST:
        message = "write a short path of letters, digits, hyphens, dots and underscores, such as agents"
        raise ValueError(message)
    if parts[0].casefold() in TAKEN:
        message = f"{parts[0]} belongs to another part of the workspace; name a folder of its own, such as agents"
        raise ValueError(message)
    return "/".join(parts)


class AgentSettings(Value):
    """An agent with a memory of its own.

    `autonomy` is how far it may change that memory by itself: 0 it reads, 1 it suggests, 2 additions are written, 3 all
    is. `sources` are the sessions that are its own: `openclaw:main` are those of one agent of a source, `claude_code`
    all of a source that no other agent has. `may_read` and `may_write` name other agents; `*` is every one.
    `may_read_said` names whose talk it may be shown besides its own: other agents, or projects; `*` is all.
    `brain_tokens` is the most that it always has in mind, in tokens.
    """

    autonomy: int = Field(default=2, ge=0, le=3)
    sources: tuple[str, ...] = ()
    may_read: tuple[str, ...] = ("*",)
    may_write: tuple[str, ...] = ()
    may_read_said: tuple[str, ...] = ()
    language: str = Field(default="en", pattern="^(en|pl|zh)$")
    brain_tokens: int = Field(default=500, ge=100, le=10_000)

    def reads(self, agent: str) -> bool:
        """Whether it may read the brain of another agent."""
        return "*" in self.may_read or agent in self.may_read

    def writes(self, agent: str) -> bool:
        """Whether it may ask for a change of another agent's memory."""
        return "*" in self.may_write or agent in self.may_write


class AgentsSettings(Value):
    """All agents. `idle` is the silence after which a session is over.

    `root` is the folder that holds the folder of each. `l1_after` is how many sessions are summed up together, and how
    many such summaries again.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, AgentSettings] = Field(init=False)

    root: Annotated[str, AfterValidator(folder_of_agents)] = "agents"
    idle: Duration = timedelta(minutes=30)
    l1_after: int = Field(default=5, ge=2, le=50)

    @property
    def by_name(self) -> dict[str, AgentSettings]:
        """The agents by name."""
        return dict(self.__pydantic_extra__ or {})

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        """Two agents may not share a name by case, nor sessions."""
        folded = [name.casefold() for name in self.by_name]
        if twice := next((name for name in folded if folded.count(name) > 1), ""):
            message = f"two agents are called {twice}; upper and lower case do not tell names apart"
            raise ValueError(message)
        sources = [source for agent in self.by_name.values() for source in agent.sources]
        if twice := next((source for source in sources if sources.count(source) > 1), ""):
            message = f"{twice} is named twice in `sources`; the sessions of an agent are one agent's memory"
            raise ValueError(message)
        return self

    def of_session(self, source: str, agent: str) -> str:
        """The name of the agent of a session, by the source's name and the agent's name in it, or empty."""
        wanted = (f"{source}:{agent}", source) if agent else (source,)
        owners = {named: name for name, settings in self.by_name.items() for named in settings.sources}
        return next((owners[key] for key in wanted if key in owners), "")
