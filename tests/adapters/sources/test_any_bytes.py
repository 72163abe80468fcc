"""No content of a file, and no change to a good one, makes a source fail."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.sources import (
    aider,
    antigravity,
    claude_code,
    codex,
    copilot_cli,
    cursor,
    deepseek,
    gemini_cli,
    goose,
    grok,
    kimi,
    openai_messages,
    openclaw,
    qwen,
)
from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import SourcePlace
from schemas.settings import SourceSettings
from schemas.transcript import Session
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.codex_lines import CodexLines
from tests.support.builders.cursor_lines import CursorLines
from tests.support.builders.deepseek_lines import DeepSeekLines
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.builders.goose_rows import GooseLines, text
from tests.support.builders.grok_lines import GrokLines
from tests.support.builders.kimi_lines import KimiLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.stamped_lines import AntigravityLines, CopilotLines, QwenLines

NO_SHARING = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id", "kind", "name"]), inner)
    ),
    max_leaves=6,
)


def _openclaw_lines() -> list[bytes]:
    lines = OpenClawLines(parentSession="x")
    lines.user("[Telegram Tom (@tom) id:411 2026-02-02 09:00 UTC] hello\n[message_id: 7]")
    lines.user(
        'Sender (untrusted metadata):\n```json\n{"id": "411"}\n```\n\n<relevant-memories>a</relevant-memories> x'
    )
    lines.assistant("[[reply_to_current]] hi NO_REPLY")
    lines.result("exec", "ok")
    lines.add({"type": "compaction", "summary": "## Goal"})
    lines.add({"type": "custom_message", "customType": "x", "content": "y"})
    lines.add({"type": "leaf", "targetId": "e0000003", "appendParentId": "e0000003", "appendMode": "side"})
    lines.user("said", timestamp=1, parentId="e0000003")
    lines.add(
        {"type": "message", "parentId": "e0000003", "message": {"role": "user", "content": "said", "timestamp": 1}}
    )
    lines.user("[Queued messages while agent was busy]\n\n---\nQueued #1\none\n\n---\nQueued #2\ntwo", provenance={})
    return lines.lines


def _claude_lines() -> list[bytes]:
    lines = ClaudeLines()
    lines.user("hello <system-reminder>x</system-reminder>", origin={"kind": "human"}, forkedFrom={})
    lines.assistant([{"type": "tool_use", "id": "t", "name": "Bash"}, {"type": "text", "text": "hi"}], message_id="m")
    lines.user([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "ok"}]}])
    lines.assistant("more", message_id="m")
    lines.add(
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "x", "origin": {"kind": "human"}}}
    )
    lines.add({"type": "summary", "leafUuid": "x"})
    return lines.lines


def _codex_lines() -> list[bytes]:
    lines = CodexLines(forked_from_id="x")
    lines.user("# Context from my IDE setup:\n## My request for Codex:\nhello")
    lines.assistant("hi")
    lines.result("web_search", {"content": [{"type": "input_text", "text": "ok"}]})
    lines.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "more"}]})
    lines.event("web_search_end", results=[{"snippet": "x"}])
    lines.event("thread_rolled_back", num_turns=1)
    lines.item("developer", "x")
    return lines.lines


def _gemini_lines() -> list[bytes]:
    lines = GeminiLines()
    undone = lines.user("hello", displayContent="hello")
    lines.assistant("", toolCalls=[{"name": "web", "result": [{"functionResponse": {"response": {"output": "ok"}}}]}])
    lines.add({"$set": {"messages": [{"id": "n", "type": "user", "content": "x"}]}})
    lines.add({"$rewindTo": undone})
    lines.user("more")
    return lines.lines


def _qwen_lines() -> list[bytes]:
    lines = QwenLines()
    lines.user("hello", systemPayload={"displayText": "hello"})
    first = lines.assistant("hi")
    lines.record("tool_result", [{"functionResponse": {"name": "web", "response": {"output": "ok"}}}])
    lines.record("system", None, subtype="rewind", parentUuid=first, systemPayload={"parentSessionId": "x"})
    lines.user("more", forkedFrom={"messageUuid": "x"}, subtype="mid_turn_user_message")
    return lines.lines


def _antigravity_lines() -> list[bytes]:
    lines = AntigravityLines()
    lines.user("hello <USER_SETTINGS_CHANGE>x</USER_SETTINGS_CHANGE>")
    lines.assistant("hi")
    lines.step("MODEL", "SEARCH_WEB", "ok")
    return lines.lines


def _copilot_lines() -> list[bytes]:
    lines = CopilotLines()
    spoken = lines.user("hello", source="user")
    lines.assistant("hi")
    lines.event("tool.execution_start", {"toolCallId": "c", "toolName": "web"})
    lines.event("tool.execution_complete", {"toolCallId": "c", "result": {"content": "ok"}})
    lines.event("session.compaction_complete", {"summaryContent": "x"})
    lines.event("session.snapshot_rewind", {"upToEventId": spoken})
    return lines.lines


def _message_lines() -> list[bytes]:
    call = {"id": "c", "function": {"name": "web"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "hello", "name": "tom", "timestamp": 1_770_000_000, "session_id": "s"},
        {"role": "assistant", "content": None, "tool_calls": [call], "id": "m", "created_at": "2026-02-02"},
        {"role": "tool", "content": [{"type": "text", "text": "ok"}], "tool_call_id": "c"},
        {"messages": [{"role": "user", "content": "more"}]},
    ]
    return [json.dumps(message).encode() + b"\n" for message in messages]


def _goose_lines() -> list[bytes]:
    lines = GooseLines()
    lines.message("user", text("hello"), metadata={"userVisible": True})
    lines.message("assistant", {"type": "toolRequest", "id": "t", "toolCall": {"value": {"name": "x__y"}}}, text("hi"))
    lines.message("user", {"type": "toolResponse", "id": "t", "toolResult": {"value": {"content": [text("ok")]}}})
    return lines.lines


def _cursor_lines() -> list[bytes]:
    lines = CursorLines()
    lines.user("hello")
    lines.assistant("hi", {"type": "tool_use", "name": "Shell", "input": {}})
    lines.add({"type": "turn_ended", "status": "success"})
    return lines.lines


def _kimi_lines() -> list[bytes]:
    lines = KimiLines()
    lines.user("hello", origin={"kind": "user"})
    lines.assistant("hi", " there")
    lines.user("a skill", origin={"kind": "skill_activation", "trigger": "user-slash", "skillArgs": "do"})
    lines.add({"type": "context.apply_compaction", "summary": "x"})
    lines.add({"type": "forked"})
    return lines.lines


def _grok_lines() -> list[bytes]:
    lines = GrokLines()
    lines.user("hello", 0)
    lines.assistant("p", "hi", " there")
    lines.update({"sessionUpdate": "tool_call", "title": "x"})
    return lines.lines


def _deepseek_lines() -> list[bytes]:
    lines = DeepSeekLines(delegationDepth=0)
    lines.user("hello")
    lines.assistant("hi")
    lines.result("web_search", "ok")
    return lines.lines


FORMATS: dict[str, tuple[SourceKind, list[bytes]]] = {
    "openclaw": (openclaw.KIND, _openclaw_lines()),
    "claude_code": (claude_code.KIND, _claude_lines()),
    "antigravity": (antigravity.KIND, _antigravity_lines()),
    "codex": (codex.KIND, _codex_lines()),
    "copilot_cli": (copilot_cli.KIND, _copilot_lines()),
    "gemini_cli": (gemini_cli.KIND, _gemini_lines()),
    "openai_messages": (openai_messages.KIND, _message_lines()),
    "qwen": (qwen.KIND, _qwen_lines()),
    "deepseek": (deepseek.KIND, _deepseek_lines()),
    "grok": (grok.KIND, _grok_lines()),
    "cursor": (cursor.KIND, _cursor_lines()),
    "kimi": (kimi.KIND, _kimi_lines()),
    "goose": (goose.KIND, _goose_lines()),
}


TEXTS: dict[str, tuple[SourceKind, str, str, list[str]]] = {
    "aider": (
        aider.KIND,
        ".aider.chat.history.md",
        "# aider chat started at 2026-02-02 10:00:00\n",
        ["# aider chat started at 2026-02-02 10:00:00", "#### ", "> ", "> Tokens: 2k", "```", "  ", "\r", "\n", "\n\n"],
    ),
}
"""By kind: the name of a file, its head, and the marks of its lines."""


def read(kind: str, root: Path, content: bytes) -> Session | None:
    """What a file with this content gives."""
    (root / "a.jsonl").write_bytes(content)
    place = SourcePlace(SourceSettings(kind=kind, path="x"), root, "UTC")
    session = next(iter(FORMATS[kind][0].source(place).read("a.jsonl")), None)
    if session:
        check(session)
    return session


def check(session: Session) -> None:
    """A session can be written, and the numbers of its messages increase."""
    session.model_dump_json().encode("utf-8")
    numbers = [message.number for message in session.messages]
    assert sorted(set(numbers)) == numbers


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where the values of a record stand."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def replaced(record: Any, path: tuple[str | int, ...], value: object) -> Any:  # noqa: ANN401 - any JSON
    """A record with another value at one place."""
    if not path:
        return value
    copy: Any = record.copy()
    copy[path[0]] = replaced(copy[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(content=st.binary(max_size=300))
def test_any_bytes_after_a_good_line(tmp_path: Path, kind: str, content: bytes) -> None:
    """Whatever follows, the good line is read."""
    assert read(kind, tmp_path, FORMATS[kind][1][0] + b"\n" + content) is not None


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(content=st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, kind: str, content: bytes) -> None:
    """A file of anything is no session, or an odd one; it never fails."""
    read(kind, tmp_path, content)


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(data=st.data())
def test_any_change_to_a_good_record(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """Any value at any place of any record is lived with."""
    lines = FORMATS[kind][1]
    chosen = data.draw(st.integers(0, len(lines) - 1))
    record = json.loads(lines[chosen])
    changed = replaced(record, data.draw(st.sampled_from(places(record))), data.draw(JSON))
    read(kind, tmp_path, b"".join([*lines[:chosen], json.dumps(changed).encode() + b"\n", *lines[chosen + 1 :]]))


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(data=st.data())
def test_any_byte_changed(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """A file in which some bytes are lost or wrong is read as far as it goes."""
    content = bytearray(b"".join(FORMATS[kind][1]))
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    read(kind, tmp_path, bytes(content))


@pytest.mark.parametrize("kind", TEXTS)
@NO_SHARING
@given(data=st.data())
def test_any_marks_in_any_order(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """A file that is no JSON is a session once it has its head, whatever follows."""
    source_kind, name, head, marks = TEXTS[kind]
    pieces = data.draw(st.lists(st.sampled_from(marks) | st.text(max_size=5), max_size=20))
    (tmp_path / name).write_bytes((head + "".join(pieces)).encode(errors="replace") + data.draw(st.binary(max_size=9)))
    sessions = source_kind.source(SourcePlace(SourceSettings(kind=kind, path="x"), tmp_path, "UTC")).read(name)
    assert sessions
    for session in sessions:
        check(session)
