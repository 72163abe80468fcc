"""Which files of Codex are sessions, and what their first line says of them."""

from pathlib import Path

import zstandard

from pipeline.adapters.sources import codex
from tests.support.builders.claude_lines import said
from tests.support.builders.codex_lines import CodexLines
from tests.support.sources import opened_source

ID = "11111111-2222-4333-8444-555555555555"
PARENT = "99999999-2222-4333-8444-555555555555"
NAME = f"rollout-2026-02-02T03-00-00-{ID}.jsonl"


def paths(root: Path) -> list[str]:
    """What the source lists."""
    return [file.path for file in opened_source(codex, root).files()]


def chat(**header: object) -> CodexLines:
    """A session with one message of a person."""
    lines = CodexLines(ID, **header)
    lines.user("hello")
    return lines


def test_knows_where_codex_leaves_its_sessions(tmp_path: Path) -> None:
    """The default folders are named whether they are there or not, the one from the environment first."""
    assert (Path("/srv/codex"), tmp_path / ".codex") == codex.KIND.roots(tmp_path, {"CODEX_HOME": "/srv/codex"})
    assert (tmp_path / ".codex",) == codex.KIND.roots(tmp_path, {})


def test_only_rollouts_are_sessions(tmp_path: Path) -> None:
    """The prompt history beside the rollouts repeats their words."""
    chat().write(tmp_path / "sessions/2026/02/02" / NAME)
    chat().write(tmp_path / "archived_sessions" / NAME)
    chat().write(tmp_path / "history.jsonl")
    assert [f"archived_sessions/{NAME}", f"sessions/2026/02/02/{NAME}"] == paths(tmp_path)


def test_a_compressed_rollout_is_the_same_session(tmp_path: Path) -> None:
    """Codex compresses old rollouts: ids, numbers and times stay."""
    plain = chat().read(tmp_path, NAME)
    (tmp_path / f"{NAME}.zst").write_bytes(zstandard.compress(b"".join(chat().lines)))
    source = opened_source(codex, tmp_path)
    (compressed,) = source.read(f"{NAME}.zst")
    assert plain.messages == compressed.messages
    assert plain.session_id == compressed.session_id


def test_the_first_line_names_session_and_folder(tmp_path: Path) -> None:
    """The id and the working folder stand in the header."""
    session = chat().read(tmp_path, "rollout-x.jsonl")
    assert (ID, "/home/tom/shop", False) == (session.session_id, session.project, session.machine)


def test_a_file_without_a_header_goes_by_its_name(tmp_path: Path) -> None:
    """The id is in the file's name, too."""
    lines = chat()
    del lines.lines[0]
    assert ID == lines.read(tmp_path, NAME).session_id
    assert "rollout-x" == lines.read(tmp_path, "rollout-x.jsonl").session_id


def test_archived_sessions_are_marked(tmp_path: Path) -> None:
    """Codex does not write to a session in `archived_sessions`."""
    assert chat().read(tmp_path, f"archived_sessions/{NAME}").archived
    assert not chat().read(tmp_path, f"sessions/{NAME}").archived


def test_the_path_tells_no_time(tmp_path: Path) -> None:
    """A path has local dates: times come from the lines alone."""
    session = chat().read(tmp_path, f"sessions/2031/12/31/{NAME}")
    assert {"2026-02-02"} == {message.time.date().isoformat() for message in session.messages}


def test_sessions_that_a_program_started_are_a_machines(tmp_path: Path) -> None:
    """Nobody types in a run of `codex exec`, in a server's, or in a sub-agent's session."""
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    headers: list[dict[str, object]] = [
        {"source": "exec"},
        {"originator": "codex_exec"},
        {"source": "mcp"},
        {"source": {"subagent": "review"}},
        {"source": spawned},
        {"parent_thread_id": PARENT},
        {"thread_source": "memory_consolidation"},
        {"thread_source": {"feature": "thread_title"}},
        {"agent_role": "worker"},
    ]
    wrong = [header for header in headers if not chat(**header).read(tmp_path).machine]
    assert [] == wrong
    assert PARENT == chat(source=spawned).read(tmp_path).parent
    assert PARENT == chat(parent_thread_id=PARENT).read(tmp_path).parent


def test_sessions_that_a_person_started_are_not(tmp_path: Path) -> None:
    """A terminal, an editor and the app are a person's."""
    headers: list[dict[str, object]] = [
        {"source": "cli", "thread_source": "user"},
        {"source": "vscode", "originator": "codex_vscode"},
        {"source": "unknown"},
        {"source": {"custom": "desktop"}},
        {"source": None},
    ]
    assert [] == [header for header in headers if chat(**header).read(tmp_path).machine]


def test_history_that_a_fork_copied_is_memory(tmp_path: Path) -> None:
    """A fork writes the old turns into its own file at once; they were said elsewhere."""
    lines = CodexLines(ID, forked_from_id=PARENT)
    at_once = "2026-02-02T09:01:00.100Z"
    lines.add("session_meta", {"id": PARENT, "cwd": "/home/tom"}, timestamp=at_once)
    lines.item("user", "old question", timestamp=at_once)
    lines.item("assistant", "old answer", timestamp=at_once)
    lines.item("user", "new question", timestamp=at_once)
    lines.assistant("new answer")
    session = lines.read(tmp_path)
    assert [
        ("memory", "old question"),
        ("memory", "old answer"),
        ("owner", "new question"),
        ("assistant", "new answer"),
    ] == said(session)
    assert (ID, PARENT, False) == (session.session_id, session.parent, session.machine)
    assert 2 == session.skipped["copied"]


def test_history_that_was_copied_without_a_mark_is_memory(tmp_path: Path) -> None:
    """Versions of 2025 did so when a session was resumed. A quick answer alone is no copy."""
    at_once = "2026-02-02T09:01:00.100Z"
    lines = CodexLines(ID)
    lines.item("user", "question", timestamp=at_once)
    lines.item("assistant", "answer", timestamp=at_once)
    assert ["owner", "assistant"] == [origin for origin, _ in said(lines.read(tmp_path))]
    lines.item("user", "question two", timestamp=at_once)
    lines.item("assistant", "answer two", timestamp=at_once)
    lines.user("question three")
    assert ["memory"] * 4 + ["owner"] == [origin for origin, _ in said(lines.read(tmp_path))]
