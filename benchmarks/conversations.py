"""One long session of every kind of source: a question, the output of a tool where it is recorded, and an answer."""

from collections.abc import Callable
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
_ASKED = [OWNER[number % len(OWNER)] for number in range(TURNS)]


def _lines(lines: list[bytes], path: str, root: Path) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(b"".join(lines))


def _store(root: Path) -> None:
    with closing(ConversationRows(root / "memory.db")) as rows:
        rows.conversation("one", *((turn["role"], turn["content"]) for turn in _spoken()))


def _aider(root: Path) -> None:
    turn = "\n#### {}  \n\n" + ASSISTANT + "\n\n> Tokens: 2k sent, 1k received.  \n"
    chat = "\n# aider chat started at 2026-02-02 10:00:00\n\n" + "".join(map(turn.format, _ASKED))
    (root / ".aider.chat.history.md").write_text(chat, encoding="utf-8")


def _antigravity(root: Path) -> None:
    file = AntigravityLines()
    for asked in _ASKED:
        file.user(asked)
        file.step("MODEL", "RUN_COMMAND", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/.system_generated/logs/transcript.jsonl", root)


def _chatgpt(root: Path) -> None:
    chat = ChatGptConversation()
    for asked in _ASKED:
        chat.add("user", asked)
        chat.add("tool", {"content_type": "execution_output", "text": TOOL}, name="python")
        chat.add("assistant", ASSISTANT)
    written(root / "conversations.json", [chat.value])


def _claude_ai(root: Path) -> None:
    chat = ClaudeConversation()
    for asked in _ASKED:
        chat.add("human", asked)
        chat.add("assistant", ASSISTANT)
    written(root / "conversations.json", [chat.value])


def _codex(root: Path) -> None:
    file = CodexLines()
    for asked in _ASKED:
        file.user(asked)
        file.result("shell", TOOL)
        file.assistant(ASSISTANT)
    file.write(root / "rollout-one.jsonl")


def _copilot(root: Path) -> None:
    file = CopilotLines()
    for asked in _ASKED:
        file.user(asked)
        file.event("tool.execution_complete", {"toolName": "bash", "result": {"content": TOOL}})
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/events.jsonl", root)


def _cursor(root: Path) -> None:
    file = CursorLines()
    for asked in _ASKED:
        file.user(asked)
        file.assistant(ASSISTANT, {"type": "tool_use", "name": "Shell", "input": {"command": "tail import.log"}})
    _lines(file.lines, "one.jsonl", root)


def _deepseek(root: Path) -> None:
    file = DeepSeekLines()
    for asked in _ASKED:
        file.user(asked)
        file.result("bash", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one.jsonl", root)


def _gemini(path: str, root: Path) -> None:
    file = GeminiLines()
    for asked in _ASKED:
        file.user(asked)
        file.assistant("", toolCalls=[{"name": "shell", "result": [_gemini_response("shell")]}])
        file.assistant(ASSISTANT)
    _lines(file.lines if path.endswith("l") else [file.whole], path, root)


def _gemini_response(tool: str) -> dict[str, Any]:
    return {"functionResponse": {"name": tool, "response": {"output": TOOL}}}


def _goose(root: Path) -> None:
    with closing(goose_rows.GooseRows(root / "sessions.db")) as rows:
        rows.session("one")
        _goose_talk(partial(rows.message, "one"))


def _goose_file(root: Path) -> None:
    file = goose_rows.GooseLines()
    _goose_talk(file.message)
    _lines(file.lines, "one.jsonl", root)


def _goose_talk(message: Callable[..., None]) -> None:
    result = {"type": "toolResponse", "id": "t", "toolResult": {"value": {"content": [goose_rows.text(TOOL)]}}}
    for asked in _ASKED:
        message("user", goose_rows.text(asked))
        message("user", result)
        message("assistant", goose_rows.text(ASSISTANT))


def _grok(root: Path) -> None:
    file = GrokLines()
    for number, asked in enumerate(_ASKED):
        file.user(asked, number)
        file.assistant(f"p-{number}", *(f"{word} " for word in ASSISTANT.split()))
    _lines(file.lines, "one/updates.jsonl", root)


def _hermes(root: Path) -> None:
    with closing(hermes_rows.HermesRows(root / "state.db")) as rows:
        rows.session("one")
        for asked in _ASKED:
            rows.message("one", "user", asked)
            rows.message("one", "tool", TOOL, tool_name="terminal")
            rows.message("one", "assistant", ASSISTANT)


def _kimi(root: Path) -> None:
    file = KimiLines()
    for asked in _ASKED:
        file.user(asked)
        file.message("tool", TOOL)
        file.assistant(ASSISTANT)
    _lines(file.lines, "one/agents/main/wire.jsonl", root)


def _openclaw_store(root: Path) -> None:
    lines = OpenClawLines()
    for asked in _ASKED:
        lines.user(asked)
        lines.result("exec", TOOL)
        lines.assistant(ASSISTANT)
    store = OpenClawStoreFile(root)
    with closing(store.agent):
        store.put(lines)


def _opencode(root: Path) -> None:
    with closing(opencode_rows.OpenCodeRows(root / "opencode.db", *opencode_rows.OLDER)) as rows:
        rows.session("one")
        tool = {"type": "tool", "tool": "bash", "state": {"output": TOOL}}
        for asked in _ASKED:
            rows.message("one", "user", opencode_rows.text(asked))
            rows.message("one", "assistant", tool, opencode_rows.text(ASSISTANT))


def _opencode_folder(root: Path) -> None:
    talk = [said for asked in _ASKED for said in (("user", asked), ("assistant", ASSISTANT))]
    opencode_rows.folder(root, "ses_one", *talk)


def _qwen(root: Path) -> None:
    file = QwenLines()
    for asked in _ASKED:
        file.user(asked)
        file.record("tool_result", [_gemini_response("shell")])
        file.assistant(ASSISTANT)
    _lines(file.lines, "one.jsonl", root)


def _spoken() -> list[dict[str, Any]]:
    """Messages of OpenAI's API."""
    sides = ("user", "tool", "assistant")
    return [
        {"role": side, "content": words}
        for asked in _ASKED
        for side, words in zip(sides, (asked, TOOL, ASSISTANT), strict=True)
    ]


def _zed(root: Path) -> None:
    with closing(ZedRows(root / "threads.db")) as rows:
        messages: list[object] = []
        for number, asked in enumerate(_ASKED):
            messages.append({"User": {"id": f"u-{number}", "content": [{"Text": asked}]}})
            messages.append({"Agent": {"content": [{"Text": ASSISTANT}], "tool_results": {}}})
        rows.thread("one", *messages)


def _cline(root: Path) -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": TOOL}
    talk = [
        message
        for asked in _ASKED
        for message in (
            cline_tasks.user(f"<task>{asked}</task>", "<environment_details>"),
            {"role": "user", "content": [result]},
            cline_tasks.assistant(ASSISTANT),
        )
    ]
    cline_tasks.task_file(root, *talk)


FORMATS: dict[tuple[str, str], Callable[[Path], object]] = {
    ("openclaw", "lines"): lambda root: write(root / "one.jsonl", openclaw(START, TURNS, "one")),
    ("openclaw", "store"): _openclaw_store,
    ("claude_code", "lines"): lambda root: write(root / "one.jsonl", claude_code(START, TURNS, "one")),
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
    ("hermes", "file"): lambda root: hermes_rows.session_file(root, "one", *_spoken()),
    ("opencode", "store"): _opencode,
    ("opencode", "files"): _opencode_folder,
    ("store", "file"): _store,
    ("zed", "packed"): _zed,
    ("cline", "file"): _cline,
    ("roo", "file"): _cline,
    ("chatgpt", "file"): _chatgpt,
    ("claude_ai", "file"): _claude_ai,
    ("openai_messages", "lines"): lambda root: write(root / "one.jsonl", iter(_spoken())),
    ("openai_messages", "file"): lambda root: cline_tasks.write(root / "one.json", _spoken()),
    ("aider", "text"): _aider,
}
"""How a session of each kind is written, by kind and form."""
