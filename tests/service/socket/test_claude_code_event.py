"""The event of Claude Code: what a newer version may send never makes the service stumble."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.socket.claude_code_event import kept_fields, output

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
