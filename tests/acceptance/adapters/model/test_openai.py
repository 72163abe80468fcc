"""What the adapter of a model loads and sends, seen from outside of its process."""

import subprocess
import sys

from tests.adapters.model.test_openai import KEY
from tests.support.servers import behaviours
from tests.support.servers.model_server import ScriptedServer


def test_a_server_without_a_key_gets_none() -> None:
    """A key that lies about in the environment for another service is not sent."""
    with ScriptedServer(behaviours.saying("ok")) as server:
        script = (
            "import sys\nfrom pydantic import SecretStr\nfrom pipeline.adapters.model.openai import OpenAIModel\n"
            "from tests.support.ports.model_contract import question\nfrom schemas.settings import ModelSettings\n"
            "OpenAIModel(ModelSettings(base_url=sys.argv[1], name='m')).answer(question('x'))"
        )
        environment = {"OPENAI_API_KEY": KEY, "PATH": ""}
        subprocess.run([sys.executable, "-c", script, server.base_url], check=True, env=environment, timeout=60)
    assert [request.with_key for request in server.requests] == [False]


def test_the_sdk_is_loaded_only_for_a_question() -> None:
    """Making the adapter costs nothing that a command without questions would have to pay."""
    script = (
        "import sys\nfrom pipeline.adapters.model.openai import OpenAIModel\n"
        "from schemas.settings import ModelSettings\n"
        "OpenAIModel(ModelSettings(base_url='http://127.0.0.1:1/v1', name='m'))\nsys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0
