"""The embedder of fastembed in a process of its own: a model is fetched from a hub, or there is none."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.adapters.embedding.test_fastembed import NAMED, WORDS
from tests.support.builders.tiny_onnx import DIMENSION, tiny_embedder
from tests.support.servers.model_hub import ModelHub
from tests.support.tables import table

REPOSITORY = "Qdrant/all-MiniLM-L6-v2-onnx"  # where fastembed looks for it


PROGRAM = f"""
import json, sys
from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.errors import EmbedderUnavailable
from schemas.index_settings import EmbedderSettings
embedder = FastembedEmbedder(EmbedderSettings(kind="fastembed", model="{NAMED}"))
assert embedder.name == "fastembed:{NAMED}" and "fastembed" not in sys.modules
try:
    told = [len(vector) for vector in embedder.passages(["the ledger", "the soup"])]
except EmbedderUnavailable as error:
    told = str(error)
print(json.dumps(told))
"""


def _in_process(cache: Path, endpoint: str, **variables: str) -> tuple[object, str]:
    """What a process of its own says of `NAMED`, and its standard error. The hub's client reads its settings once."""
    names = {"FASTEMBED_CACHE_PATH": str(cache), "HF_ENDPOINT": endpoint, "HF_HOME": str(cache / "home")}
    environment = os.environ | names | {"HF_HUB_DISABLE_XET": "1"} | variables
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment, timeout=100
    )
    return json.loads(done.stdout), done.stderr


def test_a_model_is_fetched_once_from_its_hub(tmp_path: Path) -> None:
    """Into a folder that stays, quietly; from then on no network is needed."""
    tiny_embedder(tmp_path / "hub", WORDS)
    with ModelHub({REPOSITORY: tmp_path / "hub"}) as hub:
        vector, error = _in_process(tmp_path / "cache", hub.endpoint)
        assert [DIMENSION] * 2 == vector
        assert "Traceback" not in error
        asked = len(hub.paths)
        assert [DIMENSION] * 2 == _in_process(tmp_path / "cache", hub.endpoint)[0]
        assert asked == len(hub.paths)
    assert [DIMENSION] * 2 == _in_process(tmp_path / "cache", hub.endpoint, HF_HUB_OFFLINE="1")[0]


@table("offline", ["0", "1"])
def test_without_a_network_it_is_said_what_to_do(tmp_path: Path, offline: str) -> None:
    """Which model, where it was looked for, and how to get it elsewhere; at once, and no stack trace."""
    with ModelHub({}) as hub:
        endpoint = hub.endpoint
    vector, error = _in_process(tmp_path, endpoint, HF_HUB_OFFLINE=offline)
    assert str(vector).startswith(f"fastembed:{NAMED} makes no vectors: {REPOSITORY} is not in {tmp_path}")
    assert f"`hf download {REPOSITORY} --local-dir MODEL`" in str(vector)
    assert error == ""


def test_a_hub_that_does_not_have_it_is_reported(tmp_path: Path) -> None:
    """As it answers for a model that was taken away."""
    with ModelHub({}) as hub:
        vector, error = _in_process(tmp_path, hub.endpoint)
    assert "cannot be fetched (RepositoryNotFoundError)" in str(vector)
    assert error == ""


def test_a_hub_that_never_answers_is_given_up(tmp_path: Path) -> None:
    """As behind a firewall that drops what it does not like: seconds, not minutes."""
    with ModelHub({}, silent=True) as hub:
        vector, _ = _in_process(tmp_path, hub.endpoint)
    assert "cannot be fetched" in str(vector)
