"""The tools for large texts outside of the context: to store one, and to read a part of it again.

The store is imported when a tool is called: it takes long, and most sessions need none.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from pipeline.reports.compact_hits import compact_page
from pipeline.surfaces.mcp.agent_tools import errors_as_text

if TYPE_CHECKING:
    from pipeline.app.details.opened import OpenDetails
    from schemas.detail import DetailReader

STORED = "content"
"""The argument with a text to store, of any length."""
PROGRAM: ContextVar[str] = ContextVar("program", default="")
"""The name that the program which calls a tool gave itself; empty without one."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_AUTO = "auto"
_AROUND = 60  # tokens of a page beside its text
_LEAST, _MOST = 100, 50_000  # tokens of a page


class AgentDetails:
    """The details of the agent that a server serves; of others it sees only what belongs to nobody, or is for all."""

    def __init__(
        self,
        opening: "Callable[[], OpenDetails]",
        agent: str,
        user: Callable[[], str] = str,
        place: Callable[[str], Mapping[str, str]] = lambda _: {},
        *,
        person: bool = False,
    ) -> None:
        """`opening` is called at the first question; `agent` is empty for one without a memory of its own.

        `user` says at each question as whom it asks, empty as the owner; for a `person` it is empty for all users.
        `place` gives its `client` and its `folder`, as far as they are known, by what its program calls itself: what
        was said is shown by them.
        """
        self.agent, self._user, self._person = agent, user, person
        self._opening, self._lock, self._place = opening, Lock(), place
        self._opened: OpenDetails | None = None

    @property
    def _details(self) -> "OpenDetails":
        with self._lock:
            if not self._opened:
                self._opened = self._opening()
            return self._opened

    @property
    def _reader(self) -> "DetailReader":
        from schemas.detail import DetailReader

        user = self._user()
        if self._person:
            return DetailReader(users=frozenset({user}) if user else None)
        return DetailReader(frozenset({user}), frozenset({self.agent} - {""}))

    def asker(self, *, of_details: bool) -> dict[str, str]:
        """The fields of a question that say who asks."""
        user = self._user() if of_details else ""
        own = {} if self._person else {"reader": self.agent, **({} if of_details else self._place(PROGRAM.get()))}
        return {**own, **({"user_id": user} if user else {})}

    def store(self, content: str, description: str, kind: str, session: str = "") -> str:
        """The placeholder of a text of a session; of a small one, that it was not stored."""
        from pipeline.app.details.keep import KeepRequest
        from schemas.detail import NamedType, Placement
        from schemas.reports.details import NOT_STORED

        named = NamedType(kind) if kind != _AUTO else NamedType.FILE_CONTENT
        placement = Placement(agent_id=self.agent, thread_id=session, user_id=self._user(), by_person=self._person)
        wanted = KeepRequest(content, description, named.type, placement=placement, pinned=named.is_pinned)
        kept = self._details.keep(wanted)
        return f"[MemoryRef: {kept.detail.key} - {kept.detail.description}]" if kept.detail else NOT_STORED

    def retrieve(self, key: str, part: tuple[str, str, int], budget: int) -> str:
        """A part of a text: its lines, what has a query, or a page."""
        from schemas.detail import PageRequest

        lines, query, page = part
        request = PageRequest(lines=lines, query=query, page=page, tokens=_tokens(budget))
        return compact_page(self._details.retrieve(key, request, self._reader), budget)

    def place(self, place: str, budget: int) -> str | None:
        """The lines that a hit names; `None` when it is no place of a detail."""
        from pipeline.app.details.retrieve import BEGINNING, read_detail_place

        if not place.startswith(BEGINNING):
            return None
        page = read_detail_place(self._details.store, place, self._reader, _tokens(budget))
        return compact_page(page, budget)


def _tokens(budget: int) -> int:
    """The tokens of a page within a budget; a page is as long as a token is on average."""
    return min(max(budget * 4 // 5 - _AROUND, _LEAST), _MOST)


def add_detail_tools(server: MCPServer, details: AgentDetails) -> None:
    """Give a server the two tools."""

    @server.tool(title="Store a large text", annotations=_ADDS, structured_output=False)
    def store_memory(
        content: Annotated[str, Field(description="All of it.")],
        description: Annotated[str, Field(description="What it is.")],
        type: Annotated[  # noqa: A002 - the agents' word
            Literal[
                "auto",
                "command",
                "json",
                "csv",
                "log",
                "code",
                "diff",
                "text",
                "command_output",
                "file_content",
                "user_preference",
            ],
            Field(description="Its form."),
        ] = "auto",
        thread_id: Annotated[str, Field(description="The session it belongs to.", max_length=200)] = "",
    ) -> str:
        """Keep a large text outside of the context; gives a placeholder."""
        with errors_as_text():
            return details.store(content, description, type, thread_id)

    @server.tool(title="Read a stored text", annotations=_READS, structured_output=False)
    def retrieve_memory(
        memory_key: Annotated[str, Field(description="KEY of [MemoryRef: KEY - ...].", min_length=1)],
        lines: Annotated[str, Field(description="Such as 100-180.")] = "",
        query: Annotated[str, Field(description="Only lines with this.")] = "",
        page: Annotated[int, Field(description="Of it.", ge=1)] = 1,
        budget: Annotated[int, Field(description="The most tokens.", ge=_LEAST)] = 1_500,
    ) -> str:
        """Read the text behind a placeholder, in parts."""
        with errors_as_text():
            return details.retrieve(memory_key, (lines, query, page), budget)
