"""What needs no store does not load it."""

import subprocess
import sys


def test_what_needs_no_store_does_not_load_it() -> None:
    """The use cases and the composition root are imported by commands that keep nothing."""
    modules = (
        "pipeline.app.engine, pipeline.app.details.keep, pipeline.app.details.retrieve, pipeline.app.details.upkeep"
    )
    code = f"import sys, {modules}, pipeline.corrections.forget_topic; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sqlalchemy", "alembic", "psycopg", "zstandard", "bpe_openai._bindings"}
    assert set() == heavy & set(ended.stdout.split())
