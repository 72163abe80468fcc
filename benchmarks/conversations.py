"""A session of every kind of source: a question, the output of a tool where it is recorded, and an answer."""

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.samples import ASSISTANT, OWNER, TOOL, claude_code, openclaw, write
from tests.support.builders import cline_tasks, goose_rows, hermes_rows, opencode_rows
from tests.support.builders.codex_lines import CodexLines
from tests.support.builders.conversation_rows import ConversationRows
from tests.support.builders.cursor_lines import CursorLines
from tests.support.builders.deepseek_lines import DeepSeekLines
from tests.support.builders.exported_chats import ChatGptConversation, ClaudeConversation, written
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.builders.grok_lines import GrokLines
from tests.support.builders.kimi_lines import KimiLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.openclaw_store import OpenClawStoreFile
from tests.support.builders.stamped_lines import AntigravityLines, CopilotLines, QwenLines
from tests.support.builders.zed_rows import ZedRows

TURNS = 1500
START = datetime(2026, 1, 1, 8, tzinfo=UTC)
ASKED = [OWNER[number % len(OWNER)] for number in range(TURNS)]
"""The questions of the owner in a long session."""


def _lines(lines: list[bytes], path: str, root: Path) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(b"".join(lines))


def _store(root: Path, said: Sequence[str]) -> None:
    with closing(ConversationRows(root / "memory.db")) as rows:
        rows.conversation("one", *((turn["role"], turn["content"]) for turn in _spoken(said)))


def _aider(root: Path, said: Sequence[str]) -> None:
    turn = "\n#### {}  \n\n" + ASSISTANT + "\n\n> Tokens: 2k sent, 1k received.  \n"
    chat = "\n# aider chat started at 2026-02-02 10:00:00\n\n" + "".join(map(turn.format, said))
    (root / ".aider.chat.history.md").write_text(chat, encoding="utf-8")


def _antigravity(root: Path, said: Sequence[str]) -> None:
    file = AntigravityLines()
    for asked in said:
        file.user(asked)
        file.step("MODEL", "RUN_COMMAND", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/.system_generated/logs/transcript.jsonl", root)


def _chatgpt(root: Path, said: Sequence[str]) -> None:
    chat = ChatGptConversation()
    for asked in said:
        chat.add("user", asked)
        chat.add("tool", {"content_type": "execution_output", "text": TOOL}, name="python")
        chat.add("assistant", ASSISTANT)
    written(root / "conversations.json", [chat.value])


def _claude_ai(root: Path, said: Sequence[str]) -> None:
    chat = ClaudeConversation()
    for asked in said:
        chat.add("human", asked)
        chat.add("assistant", ASSISTANT)
    written(root / "conversations.json", [chat.value])


def _codex(root: Path, said: Sequence[str]) -> None:
    file = CodexLines()
    for asked in said:
        file.user(asked)
        file.result("shell", TOOL)
        file.assistant(ASSISTANT)
    file.write(root / "rollout-one.jsonl")


def _copilot(root: Path, said: Sequence[str]) -> None:
    file = CopilotLines()
    for asked in said:
        file.user(asked)
        file.event("tool.execution_complete", {"toolName": "bash", "result": {"content": TOOL}})
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/events.jsonl", root)


def _cursor(root: Path, said: Sequence[str]) -> None:
    file = CursorLines()
    for asked in said:
        file.user(asked)
        file.assistant(ASSISTANT, {"type": "tool_use", "name": "Shell", "input": {"command": "tail import.log"}})
    _lines(file.lines, "one.jsonl", root)


def _deepseek(root: Path, said: Sequence[str]) -> None:
    file = DeepSeekLines()
    for asked in said:
        file.user(asked)
        file.result("bash", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one.jsonl", root)


def _gemini(path: str, root: Path, said: Sequence[str]) -> None:
    file = GeminiLines()
    for asked in said:
        file.user(asked)
        file.assistant("", toolCalls=[{"name": "shell", "result": [_gemini_response("shell")]}])
        file.assistant(ASSISTANT)
    _lines(file.lines if path.endswith("l") else [file.whole], path, root)


def _gemini_response(tool: str) -> dict[str, Any]:
    return {"functionResponse": {"name": tool, "response": {"output": TOOL}}}


def _goose(root: Path, said: Sequence[str]) -> None:
    with closing(goose_rows.GooseRows(root / "sessions.db")) as rows:
        rows.session("one")
        _goose_talk(partial(rows.message, "one"), said)


def _goose_file(root: Path, said: Sequence[str]) -> None:
    file = goose_rows.GooseLines()
    _goose_talk(file.message, said)
    _lines(file.lines, "one.jsonl", root)


def _goose_talk(message: Callable[..., None], said: Sequence[str]) -> None:
    result = {"type": "toolResponse", "id": "t", "toolResult": {"value": {"content": [goose_rows.text(TOOL)]}}}
    for asked in said:
        message("user", goose_rows.text(asked))
        message("user", result)
        message("assistant", goose_rows.text(ASSISTANT))


def _grok(root: Path, said: Sequence[str]) -> None:
    file = GrokLines()
    for number, asked in enumerate(said):
        file.user(asked, number)
        file.assistant(f"p-{number}", *(f"{word} " for word in ASSISTANT.split()))
    _lines(file.lines, "one/updates.jsonl", root)


def _hermes(root: Path, said: Sequence[str]) -> None:
    with closing(hermes_rows.HermesRows(root / "state.db")) as rows:
        rows.session("one")
        for asked in said:
            rows.message("one", "user", asked)
            rows.message("one", "tool", TOOL, tool_name="terminal")
            rows.message("one", "assistant", ASSISTANT)


def _kimi(root: Path, said: Sequence[str]) -> None:
    file = KimiLines()
    for asked in said:
        file.user(asked)
        file.message("tool", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/agents/main/wire.jsonl", root)


def _openclaw_store(root: Path, said: Sequence[str]) -> None:
    lines = OpenClawLines()
    for asked in said:
        lines.user(asked)
        lines.result("exec", TOOL)
        lines.assistant(ASSISTANT)
    store = OpenClawStoreFile(root)
    with closing(store.agent):
        store.put(lines)


def _opencode(root: Path, said: Sequence[str]) -> None:
    with closing(opencode_rows.OpenCodeRows(root / "opencode.db", *opencode_rows.OLDER)) as rows:
        rows.session("one")
        tool = {"type": "tool", "tool": "bash", "state": {"output": TOOL}}
        for asked in said:
            rows.message("one", "user", opencode_rows.text(asked))
            rows.message("one", "assistant", tool, opencode_rows.text(ASSISTANT))


def _opencode_folder(root: Path, said: Sequence[str]) -> None:
    talk = [turn for asked in said for turn in (("user", asked), ("assistant", ASSISTANT))]
    opencode_rows.folder(root, "ses_one", *talk)


def _qwen(root: Path, said: Sequence[str]) -> None:
    file = QwenLines()
    for asked in said:
        file.user(asked)
        file.record("tool_result", [_gemini_response("shell")])
        file.assistant(ASSISTANT)
    _lines(file.lines, "one.jsonl", root)


def _spoken(said: Sequence[str]) -> list[dict[str, Any]]:
    """Messages of OpenAI's API."""
    sides = ("user", "tool", "assistant")
    return [
        {"role": side, "content": words}
        for asked in said
        for side, words in zip(sides, (asked, TOOL, ASSISTANT), strict=True)
    ]


def _zed(root: Path, said: Sequence[str]) -> None:
    with closing(ZedRows(root / "threads.db")) as rows:
        messages: list[object] = []
        for number, asked in enumerate(said):
            messages.append({"User": {"id": f"u-{number}", "content": [{"Text": asked}]}})
            messages.append({"Agent": {"content": [{"Text": ASSISTANT}], "tool_results": {}}})
        rows.thread("one", *messages)


def _cline(root: Path, said: Sequence[str]) -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": TOOL}
    talk = [
        message
        for asked in said
        for message in (
            cline_tasks.user(f"<task>{asked}</task>", "<environment_details>"),
            {"role": "user", "content": [result]},
            cline_tasks.assistant(ASSISTANT),
        )
    ]
    cline_tasks.task_file(root, *talk)


FORMATS: dict[tuple[str, str], Callable[[Path, Sequence[str]], object]] = {
    ("openclaw", "lines"): lambda root, said: write(root / "one.jsonl", openclaw(START, len(said), "one", said)),
    ("openclaw", "store"): _openclaw_store,
    ("claude_code", "lines"): lambda root, said: write(root / "one.jsonl", claude_code(START, len(said), "one", said)),
    ("codex", "lines"): _codex,
    ("copilot_cli", "lines"): _copilot,
    ("cursor", "lines"): _cursor,
    ("gemini_cli", "lines"): partial(_gemini, "session-one.jsonl"),
    ("gemini_cli", "file"): partial(_gemini, "session-one.json"),
    ("qwen", "lines"): _qwen,
    ("antigravity", "lines"): _antigravity,
    ("kimi", "lines"): _kimi,
    ("deepseek", "lines"): _deepseek,
    ("grok", "lines"): _grok,
    ("goose", "store"): _goose,
    ("goose", "lines"): _goose_file,
    ("hermes", "store"): _hermes,
    ("hermes", "file"): lambda root, said: hermes_rows.session_file(root, "one", *_spoken(said)),
    ("opencode", "store"): _opencode,
    ("opencode", "files"): _opencode_folder,
    ("store", "file"): _store,
    ("zed", "packed"): _zed,
    ("cline", "file"): _cline,
    ("roo", "file"): _cline,
    ("chatgpt", "file"): _chatgpt,
    ("claude_ai", "file"): _claude_ai,
    ("openai_messages", "lines"): lambda root, said: write(root / "one.jsonl", iter(_spoken(said))),
    ("openai_messages", "file"): lambda root, said: cline_tasks.write(root / "one.json", _spoken(said)),
    ("aider", "text"): _aider,
}
"""How a session in which the owner says some things is written below a folder, by kind and form."""
