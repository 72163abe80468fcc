"""MCP over streamable HTTP at `/mcp`: the tools of `memory mcp`, those of an agent for its token."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from urllib.parse import parse_qs

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import Response

from pipeline.app.questions import JsonQuestions
from pipeline.service.socket.agent_client import AgentClient, OpenedMemory
from pipeline.service.web.server import Receive, Scope, Send
from pipeline.surfaces.http.problems import Problem
from pipeline.surfaces.http.security.guard import BODY
from pipeline.surfaces.http.state import HttpState
from pipeline.surfaces.mcp.detail_tools import AgentDetails
from pipeline.surfaces.mcp.server import make_server
from schemas.caller import Caller

PATH = "/mcp"
_GUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The guard around the application looks at hosts and origins."""
_NEW = Problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The service does not know this agent yet. Let it read its settings anew (SIGHUP), or start it again.",
)
_POST_ALONE = Problem(
    HTTPStatus.METHOD_NOT_ALLOWED,
    "MCP goes by POST alone here: the server keeps no sessions and opens no streams.",
)


_USER: ContextVar[str] = ContextVar("user", default="")
"""As whom the request of now asks for details: `/mcp?user_id=NAME`."""


@dataclass
class McpEndpoint:
    """An ASGI application: a server for each agent that has a token, and one for all others. It keeps no sessions."""

    state: HttpState
    _servers: dict[str, Starlette] = field(default_factory=dict)

    @asynccontextmanager
    async def running(self, agents: Mapping[str, bool]) -> AsyncIterator[None]:
        """The servers of these agents, while they run; of each it says whether it has a memory of its own."""
        async with AsyncExitStack() as stack:
            for agent, has_memory in {"": False, **agents}.items():
                server = self._server(agent, has_memory=has_memory)
                await stack.enter_async_context(server.router.lifespan_context(server))
                self._servers[agent] = server
            yield
            self._servers.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the server of who calls."""
        if scope["method"] != "POST":  # a stream that never has an event would last for ever
            headers = {**_POST_ALONE.headers, "Allow": "POST"}
            await Response(_POST_ALONE.body, _POST_ALONE.status.value, headers)(scope, receive, send)
            return
        caller: Caller = scope["state"]["caller"]
        query: bytes = scope["query_string"]
        _USER.set(parse_qs(query.decode("latin-1")).get("user_id", [""])[-1])  # one that is named again counts last
        if server := self._servers.get(caller.agent):
            await server({**scope, "path": PATH, "root_path": ""}, receive, send)
        else:  # its token was added since the service looked; what it stores would be nobody's
            await Response(_NEW.body, _NEW.status.value, _NEW.headers)(scope, receive, send)

    def _server(self, agent: str, *, has_memory: bool) -> Starlette:
        details = AgentDetails(lambda: self.state.details, agent, _USER.get, person=not agent)
        name = agent if has_memory else ""
        root, variables = self.state.root, self.state.context.environment
        ask = self.state.acts.ask if self.state.acts else None

        @cache
        def client() -> AgentClient:
            opened = OpenedMemory(self.state.answers.agents, self.state.running, ask)
            return AgentClient(root, variables, name, opened)

        server = make_server(
            lambda: JsonQuestions(self.state.answers.memory), self.state.version, details, (client, name)
        )
        return server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=BODY,
            transport_security=_GUARDED,
        )
