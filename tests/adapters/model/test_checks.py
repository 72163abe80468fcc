"""The check of the model: what its server says to a look, and the model to one tiny question."""

from pathlib import Path

from pipeline.adapters.model.checks import ModelCheck
from schemas.checkup import Health
from schemas.settings import ModelSettings
from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table


def checked(settings: ModelSettings) -> ModelCheck:
    """The check of a server, which needs no folder."""
    return ModelCheck(settings, Path("/nonexistent"), {})


GOOD = '{"closes_at": "21:00"}'


def test_a_server_that_answers_is_not_asked() -> None:
    """A look asks no question, and shows no password of the address."""
    with ScriptedServer(behaviours.saying(GOOD)) as server:
        url = server.base_url.replace("http://", "http://me:hush@")
        settings = server.settings().model_copy(update={"base_url": url})
        health, finding, advice = checked(settings).look()
    assert (Health.OK, True, False, True) == (health, "not asked" in finding, "hush" in finding, "--ask" in advice)
    assert [] == server.requests


def test_a_dead_server_is_never_well() -> None:
    """Nobody listens there any more."""
    with ScriptedServer(behaviours.saying(GOOD)) as server:
        settings = server.settings()
    assert (Health.FAIL, True) == _reported(checked(settings).look(), "cannot be reached")
    assert [(Health.FAIL, True)] == [_reported(one, "cannot be reached") for one in checked(settings).ask()]


ASKED: dict[str, tuple[Behaviour, Health, str]] = {
    "an answer": (behaviours.saying(GOOD), Health.OK, "'21:00'"),
    "a wrong key": (behaviours.failing(401), Health.FAIL, "refuses the key"),
    "an unknown model": (behaviours.failing(404), Health.FAIL, "check model.name"),
    "no schema": (behaviours.refusing_forms(lambda _request: GOOD, "json_schema"), Health.WARN, "takes no schema"),
    "words": (behaviours.saying("nine o'clock"), Health.FAIL, "not as the schema says"),
    "too long": (behaviours.refusing(413, {}), Health.FAIL, "OLLAMA_CONTEXT_LENGTH"),
}


@table(("behaviour", "health", "words"), ASKED.values())
def test_the_answer_to_a_tiny_question_is_reported(behaviour: Behaviour, health: Health, words: str) -> None:
    """What came back, or the reason in plain words."""
    with ScriptedServer(behaviour) as server:
        [standing] = checked(server.settings()).ask()
    assert (health, True) == _reported(standing, words), standing


def test_the_model_for_the_background_is_asked_too() -> None:
    """Each of the two by its name."""
    with ScriptedServer(behaviours.saying(GOOD)) as server:
        standings = checked(server.settings().model_copy(update={"background": "small"})).ask()
    assert ["scripted", "small"] == [request.body["model"] for request in server.requests]
    assert ["scripted", "small"] == [one[1].split()[0] for one in standings]


def _reported(standing: tuple[Health, str, str], words: str) -> tuple[Health, bool]:
    return standing[0], words in standing[1]
