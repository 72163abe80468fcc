"""What a command loads while a service answers it."""

import os
import subprocess
import sys
from pathlib import Path

HEAVY = {"pydantic", "schemas.base", "tantivy", "pipeline.app.index", "sqlite3", "tomllib", "structlog"}
"""What takes long to import, and what a service saves."""


def served_modules(root: Path, *words: str, **variables: str) -> set[str]:
    """The modules that a command imports while it is answered well."""
    code = f"import sys; from pipeline.surfaces.cli.main import cli; cli({list(words)!r}, standalone_mode=False)"
    completed = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules, file=sys.stderr)"],
        env={**os.environ, "MEMORY_WORKSPACE": str(root), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(completed.stderr.splitlines()[-1].split())
