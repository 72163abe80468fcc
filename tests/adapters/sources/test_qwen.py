"""Qwen Code's source holds to the contract, and knows who speaks."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pipeline.adapters.sources import qwen
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.stamped_lines import QwenLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source

ID = "11111111-2222-4333-8444-555555555555"


source = partial(opened_source, qwen)


def read(root: Path, lines: QwenLines, path: str = f"projects/shop/chats/{ID}.jsonl") -> Session:
    """The session in a file with these lines."""
    return lines.read(source(root), root, path)


class TestQwenSource(FileSourceContract):
    """The contract, over files of Qwen Code."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return source(root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = QwenLines(session_id)
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user("żółć \ud83d 好")
        return file.lines


def test_knows_where_qwen_leaves_its_sessions(tmp_path: Path) -> None:
    """The folder of the running program goes before that of its settings."""
    home = tmp_path / ".qwen/projects"
    assert (Path("/a/projects"), home) == qwen.KIND.roots(tmp_path, {"QWEN_RUNTIME_DIR": "/a", "QWEN_HOME": "/b"})
    assert (Path("/b/projects"), home) == qwen.KIND.roots(tmp_path, {"QWEN_HOME": "/b"})
    assert (home,) == qwen.KIND.roots(tmp_path, {})


def test_the_files_name_is_the_session(tmp_path: Path) -> None:
    """The folder it worked in stands in its records."""
    lines = QwenLines()
    lines.user("one queue")
    session = read(tmp_path, lines)
    assert (ID, "/home/tom/shop", False, None) == (
        session.session_id,
        session.project,
        session.machine,
        session.parent,
    )


def test_notices_in_a_persons_place_are_a_machines(tmp_path: Path) -> None:
    """A mark of the record says what it is; words typed while the agent was busy are a person's."""
    lines = QwenLines()
    for subtype in ("notification", "cron", "goal_runtime", "agent_launch_prompt", "of_tomorrow"):
        lines.user("go on", subtype=subtype)
    lines.user("go on", provenance="goal_control")
    lines.user("go on", externalInputKind="message")
    lines.user("go on", agentId="explore-1")
    lines.user("one queue", subtype="mid_turn_user_message", provenance="real_user")
    assert [("machine", "go on")] * 8 + [("owner", "one queue")] == said(read(tmp_path, lines))


def test_what_was_shown_is_what_was_typed(tmp_path: Path) -> None:
    """The content of a message also has the files that it refers to."""
    lines = QwenLines()
    lines.user("look at @a.md and the text of a.md", systemPayload={"displayText": "look at @a.md", "hookContext": ""})
    assert [("owner", "look at @a.md")] == said(read(tmp_path, lines))


def test_thoughts_are_left_out_and_tools_known_by_name(tmp_path: Path) -> None:
    """A page of the web is no output of a command."""
    lines = QwenLines()
    lines.record("assistant", [{"text": "hm", "thought": True}, {"text": "One."}])
    for name in ("web_fetch", "run_shell_command"):
        lines.record("tool_result", [{"functionResponse": {"name": name, "response": {"output": "text"}}}])
    assert [("assistant", "One."), ("web", "text"), ("tool", "text")] == said(read(tmp_path, lines))


def test_what_was_rewound_is_gone(tmp_path: Path) -> None:
    """The next record follows an earlier one; what stood between was taken back."""
    lines = QwenLines()
    lines.user("one queue")
    kept = lines.assistant("One.")
    lines.user("no, two")
    before = read(tmp_path, lines)
    lines.record("system", None, subtype="rewind", parentUuid=kept, systemPayload={"truncatedCount": 1})
    lines.user("three")
    after = read(tmp_path, lines)
    assert [("owner", "one queue"), ("assistant", "One."), ("owner", "three")] == said(after)
    assert before.messages[:2] == after.messages[:2]
    assert 1 == after.skipped["rewound"]


def test_without_the_beginning_nothing_is_taken_back(tmp_path: Path) -> None:
    """The way from the last record to the first has to be known."""
    lines = QwenLines()
    lines.user("one queue")
    lines.record("system", None, subtype="rewind", parentUuid="gone", systemPayload={})
    lines.user("three")
    assert [("owner", "one queue"), ("owner", "three")] == said(read(tmp_path, lines))


def test_sessions_of_other_agents_are_a_machines(tmp_path: Path) -> None:
    """A sub-agent's records are marked, a session made by another one names it."""
    spawned = QwenLines()
    spawned.note("parent_session", {"parentSessionId": "boss"})
    spawned.user("do it")
    session = read(tmp_path, spawned)
    assert (True, "boss") == (session.machine, session.parent)
    side = QwenLines("boss")
    side.user("do it", isSidechain=True, agentId="explore-1")
    session = read(tmp_path, side, "projects/shop/subagents/boss/agent-explore-1.jsonl")
    assert (True, "boss", "agent-explore-1") == (session.machine, session.parent, session.session_id)


def test_what_a_branch_copied_is_memory(tmp_path: Path) -> None:
    """It was said in the session that it names."""
    lines = QwenLines()
    lines.user("one queue", forkedFrom={"sessionId": "other", "messageUuid": "u1"})
    lines.user("three")
    assert [("memory", "one queue"), ("owner", "three")] == said(read(tmp_path, lines))


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """A new version is noticed, and fails nothing."""
    lines = QwenLines()
    lines.user("one queue")
    lines.note("ui_telemetry", {})
    lines.record("hologram", [{"text": "it will rain"}])
    lines.record("assistant", [{"hologram": 1}])
    assert {"no_conversation": 1, "unknown_record:hologram": 1, "unknown_block:hologram": 1, "no_text": 1} == read(
        tmp_path, lines
    ).skipped


def test_a_text_beside_the_result_of_a_tool_is_no_persons(tmp_path: Path) -> None:
    """Also in a record of the person's side."""
    lines = QwenLines()
    lines.record("user", [{"functionResponse": {"name": "x", "response": {}}}, {"text": "I moved to Oslo"}])
    assert [("machine", "I moved to Oslo")] == said(read(tmp_path, lines))
