"""The application on the Unix socket: the questions of our own programs on this machine, and nothing else.

Only the user of the service may open the socket, and all that it answers that user may read: so there are no tokens.
It has no route that corrects, decides or deletes anything; those are for persons, at the address of `service.http`.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from pipeline.app.agent_questions import KnowRequest, StartPageRequest, WakeRequest
from pipeline.app.details.outputs import OutputRequest, ToolRequest
from pipeline.app.prompts import PromptRequest
from pipeline.app.requests import problem_sentence
from pipeline.errors import Interrupted, LedgerNewer, NoQuestion, NoTurn, PipelineError
from pipeline.errors.service import ReaderGone
from pipeline.events import Emit, Event
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.http_request import LONGEST, NOTICE, PROMPT, PROTOCOL, REPLACE
from pipeline.service.socket.settings_in_use import INDEX_SETTINGS
from pipeline.service.web.server import LOCAL_CONNECTIONS, Application, Receive, Scope, Send
from pipeline.surfaces.http.problems import Problem, problem_of
from pipeline.surfaces.http.security.guard import answer_reader
from schemas.exit_codes import BUG
from schemas.json_line import plain
from schemas.requests import PlaceRequest, RecallRequest, SearchRequest

_FOR_THE_CLIENT = (Interrupted, NoTurn, LedgerNewer, ReaderGone)
"""After these a client answers itself: the service stops, has too much to do, or is older than the client."""
_NOT_OURS = Problem(HTTPStatus.FORBIDDEN, "Only programs of ours ask here; a browser never does.")
_TOO_MUCH = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A question has a length, of at most {LONGEST:,} bytes.")
_TOO_SLOW = Problem(HTTPStatus.REQUEST_TIMEOUT, "The question did not come in time.")
_OTHER_SETTINGS = "The service works by other settings than yours."


def make_local(answers: ServiceAnswers, emit: Emit) -> Application:
    """The application over the answers of a service; `emit` takes the events of bugs."""
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    api.state.answers, api.state.emit = answers, emit
    api.include_router(router, prefix=f"/v{PROTOCOL}")
    return LocalDoor(api)


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


class _LocalRoute(APIRoute):
    """A route whose errors say with which code the client ends, unless the client is to answer itself."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The function that answers."""
        handle = super().get_route_handler()

        async def answer_request(request: Request) -> Response:
            try:
                return await handle(request)
            except _FOR_THE_CLIENT as error:
                return _render_problem(problem_of(error))
            except PipelineError as error:
                return _render_problem(problem_of(error), error.exit_code)
            except RequestValidationError as error:
                first = error.errors()[0]
                wrong = NoQuestion(problem_sentence(first["loc"][1:], first["msg"]))  # the body is the request
                return _render_problem(problem_of(wrong), wrong.exit_code)
            except HTTPException:
                raise
            except Exception as error:  # noqa: BLE001 - a bug in one question must not end the service
                emit: Emit = request.app.state.emit
                emit(Event.QUESTION_FAILED, error=f"{type(error).__name__}: {error}")
                why = f"The service could not answer ({type(error).__name__}); its log says more."
                return _render_problem(Problem(HTTPStatus.INTERNAL_SERVER_ERROR, why), BUG)

        return answer_request


def _render_problem(problem: Problem, exit_code: int | None = None) -> Response:
    """A problem, with the exit code of a client that reports it."""
    fields = json.loads(problem.body) | ({} if exit_code is None else {"exit_code": exit_code})
    return Response(json.dumps(fields), problem.status.value, media_type=problem.headers["Content-Type"])


def _require_settings(decide: Sequence[str], fixed: Sequence[str] = ()) -> Any:  # noqa: ANN401 - as the library wants it
    """A check that a client answers itself where its settings, or those of now, lead to another answer.

    `decide` are the settings that the answer depends on. `fixed` are those of them that were read when the service
    opened its parts; all others are read at each question.
    """

    def agree(answers: AnswersThere, memory_settings: Annotated[str, Header()]) -> None:
        try:
            wanted = json.loads(memory_settings)
        except ValueError:
            wanted = None
        if not (isinstance(wanted, dict) and answers.in_use.agree(wanted, decide) and answers.in_use.hold(fixed)):
            raise HTTPException(HTTPStatus.CONFLICT, _OTHER_SETTINGS)

    return Depends(agree)


def _answers_of(request: Request) -> ServiceAnswers:
    answers: ServiceAnswers = request.app.state.answers
    return answers


AnswersThere = Annotated[ServiceAnswers, Depends(_answers_of)]
_OF_INDEX, _OF_AGENTS, _OF_STORE = (
    [_require_settings(INDEX_SETTINGS, INDEX_SETTINGS)],
    [_require_settings(["agents"])],
    [_require_settings(["store"])],
)
router = APIRouter(route_class=_LocalRoute)


@router.post("/search", dependencies=_OF_INDEX)
def search(answers: AnswersThere, request: SearchRequest) -> Response:
    """An `Answer`."""
    return _answer(answers.memory.search(request).model_dump(mode="json"))


@router.post("/recall", dependencies=_OF_INDEX)
def recall(answers: AnswersThere, request: RecallRequest) -> Response:
    """A `Recalled`."""
    return _answer(answers.memory.recall(request).model_dump(mode="json"))


@router.post("/get", dependencies=_OF_INDEX)
def get(answers: AnswersThere, request: PlaceRequest) -> Response:
    """A `Hit`, or a `SaidPage`."""
    return _answer(answers.memory.get(request).model_dump(mode="json"))


@router.post("/wake", dependencies=_OF_AGENTS)
def wake(answers: AnswersThere, request: WakeRequest) -> Response:
    """A `WakeUp`."""
    return _answer(plain(answers.agents.wake(request)))


@router.post("/start_page", dependencies=_OF_AGENTS)
def start_page(answers: AnswersThere, request: StartPageRequest) -> Response:
    """A `WakeUp` of `MEMORY.md` alone."""
    return _answer(plain(answers.agents.start_page(request)))


@router.post("/know", dependencies=_OF_AGENTS)
def know(answers: AnswersThere, request: KnowRequest) -> Response:
    """Each `KnownLine`."""
    return _answer(plain(answers.agents.know(request)))


@router.post("/keep", dependencies=_OF_STORE)
def keep(answers: AnswersThere, request: OutputRequest) -> Response:
    """A placeholder, or an empty text."""
    return _answer(answers.outputs.keep(request))


@router.post(f"/{REPLACE}", dependencies=_OF_STORE)
def replace(answers: AnswersThere, request: ToolRequest) -> Response:
    """The text that a hook prints."""
    return _answer(answers.outputs.replace(request))


@router.post(f"/{PROMPT}", dependencies=_OF_INDEX)
def remind(answers: AnswersThere, request: PromptRequest) -> Response:
    """The text that a hook prints."""
    return _answer(answers.prompts.remind(request))


@router.post(f"/{NOTICE}")
def take_notice(answers: AnswersThere) -> Response:
    """Nothing, once the service knows of new records."""
    answers.notice()
    return Response()


def _answer(value: object) -> Response:
    """A value as JSON in ASCII: a text of an agent's event may have half of a surrogate pair, which UTF-8 has not."""
    return Response(json.dumps(value), media_type="application/json")
