"""Servers of models on this machine: found by what they list."""

from pipeline.adapters.model.local_servers import LocalServer, local_servers
from tests.support.servers import behaviours
from tests.support.servers.loopback import held_port
from tests.support.servers.model_server import ScriptedServer


def test_a_server_is_known_by_its_models() -> None:
    """Nobody else is: a port without a listener, or a server of another kind."""
    with ScriptedServer(behaviours.saying("{}")) as server, held_port() as nobody:
        port = int(server.address.rpartition(":")[2])
        (listed,) = local_servers({"Ollama": nobody, "LM Studio": port})
    assert LocalServer("LM Studio", server.base_url, ("scripted",)) == listed
