"""Whatever stands in the fields of a call: nothing fails, and nothing becomes the owner's act."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.sources.evidence import TOOLS, CallLog, CallResult, RecordPlace, deeds_of
from pipeline.adapters.sources.reading.records import identifier
from schemas.evidence import LONGEST
from tests.adapters.sources.evidence.test_acts import planned
from tests.support.builders.claude_lines import START
from tests.support.builders.tool_calls import BY_OWNER

NAMES = st.sampled_from(
    [
        "plan",
        "todos",
        "content",
        "status",
        "step",
        "title",
        "description",
        "command",
        "cmd",
        "path",
        "file_path",
        "filePath",
        "fact",
        "input",
        "taskId",
        "subject",
        "pending",
        "in_progress",
        "git commit -m x",
        "task",
        "id",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20) | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
ROWS = [(harness, tool) for harness, tools in TOOLS.items() for tool in tools]


@given(row=st.sampled_from(ROWS), arguments=JSON, outcome=JSON, succeeded=st.none() | st.booleans())
def test_any_arguments_and_outcome(row: tuple[str, str], arguments: object, outcome: object, succeeded: bool) -> None:  # noqa: FBT001 - drawn
    """Every text is short, and on one line."""
    log = CallLog()
    log.take_call(*row, "call_1", arguments, RecordPlace(1, START, "/home/tom/shop"))
    log.take_result("call_1", CallResult(succeeded, None, outcome))
    for one in log.evidence():
        assert one.kind not in BY_OWNER
        assert all(len(text) <= LONGEST and "\n" not in text for text in (one.text, *(todo.text for todo in one.todos)))


@given(call_id=JSON | st.just("call_1"), other=JSON | st.just("call_1"))
def test_any_id_of_a_call(call_id: object, other: object) -> None:
    """A result without its call is nothing, and so is a call without an id."""
    log = CallLog()
    log.take_call("claude_code", "Write", call_id, {"file_path": "a"}, RecordPlace(1, START, ""))
    log.take_result(other, CallResult(succeeded=True))
    assert (1 if identifier(call_id) and call_id == other else 0) == len(log.evidence())


@given(command=st.text(alphabet="git comush-m'\"\\;&|<>()$\n #EOF2x", max_size=60))
def test_any_command(command: str) -> None:
    """A command that is not understood did nothing that we know of."""
    assert all(isinstance(text, str) for _, text in deeds_of(command))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(decision=JSON, plan=JSON)
def test_only_the_programs_mark_of_the_owner_approves_a_plan(tmp_path: Path, decision: object, plan: object) -> None:
    """Any other value in its place is a no."""
    assert BY_OWNER.isdisjoint(one.kind for one in planned(tmp_path, plan, permissionDecision=decision).evidence)


@given(lines=st.lists(st.text(st.characters(), max_size=20), max_size=4))
def test_any_text_of_a_file_of_notes(lines: list[str]) -> None:
    """A program may write half of a sign, which no file takes."""
    log = CallLog()
    arguments = {"file_path": "MEMORY.md", "content": "\n".join([*lines, "- tea \ud83d"])}
    log.take_call("claude_code", "Write", "call_1", arguments, RecordPlace(1, START, ""))
    log.take_result("call_1", CallResult(succeeded=True))
    assert "tea \N{REPLACEMENT CHARACTER}" in [one.text for one in log.evidence()]
