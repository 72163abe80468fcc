"""The guard: an ASGI application around another one, which every request passes first."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Event, Lock
from typing import Any
from urllib.parse import parse_qsl

from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.process.waiting_reader import waited_for
from pipeline.service.web.server import Application, Receive, Scope, Send
from pipeline.surfaces.http.problems import Problem, problem_of
from pipeline.surfaces.http.security.rules import OPEN, SIGN_IN, Headers, Rules, is_page, is_public
from schemas.caller import Caller

_IDS = {"agent", "entity", "focus", "job", "session", "thread_id", "user_id"}
"""Fields in an address that name something; in the others are words, which may have lines."""
_PATH = Problem(
    HTTPStatus.UNPROCESSABLE_ENTITY, "The path has a control character, such as %00; no name has one. Leave it out."
)


def address_problem(path: str, query: bytes) -> Problem | None:
    """The reason why an address names nothing; `path` is decoded, `query` is as it came. `None` where it may."""
    if _has_control(path):
        return _PATH
    if b"%" not in query:
        return None
    for name, text in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if "\0" in name or "\0" in text or (name in _IDS and _has_control(text)):
            where = f"{name} has" if name.isidentifier() else "A field of the address has"
            why = "a character that it may not have, such as %00 or a line end in a name. Leave it out."
            return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{where} {why}")
    return None


def _has_control(text: str) -> bool:
    return any(character < " " or "\x7f" <= character <= "\x9f" for character in text)


_ESCAPES = (b"\\\\", b'\\"')
_ELEMENTS = (b"[", b"{", b",")


@dataclass
class StructureCount:
    """Counts the brackets and commas outside of texts, and the bytes there, of a body in UTF-8 that comes in pieces."""

    elements: int = 0
    size: int = 0
    readable: bool = True
    """Whether it may be UTF-8. JSON in UTF-16 has zero bytes, and its texts end elsewhere than they seem to."""
    _inside: bool = False
    _left: bytes = b""

    def take(self, piece: bytes) -> None:
        """Count the next piece."""
        self.readable = self.readable and b"\0" not in piece
        text = self._left + piece
        for escape in _ESCAPES:
            text = text.replace(escape, b"")
        self._left = b"\\" if text.endswith(b"\\") else b""  # what it escapes comes with the next piece
        parts = text.removesuffix(self._left).split(b'"')
        outside = b"".join(parts[1::2] if self._inside else parts[::2])
        self.size += len(outside)
        self.elements += sum(map(outside.count, _ELEMENTS))
        self._inside ^= len(parts) % 2 == 0


BURST = 120
"""Requests at once."""
PER_SECOND = 40.0
AT_WORK = 10
"""Requests of one token that are answered at the same time; all connections together are three times as many."""
LARGE_AT_WORK = 2
"""Requests with a large body that are worked on at the same time, of all callers: each takes ten times its size."""
_WHOLE = "all"  # the callers of a workspace together
_CALLERS = 1_000  # that are remembered; the one that was silent longest makes room


@dataclass
class Rates:
    """The buckets. May be used from several threads."""

    burst: float = BURST
    per_second: float = PER_SECOND
    now: Callable[[], float] = stopwatch
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def allows(self, caller: str) -> bool:
        """Whether the caller may send this request; then it is counted."""
        with self._lock:
            now = self.now()
            left, since = self._left.pop(caller, (self.burst, now))
            left = min(self.burst, left + (now - since) * self.per_second)
            self._left[caller] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > _CALLERS:
                self._left.popitem(last=False)
            return left >= 1


@dataclass(frozen=True)
class WorkCounts:
    """The requests that are being answered, by the token that sent them, or of another sort. For one event loop."""

    most: int = AT_WORK
    _counts: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def one_more(self, caller: str) -> Iterator[bool]:
        """Count a request while it lasts; whether the caller may have another one. Strangers (`""`) are not counted."""
        allowed = not caller or self._counts[caller] < self.most
        self._counts[caller] += allowed
        try:
            yield allowed
        finally:
            self._counts[caller] -= allowed
            if not self._counts[caller]:
                del self._counts[caller]


@dataclass(frozen=True)
class WholeLimits:
    """The limits of all callers of a workspace together, beside the workspaces of others."""

    rates: Rates = field(default_factory=lambda: Rates(2 * BURST, 2 * PER_SECOND))
    work: WorkCounts = field(default_factory=lambda: WorkCounts(AT_WORK + AT_WORK // 2))
    large: WorkCounts = field(default_factory=lambda: WorkCounts(1))


BODY = 16 * 1024 * 1024
"""Bytes of a request's body at most, where texts are stored."""
_ORDINARY = 1024 * 1024
_TRANSCRIPTS = "/api/v1/transcripts"
_LARGE = ("/api/v1/memories", "/api/v1/sessions", _TRANSCRIPTS, "/mcp")
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
TOO_OFTEN = Problem(HTTPStatus.TOO_MANY_REQUESTS, "That is too many requests; wait a second.")
_FULL = Problem(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Other bodies of more than 1 MiB are being worked on; wait until one is done.",
)
_AT_ONCE = Problem(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many requests with this token, or of this workspace, are being answered; wait until one is done.",
)
_SHIPS = Problem(HTTPStatus.FORBIDDEN, "The token of a laptop ships transcripts, and opens nothing else.")
_NOBODY = Problem(
    HTTPStatus.UNAUTHORIZED,
    "A token is needed. `memory config token add NAME` makes one, and for a fleet `memory fleet token add NAME`; "
    "send it as `Authorization: Bearer`.",
)


@dataclass(frozen=True)
class Guard:
    """Lets through requests for us, in time, from a known caller; `scope["state"]["caller"]` says from whom."""

    inner: Application
    rules: Rules
    rates: Rates = field(default_factory=Rates)
    work: WorkCounts = field(default_factory=WorkCounts)
    large: WorkCounts = field(default_factory=lambda: WorkCounts(LARGE_AT_WORK))
    whole: "WholeLimits | None" = None
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
            if self.whole and allowed:
                allowed = counted.enter_context(self.whole.work.one_more(_WHOLE))
            body = await self._body(receive, scope["path"], caller, counted) if allowed else _AT_ONCE
            if isinstance(body, Problem):
                await answer.refuse(body)
            else:
                await answer_reader(self.inner, scope, body, receive, answer)

    def _most(self, path: str, caller: Caller | None) -> int:
        """Bytes of a body at this path at most: what is parsed keeps all others waiting."""
        if caller is None:
            return _FORM
        return self.body if path.startswith(_LARGE) else min(self.body, _ORDINARY)

    async def _body(self, receive: Receive, path: str, caller: Caller | None, counted: ExitStack) -> bytes | Problem:
        """The whole body, or the reason why it is refused. A large body is counted until all is done."""
        parts, size, most, structure = list[bytes](), 0, self._most(path, caller), StructureCount()
        try:
            async with asyncio.timeout(self.body_seconds if caller else min(_FORM_SECONDS, self.body_seconds)):
                while True:
                    message = await receive()
                    parts.append(message.get("body", b""))
                    before, size = size, size + len(parts[-1])
                    if size > most:
                        return _TOO_MUCH
                    if before <= _ORDINARY < size and not self._may_be_large(counted):
                        return _FULL
                    structure.take(parts[-1])
                    if problem := _too_much_structure(structure, path):
                        return problem
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            return _TOO_SLOW

    def _may_be_large(self, counted: ExitStack) -> bool:
        """Whether one more large body may be worked on; it is counted as long as the stack is open."""
        counts = [self.whole.large, self.large] if self.whole else [self.large]
        return all(counted.enter_context(count.one_more(_WHOLE)) for count in counts)

    def _refusal(self, scope: Scope, headers: Headers) -> Problem | None:
        path, client = scope["path"], (scope.get("client") or ("",))[0]
        if problem := self.rules.refusal(scope["method"], path, headers):
            return problem
        caller = self.rules.find_caller(headers)
        # A flood of strangers on this machine shall silence neither what watches the service nor who signs in: there
        # each workspace of a front has a bucket, because all strangers of it may come through one server.
        own = path if path in OPEN else ""
        if path == SIGN_IN:
            own = f"{scope.get('state', {}).get('below', '')}{path}"
        bucket = caller.name if caller else f"{client} {own}"
        if not self.rates.allows(bucket) or (self.whole and not self.whole.rates.allows(_WHOLE)):
            return TOO_OFTEN
        if caller is None and not is_public(path):
            return _NOBODY
        if caller and caller.is_laptop and path != _TRANSCRIPTS:
            return _SHIPS
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._most(path, caller):
            return _TOO_MUCH
        scope.setdefault("state", {})["caller"] = caller
        return address_problem(path, scope["query_string"])


def _too_much_structure(structure: StructureCount, path: str) -> Problem | None:
    """The reason why a body is not parsed: beside its texts it would keep all others waiting."""
    most = next((most for place, most in _ELEMENTS_AT.items() if path.startswith(place)), ELEMENTS)
    if not structure.readable:
        return _NO_TEXT
    if structure.elements <= most and (structure.size <= _ORDINARY or path == _IMPORT):
        return None
    why = f"Outside of its texts a body has at most {most:,} brackets and commas, and 1 MiB."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)


async def answer_reader(inner: Application, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
    """Have an application answer a request whose body has come; its work ends when its reader has gone."""
    with waited_for() as gone:
        read = _Read(body, receive)
        watching = asyncio.create_task(read.until_gone(gone))
        try:
            await inner(scope, read, send)
        finally:
            watching.cancel()


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
