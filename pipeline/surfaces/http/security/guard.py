"""The guard: an ASGI application around another one, which every request passes first."""

import asyncio
from collections.abc import MutableMapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Event
from typing import Any

from pipeline.errors import PipelineError
from pipeline.process.waiting_reader import waited_for
from pipeline.service.web.server import Application, Receive, Scope, Send
from pipeline.surfaces.http.problems import Problem, problem_of
from pipeline.surfaces.http.security.addresses import address_problem
from pipeline.surfaces.http.security.rates import AT_WORK, LARGE_AT_WORK, Rates, WorkCounts
from pipeline.surfaces.http.security.rules import OPEN, SIGN_IN, Headers, Rules, is_page, is_public
from pipeline.surfaces.http.security.structure import StructureCount
from schemas.caller import Caller

BODY = 16 * 1024 * 1024
"""Bytes of a request's body at most, where texts are stored."""
_ORDINARY = 1024 * 1024
_LARGE = ("/api/v1/memories", "/api/v1/sessions", "/mcp")
ELEMENTS = 50_000
"""Brackets and commas of a body outside of its texts: a thousand messages have some thousands."""
_IMPORT = "/api/v1/sessions/import"
_ELEMENTS_AT = {"/mcp": 10_000, _IMPORT: 300_000}  # a tool has few arguments; an import is parsed line by line
BODY_SECONDS = 30.0
"""For a body to come in."""
_FORM, _FORM_SECONDS = 4_096, 3.0
"""Bytes and seconds for the one body that a stranger may send: the form to sign in."""
TAKING_SECONDS = 30.0
"""For a reader to take a piece of an answer."""
_ALWAYS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_TOO_MUCH = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "A body has at most 1 MiB, and 16 MiB where texts are stored.")
_NO_TEXT = Problem(HTTPStatus.BAD_REQUEST, "A body is text in UTF-8, and has no zero byte.")
_TOO_SLOW = Problem(HTTPStatus.REQUEST_TIMEOUT, "The body did not come in time.")
_TOO_OFTEN = Problem(HTTPStatus.TOO_MANY_REQUESTS, "That is too many requests; wait a second.")
_FULL = Problem(
    HTTPStatus.TOO_MANY_REQUESTS,
    f"{LARGE_AT_WORK} bodies of more than 1 MiB are being worked on; wait until one is done.",
)
_AT_ONCE = Problem(
    HTTPStatus.TOO_MANY_REQUESTS, f"{AT_WORK} requests with this token are being answered; wait until one is done."
)
_NOBODY = Problem(
    HTTPStatus.UNAUTHORIZED, "A token is needed. `memory token add NAME` makes one; send it as `Authorization: Bearer`."
)


@dataclass(frozen=True)
class Guard:
    """Lets through what is for us, in time, from somebody; `scope["state"]["caller"]` says from whom."""

    inner: Application
    rules: Rules
    rates: Rates = field(default_factory=Rates)
    work: WorkCounts = field(default_factory=WorkCounts)
    large: WorkCounts = field(default_factory=lambda: WorkCounts(LARGE_AT_WORK))
    body: int = BODY
    body_seconds: float = BODY_SECONDS
    taking_seconds: float = TAKING_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        answer = _GuardedAnswer(send, self.taking_seconds)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            problem = self._refusal(scope, headers)
        except PipelineError as error:  # nobody's token can be read
            problem = problem_of(error)
        if problem is _NOBODY and is_page(scope["path"]):
            await answer.send_to(SIGN_IN)
            return
        if problem:
            await answer.refuse(problem)
            return
        caller = scope["state"]["caller"]
        if caller is None and scope["method"] != "POST":  # nothing that a stranger may ask for has a body
            await self.inner(scope, _Read(b"", receive), answer)
            return
        with ExitStack() as counted:
            allowed = counted.enter_context(self.work.one_more(caller.name if caller else ""))
            body = await self._body(receive, scope["path"], caller, counted) if allowed else _AT_ONCE
            if isinstance(body, Problem):
                await answer.refuse(body)
            else:
                await self._answer(scope, _Read(body, receive), answer)

    async def _answer(self, scope: Scope, receive: "_Read", answer: "_GuardedAnswer") -> None:
        """The answer of the application; its work ends when its reader has gone."""
        with waited_for() as gone:
            watching = asyncio.create_task(receive.until_gone(gone))
            try:
                await self.inner(scope, receive, answer)
            finally:
                watching.cancel()

    def _most(self, path: str, caller: Caller | None) -> int:
        """Bytes of a body at this path at most: what is parsed keeps all others waiting."""
        if caller is None:
            return _FORM
        return self.body if path.startswith(_LARGE) else min(self.body, _ORDINARY)

    async def _body(self, receive: Receive, path: str, caller: Caller | None, counted: ExitStack) -> bytes | Problem:
        """The whole body, or why it is not taken. A large one is counted until all is done."""
        parts, size, most, structure = list[bytes](), 0, self._most(path, caller), StructureCount()
        try:
            async with asyncio.timeout(self.body_seconds if caller else min(_FORM_SECONDS, self.body_seconds)):
                while True:
                    message = await receive()
                    parts.append(message.get("body", b""))
                    before, size = size, size + len(parts[-1])
                    if size > most:
                        return _TOO_MUCH
                    if before <= _ORDINARY < size and not counted.enter_context(self.large.one_more("large")):
                        return _FULL
                    structure.take(parts[-1])
                    if problem := _too_much_structure(structure, path):
                        return problem
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            return _TOO_SLOW

    def _refusal(self, scope: Scope, headers: Headers) -> Problem | None:
        path, client = scope["path"], (scope.get("client") or ("",))[0]
        if problem := self.rules.refusal(scope["method"], path, headers):
            return problem
        caller = self.rules.who(headers)
        # A flood of strangers on this machine shall silence neither what watches the service nor who signs in.
        bucket = caller.name if caller else f"{client} {path if path in (*OPEN, SIGN_IN) else ''}"
        if not self.rates.allows(bucket):
            return _TOO_OFTEN
        if caller is None and not is_public(path):
            return _NOBODY
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._most(path, caller):
            return _TOO_MUCH
        scope.setdefault("state", {})["caller"] = caller
        return address_problem(path, scope["query_string"])


def _too_much_structure(structure: StructureCount, path: str) -> Problem | None:
    """Why a body is not parsed: beside its texts it would keep all others waiting."""
    most = next((most for place, most in _ELEMENTS_AT.items() if path.startswith(place)), ELEMENTS)
    if not structure.readable:
        return _NO_TEXT
    if structure.elements <= most and (structure.size <= _ORDINARY or path == _IMPORT):
        return None
    why = f"Outside of its texts a body has at most {most:,} brackets and commas, and 1 MiB."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)


class _Read:
    """A body that has come, as the application receives it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body, self._receive = [body], receive

    async def until_gone(self, gone: Event) -> None:
        """Set the event when the reader has gone."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        gone.set()

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        return await self._receive()  # what comes now says that the reader has gone


class _GuardedAnswer:
    """An answer with the headers that each has, to a reader that takes it in time."""

    def __init__(self, send: Send, seconds: float) -> None:
        self._send, self._seconds = send, seconds

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", ())}
            always = [(name.encode().lower(), value.encode()) for name, value in _ALWAYS.items()]
            more = [(name, value) for name, value in always if name not in own]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        async with asyncio.timeout(self._seconds):
            await self._send(message)

    async def send_to(self, path: str) -> None:
        """Send a browser elsewhere."""
        headers = [(b"location", path.encode()), (b"content-length", b"0")]
        await self({"type": "http.response.start", "status": HTTPStatus.SEE_OTHER.value, "headers": headers})
        await self({"type": "http.response.body", "body": b""})

    async def refuse(self, problem: Problem) -> None:
        """Answer with a problem."""
        headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
        await self({"type": "http.response.start", "status": problem.status.value, "headers": headers})
        await self({"type": "http.response.body", "body": problem.body})
