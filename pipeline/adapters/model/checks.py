"""The checks of the model: whether its server answers, and what it says to one tiny question."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.adapters.model.choice import FOLDER, open_model
from pipeline.adapters.model.openai import OpenAIModel, OpenAIServer
from pipeline.adapters.model.programs.model import ProgramModel
from pipeline.adapters.model.programs.program import Login
from pipeline.clock import stopwatch
from pipeline.errors import ModelUnavailable
from pipeline.job import Task
from pipeline.model.answers import read_answer
from pipeline.model.question import question_of
from schemas.base import Value
from schemas.checkup import Health
from schemas.settings import ModelSettings

PATIENCE = timedelta(seconds=5)
"""How long a look waits for the server; a question has the time of the settings."""
_ASK = "`memory doctor --ask` asks it one tiny question."
_LISTS_NONE = frozenset({404, 405, 501})
_REFUSES = frozenset({401, 403})
_UNTIL = "Until then windows wait. docs/how-to/use-a-model.md has what to do."

Standing = tuple[Health, str, str]
"""The health, the finding, and the advice."""


class ClosingTime(Value):
    """The answer to the tiny question."""

    closes_at: str


class TinyInput(Value):
    """The input of the tiny question."""

    text: str


_TASK = Task(
    "doctor",
    "At which time does the harbour close? Answer with `closes_at`, as HH:MM.",
    TinyInput(text="We talked it over: the harbour closes at 21:00, and that is final."),
    ClosingTime,
    lambda: ClosingTime(closes_at=""),
    frozenset(),
)


def look_at_program(
    settings: ModelSettings, state_folder: Path, environment: Mapping[str, str]
) -> tuple[Login, Standing]:
    """The login of the program that the settings name, and what that means; no question is asked."""
    model, nobody = ProgramModel(settings, state_folder / FOLDER, environment), Login(signed_in=False)
    try:
        seen = model.look()
    except (OSError, subprocess.TimeoutExpired) as error:
        return nobody, (Health.FAIL, f"{model.name}: it cannot be run ({error.__class__.__name__})", _UNTIL)
    if seen.file is None:
        where = f"there is no {settings.program} in PATH or its usual places"
        return nobody, (Health.FAIL, f"{model.name}: {where}", _UNTIL)
    if not seen.login.signed_in:
        return seen.login, (Health.FAIL, f"{model.name} at {seen.file}: nobody is signed in", _UNTIL)
    paid = "a key, which pays by the token" if seen.login.by_key else "a login"
    return seen.login, (Health.OK, f"{model.name} at {seen.file}, signed in by {paid}; not asked", _ASK)


@dataclass(frozen=True)
class ModelCheck:
    """Looks at the model of some settings, which must be `is_configured`.

    `state_folder` is that of the workspace, and `environment` that of the process, of which a program gets a part.
    """

    settings: ModelSettings
    state_folder: Path
    environment: Mapping[str, str]

    @property
    def _place(self) -> str:
        return f"{self.settings.name} at {urlsplit(self.settings.base_url).netloc.rpartition('@')[2]}"

    def look(self) -> Standing:
        """Whether its server answers, by the list of its models, or a program is signed in, which costs nothing."""
        if self.settings.program:
            return look_at_program(self.settings, self.state_folder, self.environment)[1]
        import openai  # noqa: PLC0415 - it takes most of a second, which only a look at a server needs to pay

        server = OpenAIServer(
            self.settings.model_copy(update={"timeout": PATIENCE, "attempts": 1}), "model", "model.name"
        )
        try:
            server.client.models.with_raw_response.list()
        except openai.APIStatusError as error:
            if error.status_code in _REFUSES:
                return Health.FAIL, f"{self._place}: {server.reason(error)}", "Until then no window is done."
            lists = "its server lists no models" if error.status_code in _LISTS_NONE else server.reason(error)
            return Health.OK, f"{self._place}, not asked: {lists}", _ASK
        except (openai.OpenAIError, ValueError) as error:
            advice = "Start it, or mend model.base_url; until then windows wait, up to model.give_up_after."
            return Health.FAIL, f"{self._place}: {server.reason(error)}", advice
        return Health.OK, f"{self._place}, whose server answers; not asked", _ASK

    def ask(self) -> list[Standing]:
        """The answers to one tiny question, of the model and of the one for the background if that is another."""
        model = open_model(self.settings.model_copy(update={"attempts": 1}), self.state_folder, self.environment)
        backgrounds = [False, True] if model.background != model.name else [False]
        return [self._ask_model(model, background=background) for background in backgrounds]

    def _ask_model(self, model: OpenAIModel | ProgramModel, *, background: bool) -> Standing:
        name, since = model.background if background else model.name, stopwatch()
        task = replace(_TASK, background=background)
        try:
            reply = model.answer(question_of(task))
        except ModelUnavailable as failure:
            return Health.FAIL, str(failure), "docs/how-to/use-a-model.md has what to check for each reason."
        seconds, read = stopwatch() - since, read_answer(reply.text, ClosingTime)
        if read.value is None:
            why = f"{name} answers in {seconds:.1f} s, but not as the schema says ({read.problem})"
            return Health.FAIL, why, "Take a larger model, or one that knows structured output."
        said = f"{name} answers in {seconds:.1f} s: {read.value.closes_at!r}"
        tokens = f"{reply.input_tokens} tokens in, {reply.output_tokens} out"
        if not model.takes_schema(name):
            return Health.WARN, f"{said}; {tokens}; its server takes no schema", _WITHOUT_SCHEMA
        return Health.OK, f"{said}; {tokens}", "" if reply.input_tokens else _WITHOUT_COUNT


_WITHOUT_SCHEMA = "The schema is put into words; more answers than else may not fit."
_WITHOUT_COUNT = (
    "It counts no tokens of a question: where it cuts one, nobody can tell. See docs/how-to/use-a-model.md."
)
