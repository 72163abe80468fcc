"""Settings and ledger are opened at most once for a request, and transcripts only where a request needs them."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread

import pytest

from pipeline.settings.load import load_settings
from tests.support.workspaces.served_demo import ServedWorkspace

ANSWERING = "AnyIO worker thread"
"""The beginning of the names of threads that answer requests; others look at the index meanwhile."""
READING = (
    *("entries", "entities", "graph", "runs", "grid?days=2", "agents", "wake/main", "wake", "suggestions", "sessions"),
    *("memories", "search?query=deposit", "recall?query=deposit"),
)
PAGES = (
    *("/", "/today/now", "/grid", "/runs", "/search?query=deposit", "/entries", "/memory", "/entities", "/beliefs"),
    *("/graph?entity=Hania", "/inbox", "/conversations", "/details", "/agents", "/agents/main", "/health/sources"),
)
REQUEST = {"agent": "main", "operation": "CORE", "text": "The sauna is closed in {}."}


class Openings:
    """The files that requests opened since `count` was entered, by name, and how often."""

    def __init__(self) -> None:
        self._counting: Counter[str] | None = None
        sys.addaudithook(self._note)

    @contextmanager
    def count(self) -> Iterator[Counter[str]]:
        """The openings meanwhile."""
        self._counting = counted = Counter[str]()
        try:
            yield counted
        finally:
            self._counting = None

    def _note(self, event: str, values: tuple[object, ...]) -> None:
        counting = self._counting
        if counting is None or not current_thread().name.startswith(ANSWERING):
            return
        path = str(values[0]) if values else ""
        if event == "open" and values[1] and path.endswith("memory.toml"):
            counting["settings"] += 1
        elif event == "sqlite3.connect" and path.endswith("state.db"):
            counting["ledger"] += 1
        elif event in {"os.scandir", "os.listdir"}:
            counting[path] += 1


@pytest.fixture(scope="module")
def openings() -> Openings:
    """What counts; a hook of the interpreter stays, so it is one for all tests."""
    return Openings()


def test_a_request_opens_things_once(reading: ServedWorkspace, openings: Openings) -> None:
    """The settings not at all, unless they have changed; the ledger once where the request needs it."""
    for first in ("search?query=deposit", "entries"):  # the first requests open the index, and read the settings
        reading.ask(f"/api/v1/{first}")
    for path in (*(f"/api/v1/{path}" for path in READING), *PAGES):
        with openings.count() as opened:
            assert 200 == reading.ask(path).status, path
        assert (0, True) == (opened["settings"], opened["ledger"] <= 1), (path, opened)


def test_changed_settings_are_read_once(changing: ServedWorkspace, openings: Openings) -> None:
    """By the first request after the change, which follows them."""
    changing.ask("/entries")
    file = changing.root / "memory.toml"
    file.write_text(f"{file.read_text()}\n[agents.second]\nsources = []\n")
    with openings.count() as opened:
        names = [one["name"] for one in changing.ask("/api/v1/agents").value]
        changing.ask("/agents")
    assert (["main", "second"], 1) == (names, opened["settings"])


def test_a_request_of_an_agent_needs_no_look_at_transcripts(changing: ServedWorkspace, openings: Openings) -> None:
    """Only the first command of a day looks at them."""
    sources = [str(changing.root / source.path) for source in load_settings(changing.root, {}).transcript_sources]
    changing.ask("/api/v1/requests", "POST", REQUEST | {"text": REQUEST["text"].format("May")})
    with openings.count() as opened:
        asked = changing.ask("/api/v1/requests", "POST", REQUEST | {"text": REQUEST["text"].format("June")})
    assert ("written", 1, 0) == (asked.value["result"], opened["ledger"], opened["settings"])
    assert [] == [path for path in opened for source in sources if path.startswith(source)]
    assert all(Path(source).is_dir() for source in sources)
