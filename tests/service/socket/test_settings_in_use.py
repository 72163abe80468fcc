"""By whose settings a service answers: by those that the client would find, or it closes the connection."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pipeline.service.socket.client import Refused, ask, settings_of
from tests.support.workspaces.animals import write_birds

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
GIVEN = settings_of(WORDS_ALONE)
Answering = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of a few notes, not indexed."""
    return write_birds(tmp_path)


def is_answered(root: Path) -> bool:
    """Whether the service answers a search."""
    return ask(root, "search", {"query": "otter"}, GIVEN) is not None


def test_settings_that_changed_are_not_answered_by(root: Path, answering: Answering) -> None:
    """Only what an answer depends on counts; once it is as it was, the service answers again."""
    file = root / "memory.toml"
    with answering(root, **WORDS_ALONE):
        answered = []
        for text in (
            'timezone = "UTC"\n# nothing new\n',
            'timezone = "UTC"\nlog_level = "error"\n',
            'timezone = "Asia/Shanghai"\n',
            "timezone = 3\n",
            'timezone = "UTC"\n[embedder]\nmodel = "another"\n',
            'timezone = "UTC"\n[agents.jaskier]\n',
            'timezone = "UTC"\n[agents]\nroot = "people"\n',
            'timezone = "UTC"\n',
        ):
            file.write_text(text)
            answered.append(is_answered(root))
        file.unlink()
        answered.append(is_answered(root))
    assert [True, True, False, False, False, True, False, True, False] == answered


def test_who_has_other_settings_is_not_answered(root: Path, answering: Answering) -> None:
    """Of the environments, what both or one of them sets; a key that only the service has is its own affair."""
    service = {**WORDS_ALONE, "MEMORY_EMBEDDER__API_KEY": "hush", "MEMORY_MODEL__PARALLEL": "2"}
    theirs: dict[str, dict[str, str]] = {
        "the same": service,
        "no key, no model": WORDS_ALONE,
        "of no matter": {**WORDS_ALONE, "MEMORY_WORKSPACE": "/x", "MEMORY_OF_A_GOLDFISH": "short", "HOME": "/"},
        "another embedder": {"MEMORY_EMBEDDER__KIND": "auto"},
        "none told": {},
        "another key": {**WORDS_ALONE, "MEMORY_EMBEDDER__API_KEY": "other"},
        "one more": {**WORDS_ALONE, "MEMORY_TIMEZONE": "UTC"},
    }
    with answering(root, **service):
        result = {
            name: ask(root, "search", {"query": "otter"}, settings_of(record)) is not None
            for name, record in theirs.items()
        }
    assert {name: name in {"the same", "no key, no model", "of no matter"} for name in theirs} == result


def test_what_agents_know_goes_by_the_settings_of_now(root: Path, answering: Answering) -> None:
    """Those of agents alone count, as they are at each question; no search waits for them to be read anew."""
    file, answered = root / "memory.toml", []
    with answering(root, **WORDS_ALONE):
        for text in (
            'timezone = "UTC"\n[agents.zoe]\n',
            'timezone = "Asia/Shanghai"\n[agents.zoe]\n',
            'timezone = "UTC"\n[agents.zoe]\n[agents.dexter]\nmay_read = []\n',
            "timezone = 3\n[agents.zoe]\n",
        ):
            file.write_text(text)
            known_now = [ask(root, "know", {"agent": "zoe"}), ask(root, "know", {"agent": "zoe"}, GIVEN)]
            answered.append((known_now, is_answered(root)))
        file.write_text('timezone = "UTC"\n[agents.zoe]\n[agents.dexter]\nmay_read = []\n')
        with pytest.raises(Refused, match="dexter may not read what zoe knows"):
            ask(root, "know", {"agent": "zoe", "reader": "dexter"})
    known: list[object] = [[], []]
    assert [(known, True), (known, False), (known, True), ([None, None], False)] == answered


def test_who_has_other_settings_of_agents_is_not_answered(root: Path, answering: Answering) -> None:
    """Whether the client or the service has them in its environment; others do not count."""
    (root / "memory.toml").write_text('timezone = "UTC"\n[agents.zoe]\n')
    service = {**WORDS_ALONE, "MEMORY_AGENTS__ZOE__AUTONOMY": "1"}
    theirs: dict[str, dict[str, str]] = {
        "the same": service,
        "none told": {},
        "another number": service | {"MEMORY_AGENTS__ZOE__AUTONOMY": "3"},
        "one more agent": service | {"MEMORY_AGENTS__DEXTER__AUTONOMY": "3"},
        "another embedder": service | {"MEMORY_EMBEDDER__KIND": "auto"},
        "no embedder told": {"MEMORY_AGENTS__ZOE__AUTONOMY": "1"},
    }
    with answering(root, **service):
        asking = {"agent": "zoe"}
        result = {name: ask(root, "wake", asking, settings_of(given)) is not None for name, given in theirs.items()}
    assert {name: name in {"the same", "no embedder told"} for name in theirs} == result
