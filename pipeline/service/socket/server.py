"""The service's side of the local socket: it answers the questions of clients, each as it comes."""

import json
import os
import selectors
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock, Thread, current_thread
from types import TracebackType
from typing import Any, NoReturn, Self

from pipeline.app.index import OpenIndex
from pipeline.clock import stopwatch
from pipeline.errors import Interrupted, LedgerNewer, PipelineError
from pipeline.events import Emit, Event, silent
from pipeline.service.socket.address import listening
from pipeline.service.socket.agent_handlers import AgentRequestHandler
from pipeline.service.socket.client import NoQuestion
from pipeline.service.socket.detail_handlers import DetailRequestHandler
from pipeline.service.socket.handlers import RequestHandler
from pipeline.service.socket.prompt_handlers import PromptRequestHandler
from pipeline.service.socket.protocol import ENVELOPE, LONGEST, NOTICE, PROTOCOL
from pipeline.service.socket.questions import Fields, SocketQuestion
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.socket.turns import NoTurn, Turns

BUG = 70
SILENT_SECONDS = 60.0
"""After how long a connection without a question, or without a reader, is closed."""
STOPPING_SECONDS = 5.0
"""For how long answers under way are waited for when the service stops, all together."""
CONNECTIONS = 64
"""The most connections at a time, each of which costs a thread; a client beyond it is disconnected, and looks
itself."""
_PAUSE_SECONDS = 0.1  # after a connection that could not be taken: when there is no room for one, it knocks on and on


class AnswerServer:
    """Answers questions about one workspace on its local socket, while it is entered.

    Each connection has a thread of its own, which sleeps until a question comes. Questions are answered concurrently,
    within the limits of `pipeline.service.socket.turns`.
    """

    def __init__(
        self,
        root: Path,
        opened: OpenIndex,
        in_use: SettingsInUse,
        emit: Emit = silent,
        notice: Callable[[], object] = lambda: None,
    ) -> None:
        """Nothing listens yet.

        Args:
            root: the workspace.
            opened: its index.
            in_use: the settings it was opened with. When they are out of date, or differ from a client's, the client is
                disconnected, and looks itself.
            emit: takes the events of failures.
            notice: is called when an agent tells of new records.
        """
        self._root, self._in_use, self._emit = root, in_use, emit
        self._turns = Turns()
        self._clock = opened.searching.clock
        self._details = DetailRequestHandler(root, in_use.now, self._clock, self._turns)
        handlers = (
            RequestHandler(opened, self._turns, in_use.now),
            PromptRequestHandler(root, opened, in_use.now, self._turns),
            AgentRequestHandler(root, lambda: in_use.now().agents, self._turns, opened.project_named),
            self._details,
        )
        self.questions = {name: question for one in handlers for name, question in one.questions.items()}
        self.questions[NOTICE] = SocketQuestion(lambda _: [notice()], ())
        self._about = {"pid": os.getpid(), "host": socket.gethostname()}
        self._lines: dict[Thread, socket.socket] = {}
        self._lock, self._entered = Lock(), ExitStack()

    def __enter__(self) -> Self:
        """Listen, and publish the address."""
        self._about["started"] = self._clock.now().isoformat()
        with ExitStack() as stack:
            stack.callback(self._details.close)
            stack.callback(self._hang_up)
            listener = stack.enter_context(listening(self._root))
            bell, ringer = socket.socketpair()
            accepting = Thread(target=self._accept, args=(listener, bell), name="answers", daemon=True)
            accepting.start()
            stack.callback(accepting.join)
            stack.callback(ringer.close)  # which wakes it
            self._entered = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.close()

    def prepare(self) -> None:
        """Load what takes long to load, and is likely to be needed, on a thread of its own."""
        self._details.load()

    def _accept(self, listener: socket.socket, bell: socket.socket) -> None:
        with bell, selectors.DefaultSelector() as waiting:
            waiting.register(listener, selectors.EVENT_READ)
            waiting.register(bell, selectors.EVENT_READ)
            bell.settimeout(_PAUSE_SECONDS)
            while bell not in {key.fileobj for key, _ in waiting.select()}:
                try:
                    line, _ = listener.accept()
                except OSError:  # the client has gone, or the process has no more descriptors
                    with suppress(TimeoutError):
                        bell.recv(1)
                else:
                    self._take(line)

    def _take(self, line: socket.socket) -> None:
        """Serve a connection, unless there are too many, or the system has no room for one more thread."""
        serving = Thread(target=self._serve, args=(line,), name="answer", daemon=True)
        with self._lock:
            full = len(self._lines) >= CONNECTIONS
            if not full:
                self._lines[serving] = line
        if full:
            line.close()
            return
        try:
            serving.start()
        except RuntimeError:
            line.close()
            with self._lock:
                del self._lines[serving]

    def _hang_up(self) -> None:
        """Take no more questions, and wait for the answers under way."""
        self._turns.close()
        with self._lock:
            lines = dict(self._lines)
        for line in lines.values():
            with suppress(OSError):
                line.shutdown(socket.SHUT_RD)
        until = stopwatch() + STOPPING_SECONDS
        for serving in lines:
            serving.join(max(until - stopwatch(), 0.0))

    def _serve(self, line: socket.socket) -> None:
        """Answer what is asked on one connection."""
        try:
            with suppress(OSError), line, line.makefile("rb") as questions:
                line.settimeout(SILENT_SECONDS)
                while (question := questions.readline(LONGEST + 1)) and (answer := self._answer(question)):
                    line.sendall(json.dumps(answer).encode() + b"\n")
                    if len(question) > LONGEST:
                        return  # the rest of it is none
        finally:
            with self._lock:
                self._lines.pop(current_thread(), None)

    def _answer(self, question: bytes) -> dict[str, Any] | None:
        """The answer to send; `None` to hang up."""
        try:
            answer = self._look_up(_read(question))
        except (Interrupted, NoTurn, LedgerNewer):  # the service stops, has too much to do, or is older than the client
            return None
        except PipelineError as error:
            wrong = {"no_question": True} if isinstance(error, NoQuestion) else {}
            return {"error": str(error), "code": error.exit_code, **wrong}
        except Exception as error:  # noqa: BLE001 - a bug in one question must not end the service
            self._emit(Event.QUESTION_FAILED, error=f"{type(error).__name__}: {error}")
            return {"error": f"The service could not answer ({type(error).__name__}); its log says more.", "code": BUG}
        return None if answer is None else {"told": answer}

    def _look_up(self, request: Fields) -> Any | None:  # noqa: ANN401 - JSON
        """The answer; `None` when the client has to look itself."""
        name = str(request.get("ask"))
        if request.get("protocol") != PROTOCOL:
            return None
        if name == "about":
            return self._about
        if name not in self.questions:
            _refuse(f"there is no question {name!r}")
        question = self.questions[name]
        if not (self._in_use.agree(request.get("settings", {}), question.decide) and self._in_use.hold(question.fixed)):
            return None
        return question.answer({field: value for field, value in request.items() if field not in ENVELOPE})


def _read(question: bytes) -> dict[str, Any]:
    """The fields of a line. Raises `NoQuestion` when it is no JSON object, or longer than any question."""
    if len(question) > LONGEST:
        _refuse(f"it is longer than {LONGEST:,} bytes")
    try:
        request = json.loads(question)
    except (ValueError, RecursionError) as error:
        _refuse(f"it is no JSON ({type(error).__name__})")
    return request if isinstance(request, dict) else _refuse("it is no JSON object")


def _refuse(why: str) -> NoReturn:
    raise NoQuestion(why)
