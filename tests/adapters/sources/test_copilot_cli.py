"""The source of GitHub Copilot's terminal program holds to the contract, and knows who speaks."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import copilot_cli
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.stamped_lines import CopilotLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source

ID = "11111111-2222-4333-8444-555555555555"


source = partial(opened_source, copilot_cli)


def read(root: Path, lines: CopilotLines, path: str = f"{ID}/events.jsonl") -> Session:
    """The session in a file with these lines."""
    return lines.read(source(root), root, path)


class TestCopilotSource(FileSourceContract):
    """The contract, over files of events."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return source(root)

    def file_name(self, session_id: str) -> str:  # noqa: ARG002 - the folder above has the id
        """All files have one name."""
        return "events.jsonl"

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = CopilotLines(session_id)
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user("żółć \ud83d 好")
        return file.lines


def test_knows_where_the_program_leaves_its_sessions(tmp_path: Path) -> None:
    """The folder from the environment goes first."""
    home = tmp_path / ".copilot/session-state"
    assert (Path("/a/session-state"), home) == copilot_cli.KIND.roots(tmp_path, {"COPILOT_HOME": "/a"})
    assert (home,) == copilot_cli.KIND.roots(tmp_path, {})


def test_only_events_are_a_session(tmp_path: Path) -> None:
    """Earlier versions had no folder for each session."""
    for name in ("a/events.jsonl", "a/checkpoints.jsonl", f"{ID}.jsonl", "a/plan.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [f"{ID}.jsonl", "a/events.jsonl"] == [file.path for file in source(tmp_path).files()]


def test_the_first_event_names_the_session(tmp_path: Path) -> None:
    """Without it the folder does, or the file."""
    lines = CopilotLines()
    lines.user("one queue")
    session = read(tmp_path, lines)
    assert ("8f1c2d", "/home/tom/shop", False) == (session.session_id, session.project, session.machine)
    del lines.lines[0]
    assert ID == read(tmp_path, lines).session_id
    assert ID == read(tmp_path, lines, f"{ID}.jsonl").session_id


def test_messages_that_no_person_typed_are_a_machines(tmp_path: Path) -> None:
    """Skills, timers, other agents and the autopilot speak in a person's place."""
    lines = CopilotLines()
    marks: list[dict[str, Any]] = [
        {"source": "skill-pdf"},
        {"source": "agent-7"},
        {"source": "autopilot"},
        {"isAutopilotContinuation": True},
        {"inputOrigin": "authenticated-cross-session"},
    ]
    for mark in marks:
        lines.user("go on", **mark)
    lines.event("user.message", {"content": "go on"}, agentId="a")
    lines.user("<reminder>go on</reminder>\none queue", source="user")
    assert [("machine", "go on")] * 6 + [("owner", "one queue")] == said(read(tmp_path, lines))


def test_answers_of_sub_agents_are_a_machines(tmp_path: Path) -> None:
    """They answer the agent."""
    lines = CopilotLines()
    lines.assistant("done", parentToolCallId="c")
    lines.event("assistant.message", {"content": "done"}, agentId="a")
    lines.assistant("One.")
    assert ["machine", "machine", "assistant"] == [origin for origin, _ in said(read(tmp_path, lines))]


def test_a_session_that_another_one_started_is_a_machines(tmp_path: Path) -> None:
    """Its first event names the other."""
    lines = CopilotLines(detachedFromSpawningParentSessionId="boss")
    lines.user("do it")
    session = read(tmp_path, lines)
    assert (True, "boss") == (session.machine, session.parent)


def test_results_of_tools_are_known_by_the_tools_name(tmp_path: Path) -> None:
    """The name stands where the tool starts."""
    lines = CopilotLines()
    for name in ("web_fetch", "bash"):
        lines.event("tool.execution_start", {"toolCallId": name, "toolName": name})
        lines.event("tool.execution_complete", {"toolCallId": name, "result": {"content": "text"}})
    lines.event("tool.execution_complete", {"toolCallId": "bash", "error": {"message": "no"}})
    assert [("web", "text"), ("tool", "text"), ("tool", "no")] == said(read(tmp_path, lines))


def test_summaries_and_instructions_are_nobodys_words(tmp_path: Path) -> None:
    """A summary repeats what was said."""
    lines = CopilotLines()
    lines.event("system.message", {"role": "system", "content": "Be brief."})
    lines.event("session.compaction_complete", {"summaryContent": "They want one queue."})
    assert ["machine", "memory"] == [origin for origin, _ in said(read(tmp_path, lines))]


def test_what_was_rewound_is_gone(tmp_path: Path) -> None:
    """An event and all after it was taken back."""
    lines = CopilotLines()
    lines.user("one queue")
    turn = lines.event("assistant.turn_start", {})
    lines.assistant("One.")
    lines.event("session.snapshot_rewind", {"upToEventId": turn, "eventsRemoved": 2})
    lines.event("session.snapshot_rewind", {"upToEventId": "gone", "eventsRemoved": 2})
    lines.user("three")
    session = read(tmp_path, lines)
    assert [("owner", "one queue"), ("owner", "three")] == said(session)
    assert 1 == session.skipped["rewound"]


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """Events of known families without words are not."""
    lines = CopilotLines()
    lines.user("one queue")
    lines.event("hook.start", {})
    lines.event("hologram.shown", {"text": "it will rain"})
    assert {"no_conversation": 2, "unknown_record:hologram.shown": 1} == read(tmp_path, lines).skipped
