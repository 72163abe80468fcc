"""Servers of models on this machine, on the ports that they use unless told otherwise."""

import http.client
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

USUAL_PORTS: Mapping[str, int] = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
_SECONDS = 1.0
_LONGEST = 1_048_576  # bytes of a list of models


@dataclass(frozen=True)
class LocalServer:
    """A server that answers: its usual name, its address for `model.base_url`, and its models."""

    name: str
    base_url: str
    models: tuple[str, ...]


def local_servers(ports: Mapping[str, int] = USUAL_PORTS) -> Iterator[LocalServer]:
    """The servers that list models of the OpenAI API on these ports of the loopback; nothing is sent but that."""
    with ThreadPoolExecutor(len(ports)) as pool:
        for name, port, models in zip(ports, ports.values(), pool.map(_models, ports.values()), strict=True):
            if models:
                yield LocalServer(name, f"http://127.0.0.1:{port}/v1", models)


def _models(port: int) -> tuple[str, ...]:
    """The names of the models behind a port; none when nobody listens, or something else does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
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
