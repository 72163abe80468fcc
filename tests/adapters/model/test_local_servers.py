"""Servers of models on this machine: found by what they list."""

import socket
from contextlib import closing

from pipeline.adapters.model.local_servers import LocalServer, local_servers
from tests.support.servers import behaviours
from tests.support.servers.loopback import held_port
from tests.support.servers.model_server import ScriptedServer


def test_a_server_is_known_by_its_models() -> None:
    """Nobody else is: a port without a listener, or a server of another kind."""
    with ScriptedServer(behaviours.saying("{}")) as server, held_port() as nobody:
        port = int(server.address.rpartition(":")[2])
        (listed,) = local_servers({"Ollama": nobody, "LM Studio": port}, seconds=60)
    assert LocalServer("LM Studio", server.base_url, ("scripted",)) == listed


def test_a_port_that_never_answers_is_given_up() -> None:
    """Something else listens there: it takes the connection, and says nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        assert [] == list(local_servers({"vLLM": silent.getsockname()[1]}, seconds=0.05))
