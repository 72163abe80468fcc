"""How a server that is overrun becomes visible: in the answer that came late, and in the failure."""

import pytest

from pipeline.adapters.model.openai import OpenAIModel
from pipeline.errors import ModelUnavailable
from tests.support.ports.model_contract import question
from tests.support.servers.behaviours import Behaviour, answering, failing, hanging, rate_limited
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table


@table("refused", [0, 1, 2])
def test_an_answer_tells_how_often_the_server_refused(refused: int) -> None:
    """The client asks again by itself; what it needed is told."""
    with ScriptedServer(*[rate_limited()] * refused, answering(lambda _request: "{}")) as server:
        assert refused == OpenAIModel(server.settings(attempts=3)).answer(question("x")).retries


@table(
    ("behaviour", "timeout", "busy", "late"),
    [(rate_limited(), 60, True, False), (hanging(), 0.3, False, True), (failing(500), 60, False, False)],
)
def test_a_failure_tells_what_sort_it_is(behaviour: Behaviour, timeout: float, busy: bool, late: bool) -> None:  # noqa: FBT001 - cases of a test
    """Too many requests and no answer in time are told apart from all else."""
    with ScriptedServer(behaviour) as server:
        model = OpenAIModel(server.settings(timeout=timeout))
        with pytest.raises(ModelUnavailable) as raised:
            model.answer(question("x"))
    assert (busy, late) == (raised.value.busy, raised.value.late)
