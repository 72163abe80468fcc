"""The contract of every language model adapter: inherit it in a test class, and define how a model is made."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest
from pydantic import BaseModel

from pipeline.errors import ModelUnavailable
from pipeline.model.question import fence
from pipeline.ports.engine import LanguageModel, Question
from tests.support.ports.fences import unfenced


class Echo(BaseModel):
    """An answer that repeats the question's input."""

    said: str


def question(text: str) -> Question:
    """A question whose input is `text`."""
    return Question("echo", "Repeat what you read.", fence(text), Echo.model_json_schema())


class ModelContract(ABC):
    """Any model."""

    @abstractmethod
    def model(self, answer: Callable[[str], str]) -> AbstractContextManager[LanguageModel]:
        """A model whose replies are `answer` of the input's text, for as long as the context is open."""

    @abstractmethod
    def failing(self) -> AbstractContextManager[LanguageModel]:
        """A model that cannot answer."""

    def test_it_has_a_name(self) -> None:
        """The name is part of the key under which answers are cached."""
        with self.model(str) as model:
            assert model.name

    def test_it_answers_as_text(self) -> None:
        """The model's reply comes back whole, in any script and with any end of a line, with its cost."""
        expected = Echo(said="zażółć 記住 🐟\u2028\x85.").model_dump_json()
        with self.model(lambda text: Echo(said=text).model_dump_json()) as model:
            reply = model.answer(question("zażółć 記住 🐟\u2028\x85."))
        assert Echo.model_validate_json(expected) == Echo.model_validate_json(reply.text)
        assert reply.input_tokens > 0
        assert reply.output_tokens > 0

    def test_it_does_not_judge(self) -> None:
        """An answer that is no JSON is passed on: the engine checks."""
        with self.model(lambda _text: "garbage") as model:
            assert model.answer(question("x")).text == "garbage"

    def test_it_serves_several_threads(self) -> None:
        """Questions asked at once get each its own answer."""
        texts = [f"text {number}" for number in range(20)]
        with self.model(lambda text: Echo(said=text).model_dump_json()) as model, ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda text: model.answer(question(text)), texts))
        assert texts == [Echo.model_validate_json(reply.text).said for reply in replies]

    def test_failure_is_model_unavailable(self) -> None:
        """Whatever goes wrong, it is one error, and its sentence names the model."""
        with self.failing() as model, pytest.raises(ModelUnavailable, match=model.name):
            model.answer(question("x"))


def said(asked: Question) -> str:
    """The text that `question` was made from."""
    return unfenced(asked.input)
