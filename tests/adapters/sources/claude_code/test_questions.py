"""The owner's answers to questions that the assistant asks in the program's dialogue."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.builders.claude_lines import ClaudeLines, said

DATABASE, PORT = "Which database?", "Which port?"
ANSWERED = f'User has answered your questions: "{DATABASE}"="Postgres". You can now continue.'


def test_an_answer_is_the_owners_and_its_question_the_assistants(tmp_path: Path) -> None:
    """A reader of the session sees what was asked before what was answered."""
    lines = ClaudeLines()
    lines.answers(lines.asks(DATABASE), {DATABASE: "Postgres, as in the shop"})
    session = lines.read(tmp_path)
    assert [("assistant", DATABASE), ("owner", "Postgres, as in the shop")] == said(session)
    assert [1, 2] == [message.number for message in session.messages]


def test_several_answers_stand_in_the_order_of_the_questions(tmp_path: Path) -> None:
    """A question without an answer is passed over."""
    lines = ClaudeLines()
    call = lines.asks(DATABASE, "Which city?", PORT)
    lines.answers(call, {PORT: "5433", DATABASE: "Postgres"})
    assert ("owner", "Postgres; 5433") == said(lines.read(tmp_path))[1]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({}, {}),
        ({DATABASE: " "}, {}),
        ({DATABASE: ["Postgres"]}, {}),
        ({PORT: "Postgres"}, {}),
        (["Postgres"], {}),
        ({DATABASE: "Postgres"}, {"toolUseResult": ANSWERED}),
        ({DATABASE: "Postgres"}, {"toolUseResult": None}),
        ({DATABASE: "Postgres"}, {"toolUseResult": {"answers": {DATABASE: "Postgres"}}}),
        ({DATABASE: "Postgres"}, {"isMeta": True}),
        ({DATABASE: "Postgres"}, {"origin": {"kind": "task-notification"}}),
    ],
)
def test_only_the_programs_own_field_holds_an_answer(tmp_path: Path, given: object, fields: dict[str, Any]) -> None:
    """Any tool can print the text of a result, and a dialogue can time out."""
    lines = ClaudeLines()
    lines.answers(lines.asks(DATABASE), given, **fields)
    assert ["assistant", "tool"] == [origin for origin, _ in said(lines.read(tmp_path))]


@pytest.mark.parametrize("tool", ["mcp__desk__AskUserQuestion", "Bash", "askuserquestion", "AskUserQuestion "])
def test_another_tools_answers_are_a_tools(tmp_path: Path, tool: str) -> None:
    """A server's tool writes into the field what it likes."""
    lines = ClaudeLines()
    lines.answers(lines.asks(DATABASE, tool=tool), {DATABASE: "Postgres"})
    assert ["tool"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_an_answer_without_its_call_in_the_session_is_a_tools(tmp_path: Path) -> None:
    """Nor is one beside other results, of a failed call, or that the assistant wrote into its own call."""
    lines = ClaudeLines()
    lines.answers("toolu_unknown", {DATABASE: "Postgres"})
    lines.answers(lines.asks(DATABASE, answers={DATABASE: "Postgres"}), {DATABASE: "Postgres"})
    result = {"type": "tool_result", "tool_use_id": lines.asks(DATABASE), "content": "ok"}
    outcome = {"questions": [], "answers": {DATABASE: "Postgres"}}
    lines.user([result, result | {"tool_use_id": "toolu_other"}], toolUseResult=outcome)
    lines.user([result | {"is_error": True}], toolUseResult=outcome)
    assert "owner" not in [origin for origin, _ in said(lines.read(tmp_path))]


def test_a_sub_agents_question_is_answered_by_no_owner(tmp_path: Path) -> None:
    """What stands in a side chain is a machine's."""
    lines = ClaudeLines(isSidechain=True)
    lines.answers(lines.asks(DATABASE), {DATABASE: "Postgres"})
    assert ["machine", "machine"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_a_reason_for_a_refusal_is_a_tools(tmp_path: Path) -> None:
    """It stands in the text of a result alone, which any tool can print."""
    lines = ClaudeLines()
    text = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse Rust"
    lines.user(
        [{"type": "tool_result", "tool_use_id": "t", "content": text, "is_error": True}],
        toolUseResult=f"Error: {text}",
        toolDenialKind="user-rejected",
    )
    assert [("tool", text)] == said(lines.read(tmp_path))
