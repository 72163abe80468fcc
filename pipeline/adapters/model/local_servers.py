"""Servers of models on this machine, on the ports that they use unless told otherwise."""

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Thread

from pipeline.clock import stopwatch

USUAL_PORTS: Mapping[str, int] = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
_SECONDS = 2.0  # for all together: something else may listen there, and never end its answer
_LONGEST = 1_048_576  # bytes of a list of models


@dataclass(frozen=True)
class LocalServer:
    """A server that answers: its usual name, its address for `model.base_url`, and its models."""

    name: str
    base_url: str
    models: tuple[str, ...]


def local_servers(ports: Mapping[str, int] = USUAL_PORTS, seconds: float = _SECONDS) -> Iterator[LocalServer]:
    """The servers that list models of the OpenAI API on these ports within so many seconds; nothing else is sent."""
    models = dict[int, tuple[str, ...]]()

    def ask(port: int) -> None:
        models[port] = _models(port, seconds)

    threads = [Thread(target=ask, args=(port,), daemon=True) for port in ports.values()]
    until = stopwatch() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(until - stopwatch(), 0))
    answered = dict(models)
    for name, port in ports.items():
        if answered.get(port):
            yield LocalServer(name, f"http://127.0.0.1:{port}/v1", answered[port])


def _models(port: int, seconds: float) -> tuple[str, ...]:
    """The names of the models behind a port; none when nobody listens, or something else does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", "/v1/models")
        listed = json.loads(connection.getresponse().read(_LONGEST))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return ()
    finally:
        connection.close()
    models = listed.get("data") if isinstance(listed, dict) else None
    names = [model.get("id") for model in models if isinstance(model, dict)] if isinstance(models, list) else []
    return tuple(name for name in names if isinstance(name, str))
