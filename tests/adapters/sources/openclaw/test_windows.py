"""Whose session it is, as the store knows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.sources import openclaw
from pipeline.errors import ReadFailed
from schemas.transcript import Session
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.openclaw_store import OpenClawStoreFile
from tests.support.sources import opened_source


@pytest.fixture
def store(tmp_path: Path) -> Iterator[OpenClawStoreFile]:
    """An agent's store that it has open."""
    made = OpenClawStoreFile(tmp_path / "agents/main")
    with closing(made.agent):
        yield made


def chat() -> OpenClawLines:
    """A session with a message that looks like the owner's."""
    lines = OpenClawLines("s-one")
    lines.user("We keep one queue.")
    return lines


def sessions(root: Path) -> list[Session]:
    """All sessions below `root`."""
    opened = opened_source(openclaw, root)
    return [session for file in opened.files() for session in opened.read(file.path)]


@pytest.mark.parametrize(
    ("key", "window", "machine"),
    [
        ("agent:main:main", {}, False),
        ("agent:main:telegram:direct:411", {"chat_type": "direct"}, False),
        ("agent:main:cron:4c1f", {}, True),
        ("agent:main:cron:4c1f:run:77", {}, True),
        ("hook:77", {}, True),
        ("agent:main:subagent:77", {}, True),
        ("agent:main:main", {"spawned_by": "agent:main:main"}, True),
        ("agent:main:main", {"plugin_owner_id": "notes"}, True),
        ("agent:main:main", {"hook_external_content_source": "gmail"}, True),
    ],
)
def test_a_session_of_a_machine_is_known_by_its_window(
    tmp_path: Path, store: OpenClawStoreFile, key: str, window: dict[str, Any], *, machine: bool
) -> None:
    """Whatever its texts look like; the file that an upgrade left of it, too."""
    store.put(chat(), key=key, **window)
    chat().write(tmp_path / "agents/main/sessions/s-one.jsonl")
    assert [machine, machine] == [session.machine for session in sessions(tmp_path)]


@pytest.mark.parametrize("made", ["cron", "spawn", "plugin", "internal"])
def test_a_session_that_a_machine_began_is_a_machines(tmp_path: Path, store: OpenClawStoreFile, made: str) -> None:
    """The agent notes who began what."""
    store.put(chat(), key="agent:main:x")
    store.node("agent:main:x", {}, created_via=made)
    assert [True] == [session.machine for session in sessions(tmp_path)]


def test_the_entry_of_a_key_counts_as_in_the_index(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """It has the fields that `sessions.json` had."""
    store.put(chat(), key="agent:main:x")
    store.node("agent:main:x", {"spawnDepth": 1}, created_via="channel")
    assert [True] == [session.machine for session in sessions(tmp_path)]


@pytest.mark.parametrize(
    ("key", "window"),
    [
        ("agent:main:discord:channel:9", {}),
        ("agent:main:x", {"session_scope": "group"}),
        ("agent:main:x", {"chat_type": "channel"}),
    ],
)
def test_in_a_group_of_several_nobody_is_the_owner(
    tmp_path: Path, store: OpenClawStoreFile, key: str, window: dict[str, Any]
) -> None:
    """A message without a sender is nobody's, once others speak there."""
    lines = chat()
    for number in (411, 412):
        lines.user(f"[Telegram Tom id:{number} 2026-02-02 09:00 UTC] hello")
    store.put(lines, key=key, **window)
    assert [set()] == [{m.text for m in session.messages if m.origin == "owner"} for session in sessions(tmp_path)]


def test_a_spawned_session_names_its_parent(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """By the key of the session that began it."""
    store.put(chat(), spawned_by="agent:main:main")
    assert ["agent:main:main"] == [session.parent for session in sessions(tmp_path)]


def test_a_file_is_an_archive_once_its_session_is_in_the_store(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """The session goes on in the store; a file of which the store has no record is what there is of it."""
    file = chat().write(tmp_path / "agents/main/sessions/s-one.jsonl")
    assert [False] == [session.archived for session in sessions(tmp_path)]
    store.put(chat())
    store.agent.execute("DELETE FROM transcript_events")
    assert [False] == [session.archived for session in sessions(tmp_path)]
    store.put(chat())
    assert [False, True] == [session.archived for session in sessions(tmp_path)]
    assert file.exists()


def talk(session_id: str, *, rewound: bool = False) -> OpenClawLines:
    """A session of two messages, with the same ids in each; the second may be taken back, for another one."""
    lines = OpenClawLines(session_id)
    lines.add({"type": "message", "id": "a1", "parentId": None, "message": {"role": "user", "content": "kept"}})
    lines.add({"type": "message", "id": "a2", "parentId": "a1", "message": {"role": "user", "content": "taken back"}})
    if rewound:
        lines.add({"type": "leaf", "id": "a3", "parentId": "a2", "targetId": "a1"})
        lines.add(
            {
                "type": "message",
                "id": f"{session_id}-4",
                "parentId": "a3",
                "message": {"role": "user", "content": "instead"},
            }
        )
    return lines


def owner(session: Session) -> list[str]:
    """What the owner says."""
    return [message.text for message in session.messages if message.origin == "owner"]


@pytest.mark.parametrize("reason", ["rewind", "switch"])
def test_a_rewound_session_goes_on_under_another_id(tmp_path: Path, store: OpenClawStoreFile, reason: str) -> None:
    """The agent copies all records to the new one: what was taken back there is taken back in the old one."""
    store.put(talk("s-1"))
    store.put(talk("s-2", rewound=True), previous_session_id="s-1", reason=reason)
    store.put(talk("s-3", rewound=True), previous_session_id="s-2", reason=reason)
    old, later, now = sessions(tmp_path)
    assert [["kept"], ["kept"], ["kept", "instead"]] == [owner(old), owner(later)[:1], owner(now)]
    assert [True, True, False] == [session.archived for session in (old, later, now)]
    assert 1 == old.skipped["abandoned"]


def test_a_session_after_a_reset_leaves_the_one_before_as_it_is(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """It has no copy of it."""
    store.put(talk("s-1"))
    store.put(talk("s-2", rewound=True), previous_session_id="s-1", reason="reset")
    assert ["kept", "taken back"] == owner(sessions(tmp_path)[0])


def test_what_was_taken_back_in_the_store_is_taken_back_in_the_file(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """The file that an upgrade left knows nothing of the rewind."""
    talk("s-1").write(tmp_path / "agents/main/sessions/s-1.jsonl")
    store.put(talk("s-1", rewound=True))
    assert [["kept", "instead"], ["kept"]] == [owner(session) for session in sessions(tmp_path)]


def test_without_its_store_a_file_is_read_only_beside_an_index(tmp_path: Path) -> None:
    """The index tells machines from people; without both, a sub-agent would be taken for the owner."""
    chat().write(tmp_path / "agents/main/sessions/s-one.jsonl")
    file = tmp_path / "agents/main/agent/openclaw-agent.sqlite"
    file.parent.mkdir()
    file.write_bytes(b"no database at all" * 100)
    opened = opened_source(openclaw, tmp_path)
    assert ["agents/main/agent/openclaw-agent.sqlite", "agents/main/sessions/s-one.jsonl"] == [
        file.path for file in opened.files()
    ]
    with pytest.raises(ReadFailed, match=r"openclaw-agent\.sqlite"):
        opened.read("agents/main/sessions/s-one.jsonl")
    (tmp_path / "agents/main/sessions/sessions.json").write_text("{}")
    (session,) = opened.read("agents/main/sessions/s-one.jsonl")
    assert not session.archived
