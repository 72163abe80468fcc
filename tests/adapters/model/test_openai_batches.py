"""Batches of a server: the lines of its files."""

from pipeline.adapters.model.openai_batches import OpenAIBatches
from schemas.settings import ModelSettings
from tests.support.ports.model_contract import Echo, question
from tests.support.servers.batch_server import BatchServer
from tests.support.servers.behaviours import answering


def test_a_reply_ends_with_its_line() -> None:
    """Not at a sign inside of its text that ends lines elsewhere: it was paid for."""
    said = Echo(said="a\u2028b\x85c")
    with BatchServer(answering(lambda _request: said)) as server:
        batches = OpenAIBatches(ModelSettings(base_url=server.base_url, name="m"))
        remote = batches.send("b", {"q": question("x")})
        server.end()
        replies = batches.look(remote).replies
    assert {"q": said} == {name: Echo.model_validate_json(reply.text) for name, reply in replies.items()}
