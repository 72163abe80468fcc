"""The hook of Claude Code: its protocol played as https://code.claude.com/docs/en/hooks documents it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.integration.probe import ProbeResult, probe_claude_code
from pipeline.workspace.asking import ASKING
from tests.support.processes.command_line import CommandLine, bare_environment
from tests.support.processes.serving_process import ADDRESS, serving_process
from tests.support.tables import table

LARGE = "".join(f"line {number} of the output\n" for number in range(400))
SMALL = "fine\n"
BASH = {"stdout": LARGE, "stderr": "", "interrupted": False, "isImage": False}
GREP = {"mode": "content", "numFiles": 0, "filenames": [], "content": LARGE, "numLines": 400}
FETCH = {"bytes": 9, "code": 200, "codeText": "OK", "result": LARGE, "durationMs": 5, "url": "https://example.org"}
BLOCKS = [{"type": "text", "text": LARGE}]
PATIENT = "import sys; from pipeline.surfaces.hook.main import main; sys.exit(main(60.0))"
WORDS = (sys.executable, "-c", PATIENT, "claude-code")
"""The hook, which waits for its answer as long as a busy machine may take."""
HURRIED = (sys.executable, "-m", "pipeline.surfaces.hook.main", "claude-code")
"""The hook as it is."""


def event(tool: str, answer: object, **given: object) -> dict[str, Any]:
    """What Claude Code sends after a tool."""
    return {
        "session_id": "abc123",
        "transcript_path": "/home/x/.claude/projects/x/abc123.jsonl",
        "cwd": "/home/x",
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": {"command": "npm install"} if tool == "Bash" else {},
        "tool_response": answer,
        "tool_use_id": "toolu_01ABC123",
        **given,
    }


class Hooked:
    """A workspace, and a configuration of Claude Code that has our server; `hook` is how the hook begins."""

    hook = WORDS

    def __init__(self, folder: Path) -> None:
        """The workspace is empty."""
        self.root, self.home = folder / "pamięć 记忆", folder / "home"
        for path in (self.root, self.home):
            path.mkdir()
        (self.root / "memory.toml").write_text('timezone = "UTC"\n')
        self.configuration = self.home / ".claude.json"
        self.configuration.write_text(json.dumps({"mcpServers": {"memory": {"args": [str(self.root)]}}}))

    @property
    def words(self) -> list[str]:
        """What Claude Code runs."""
        return [*self.hook, str(self.root), "jaskier", str(self.configuration)]

    def __call__(self, sent: object, **variables: str) -> Any:  # noqa: ANN401 - JSON
        """What Claude gets in place of a tool's answer; `None` when nothing was printed."""
        data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
        environment = bare_environment(self.home) | variables
        done = subprocess.run(self.words, input=data, capture_output=True, env=environment, check=True)
        if not done.stdout:
            return None
        given = json.loads(done.stdout)["hookSpecificOutput"]
        assert "PostToolUse" == given["hookEventName"]
        return given["updatedToolOutput"]


@pytest.fixture(scope="module")
def hooked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooked]:
    """One with a service."""
    made = Hooked(tmp_path_factory.mktemp("hooked"))
    with serving_process(made.root, made.home, MEMORY_EMBEDDER__KIND="none"):
        yield made


@pytest.fixture
def alone(tmp_path: Path) -> Hooked:
    """One without a service."""
    return Hooked(tmp_path)


@table(
    ("tool", "answer", "field"),
    [
        ("Bash", BASH, "stdout"),
        ("PowerShell", BASH, "stdout"),
        ("Grep", GREP, "content"),
        ("WebFetch", FETCH, "result"),
    ],
)
def test_a_large_output_is_replaced_in_the_shape_of_its_tool(
    hooked: Hooked, tool: str, answer: dict[str, Any], field: str
) -> None:
    """All fields and types stay: Claude Code ignores what does not fit the schema of a built-in tool."""
    new = hooked(event(tool, answer))
    assert {**answer, field: new[field]} == new
    assert "[MemoryRef: " in new[field]
    assert len(new[field]) < len(LARGE)


def test_a_question_of_ours_to_a_program_is_left_alone(hooked: Hooked) -> None:
    """The hook of a program that we asked does nothing: it could ask again, and so for ever."""
    assert hooked(event("Bash", BASH), **{ASKING: "1"}) is None


@table("ensure_ascii", [True, False])
def test_a_configuration_may_have_letters_or_escapes(hooked: Hooked, *, ensure_ascii: bool) -> None:
    """Programs write both; one that does not name the workspace has no use for a placeholder."""
    for name, replaced in ((str(hooked.root), True), (f"{hooked.root}-of-work", False)):
        hooked.configuration.write_text(json.dumps({"args": [name]}, ensure_ascii=ensure_ascii), encoding="utf-8")
        assert replaced == (hooked(event("Bash", BASH)) is not None)
    hooked.configuration.write_text(json.dumps({"args": [str(hooked.root)]}))


def test_errors_are_in_the_same_placeholder(hooked: Hooked) -> None:
    """`stderr` goes with `stdout`: nothing of it is lost, and nothing stands twice."""
    new = hooked(event("Bash", {**BASH, "stderr": "Error: no room left\n"}))
    assert ("", True) == (new["stderr"], "Error: no room left" in new["stdout"])
    key = new["stdout"].partition("[MemoryRef: ")[2].partition(" - ")[0]
    shown = CommandLine(hooked.home)("store", "show", key, "--raw", "--workspace", hooked.root)
    assert f"{LARGE}\nError: no room left\n" == shown.out
    (listed,) = [
        one
        for one in CommandLine(hooked.home)("store", "list", "--json", "--workspace", hooked.root).records
        if one["key"] == key
    ]
    assert ("jaskier", "abc123") == (listed["agent"], listed["thread"])


def test_any_name_and_any_layout_are_understood(hooked: Hooked) -> None:
    """Of the agent, of the folder and of the event: the hook passes them on without reading them."""
    answer = {**BASH, "stdout": f"zażółć \u2028 构建\n{LARGE}"}
    agent = 'jaśkier "the bard" \\'
    words = [*WORDS, str(hooked.root), agent, str(hooked.configuration)]
    for event_of_lines in (json.dumps(event("Bash", answer), indent=2), json.dumps(event("Bash", answer)) + "\r\n"):
        sent, environment = event_of_lines.encode(), bare_environment(hooked.home)
        done = subprocess.run(words, input=sent, capture_output=True, env=environment, check=True)
        assert b"[MemoryRef: " in done.stdout
    listed = CommandLine(hooked.home)("store", "list", "--json", "--workspace", hooked.root).records
    assert agent in {one["agent"] for one in listed}


def test_other_settings_than_the_service_has(hooked: Hooked) -> None:
    """Those of the store decide: the service might store elsewhere. Others do not, nor does the workspace's name."""
    assert hooked(event("Bash", BASH), MEMORY_STORE__THRESHOLD="700") is None
    assert hooked(event("Bash", BASH), MEMORY_WORKSPACE=str(hooked.root)) is not None


def test_it_imports_next_to_nothing() -> None:
    """An agent waits for it after every tool, and imports would take most of its time."""
    start = f"import os, sys; sys.path += {sys.path}; had = set(sys.modules)"
    code = f"{start}; import pipeline.surfaces.hook.main; print(*(set(sys.modules) - had))"
    done = subprocess.run([sys.executable, "-S", "-c", code], check=True, stdout=subprocess.PIPE)
    loaded = {name for name in done.stdout.decode().split() if not name.startswith("pipeline")}
    assert {"_socket"} == loaded


@table("answer", [LARGE, BLOCKS, {"content": BLOCKS}])
def test_the_answer_of_another_server_is_replaced(hooked: Hooked, answer: object) -> None:
    """In the form in which it came."""
    new = hooked(event("mcp__github__list_issues", answer))
    assert type(answer) is type(new)
    assert json.dumps(new).count("[MemoryRef: ") == 1


@table(
    "sent",
    [
        event("Bash", {**BASH, "stdout": SMALL}),
        event("Read", {"type": "text", "file": {"filePath": "/x.py", "content": LARGE}}),
        event("Edit", {"filePath": "/x.py", "oldString": LARGE}),
        event("mcp__memory__retrieve_memory", BLOCKS),
        event("mcp__notes__memory_search", BLOCKS),
        event("mcp__github__picture", [*BLOCKS, {"type": "image", "data": "x"}]),
        event("Bash", {**BASH, "isImage": True}),
        event("Bash", {**BASH, "persistedOutputPath": "/home/x/output.txt"}),
        event("Bash", BASH, tool_input={"command": "memory store show cmd_x_0123456789 --raw"}),
        event("Bash", BASH, hook_event_name="PreToolUse"),
        event("NewTool", {"output": LARGE}),
        event("Bash", LARGE),
        event("Bash", {**BASH, "stdout": ["x"]}),
        {"hook_event_name": "PostToolUse"},
        [],
        b"{broken",
        b"\xff\xfe",
        b"",
    ],
)
def test_all_else_stays_as_it_is(hooked: Hooked, sent: object) -> None:
    """What is small, what Claude edits, our own tools, pictures, unknown tools, broken events: nothing is printed."""
    assert hooked(sent) is None


def test_nothing_is_replaced_twice(hooked: Hooked) -> None:
    """Neither a placeholder of ours nor a page of a stored text; one that somebody invents is no placeholder."""
    first = hooked(event("Bash", BASH))["stdout"]
    assert hooked(event("Bash", {**BASH, "stdout": f"{first}\n{LARGE}"})) is None
    invented = "[MemoryRef: cmd_npm-install_0123456789 - npm install: fine]\n"
    assert hooked(event("Bash", {**BASH, "stdout": f"{invented}{LARGE}"})) is not None


def test_without_our_tools_there_are_no_placeholders(hooked: Hooked) -> None:
    """Nobody could read what they stand for."""
    before = hooked.configuration.read_text()
    hooked.configuration.write_text('{"mcpServers": {}}')
    assert hooked(event("Bash", BASH)) is None
    hooked.configuration.unlink()
    assert hooked(event("Bash", BASH)) is None
    hooked.configuration.write_text(before)


def test_a_probe_proves_that_it_arrives(hooked: Hooked) -> None:
    """By the same protocol; a hook that is not there, or prints something else, does not pass."""
    hooks = (hooked.words, ["true"], ["echo", "{}"], [str(hooked.root / "no-such-hook")])
    assert [ProbeResult.REPLACED, ProbeResult.LEFT, ProbeResult.BROKEN, ProbeResult.BROKEN] == [
        probe_claude_code(hook, 60) for hook in hooks
    ]


def test_without_a_service_claude_gets_the_original(alone: Hooked) -> None:
    """Nothing is printed, nothing is stored."""
    assert alone(event("Bash", BASH)) is None
    assert not (alone.root / "store").exists()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b'{"told": {"hookSpecificOutput": {}}}\n',
        b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{broken",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n5",
        b'HTTP/1.1 409 Conflict\r\ncontent-length: 18\r\n\r\n{"detail": "full"}',
    ],
)
def test_a_service_at_fault_is_as_none(alone: Hooked, answer: bytes) -> None:
    """One of a version before, one that breaks off in the middle, answers nonsense, or cannot store."""
    place = alone.home / "s"
    (alone.root / ADDRESS).parent.mkdir(parents=True)
    (alone.root / ADDRESS).write_text(f"{place}\n")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.fspath(place))
        listener.listen()
        environment = bare_environment(alone.home)
        with subprocess.Popen(alone.words, stdin=-1, stdout=-1, stderr=-1, env=environment) as process:
            assert process.stdin
            process.stdin.write(json.dumps(event("Bash", BASH)).encode())
            process.stdin.close()
            process.stdin = None
            line, _ = listener.accept()
            with line, line.makefile("rb") as questions:
                assert b"POST /v8/replace HTTP/1.1\r\n" == questions.readline()
                length = next(int(header[16:]) for header in questions if header.startswith(b"Content-Length: "))
                assert b"line 7 of the output" in questions.read(2 + length)
                line.sendall(answer)
            assert (b"", b"") == process.communicate()
        assert 0 == process.returncode


def test_a_slow_service_is_not_waited_for(alone: Hooked) -> None:
    """It is as none after its limit."""
    place = alone.home / "s"
    (alone.root / ADDRESS).parent.mkdir(parents=True)
    (alone.root / ADDRESS).write_text(f"{place}\n")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.fspath(place))
        listener.listen()
        alone.hook = HURRIED
        assert alone(event("Bash", BASH)) is None
