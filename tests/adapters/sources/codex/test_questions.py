"""The owner's answers to questions that the assistant asks in Codex's dialogue."""

import json
from pathlib import Path
from typing import Any

from tests.support.builders.claude_lines import said
from tests.support.builders.codex_lines import CodexLines
from tests.support.tables import table

DATABASE = {"id": "database", "header": "Store", "question": "Which database?", "options": [{"label": "SQLite"}]}
PORT = {"id": "port", "header": "Port", "question": "Which port?", "options": [{"label": "5432"}]}


def ask(lines: CodexLines, *questions: dict[str, Any], **fields: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds a call that asks the owner; gives its id."""
    call = f"call_{len(lines.lines)}"
    arguments = json.dumps({"questions": questions} | fields.pop("settings", {}))
    payload = {"type": "function_call", "name": "request_user_input", "arguments": arguments, "call_id": call}
    lines.add("response_item", payload | fields)
    return call


def answer(lines: CodexLines, call: str, **answers: list[str]) -> None:
    """Adds the result that the dialogue writes."""
    output = json.dumps({"answers": {name: {"answers": given} for name, given in answers.items()}})
    lines.add("response_item", {"type": "function_call_output", "call_id": call, "output": output})


def test_an_answer_is_the_owners_and_its_question_the_assistants(tmp_path: Path) -> None:
    """A choice stands with what was typed beside it."""
    lines = CodexLines()
    answer(lines, ask(lines, DATABASE), database=["SQLite", "user_note: one file for each shop"])
    session = lines.read(tmp_path)
    assert [("assistant", "Which database?"), ("owner", "SQLite; one file for each shop")] == said(session)
    assert ["assistant", "user"] == [message.role.value for message in session.messages]


def test_several_answers_stand_in_the_order_of_the_questions(tmp_path: Path) -> None:
    """A question without an answer is passed over."""
    lines = CodexLines()
    call = ask(lines, DATABASE, {"id": "city", "question": "Which city?"}, PORT)
    answer(lines, call, port=["5433"], city=[], database=["Postgres"])
    assert ("owner", "Postgres; 5433") == said(lines.read(tmp_path))[1]


@table(
    ("question", "fields"),
    [
        (DATABASE, {"name": "ask_the_owner"}),
        (DATABASE, {"namespace": "mcp__desk__"}),
        (DATABASE | {"isSecret": True}, {}),
        (DATABASE, {"settings": {"autoResolutionMs": 60_000}}),
        (DATABASE, {"arguments": "no JSON"}),
    ],
)
def test_any_other_answer_is_a_tools(tmp_path: Path, question: dict[str, Any], fields: dict[str, Any]) -> None:
    """A server's tool, a question for a secret, and a dialogue that can answer itself."""
    lines = CodexLines()
    answer(lines, ask(lines, question, **fields), database=["Postgres"])
    assert ["tool"] == [origin for origin, _ in said(lines.read(tmp_path))]


@table(
    "output",
    ["request_user_input was cancelled before receiving a response", '{"answers": {}}', '{"answers": ["SQLite"]}', ""],
)
def test_a_dialogue_without_an_answer_says_nothing(tmp_path: Path, output: str) -> None:
    """The owner closed it, or sent it empty."""
    lines = CodexLines()
    call = ask(lines, DATABASE)
    lines.add("response_item", {"type": "function_call_output", "call_id": call, "output": output})
    assert "owner" not in [origin for origin, _ in said(lines.read(tmp_path))]


def test_the_same_words_without_the_call_are_a_tools(tmp_path: Path) -> None:
    """Any program can print them."""
    lines = CodexLines()
    answer(lines, "call_elsewhere", database=["Postgres"])
    assert ["tool"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_an_answer_is_taken_back_with_its_turn(tmp_path: Path) -> None:
    """It begins no turn of its own."""
    lines = CodexLines()
    lines.user("keep this")
    lines.user("set up the store")
    answer(lines, ask(lines, DATABASE), database=["SQLite"])
    lines.event("thread_rolled_back", num_turns=1)
    assert [("owner", "keep this")] == said(lines.read(tmp_path))
