"""Each row of the table of tools, over the records of its harness."""

from pathlib import Path
from typing import Any

from pipeline.adapters.sources.evidence import TOOLS
from schemas.evidence import EvidenceKind, Todo
from schemas.transcript import Session
from tests.support.builders.tool_calls import BY_OWNER, CALLS, Ended
from tests.support.tables import table

LIST = [("Write the tests", "pending"), ("Fix the build", "in_progress"), ("Read the code", "completed")]
OPEN = (Todo(text="Write the tests"), Todo(text="Fix the build", begun=True))
COMMIT = "git add -A && git commit -qm 'shop: count in grosze' && git push origin main"
PATCH = "*** Begin Patch\n*** Update File: src/cart.py\n@@\n-a\n+b\n*** End Patch\n"

LISTS = {
    ("claude_code", "TodoWrite"): ("todos", "content"),
    ("codex", "update_plan"): ("plan", "step"),
    ("gemini_cli", "write_todos"): ("todos", "description"),
    ("qwen", "todo_write"): ("todos", "content"),
    ("openclaw", "update_plan"): ("plan", "step"),
    ("opencode", "todowrite"): ("todos", "content"),
    ("kimi", "TodoList"): ("todos", "title"),
}
SHELLS: dict[tuple[str, str], Any] = {
    ("claude_code", "Bash"): {"command": COMMIT},
    ("codex", "exec_command"): {"cmd": COMMIT},
    ("codex", "shell"): {"command": ["bash", "-lc", COMMIT]},
    ("codex", "shell_command"): {"command": COMMIT},
    ("openclaw", "exec"): {"command": COMMIT},
    ("openclaw", "bash"): {"command": COMMIT},
    ("opencode", "bash"): {"command": COMMIT},
    ("kimi", "Bash"): {"command": COMMIT},
    ("copilot_cli", "bash"): {"command": COMMIT},
}
FILES: dict[tuple[str, str], Any] = {
    ("claude_code", "Write"): {"file_path": "src/cart.py", "content": "x"},
    ("claude_code", "Edit"): {"file_path": "src/cart.py", "old_string": "x", "new_string": "y"},
    ("claude_code", "MultiEdit"): {"file_path": "src/cart.py", "edits": []},
    ("claude_code", "NotebookEdit"): {"notebook_path": "src/cart.py", "new_source": "x"},
    ("codex", "apply_patch"): PATCH,
    ("gemini_cli", "write_file"): {"file_path": "src/cart.py", "content": "x"},
    ("gemini_cli", "replace"): {"file_path": "src/cart.py", "old_string": "x", "new_string": "y"},
    ("qwen", "write_file"): {"file_path": "src/cart.py", "content": "x"},
    ("qwen", "edit"): {"file_path": "src/cart.py", "old_string": "x", "new_string": "y"},
    ("openclaw", "write"): {"path": "src/cart.py", "content": "x"},
    ("openclaw", "edit"): {"path": "src/cart.py", "edits": []},
    ("opencode", "write"): {"filePath": "src/cart.py", "content": "x"},
    ("opencode", "edit"): {"filePath": "src/cart.py", "oldString": "x", "newString": "y"},
    ("kimi", "Write"): {"path": "src/cart.py", "content": "x"},
    ("kimi", "Edit"): {"path": "src/cart.py", "old_string": "x", "new_string": "y"},
    ("copilot_cli", "create"): {"path": "src/cart.py", "file_text": "x"},
    ("copilot_cli", "edit"): {"path": "src/cart.py", "old_str": "x", "new_str": "y"},
}
NOTES = [("gemini_cli", "save_memory"), ("qwen", "save_memory")]
ONE_BY_ONE = {("claude_code", "TaskCreate"), ("claude_code", "TaskUpdate")}
PLANS = {("claude_code", "ExitPlanMode"), ("claude_code", "exit_plan_mode")}


def proven(session: Session) -> list[tuple[EvidenceKind, str]]:
    """Each kind with its text."""
    return [(one.kind, one.text) for one in session.evidence]


def test_every_row_has_a_sample() -> None:
    """Those of plans and of lists task by task have their own pages of tests."""
    rows = {(harness, tool) for harness, tools in TOOLS.items() for tool in tools}
    assert {*LISTS, *SHELLS, *FILES, *NOTES, *ONE_BY_ONE, *PLANS} == rows


@table(("harness", "tool"), LISTS)
def test_a_list_has_its_open_items(tmp_path: Path, harness: str, tool: str) -> None:
    """Its last state counts also when its result never came; what was refused or failed is no list."""
    items, words = LISTS[harness, tool]
    arguments = {items: [{words: text, "status": state, "id": "1"} for text, state in LIST]}
    for ended, todos in ((Ended.WELL, [OPEN]), (Ended.NOT, [OPEN]), (Ended.BADLY, [])):
        (folder := tmp_path / ended.value).mkdir()
        session = CALLS[harness](folder, tool, arguments, ended)
        assert todos == [one.todos for one in session.evidence if one.kind is EvidenceKind.TODOS]


@table(("harness", "tool"), SHELLS)
def test_a_command_that_succeeded_made_its_commits(tmp_path: Path, harness: str, tool: str) -> None:
    """The title of a commit stands in the call; one without a result, or that failed, made none."""
    made = [(EvidenceKind.COMMIT, "shop: count in grosze"), (EvidenceKind.PUSH, "origin main")]
    for ended, expected in ((Ended.WELL, made), (Ended.NOT, []), (Ended.BADLY, [(EvidenceKind.FAILED, COMMIT)])):
        (folder := tmp_path / ended.value).mkdir()
        assert expected == proven(CALLS[harness](folder, tool, SHELLS[harness, tool], ended))


@table(("harness", "tool"), FILES)
def test_a_file_was_written_when_the_call_succeeded(tmp_path: Path, harness: str, tool: str) -> None:
    """A call that was refused, or whose result never came, wrote none."""
    for ended, expected in ((Ended.WELL, [(EvidenceKind.FILE, "src/cart.py")]), (Ended.NOT, []), (Ended.BADLY, [])):
        (folder := tmp_path / ended.value).mkdir()
        assert expected == proven(CALLS[harness](folder, tool, FILES[harness, tool], ended))


@table(("harness", "tool"), NOTES)
def test_a_memory_tool_is_the_agents_note(tmp_path: Path, harness: str, tool: str) -> None:
    """Whoever it is about: the assistant called it."""
    session = CALLS[harness](tmp_path, tool, {"fact": "The owner likes tabs."}, Ended.WELL)
    assert [(EvidenceKind.NOTE, "The owner likes tabs.")] == proven(session)
    assert BY_OWNER.isdisjoint(one.kind for one in session.evidence)


NEW, OLD = "Deploy on Mondays.", "Deploy on Fridays."
NOTED: dict[tuple[str, str], Any] = {
    ("claude_code", "Write"): {"file_path": "CLAUDE.md", "content": NEW},
    ("claude_code", "Edit"): {"file_path": "CLAUDE.md", "old_string": OLD, "new_string": f"{OLD}\n- {NEW}"},
    ("claude_code", "MultiEdit"): {"file_path": "CLAUDE.md", "edits": [{"old_string": OLD, "new_string": NEW}]},
    ("codex", "apply_patch"): f"*** Begin Patch\n*** Update File: CLAUDE.md\n@@\n {OLD}\n+{NEW}\n*** End Patch\n",
    ("gemini_cli", "write_file"): {"file_path": "CLAUDE.md", "content": NEW},
    ("gemini_cli", "replace"): {"file_path": "CLAUDE.md", "old_string": OLD, "new_string": f"{OLD}\n{NEW}"},
    ("qwen", "write_file"): {"file_path": "CLAUDE.md", "content": NEW},
    ("qwen", "edit"): {"file_path": "CLAUDE.md", "old_string": OLD, "new_string": NEW},
    ("openclaw", "write"): {"path": "CLAUDE.md", "content": NEW},
    ("openclaw", "edit"): {"path": "CLAUDE.md", "edits": [{"oldText": OLD, "newText": NEW}]},
    ("opencode", "write"): {"filePath": "CLAUDE.md", "content": NEW},
    ("opencode", "edit"): {"filePath": "CLAUDE.md", "oldString": OLD, "newString": NEW},
    ("kimi", "Write"): {"path": "CLAUDE.md", "content": NEW},
    ("kimi", "Edit"): {"path": "CLAUDE.md", "old_string": OLD, "new_string": NEW},
    ("copilot_cli", "create"): {"path": "CLAUDE.md", "file_text": NEW},
    ("copilot_cli", "edit"): {"path": "CLAUDE.md", "old_str": OLD, "new_str": NEW},
}


@table(("harness", "tool"), NOTED)
def test_new_lines_of_a_file_of_notes_are_notes(tmp_path: Path, harness: str, tool: str) -> None:
    """With its file; a call that failed, or whose result never came, wrote none."""
    for ended, expected in ((Ended.WELL, [(NEW, "CLAUDE.md")]), (Ended.NOT, []), (Ended.BADLY, [])):
        (folder := tmp_path / ended.value).mkdir()
        session = CALLS[harness](folder, tool, NOTED[harness, tool], ended)
        assert expected == [(one.text, one.about) for one in session.evidence if one.kind is EvidenceKind.NOTE]


@table(
    ("tool", "arguments"),
    [
        ("write", {"file_path": "MEMORY.md", "content": NEW}),
        ("edit", {"file_path": "MEMORY.md", "old_string": OLD, "new_string": NEW}),
    ],
)
def test_openclaw_takes_other_names_of_its_fields(tmp_path: Path, tool: str, arguments: dict[str, str]) -> None:
    """Models of other makers use those that they were trained with, and it accepts them."""
    session = CALLS["openclaw"](tmp_path, tool, arguments, Ended.WELL)
    assert [(EvidenceKind.FILE, "MEMORY.md"), (EvidenceKind.NOTE, NEW)] == proven(session)


def test_only_files_of_notes_have_notes(tmp_path: Path) -> None:
    """By their names, on either side of the world; a huge line is none, and a huge file has few."""
    few, many = f"{NEW}\n{'x' * 400}", "\n".join(f"Rule {number}." for number in range(9_000))
    files = {
        "C:\\shop\\AGENTS.md": (few, 1),
        "/h/.claude/projects/-h-shop/memory/work.md": (few, 1),
        "/h/shop/.cursor/rules/style.mdc": (few, 1),
        "/h/shop/memory/2026-02-02.md": (few, 1),
        "/h/shop/README.md": (few, 0),
        "/h/shop/memory.py": (few, 0),
        "/h/shop/GEMINI.md": (many, 500),
        "/h/shop/MEMORY.md": ("\0\1\2" * 100_000, 0),
    }
    for place, (name, (content, expected)) in enumerate(files.items()):
        (folder := tmp_path / str(place)).mkdir()
        session = CALLS["claude_code"](folder, "Write", {"file_path": name, "content": content}, Ended.WELL)
        assert (name, expected) == (name, sum(one.kind is EvidenceKind.NOTE for one in session.evidence))


@table("harness", CALLS)
def test_a_servers_tool_is_no_row(tmp_path: Path, harness: str) -> None:
    """Neither is one whose name only looks like a row's."""
    for number, tool in enumerate(("mcp__x__TodoWrite", "server_todowrite", "todowrite2", "memory_save", "")):
        (folder := tmp_path / str(number)).mkdir()
        arguments = {"todos": [{"content": "Pay the invoice", "status": "pending"}], "command": COMMIT}
        assert [] == proven(CALLS[harness](folder, tool, arguments, Ended.WELL))
