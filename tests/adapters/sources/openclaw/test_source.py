"""Which files of OpenClaw and Pi are sessions, whose they are, and which are wanted."""

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.sources import openclaw
from pipeline.errors import ReadFailed
from schemas.transcript import Session
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.sources import opened_source
from tests.support.tables import table

ID = "11111111-2222-4333-8444-555555555555"
COPY = "99999999-2222-4333-8444-555555555555"


source = partial(opened_source, openclaw)


def chat(root: Path, path: str, text: str = "hello", session_id: str = ID) -> Path:
    """A file with one message of the owner."""
    lines = OpenClawLines(session_id)
    lines.user(text)
    return lines.write(root / path)


def paths(root: Path) -> list[str]:
    """What a source lists."""
    return [file.path for file in source(root).files()]


def read(root: Path, path: str, **settings: Any) -> Session:  # noqa: ANN401 - settings of any sort
    """The session at `path`."""
    (session,) = source(root, **settings).read(path)
    return session


def test_knows_where_agents_leave_their_sessions(tmp_path: Path) -> None:
    """The default folders are named whether they are there or not, the one from the environment first."""
    assert (
        Path("/srv/state"),
        tmp_path / ".openclaw",
        tmp_path / ".clawdbot",
        tmp_path / ".pi/agent/sessions",
    ) == openclaw.KIND.roots(tmp_path, {"OPENCLAW_STATE_DIR": "/srv/state"})
    assert len(openclaw.KIND.roots(tmp_path, {})) == 3


def test_archives_are_read(tmp_path: Path) -> None:
    """A session that was reset or deleted still holds the last words before it."""
    kept = [f"{ID}.jsonl", f"{ID}.jsonl.deleted.2026-06-30T10-00-00.000Z", f"{ID}.jsonl.reset.2026-06-29T16-37-44.079Z"]
    for path in [*kept, f"{ID}-topic-7.jsonl"]:
        chat(tmp_path, f"agents/main/sessions/{path}")
    assert sorted([*kept, f"{ID}-topic-7.jsonl"]) == [path.rpartition("/")[2] for path in paths(tmp_path)]
    archived = read(tmp_path, f"agents/main/sessions/{kept[2]}")
    assert said(archived) == [("owner", "hello")]
    assert archived.session_id == ID


@table(
    "name",
    [
        f"{ID}.trajectory.jsonl",
        f"{ID}.trajectory-path.json",
        f"{ID}.jsonl.lock",
        f"{ID}.jsonl.bak",
        "sessions.json",
        "sessions.json.bak.1",
        "sessions.json.telegram-1.json",
        "notes.md",
    ],
)
def test_other_files_are_no_transcripts(tmp_path: Path, name: str) -> None:
    """Trajectories, locks, backups and the index are not listed."""
    chat(tmp_path, name)
    assert paths(tmp_path) == []


def test_a_copy_is_passed_over_when_its_session_is_there(tmp_path: Path) -> None:
    """What stood before a compaction stands in the session itself."""
    chat(tmp_path, f"{ID}.jsonl")
    chat(tmp_path, f"{ID}.checkpoint.{COPY}.jsonl")
    assert paths(tmp_path) == [f"{ID}.jsonl"]


def test_an_archive_stands_for_its_copies_too(tmp_path: Path) -> None:
    """A session that was reset is still the whole of its copies."""
    archive = f"{ID}.jsonl.reset.2026-06-29T16-37-44.079Z"
    chat(tmp_path, archive)
    chat(tmp_path, f"{ID}.checkpoint.{COPY}.jsonl")
    assert paths(tmp_path) == [archive]


def test_the_newest_copy_stands_for_a_lost_session(tmp_path: Path) -> None:
    """When only copies are left, the longest history counts, and once."""
    older = chat(tmp_path, f"{ID}.checkpoint.a{COPY[1:]}.jsonl")
    os.utime(older, ns=(1, 1))
    chat(tmp_path, f"{ID}.checkpoint.{COPY}.jsonl")
    assert paths(tmp_path) == [f"{ID}.checkpoint.{COPY}.jsonl"]
    assert read(tmp_path, paths(tmp_path)[0]).session_id == ID


def test_an_agent_is_named_by_its_folder(tmp_path: Path) -> None:
    """The folder `agents/<agent>/sessions` names the agent; other folders name none."""
    for path in ("agents/main/sessions/a.jsonl", "agents/work/sessions/b.jsonl", "c.jsonl"):
        chat(tmp_path, path)
    assert ["main", "work", ""] == [read(tmp_path, path).agent for path in paths(tmp_path)]


def test_an_agent_is_known_when_the_root_is_its_own_folder(tmp_path: Path) -> None:
    """A root may be the sessions of one agent."""
    root = tmp_path / "agents/main/sessions"
    chat(root, "a.jsonl")
    assert read(root, "a.jsonl", agents=("main",)).agent == "main"


def test_the_zone_of_the_source_comes_before_the_workspaces(tmp_path: Path) -> None:
    """Local dates are told in the zone the source was given, else in the workspace's."""
    chat(tmp_path, "a.jsonl")
    (of_workspace,) = source(tmp_path, "Europe/Warsaw").read("a.jsonl")
    (own,) = source(tmp_path, "Europe/Warsaw", timezone="Asia/Shanghai").read("a.jsonl")
    assert [of_workspace.zone, own.zone] == ["Europe/Warsaw", "Asia/Shanghai"]


@table(
    ("key", "fields", "machine"),
    [
        ("agent:main:main", {}, False),
        ("agent:main:telegram:direct:411", {}, False),
        ("agent:main:cron:4c1f", {}, True),
        ("hook:77", {}, True),
        ("agent:main:main:heartbeat", {}, True),
        ("agent:main:subagent:77", {}, True),
        ("node-12", {}, True),
        ("agent:main:explicit:model-run-77", {}, True),
        ("agent:main:x", {"spawnedBy": "agent:main:main"}, True),
    ],
)
def test_the_index_tells_whose_session_it_is(tmp_path: Path, key: str, fields: dict[str, str], machine: bool) -> None:  # noqa: FBT001 - a table
    """A session that a scheduler, a hook or another agent holds is a machine's, whatever its texts look like."""
    chat(tmp_path, "a.jsonl")
    (tmp_path / "sessions.json").write_text(json.dumps({key: {"sessionId": ID} | fields}))
    assert machine == read(tmp_path, "a.jsonl").machine


def test_the_index_knows_sessions_before_a_reset(tmp_path: Path) -> None:
    """An archived session is found through the family of ids of the session that followed it."""
    chat(tmp_path, "a.jsonl")
    entry = {"sessionId": COPY, "usageFamilySessionIds": [ID, COPY]}
    (tmp_path / "sessions.json").write_text(json.dumps({"agent:main:cron:4c1f": entry}))
    assert read(tmp_path, "a.jsonl").machine


@table("content", [b"", b"\xff\xfe", b"[1]", b'{"a": 1}', b'{"a": {"sessionId": 4}}', b"[" * 99_999])
def test_a_broken_index_changes_nothing(tmp_path: Path, content: bytes) -> None:
    """Sessions are read without the index, by the marks in their texts."""
    chat(tmp_path, "a.jsonl")
    (tmp_path / "sessions.json").write_bytes(content)
    assert not read(tmp_path, "a.jsonl").machine


def test_a_file_that_holds_only_its_header_is_an_empty_session(tmp_path: Path) -> None:
    """OpenClaw leaves such files; nobody speaks in them."""
    session = OpenClawLines(ID).read(tmp_path)
    assert session.messages == ()
    assert session.machine


def test_a_session_without_a_usable_id_goes_by_its_file(tmp_path: Path) -> None:
    """An id that could not stand on a line is not taken over."""
    lines = OpenClawLines("a\nb")
    lines.user("hello")
    assert lines.read(tmp_path, path="x.jsonl.reset.2026-06-29T16-37-44.079Z").session_id == "x"


def test_a_fork_does_not_repeat_what_it_copied(tmp_path: Path) -> None:
    """Entries older than a header with a parent were said in the parent, and count there."""
    lines = OpenClawLines(ID, parentSession="/old.jsonl", timestamp="2026-02-02T09:02:30Z")
    lines.user("said before")
    lines.user("said here")
    session = lines.read(tmp_path)
    assert said(session) == [("memory", "said before"), ("owner", "said here")]
    assert [session.parent, session.skipped["copied"]] == ["/old.jsonl", 1]


def test_a_folder_is_not_a_session(tmp_path: Path) -> None:
    """What cannot be read says so."""
    (tmp_path / "a.jsonl").mkdir()
    with pytest.raises(ReadFailed, match="no regular file"):
        source(tmp_path).read("a.jsonl")
