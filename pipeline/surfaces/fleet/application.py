"""The application of a front: workspaces below `/w/NAME/`, the page of the operator at the root, guards around each.

A stranger gets the same answers below every name, whether a workspace has it or not.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from uuid import UUID

from fastapi import APIRouter, FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.fleet.front import Front
from pipeline.fleet.tokens import FleetCaller
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.service.web.server import Receive, Scope, Send
from pipeline.surfaces.fleet import operating, signing_in
from pipeline.surfaces.fleet.opened import OpenedWorkspace
from pipeline.surfaces.fleet.place import FrontPlace, place_at
from pipeline.surfaces.http.application import answer_errors
from pipeline.surfaces.http.page.routes import appearance
from pipeline.surfaces.http.problems import Problem, problem_at_front
from pipeline.surfaces.http.security.guard import TOO_OFTEN, Guard, Rates, WholeLimits, WorkCounts
from pipeline.surfaces.http.security.rules import Rules
from pipeline.workspace.tokens import hash_token, is_token_like
from schemas.caller import Caller, CallerKind

BURST, PER_SECOND = 1_000, 200.0
"""Look-ups for a client address, which all callers share behind a server with TLS."""
_KNOWN = 10_000  # tokens that are remembered; the one that was silent longest makes room
MOST_OPEN = 32
"""Workspaces that are open at once, for as long as nobody asks for more at the same time."""
LOOK_SECONDS = 60.0
"""From one look for newer generations to the next: so long the cache has what was forgotten, where nobody asks."""
_LARGE_AT_WORK = 4
_FIRST = "/memory"  # the document of a workspace that a person sees first
_READING = {"GET", "HEAD", "OPTIONS"}
_REVOKED = Problem(HTTPStatus.UNAUTHORIZED, "The token was revoked while the request came in. Nothing was done.")


@dataclass(frozen=True)
class LookUps:
    """The look-ups of a front. A flood of tokens that nobody has keeps nobody out who was let in before.

    For one event loop. Whether a token opens anything is asked at each request, and never taken from here.
    """

    rates: Rates = field(default_factory=lambda: Rates(BURST, PER_SECOND))
    _known: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def allows(self, token: str, client: str) -> bool:
        """Whether a token may be looked up now for a client at this address."""
        return hash_token(token) in self._known or self.rates.allows(client)

    def note(self, token: str, *, is_known: bool) -> None:
        """Note whether a token opened something."""
        name = hash_token(token)
        self._known.pop(name, None)
        if is_known:
            self._known[name] = None
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)


class FrontApplication:
    """An ASGI application over a fleet. For one event loop."""

    def __init__(
        self,
        front: Front,
        rules: Rules,
        version: str,
        look_seconds: float = LOOK_SECONDS,
        now: Callable[[], float] = stopwatch,
    ) -> None:
        """`rules` have the host on which the front listens, and its other names; strangers are counted by `now`."""
        self._look_seconds = look_seconds
        self._front, self._rules, self._version = front, rules, version
        # A large body takes memory, whoever sent it: each workspace may have one, and all together some.
        self._large = WorkCounts(_LARGE_AT_WORK)
        self._strangers = Guard(_serve(front, signing_in.router), rules, Rates(now=now), large=self._large)
        self._operators = Guard(_serve(front, operating.router, signing_in.router), rules, large=self._large)
        self._look_ups = LookUps()
        self._guards = dict[UUID, Guard]()
        self._opened = dict[UUID, OpenedWorkspace]()
        self._followed = dict[UUID, asyncio.Task[None]]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        place = place_at(scope["path"])
        send = place.answer(send)
        if place.name and place.path in {"", "/"}:
            await RedirectResponse(_FIRST, HTTPStatus.TEMPORARY_REDIRECT)(scope, receive, send)
            return
        rules = replace(self._rules, cookie=place.cookie)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        token = rules.find_token(headers)
        if not is_token_like(token) or rules.refusal(scope["method"], place.path, headers):
            token = ""  # nothing is looked up: the guard says why
        if token and not self._look_ups.allows(token, (scope.get("client") or ("",))[0]):
            await _refuse(TOO_OFTEN, scope, receive, send)
            return
        try:
            if place.name:
                await self._answer_owner(place, rules, token, (scope, receive, send))
            else:
                await self._answer_operator(place, rules, token, (scope, receive, send))
        except PipelineError as error:
            await _refuse(problem_at_front(error), scope, receive, send)

    async def _answer_owner(
        self, place: FrontPlace, rules: Rules, token: str, request: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = request
        known = await run_in_threadpool(self._front.find_caller, token, place.name) if token else None
        self._look_ups.note(token, is_known=known is not None)
        if known is None:
            await replace(self._strangers, rules=rules)(place.scope(scope, None), receive, send)
            return

        async def answer_known(scope: Scope, receive: Receive, send: Send) -> None:
            """Answer by the newest generation; the body has come in, which may have taken a while."""
            try:
                now = known if scope["method"] in _READING else await self._find_again(token, known)
                if now is None:
                    await _refuse(_REVOKED, scope, receive, send)
                    return
                opened = await self._open(now.workspace)
                async with opened.reading(now.workspace.generation, now.caller.agent) as application:
                    await application(scope, receive, send)
            except PipelineError as error:
                folder = str(self._front.root_of(known.workspace))
                await _refuse(problem_at_front(error, folder), scope, receive, send)

        own = Guard(answer_known, rules, large=self._large, whole=WholeLimits())
        guard = self._guards.setdefault(known.workspace.id, own)
        guard = replace(guard, inner=answer_known, rules=replace(rules, caller=lambda _: known.caller))
        await guard(place.scope(scope, known.workspace), receive, send)

    async def _find_again(self, token: str, known: FleetCaller) -> FleetCaller | None:
        """The caller as it is now; `None` if its token is revoked, or the name has become another workspace's."""
        now = await run_in_threadpool(self._front.find_caller, token, known.workspace.name)
        return now if now and now.workspace.id == known.workspace.id else None

    async def _open(self, workspace: FleetWorkspace) -> OpenedWorkspace:
        """The workspace at this front; those asked longest ago are closed, or go, where there are too many."""
        opened = self._opened.pop(workspace.id, None) or OpenedWorkspace(self._front, workspace, self._version)
        self._opened[workspace.id] = opened
        open_ones = [one for one in self._opened.values() if one.is_open and one is not opened]
        if len(open_ones) >= MOST_OPEN and (idle := next((one for one in open_ones if one.is_idle), None)):
            await idle.close()
        if not opened.is_cached:
            cached = [one for one in self._opened.values() if one.is_cached]
            for place, oldest in enumerate(one for one in cached if one.is_idle):
                if not self._front.is_full(len(cached) - place + 1):
                    break
                await oldest.drop()
        return opened

    async def _answer_operator(
        self, place: FrontPlace, rules: Rules, token: str, request: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = request
        name = await run_in_threadpool(self._front.find_operator, token) if token else ""
        self._look_ups.note(token, is_known=bool(name))
        operator = Caller(kind=CallerKind.PERSON, name=name) if name else None
        guard = replace(self._operators, rules=replace(rules, caller=lambda _: operator))
        await guard(place.scope(scope, None), receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Follow the newest generations, and at the end close all that is open."""
        await receive()
        await run_in_threadpool(self._front.clear_cache)
        await send({"type": "lifespan.startup.complete"})
        following = asyncio.create_task(self._follow())
        await receive()
        following.cancel()
        await asyncio.wait({following, *self._followed.values()})
        for opened in self._opened.values():
            await opened.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _follow(self) -> None:
        """Look for newer generations of what is in the cache, again and again."""
        while True:
            await asyncio.sleep(self._look_seconds)
            with suppress(PipelineError):  # the database is away, or settings are wrong: whoever asks is told
                cached = {name: opened for name, opened in self._opened.items() if opened.is_cached}
                asked = {name: opened for name, opened in cached.items() if name not in self._followed}
                newest = await run_in_threadpool(self._front.find_newest_generations, [*asked])
                for workspace, opened in asked.items():
                    # Each by itself: it waits until nobody reads its workspace.
                    following = asyncio.create_task(self._follow_one(workspace, opened, newest.get(workspace)))
                    self._followed[workspace] = following

    async def _follow_one(self, workspace: UUID, opened: OpenedWorkspace, newest: int | None) -> None:
        try:
            with suppress(PipelineError):
                await opened.follow(newest)
            if newest is None:
                self._guards.pop(workspace, None)
                self._opened.pop(workspace, None)
        finally:
            del self._followed[workspace]


def _serve(front: Front, *routers: APIRouter) -> FastAPI:
    """An application of these pages."""
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    api.state.front, api.state.figures = front, operating.FreshFigures(front)
    for router in (*routers, appearance.router):
        api.include_router(router)
    answer_errors(api)
    return api


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    await Response(problem.body, problem.status.value, problem.headers)(scope, receive, send)
