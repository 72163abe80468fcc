"""The store of a workspace: opened at its first use, and not even loaded before."""

import subprocess
import sys
from pathlib import Path

from pipeline.app.details.opening import open_store
from pipeline.process.context import ProcessContext
from pipeline.store.opening import FOLDER


def test_what_needs_no_store_does_not_load_it() -> None:
    """The use cases and the composition root are imported by commands that keep nothing."""
    modules = (
        "pipeline.app.engine, pipeline.app.details.keep, pipeline.app.details.retrieve, pipeline.app.details.upkeep"
    )
    code = f"import sys, {modules}, pipeline.corrections.forget_topic; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set() == {"sqlalchemy", "alembic", "psycopg", "zstandard", "bpe_openai"} & set(ended.stdout.split())


def test_a_store_by_the_settings(tmp_path: Path) -> None:
    """Nothing is made before it is used, and after it was closed it is opened anew."""
    (tmp_path / "memory.toml").write_text("[store]\nthreshold = 900\n", encoding="utf-8")
    store = open_store(tmp_path, ProcessContext({}))
    assert 900 == store.threshold
    assert not store.exists
    assert not (tmp_path / FOLDER).exists()
    first = store.database
    assert store.exists
    assert first is store.database
    store.close()
    assert first is not store.database
    store.close()
