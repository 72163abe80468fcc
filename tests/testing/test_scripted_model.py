"""The model that answers in this process holds to the contract."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from pipeline.ports.engine import LanguageModel
from tests.support.ports.model_contract import ModelContract, question, said
from tests.support.ports.scripted_model import ScriptedModel


class TestScriptedModel(ModelContract):
    """The contract, on the fake."""

    def model(self, answer: Callable[[str], str]) -> AbstractContextManager[LanguageModel]:
        """A script needs no closing."""
        return nullcontext(ScriptedModel(lambda asked: answer(said(asked))))

    def failing(self) -> AbstractContextManager[LanguageModel]:
        """It fails as told."""
        return nullcontext(ScriptedModel.failing())

    def test_it_keeps_the_questions(self) -> None:
        """A test can look at what was asked."""
        model = ScriptedModel(lambda _asked: "yes")
        model.answer(question("a"))
        assert [question("a")] == model.questions
