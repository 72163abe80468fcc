"""The application: its routes, its errors, and the guard around it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date
from http import HTTPStatus
from importlib import import_module
from pkgutil import iter_modules
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Depends, FastAPI, Request, Response, Security
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from pipeline.clock import local_day
from pipeline.errors import PipelineError
from pipeline.errors.service import TokensDamaged
from pipeline.service.parts import WebParts
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.web.server import Application
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.mcp_endpoint import PATH, McpEndpoint
from pipeline.surfaces.http.meanings import BEARER, describe
from pipeline.surfaces.http.page import routes
from pipeline.surfaces.http.page.errors import error_document, invalid_document, wants_document
from pipeline.surfaces.http.problems import Problem, problem_for, request_problems
from pipeline.surfaces.http.routes import (
    agents,
    conversations,
    corrections,
    details,
    health,
    memory,
    transcripts,
    work,
)
from pipeline.surfaces.http.security.guard import Guard
from pipeline.surfaces.http.security.rules import Rules, cookie_name
from pipeline.surfaces.http.state import HttpState
from pipeline.workspace.tokens import TokenFile
from schemas.periods import DAY_FIELDS, written_days
from schemas.service_settings import host_and_port

PAGES: tuple[APIRouter, ...] = tuple(
    import_module(f"{routes.__name__}.{module.name}").router for module in iter_modules(routes.__path__)
)
"""The routes of the page: those of every module in its `routes`."""
API = "/api/v1"
_TOKEN = Security(HTTPBearer(scheme_name="token", description=BEARER, auto_error=False))
"""For the description: the guard has looked at the token before a route is called."""
_OF_ROUTES = {
    HTTPStatus.NOT_FOUND: "There is nothing at this address. /docs lists what there is.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This method is not for this address; the header `Allow` says which are.",
}
_DESCRIPTION = "The memory of a workspace: search, what is known, what was done, and requests to change it."


def open_application(parts: WebParts, version: str) -> Application:
    """The application over the parts of a service."""
    host, _ = host_and_port(parts.settings.service.http)
    store = WorkspaceStore(parts.root, parts.settings.store)
    work = WorkProcesses(parts.root, Children(parts.root, parts.context.environment, parts.settings.retention))
    state = HttpState(parts.root, parts.context, parts.health, parts.answers, version, store, work, parts.read_again)
    tokens = TokenFile(parts.root)
    names = parts.settings.service.hosts
    clock = parts.context.clock
    rules = Rules(host or "127.0.0.1", names, lambda token: tokens.caller(token, clock.now()), cookie_name(parts.root))
    named = parts.settings.agents.by_name
    agents = {agent: agent in named for agent in sorted({*named, *_agents_with_tokens(tokens)})}
    return Guard(make_api(state, agents), rules)


def _agents_with_tokens(tokens: TokenFile) -> set[str]:
    """The agents that have a token; none where the file cannot be read, which each request says."""
    try:
        return {token.agent for token in tokens.read_tokens() if token.agent}
    except TokensDamaged:
        return set()


def make_api(state: HttpState, having: Mapping[str, bool]) -> FastAPI:
    """The application without its guard, as its description is made of it.

    `having` are the agents that may call `/mcp`, and of each whether it has a memory of its own.
    """
    mcp = McpEndpoint(state)

    @asynccontextmanager
    async def running(_api: FastAPI) -> AsyncIterator[None]:
        Thread(target=state.findings.tend, args=(state.look_when_quiet,), name="findings-care", daemon=True).start()
        async with mcp.running(having):
            yield
        await asyncio.to_thread(state.findings.close)
        await asyncio.to_thread(state.work.close)
        state.store.close()

    return offered_api(_ROUTES, state, mcp, running)


def offered_api(
    routes: APIRouter, state: HttpState, mcp: McpEndpoint, running: Lifespan[FastAPI] | None = None, below: str = ""
) -> FastAPI:
    """The application with merged routes, `below` a path; `running` is entered while a server has it."""
    api = FastAPI(
        title="Agent Memory Pipeline",
        version=state.version,
        description=_DESCRIPTION,
        lifespan=running,
        # The library's own page of the documentation is fetched from elsewhere.
        docs_url=None,
        redirect_slashes=False,
        redoc_url=None,
        servers=[{"url": below}] if below else None,
    )
    api.state.http = state
    api.add_middleware(WrittenDays, today=lambda: local_day(state.context.clock.now(), state.settings.timezone))
    api.router.routes += [*routes.routes, Route(PATH, mcp, methods=None, include_in_schema=False)]
    api.mount(PATH, mcp)
    _describe(api)
    answer_errors(api)
    return api


def answer_errors(api: FastAPI) -> None:
    """Have an application answer errors as problems, or as documents for a browser."""
    api.add_exception_handler(PipelineError, _answer_expected_error)
    api.add_exception_handler(HTTPException, _answer_http_error)
    api.add_exception_handler(RequestValidationError, _answer_invalid_request)
    api.add_exception_handler(Exception, _answer_bug)


def _describe(api: FastAPI) -> None:
    """Add the meanings of fields to the description of the API."""
    plain = api.openapi

    def describe_fields() -> dict[str, Any]:
        made = api.openapi_schema is None
        description = plain()
        if made:
            describe(description, API)
        return description

    api.openapi = describe_fields  # type: ignore[method-assign]  # as the library wants it


async def _answer_expected_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, PipelineError):
        return _render_problem(request, _bug_problem())
    return _render_problem(request, problem_for(request, error))


async def _answer_http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _render_problem(request, _bug_problem())
    status = HTTPStatus(error.status_code)
    sentence = _OF_ROUTES.get(status, "") if error.detail == status.phrase else ""  # the router's own words are few
    response = _render_problem(request, Problem(status, sentence or str(error.detail)))
    response.headers.update(error.headers or {})
    return response


async def _answer_invalid_request(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError) and wants_document(request):
        return invalid_document(request, error)
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    return _render_problem(request, Problem(HTTPStatus.UNPROCESSABLE_ENTITY, request_problems(problems)))


async def _answer_bug(request: Request, _error: Exception) -> Response:
    return _render_problem(request, _bug_problem())


def _bug_problem() -> Problem:
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "The service could not answer; its log says more.")


def _render_problem(request: Request, problem: Problem) -> Response:
    if wants_document(request):
        return error_document(request, problem)
    headers = {name: value for name, value in problem.headers.items() if name != "Content-Length"}
    return Response(problem.body, problem.status.value, headers)


_SHOWN_NAMES, _LONGEST_NAME = 5, 40  # unknown names, and characters of one


async def _refuse_unknown_parameters(request: Request) -> None:
    """Refuse a request with a parameter that its route does not have."""
    known = set(_names(request.scope["route"].dependant))
    if unknown := sorted(set(request.query_params) - known):
        named = ", ".join(name[:_LONGEST_NAME] for name in unknown[:_SHOWN_NAMES])
        there = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, f"This address has no parameter {named}. {there}")


def _names(dependant: Dependant) -> Iterator[str]:
    """The names of all parameters of a route, those in its models and of what it depends on among them."""
    for field in dependant.query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from model.model_fields
        else:
            yield field.alias
    for other in dependant.dependencies:
        yield from _names(other)


REPLACED = SimpleNamespace(dependency_overrides={})
"""The dependencies of routes that a program has replaced, in all of its applications."""


def merge_routers(api: Sequence[APIRouter], others: Sequence[APIRouter]) -> APIRouter:
    """The routes of an application, those of the API below `/api/v1`, to be made once for all applications.

    The library works out what each included route takes and gives when a request first looks for it, which takes longer
    than most answers.
    """
    merged = APIRouter(dependency_overrides_provider=REPLACED)
    for router in api:
        merged.include_router(router, prefix=API, dependencies=[_TOKEN, Depends(_refuse_unknown_parameters)])
    for router in others:
        merged.include_router(router)
    return merged


_ROUTES = merge_routers(
    (
        memory.router,
        work.router,
        agents.router,
        corrections.router,
        details.router,
        conversations.router,
        transcripts.router,
    ),
    (health.router, *PAGES),
)


class WrittenDays:
    """The application behind it gets calendar days; words that mean none stay, and the field's own check refuses them.

    `today` is the day now, in the zone of the workspace.
    """

    def __init__(self, app: ASGIApp, today: Callable[[], date]) -> None:
        """Stand before an application."""
        self._app, self._today = app, today

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        query = scope.get("query_string", b"")
        if any(name.encode() in query for name in DAY_FIELDS):
            scope = {**scope, "query_string": self._with_days(query.decode("latin-1")).encode("latin-1")}
        await self._app(scope, receive, send)

    def _with_days(self, query: str) -> str:
        today, fields = self._today(), parse_qsl(query, keep_blank_values=True)
        try:
            days = [(name, written_days({name: words}, today)[name]) for name, words in fields]
        except ValueError:
            return query
        return urlencode(days) if days != fields else query
