"""What the routes work with, and who calls."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from pydantic import ConfigDict

from pipeline.app.opening import opened, opened_to_run
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.health import HealthPages
from schemas.base import Value
from schemas.caller import Caller
from schemas.run_options import RunOptions

Question = Callable[[Mapping[str, Any]], Any]


class RequestBody(Value):
    """A body of a request. What checks it is made at once, for the library makes its own out of it."""

    model_config = ConfigDict(defer_build=False)


@dataclass(frozen=True)
class HttpState:
    """What the service gives to its HTTP.

    `questions` are those of the local socket, by name; they take and give JSON.
    """

    root: Path
    context: ProcessContext
    health: HealthPages
    questions: Mapping[str, Question]
    version: str

    def reading(self) -> AbstractContextManager[Engine]:
        """An engine for what reads."""
        return opened(self.root, self.context, looking=False)

    def running(self) -> AbstractContextManager[Engine]:
        """An engine for what has a job run."""
        return opened_to_run(self.root, self.context, RunOptions())


def state_of(request: Request) -> HttpState:
    """The state of the application that answers."""
    state: HttpState = request.app.state.http
    return state


def caller_of(request: Request) -> Caller:
    """Who calls."""
    caller: Caller = request.state.caller
    return caller


def person_of(caller: "CallerThere") -> Caller:
    """The person who calls; an agent may not."""
    if not caller.is_person:
        raise HTTPException(HTTPStatus.FORBIDDEN, "Only a person may do that: call with a person's token.")
    return caller


def engine_of(state: "StateThere") -> Iterator[Engine]:
    """An engine for what reads."""
    with state.reading() as engine:
        yield engine


StateThere = Annotated[HttpState, Depends(state_of)]
CallerThere = Annotated[Caller, Depends(caller_of)]
PersonThere = Annotated[Caller, Depends(person_of)]
Reading = Annotated[Engine, Depends(engine_of)]
