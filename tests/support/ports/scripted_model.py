"""A model that answers by a script, in this process."""

from collections.abc import Callable
from threading import Lock

from pydantic import BaseModel

from pipeline.errors import ModelUnavailable
from pipeline.ports.engine import Question, Reply


class ScriptedModel:
    """`pipeline.ports.engine.LanguageModel` for tests; keeps the questions in the order they came. Safe in threads."""

    def __init__(
        self, answer: Callable[[Question], BaseModel | str], name: str = "scripted", background: str = ""
    ) -> None:
        """`answer` gives the model's reply: a value, or text that need not be JSON at all. It may raise."""
        self._answer = answer
        self._name = name
        self._background = background or name
        self._lock = Lock()
        self.questions: list[Question] = []

    @classmethod
    def failing(cls, reason: str = "it is scripted to fail", name: str = "scripted") -> "ScriptedModel":
        """A model that never answers."""

        def refuse(_question: Question) -> str:
            raise ModelUnavailable(name, reason)

        return cls(refuse, name)

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def background(self) -> str:
        """The name that it was given for what sums up and judges."""
        return self._background

    def answer(self, question: Question) -> Reply:
        """The reply of the script, at the price of a token a word.

        Raises:
            ModelUnavailable: the script raises it.
        """
        with self._lock:
            self.questions.append(question)
        answer = self._answer(question)
        text = answer.model_dump_json() if isinstance(answer, BaseModel) else answer
        return Reply(text, len(question.input.split()), len(text.split()))
