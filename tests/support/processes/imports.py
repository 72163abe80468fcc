"""Modules of ours that a command imports."""

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TREE = Path(__file__).parents[3]


def run_module(words: Sequence[str], root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a module with its arguments in the workspace `root`, without an embedder; `options` are Python's own."""
    environment = {**os.environ, "MEMORY_WORKSPACE": str(root), "MEMORY_EMBEDDER__KIND": "none", "HOME": str(root)}
    command = [sys.executable, *options, "-m", *words]
    return subprocess.run(command, cwd=TREE, env=environment, input="{}", capture_output=True, text=True, check=False)


def imported_files(words: Sequence[str], root: Path) -> list[Path]:
    """The files of ours that a command and its worker import, by name."""
    done = run_module(words, root, "-X", "importtime")
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    places = [TREE.joinpath(*name.split(".")) for name in sorted({*names, words[0]})]
    return [path for place in places for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]


def count_statements(files: Sequence[Path]) -> int:
    """The statements of files together, so that a comment costs nothing."""
    trees = (ast.parse(file.read_bytes()) for file in files)
    return sum(isinstance(node, ast.stmt) for tree in trees for node in ast.walk(tree))
