"""The owner's answers to questions that the assistant asks in Gemini CLI's dialogue."""

import json
from pathlib import Path
from typing import Any

from tests.support.builders.claude_lines import said
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.tables import table

DATABASE, PORT = "Which database?", "Which port?"


def dialogue(*questions: str, output: object, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """The call of the tool with what it gave back."""
    text = output if isinstance(output, str) else json.dumps({"answers": output})
    response = {"id": "ask_user_1", "name": "ask_user", "response": {"output": text}}
    call = {"id": "ask_user_1", "name": "ask_user", "displayName": "Ask User", "status": "success"}
    args = {"questions": [{"question": one, "header": "A"} for one in questions]}
    return call | {"args": args, "result": [{"functionResponse": response}]} | fields


@table("path", ["session-s.jsonl", "session-s.json"])
def test_an_answer_is_the_owners_and_its_question_the_assistants(tmp_path: Path, path: str) -> None:
    """It is a message of its own, and what follows is numbered behind it, whichever way the file is written."""
    lines = GeminiLines()
    lines.user("set up the store")
    lines.assistant("", toolCalls=[dialogue(DATABASE, PORT, output={"0": "Postgres", "1": "5433"})])
    lines.assistant("Done.")
    session = lines.read(tmp_path, path)
    assert [
        ("owner", "set up the store"),
        ("assistant", f"{DATABASE}\n{PORT}"),
        ("owner", "Postgres; 5433"),
        ("assistant", "Done."),
    ] == said(session)
    assert [2, 3, 4, 5] == [message.number for message in session.messages]


@table(
    "call",
    [
        dialogue(DATABASE, output={"0": "Postgres"}, name="mcp_desk_ask_user"),
        dialogue(DATABASE, output={"0": "Postgres"}, displayName="ask_user (desk MCP Server)"),
        dialogue(DATABASE, output={"0": "Postgres"}, status="cancelled"),
        dialogue(DATABASE, output="User dismissed ask_user dialog without answering."),
        dialogue(DATABASE, output={}),
        dialogue(DATABASE, output={"0": ["Postgres"]}),
    ],
)
def test_only_the_programs_own_dialogue_holds_an_answer(tmp_path: Path, call: dict[str, Any]) -> None:
    """A server's tool, and a dialogue that was closed or sent empty."""
    lines = GeminiLines()
    lines.assistant("A question first.", toolCalls=[call])
    assert ["assistant"] == [origin for origin, _ in said(lines.read(tmp_path))]
