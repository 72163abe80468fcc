"""The owner's acts in the records of Claude Code: plans, answers, and what the program was proven to remember."""

from pathlib import Path
from typing import Any

from schemas.evidence import EvidenceKind
from schemas.transcript import Session
from tests.support.builders.claude_lines import ClaudeLines, said
from tests.support.tables import table

PLAN = "# Plan: count in grosze\n\n1. Change the cart.\n2. Always round up.\n"
BY_HAND = {"decision": "accept", "source": "user_temporary"}
REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing.\n\n"
    "To tell you how to proceed, the user said:\nuse two columns"
)


def planned(root: Path, plan: object = PLAN, content: str = "User has approved your plan.", **fields: Any) -> Session:  # noqa: ANN401 - any JSON
    """A session in which a plan was shown, with the fields of the line of its result."""
    lines = ClaudeLines()
    lines.user("make a plan")
    lines.assistant([{"type": "tool_use", "id": "toolu_1", "name": "ExitPlanMode", "input": {"plan": plan}}])
    failed = fields.pop("is_error", False)
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content, "is_error": failed}
    lines.user([result], **({"toolUseResult": {"plan": plan, "isAgent": False}} | fields))
    return lines.read(root)


def acts(session: Session) -> list[tuple[str, str]]:
    """Each kind with its text."""
    return [(one.kind.value, one.text) for one in session.evidence]


@table("source", ["user_temporary", "user_permanent", "user"])
def test_a_plan_that_the_owner_approved(tmp_path: Path, source: str) -> None:
    """By its title, without the marks."""
    session = planned(tmp_path, permissionDecision=BY_HAND | {"source": source})
    assert [("plan_approved", "count in grosze")] == acts(session)


@table(
    "fields",
    [
        {},
        {"permissionDecision": None},
        {"permissionDecision": "user"},
        {"permissionDecision": {"decision": "accept"}},
        {"permissionDecision": {"decision": "accept", "source": "hook"}},
        {"permissionDecision": {"decision": "accept", "source": "config", "reasonType": "rule"}},
        {"permissionDecision": {"decision": "accept", "source": "classifier", "reasonType": "mode"}},
        {"permissionDecision": {"decision": "reject", "source": "user_reject"}},
        {"permissionDecision": BY_HAND, "isSidechain": True},
        {"permissionDecision": BY_HAND, "entrypoint": "sdk-cli"},
        {"permissionDecision": BY_HAND, "isMeta": True},
    ],
)
def test_a_plan_that_a_mode_or_a_hook_approved_is_not_the_owners(tmp_path: Path, fields: dict[str, Any]) -> None:
    """What is not known is a no, whatever the text of the result says."""
    assert [] == acts(planned(tmp_path, **fields))


def test_a_plan_that_the_owner_refused(tmp_path: Path) -> None:
    """The reason is a message of the owner's own."""
    session = planned(tmp_path, content=REFUSAL, is_error=True, toolUseResult=f"Error: {REFUSAL}")
    assert [("plan_rejected", "count in grosze")] == acts(session)
    assert ("owner", "use two columns") in said(session)


def test_a_plan_that_opens_a_new_session(tmp_path: Path) -> None:
    """It was approved with a clear context: the program begins the session with it."""
    lines = ClaudeLines()
    lines.user(f"Implement the following plan:\n\n{PLAN}", planContent=PLAN)
    lines.user("and the tests")
    assert [("plan_approved", "count in grosze")] == acts(lines.read(tmp_path))


def test_a_plan_of_thirty_thousand_characters_is_its_title(tmp_path: Path) -> None:
    """Nothing else of it is kept; a title of that length is cut."""
    long = planned(tmp_path, "# Big\n" + "and more\n" * 4_000, permissionDecision=BY_HAND)
    assert [("plan_approved", "Big")] == acts(long)
    wide = planned(tmp_path, "x" * 30_000, permissionDecision=BY_HAND)
    assert [300] == [len(text) for _, text in acts(wide)]


def test_all_answers_of_a_dialog_stand_behind_their_questions(tmp_path: Path) -> None:
    """Also when there are several, of which one was not answered."""
    lines = ClaudeLines()
    call = lines.asks("Which database?", "Which city?", "Which port?")
    lines.answers(call, {"Which port?": "5433", "Which database?": "Postgres"})
    proven = [(one.kind, one.about, one.text, one.number) for one in lines.read(tmp_path).evidence]
    answer = EvidenceKind.ANSWER
    assert [(answer, "Which database?", "Postgres", 2), (answer, "Which port?", "5433", 2)] == proven


@table(
    "typed",
    [
        "<user-memory-input>faktury w groszach</user-memory-input>",
        (
            "<command-name>/remember</command-name>\n<command-message>remember</command-message>\n"
            "<command-args>faktury w groszach</command-args>"
        ),
        (
            "<command-message>remember</command-message>\n<command-name>/remember</command-name>\n"
            "<command-args>faktury w groszach</command-args>"
        ),
    ],
)
def test_what_the_owner_gave_the_program_to_remember(tmp_path: Path, typed: str) -> None:
    """The words are the owner's message."""
    lines = ClaudeLines()
    lines.user(typed)
    session = lines.read(tmp_path)
    assert [("remember", "faktury w groszach")] == acts(session)
    assert [("owner", "faktury w groszach")] == said(session)


@table(
    ("typed", "fields"),
    [
        ("<user-memory-input>x</user-memory-input>", {"isMeta": True}),
        ("<user-memory-input>x</user-memory-input>", {"isSidechain": True}),
        ("<user-memory-input> </user-memory-input>", {}),
        ("look: <user-memory-input>x</user-memory-input>", {}),
        ("<command-name>/remember-all</command-name><command-args>x</command-args>", {}),
        ("# remember x", {}),
    ],
)
def test_what_only_looks_like_it_is_no_such_act(tmp_path: Path, typed: str, fields: dict[str, Any]) -> None:
    """A paste, a program's line, another command."""
    lines = ClaudeLines()
    lines.user("hello")
    lines.user(typed, **fields)
    assert [] == acts(lines.read(tmp_path))


def test_a_list_that_grows_task_by_task(tmp_path: Path) -> None:
    """The id of a new task stands in the program's own field."""
    lines = ClaudeLines()
    lines.user("go on")
    steps: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("TaskCreate", {"subject": "Write the tests"}, {"task": {"id": "1", "subject": "Write the tests"}}),
        ("TaskCreate", {"subject": "Fix the build"}, {"task": {"id": "2", "subject": "Fix the build"}}),
        ("TaskUpdate", {"taskId": "2", "status": "in_progress"}, {"success": True, "taskId": "2"}),
        ("TaskUpdate", {"taskId": "1", "status": "completed"}, {"success": True, "taskId": "1"}),
    ]
    for number, (tool, arguments, outcome) in enumerate(steps):
        lines.assistant([{"type": "tool_use", "id": f"t{number}", "name": tool, "input": arguments}])
        lines.user([{"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}], toolUseResult=outcome)
    (*_, last) = lines.read(tmp_path).evidence
    assert [("Fix the build", True)] == [(todo.text, todo.begun) for todo in last.todos]


def test_a_paste_that_looks_like_a_list_or_a_record_is_none(tmp_path: Path) -> None:
    """Only the fields of a call count."""
    lines = ClaudeLines()
    lines.user('- [ ] Pay the invoice\n- [x] Call\n{"type": "tool_use", "name": "TodoWrite", "input": {"todos": []}}')
    lines.result('{"todos": [{"content": "Pay", "status": "pending"}], "permissionDecision": {"source": "user"}}')
    assert [] == acts(lines.read(tmp_path))
