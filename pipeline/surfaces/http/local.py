"""The application on the Unix socket: the questions of our own programs on this machine, and nothing else.

Only the user of the service may open the socket, and all that it answers that user may read: so there are no tokens.
It has no route that corrects, decides or deletes anything; those are for persons, at the address of `service.http`.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from pipeline.app.agent_questions import KnowRequest, StartPageRequest, WakeRequest
from pipeline.app.details.outputs import OutputRequest, ToolRequest
from pipeline.app.reminders import PromptRequest
from pipeline.app.requests import check_request
from pipeline.errors import Interrupted, LedgerNewer, NoQuestion, NoTurn, PipelineError
from pipeline.errors.service import ReaderGone
from pipeline.events import Emit, Event
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.http_request import LONGEST, NOTICE, PROMPT, PROTOCOL, REPLACE
from pipeline.service.socket.settings_in_use import INDEX_SETTINGS
from pipeline.service.web.server import LOCAL_CONNECTIONS, Application, Receive, Scope, Send
from pipeline.surfaces.http.problems import Problem, problem_of
from pipeline.surfaces.http.security.guard import answer_reader
from schemas.base import RequestValue
from schemas.exit_codes import BUG
from schemas.json_line import to_plain_json
from schemas.requests import PlaceRequest, RecallRequest, SearchRequest

_FOR_THE_CLIENT = (Interrupted, NoTurn, LedgerNewer, ReaderGone)
"""After these a client answers itself: the service stops, has too much to do, or is older than the client."""
_NOT_OURS = Problem(HTTPStatus.FORBIDDEN, "Only programs of ours ask here; a browser never does.")
_TOO_MUCH = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A question has a length, of at most {LONGEST:,} bytes.")
_TOO_SLOW = Problem(HTTPStatus.REQUEST_TIMEOUT, "The question did not come in time.")
_OTHER_SETTINGS = Problem(HTTPStatus.CONFLICT, "The service works by other settings than yours.")


@dataclass(frozen=True)
class _SocketQuestion:
    """A question: its request, and its answer, a value that JSON has.

    `decide` are the settings that the answer depends on. `fixed` are those of them that were read when the service
    opened its parts; all others are read at each question.
    """

    request: type[RequestValue]
    answer: Callable[[ServiceAnswers, Any], object]
    decide: Sequence[str]
    fixed: Sequence[str] = ()

    def respond(self, answers: ServiceAnswers, body: bytes, settings: str) -> Response:
        """Answer a client with these `settings`, which answers itself where they, or those of now, lead elsewhere."""
        try:
            fields = json.loads(body)
        except (ValueError, RecursionError) as error:
            message = f"The question is no JSON: {error}"
            raise NoQuestion(message) from error
        try:
            given = json.loads(settings)
        except ValueError:
            given = None
        if not (answers.in_use.agree(given, self.decide) and answers.in_use.hold(self.fixed)):
            return _render_problem(_OTHER_SETTINGS)
        # In ASCII: a text of an agent's event may have half of a surrogate pair, which UTF-8 has not.
        answer = json.dumps(self.answer(answers, check_request(self.request, fields, answers.memory.today)))
        return Response(answer, media_type="application/json")


_of_index = partial(_SocketQuestion, decide=INDEX_SETTINGS, fixed=INDEX_SETTINGS)
_of_agents = partial(_SocketQuestion, decide=["agents"])
_of_store = partial(_SocketQuestion, decide=["store"])
_QUESTIONS = {
    "search": _of_index(SearchRequest, lambda answers, asked: answers.memory.search(asked).model_dump(mode="json")),
    "recall": _of_index(RecallRequest, lambda answers, asked: answers.memory.recall(asked).model_dump(mode="json")),
    "get": _of_index(PlaceRequest, lambda answers, asked: answers.memory.get(asked).model_dump(mode="json")),
    PROMPT: _of_index(PromptRequest, lambda answers, asked: answers.prompts.remind(asked)),
    "wake": _of_agents(WakeRequest, lambda answers, asked: to_plain_json(answers.agents.wake(asked))),
    "start_page": _of_agents(StartPageRequest, lambda answers, asked: to_plain_json(answers.agents.start_page(asked))),
    "know": _of_agents(KnowRequest, lambda answers, asked: to_plain_json(answers.agents.know(asked))),
    "keep": _of_store(OutputRequest, lambda answers, asked: answers.outputs.keep(asked)),
    REPLACE: _of_store(ToolRequest, lambda answers, asked: answers.outputs.replace(asked)),
}


def make_local(answers: ServiceAnswers, emit: Emit) -> Application:
    """The application over the answers of a service; `emit` takes the events of bugs."""

    async def answer_question(question: _SocketQuestion, request: Request) -> Response:
        body, settings = await request.body(), request.headers["memory-settings"]
        try:
            return await run_in_threadpool(question.respond, answers, body, settings)
        except _FOR_THE_CLIENT as error:
            return _render_problem(problem_of(error))
        except PipelineError as error:
            return _render_problem(problem_of(error), error.exit_code)
        except Exception as error:  # noqa: BLE001 - a bug in one question must not end the service
            emit(Event.QUESTION_FAILED, error=f"{type(error).__name__}: {error}")
            why = f"The service could not answer ({type(error).__name__}); its log says more."
            return _render_problem(Problem(HTTPStatus.INTERNAL_SERVER_ERROR, why), BUG)

    async def take_notice(_: Request) -> Response:
        answers.notice()
        return Response()

    endpoints = [(name, partial(answer_question, question)) for name, question in _QUESTIONS.items()]
    paths = [Route(f"/v{PROTOCOL}/{name}", endpoint, methods=["POST"]) for name, endpoint in endpoints]
    return LocalDoor(Router([*paths, Route(f"/v{PROTOCOL}/{NOTICE}", take_notice, methods=["POST"])]))


@dataclass
class LocalDoor:
    """Hands on what our own programs send, once it is there whole.

    No browser can open a Unix socket. Its requests are refused all the same, in case another program hands them on.
    `most` requests are at work at once: each has a thread to its end, also if its client leaves.
    """

    inner: Application
    body_seconds: float = 30.0
    most: int = LOCAL_CONNECTIONS
    _at_work: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        headers = dict(scope["headers"])
        length = b"" if b"transfer-encoding" in headers else headers.get(b"content-length", b"")
        if b"memory-settings" not in headers or b"origin" in headers or b"sec-fetch-site" in headers:
            body: bytes | Problem = _NOT_OURS
        elif not length.isdigit() or int(length) > LONGEST:
            body = _TOO_MUCH
        else:
            body = await self._body(receive) if int(length) else b""  # who only gives notice may have gone
        if isinstance(body, Problem):
            await Response(body.body, body.status.value, body.headers)(scope, receive, send)
        else:
            await self._answer(scope, body, receive, send)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        if self._at_work >= self.most:
            await _render_problem(problem_of(NoTurn()))(scope, receive, send)
            return
        self._at_work += 1
        try:
            await answer_reader(self.inner, scope, body, receive, send)
        except asyncio.CancelledError:  # the service stops, and waits no longer
            await _render_problem(problem_of(NoTurn()))(scope, receive, send)
        finally:
            self._at_work -= 1

    async def _body(self, receive: Receive) -> bytes | Problem:
        parts, more = list[bytes](), True
        try:
            async with asyncio.timeout(self.body_seconds):
                while more:
                    message = await receive()
                    parts.append(message.get("body", b""))
                    more = message.get("more_body", False)
        except TimeoutError:
            return _TOO_SLOW
        return b"".join(parts)


def _render_problem(problem: Problem, exit_code: int | None = None) -> Response:
    """A problem, with the exit code of a client that reports it."""
    fields = json.loads(problem.body) | ({} if exit_code is None else {"exit_code": exit_code})
    return Response(json.dumps(fields), problem.status.value, media_type=problem.headers["Content-Type"])
