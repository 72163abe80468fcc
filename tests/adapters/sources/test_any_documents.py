"""No value in a file of one JSON value, and no bytes in its place, make a source fail."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.sources import (
    chatgpt,
    claude_ai,
    cline,
    gemini_cli,
    hermes,
    openai_messages,
    opencode,
    roo,
)
from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.errors import ReadFailed
from schemas.settings import SourceSettings
from schemas.transcript import Session
from tests.adapters.sources.test_any_bytes import JSON, NO_SHARING, check, places, replaced
from tests.support.builders import hermes_rows, opencode_rows
from tests.support.builders.cline_tasks import assistant, session_file, task_file, user, write
from tests.support.builders.exported_chats import ChatGptConversation, ClaudeConversation, written
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.tables import table


def _cline(root: Path) -> Path:
    call = {"type": "tool_use", "id": "t", "name": "ask_followup_question"}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "<answer>x</answer>"}]}
    return task_file(root, user("<task>a</task>", "<environment_details>"), assistant("b", call), result)


def _cline_session(root: Path) -> Path:
    return session_file(root, "s-1", user("a", ts=1, id="m"), assistant("b"))


def _roo(root: Path) -> Path:
    _cline(root)
    (task,) = (root / "tasks").iterdir()
    return write(task / "history_item.json", {"workspace": "x", "parentTaskId": "1", "mode": "code", "ts": 1})


def _hermes(root: Path) -> Path:
    said = {"role": "user", "content": "a"}, {"role": "tool", "content": "b", "tool_name": "web_x"}
    return hermes_rows.session_file(root, "s-1", *said, model_config={"cwd": "x"})


def _opencode(root: Path) -> Path:
    return opencode_rows.folder(root, "ses_1", ("user", "a"), ("assistant", "b"))


def _opencode_message(root: Path) -> Path:
    _opencode(root)
    return min((root / "storage" / "message" / "ses_1").iterdir())


def _gemini(root: Path) -> Path:
    lines = GeminiLines()
    lines.user("hello", displayContent="hello")
    lines.assistant("", toolCalls=[{"name": "web", "result": [{"functionResponse": {"response": {"output": "ok"}}}]}])
    return write(root / "session-a.json", json.loads(lines.whole))


def _messages(root: Path) -> Path:
    call = {"id": "c", "function": {"name": "web"}}
    messages = [
        {"role": "user", "content": "hello", "name": "tom", "timestamp": 1_770_000_000, "session_id": "s"},
        {"role": "assistant", "content": None, "tool_calls": [call], "id": "m", "created_at": "2026-02-02"},
        {"role": "tool", "content": [{"type": "text", "text": "ok"}], "tool_call_id": "c"},
    ]
    return write(root / "a.json", {"id": "a", "messages": messages})


def _chatgpt(root: Path) -> Path:
    conversation = ChatGptConversation()
    conversation.add("user", "hello")
    conversation.add("tool", {"content_type": "tether_quote", "text": "ok"}, name="web")
    conversation.add("assistant", "hi")
    return written(root / "conversations.json", [conversation.value])


def _claude(root: Path) -> Path:
    conversation = ClaudeConversation()
    first = conversation.add("human", "hello", parent_message_uuid="root")
    conversation.add("assistant", "hi", parent_message_uuid=first)
    return written(root / "conversations.json", [conversation.value])


FORMATS: dict[str, tuple[SourceKind, Callable[[Path], Path]]] = {
    "cline": (cline.KIND, _cline),
    "cline session": (cline.KIND, _cline_session),
    "roo": (roo.KIND, _roo),
    "hermes": (hermes.KIND, _hermes),
    "opencode": (opencode.KIND, _opencode),
    "opencode message": (opencode.KIND, _opencode_message),
    "gemini_cli": (gemini_cli.KIND, _gemini),
    "openai_messages": (openai_messages.KIND, _messages),
    "chatgpt": (chatgpt.KIND, _chatgpt),
    "claude_ai": (claude_ai.KIND, _claude),
}


def read(kind: str, root: Path) -> list[Session]:
    """What a folder gives."""
    source = FORMATS[kind][0].source(SourcePlace(SourceSettings(kind="x", path="x"), root, "UTC"))
    sessions = [session for file in source.files() for session in source.read(file.path)]
    for session in sessions:
        check(session)
    return sessions


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(data=st.data())
def test_any_change_to_a_good_document(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    """Any value at any place is lived with."""
    file = FORMATS[kind][1](tmp_path)
    value = json.loads(file.read_text())
    changed = replaced(value, data.draw(st.sampled_from(places(value))), data.draw(JSON))
    file.write_text(json.dumps(changed))
    read(kind, tmp_path)


@pytest.mark.parametrize("kind", FORMATS)
@NO_SHARING
@given(content=st.binary(max_size=300))
def test_any_bytes_in_its_place(tmp_path: Path, kind: str, content: bytes) -> None:
    """A file of anything is no session, one without what it held, or trouble when it looks cut."""
    FORMATS[kind][1](tmp_path).write_bytes(content)
    with suppress(ReadFailed):
        read(kind, tmp_path)


@table("kind", [kind for kind in FORMATS if kind not in {"roo", "opencode message"}])
def test_a_cut_document_is_trouble(tmp_path: Path, kind: str) -> None:
    """It is being written, so it is read again; a session is not gone meanwhile."""
    file = FORMATS[kind][1](tmp_path)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ReadFailed, match="not whole"):
        read(kind, tmp_path)


@table("kind", FORMATS)
def test_a_good_document_has_a_session(tmp_path: Path, kind: str) -> None:
    """What is changed above is read when it is not."""
    FORMATS[kind][1](tmp_path)
    assert read(kind, tmp_path)
