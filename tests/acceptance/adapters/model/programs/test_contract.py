"""The contract of models, through programs that print as the real ones do."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from pipeline.adapters.model.programs.model import ProgramModel
from pipeline.ports.engine import LanguageModel
from schemas.settings import ModelSettings
from tests.support.ports.fences import unfenced
from tests.support.ports.model_contract import ModelContract
from tests.support.processes.fake_program import Behaviour, Call, fake_program, lines


def as_claude(answer: str) -> str:
    """As `claude --output-format json` prints."""
    usage = {"input_tokens": 7, "cache_read_input_tokens": 2, "output_tokens": 3}
    result = {"type": "result", "subtype": "success", "is_error": False, "result": answer, "usage": usage}
    try:
        return lines({**result, "structured_output": json.loads(answer)})
    except ValueError:
        return lines(result)


def as_codex(answer: str) -> str:
    """As `codex exec --json` prints."""
    usage = {"input_tokens": 9, "cached_input_tokens": 2, "output_tokens": 3}
    item = {"id": "item_0", "type": "agent_message", "text": answer}
    return lines({"type": "item.completed", "item": item}, {"type": "turn.completed", "usage": usage})


PRINTS = {"claude": as_claude, "codex": as_codex}


def replying(name: str, answer: Callable[[Call], str]) -> Callable[[Call], Behaviour]:
    """A program that answers a question so, and lists a model of its own when it is asked for them."""

    def behave(call: Call) -> Behaviour:
        if call.argv[:1] == ["debug"]:
            return Behaviour(lines({"models": [{"slug": "m", "tool_mode": "code_mode_only"}]}))
        return Behaviour(PRINTS[name](answer(call)))

    return behave


def model_of(folder: Path, program: str, /, **settings: object) -> ProgramModel:
    """The model through the program of a folder, which has a HOME below it."""
    (folder / "home").mkdir(exist_ok=True)
    path = os.pathsep.join([str(folder / "bin"), os.defpath])
    environment = {"PATH": path, "HOME": str(folder / "home"), "SECRET": "x", "CLAUDECODE": "1", "OPENAI_API_KEY": "k"}
    return ProgramModel(ModelSettings.model_validate({"program": program, **settings}), folder / "ours", environment)


class ProgramContract(ModelContract):
    """Any program."""

    name: str

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def model(self, answer: Callable[[str], str]) -> AbstractContextManager[LanguageModel]:
        """A program that answers."""
        return self._opened(replying(self.name, lambda call: answer(unfenced(call.input))))

    def failing(self) -> AbstractContextManager[LanguageModel]:
        """A program that ends without an answer."""
        return self._opened(lambda _call: Behaviour(code=1, err="no"))

    @contextmanager
    def _opened(self, behave: Callable[[Call], Behaviour]) -> Iterator[LanguageModel]:
        with fake_program(self.folder / "bin", self.name, behave):
            yield model_of(self.folder, self.name)


class TestClaude(ProgramContract):
    """`claude`."""

    name = "claude"


class TestCodex(ProgramContract):
    """`codex`."""

    name = "codex"
