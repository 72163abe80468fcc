"""The calls of tools in a transcript file: what cannot be read for sure counts as something that was done."""

import json
from pathlib import Path

from pipeline.transcripts.tool_calls import calls_in
from tests.support.tables import table

DEEP = "[" * 200_000


@table(
    ("record", "call"),
    [
        ({"type": "tool_use", "name": "Edit", "input": {"file_path": "a"}}, ("Edit", {"file_path": "a"}, "")),
        ({"cwd": "/w", "message": {"content": [{"type": "toolCall", "name": "x", "args": 1}]}}, ("x", 1, "/w")),
        (
            {"type": "function_call", "name": "shell", "arguments": '{"workdir": "/v"}'},
            ("shell", {"workdir": "/v"}, "/v"),
        ),
        ({"type": "custom_tool_call", "name": "apply_patch", "input": "*** a"}, ("apply_patch", "*** a", "")),
        ({"type": "function_call", "name": "shell", "arguments": DEEP}, ("shell", DEEP, "")),
        ({"type": "local_shell_call", "action": {"command": ["ls"]}}, ("shell", {"command": ["ls"]}, "")),
    ],
)
def test_a_call_has_a_name_arguments_and_a_folder(tmp_path: Path, record: object, call: tuple[object, ...]) -> None:
    """In the shapes of several agents; arguments that are no JSON are the text itself."""
    (tmp_path / "s.jsonl").write_text(json.dumps(record) + "\n")
    assert [call] == [(one.name, one.arguments, one.folder) for one in calls_in(tmp_path / "s.jsonl") or ()]


def test_a_line_ends_where_the_program_ended_it(tmp_path: Path) -> None:
    """Not at a sign inside of a text that ends lines elsewhere."""
    record = {"type": "tool_use", "name": "Edit", "input": {"text": "a\u2028b\x85c"}}
    (tmp_path / "s.jsonl").write_text(json.dumps(record, ensure_ascii=False) + "\r\n")
    assert ["Edit"] == [one.name for one in calls_in(tmp_path / "s.jsonl") or ()]


@table("text", ['{"type": "new_tool_event"}', '{"a": 1', DEEP, '{"type": "shell_started"}'])
def test_a_file_that_cannot_be_read_for_sure_says_nothing(tmp_path: Path, text: str) -> None:
    """A torn line, a record that is like a call, and a file that is not there."""
    (tmp_path / "s.jsonl").write_text(text + "\n")
    assert calls_in(tmp_path / "s.jsonl") is None
    assert calls_in(tmp_path / "none.jsonl") is None
