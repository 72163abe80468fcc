"""Names that a shell completes. They are read from files alone, because a person waits for them."""

import pkgutil
import re
import tomllib
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from click.shell_completion import CompletionItem

import jobs
from pipeline.errors import PipelineError
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.workspace.regular_files import read_regular

MOST = 100
"""The most entries that are offered, the newest first."""
_ENTRY = re.compile(r"^## (?P<title>.+)\n- id: (?P<id>\S+)$", re.MULTILINE)
_PLAIN = re.compile(r"\w[\w.:-]*")
"""A name that a shell takes as a word, and a command as no option: anybody may write into the files."""


def offer_names(things: str, workspace: str | None, beginning: str) -> list[CompletionItem]:
    """The names with a beginning of `jobs`, or of the `agents`, `sources` or `entries` of a workspace.

    There are none where the workspace cannot be read: an error has no place in a line that is being typed.
    """
    if things == "jobs":
        known: dict[str, str] = {module.name: "" for module in pkgutil.iter_modules(jobs.__path__) if not module.ispkg}
    else:
        try:
            known = _OF_WORKSPACE[things](root_of(workspace))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, PipelineError):
            known = {}
    return [
        CompletionItem(name, help=about)
        for name, about in known.items()
        if name.startswith(beginning) and _PLAIN.fullmatch(name)
    ]


def _agents(root: Path) -> dict[str, str]:
    return {name: "" for name, settings in _settings(root).get("agents", {}).items() if isinstance(settings, dict)}


def _sources(root: Path) -> dict[str, str]:
    return {str(source.get("name") or source["kind"]): "" for source in _settings(root).get("sources", ())}


def _entries(root: Path) -> dict[str, str]:
    """The ids of the newest entries, with their titles."""
    days: Iterable[Path] = sorted(root.glob("memory/*.md"), reverse=True)
    newest = (entry for day in days for entry in _ENTRY.finditer(read_regular(day).decode(errors="replace")))
    return {entry["id"]: entry["title"] for entry in islice(newest, MOST)}


_OF_WORKSPACE: dict[str, Callable[[Path], dict[str, str]]] = {
    "agents": _agents,
    "sources": _sources,
    "entries": _entries,
}


def _settings(root: Path) -> dict[str, Any]:
    return tomllib.loads(read_regular(root / SETTINGS_FILE).decode())
