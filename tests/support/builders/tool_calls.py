"""One call of a tool with its result, in the records of each harness that is read for evidence."""

import json
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import copilot_cli, opencode, qwen
from schemas.evidence import EvidenceKind
from schemas.transcript import Session
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.codex_lines import CodexLines
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.builders.kimi_lines import KimiLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.opencode_rows import OpenCodeRows, text
from tests.support.builders.stamped_lines import CopilotLines, QwenLines
from tests.support.sources import opened_source

BY_OWNER = frozenset(
    {EvidenceKind.PLAN_APPROVED, EvidenceKind.PLAN_REJECTED, EvidenceKind.ANSWER, EvidenceKind.REMEMBER}
)
"""The kinds that are an act of the owner."""
ASKED = "go on with the shop"


class Ended(Enum):
    """How a call ended."""

    WELL = "well"
    BADLY = "badly"
    NOT = "not"


def _claude_code(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = ClaudeLines()
    lines.user(ASKED)
    lines.assistant([{"type": "tool_use", "id": "toolu_1", "name": tool, "input": arguments}])
    failed = ended is Ended.BADLY
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "output", "is_error": failed}
    if ended is not Ended.NOT:
        lines.user([result], toolUseResult="Error: Exit code 1\noutput" if failed else {"stdout": "output"})
    return lines.read(root)


def _codex(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = CodexLines()
    lines.user(ASKED)
    call = {"type": "function_call", "name": tool, "arguments": json.dumps(arguments), "call_id": "call_1"}
    if tool == "apply_patch":
        call = {"type": "custom_tool_call", "name": tool, "input": arguments, "call_id": "call_1"}
    lines.add("response_item", call)
    code = int(ended is Ended.BADLY)
    output = f"Chunk ID: 1a2b\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\noutput"
    if tool in ("apply_patch", "shell"):
        output = json.dumps({"output": "output", "metadata": {"exit_code": code}})
    if ended is not Ended.NOT:
        lines.add("response_item", {"type": "function_call_output", "call_id": "call_1", "output": output})
    return lines.read(root)


def _gemini_cli(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = GeminiLines()
    lines.user(ASKED)
    status = {Ended.WELL: "success", Ended.BADLY: "error", Ended.NOT: "executing"}[ended]
    lines.assistant("", toolCalls=[{"id": "call_1", "name": tool, "args": arguments, "status": status, "result": []}])
    return lines.read(root)


def _qwen(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = QwenLines()
    lines.user(ASKED)
    lines.record("assistant", [{"functionCall": {"id": "call_1", "name": tool, "args": arguments}}])
    if ended is not Ended.NOT:
        given = {"functionResponse": {"id": "call_1", "name": tool, "response": {"output": "output"}}}
        status = "success" if ended is Ended.WELL else "error"
        lines.record("tool_result", [given], toolCallResult={"callId": "call_1", "status": status})
    return lines.read(opened_source(qwen, root), root, "projects/shop/chats/s.jsonl")


def _openclaw(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = OpenClawLines()
    lines.user(ASKED)
    lines.assistant([{"type": "toolCall", "id": "call_1", "name": tool, "arguments": arguments}])
    failed = ended is Ended.BADLY
    details = {"details": {"status": "completed", "exitCode": int(failed)}} if tool == "exec" else {}
    if ended is not Ended.NOT:
        lines.message("toolResult", "output", toolName=tool, toolCallId="call_1", isError=failed, **details)
    return lines.read(root)


def _opencode(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    rows = OpenCodeRows(root / "opencode.db")
    rows.session("ses_1")
    rows.message("ses_1", "user", text(ASKED))
    status = {Ended.WELL: "completed", Ended.BADLY: "error", Ended.NOT: "running"}[ended]
    state: dict[str, Any] = {"status": status, "input": arguments, "output": "output"}
    if tool == "bash" and ended is not Ended.NOT:
        state |= {"status": "completed", "metadata": {"exit": int(ended is Ended.BADLY)}}
    rows.message("ses_1", "assistant", {"type": "tool", "callID": "call_1", "tool": tool, "state": state})
    rows.close()
    source = opened_source(opencode, root)
    (file,) = source.files()
    return source.read(file.path)[0]


def _kimi(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = KimiLines()
    lines.user(ASKED)
    lines.event("tool.call", toolCallId="call_1", name=tool, args=arguments)
    if ended is not Ended.NOT:
        result = {"output": "output"} | ({"isError": True} if ended is Ended.BADLY else {})
        lines.event("tool.result", toolCallId="call_1", result=result)
    return lines.read(root)


def _copilot_cli(root: Path, tool: str, arguments: Any, ended: Ended) -> Session:  # noqa: ANN401 - any JSON
    lines = CopilotLines()
    lines.user(ASKED)
    lines.event("tool.execution_start", {"toolCallId": "call_1", "toolName": tool, "arguments": arguments})
    if ended is not Ended.NOT:
        shell = {"shellExecution": {"exitCode": int(ended is Ended.BADLY)}} if tool == "bash" else {}
        result = {"toolCallId": "call_1", "success": shell != {} or ended is Ended.WELL, "result": {"content": "ok"}}
        lines.event("tool.execution_complete", result | shell)
    return lines.read(opened_source(copilot_cli, root), root, "s/events.jsonl")


CALLS: dict[str, Callable[[Path, str, Any, Ended], Session]] = {
    "claude_code": _claude_code,
    "codex": _codex,
    "gemini_cli": _gemini_cli,
    "qwen": _qwen,
    "openclaw": _openclaw,
    "opencode": _opencode,
    "kimi": _kimi,
    "copilot_cli": _copilot_cli,
}
"""By harness: a session below a folder in which a tool was called with these arguments, and ended so."""
