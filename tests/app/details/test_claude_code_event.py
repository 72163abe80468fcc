"""The event of Claude Code: what a newer version may send never makes the service stumble."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.app.details.claude_code_event import kept_fields, output
from tests.support.tables import table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(st.sampled_from(["Bash", "Grep", "WebFetch", "mcp__x__y", "Read", ""]), JSON, JSON)
def test_no_event_makes_it_fail(tool: str, answer: object, asked: object) -> None:
    """Whatever a newer version sends."""
    sent = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": asked, "tool_response": answer}
    fields = kept_fields(sent)
    if fields:
        assert "[MemoryRef: x]" in json.dumps(output(sent, "[MemoryRef: x]"))


@table(
    ("command", "is_ours"),
    [
        ("docker exec memory-db psql -c 'select 1'", False),
        ("cat memory.log && ls exec ", False),
        ("npm run memory execute", False),
        ("memory exec -- npm install", True),
        ("cd app && ~/.venv/bin/memory store show log_x_0123456789 --raw", True),
        ("sudo memory exec -- make", True),
        ("memory --workspace ~/notes store show log_x_0123456789", True),
        ("memory --workspace='/home/ola/my notes' exec -- make", True),
        ("memory --workspace ~/notes search exec", False),
    ],
)
def test_what_our_own_command_prints_is_left(command: str, *, is_ours: bool) -> None:
    """By the program and what follows it: another program may have the same words."""
    answer = {"stdout": "line\n" * 400, "stderr": "", "interrupted": False, "isImage": False}
    asked = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": answer}
    sent = {"hook_event_name": "PostToolUse"} | asked
    assert is_ours == (kept_fields(sent) is None)
