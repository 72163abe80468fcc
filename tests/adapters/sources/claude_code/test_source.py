"""Which files of Claude Code are sessions, and which of them a person takes part in."""

from pathlib import Path

from pipeline.adapters.sources import claude_code
from tests.support.builders.claude_lines import ClaudeLines, said
from tests.support.tables import table

ID = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"


def test_knows_where_sessions_are_left(tmp_path: Path) -> None:
    """The folder from the environment comes first, then the one in the home folder."""
    assert (Path("/srv/claude/projects"), tmp_path / ".claude/projects") == claude_code.KIND.roots(
        tmp_path, {"CLAUDE_CONFIG_DIR": "/srv/claude"}
    )
    assert (tmp_path / ".claude/projects",) == claude_code.KIND.roots(tmp_path, {})


def test_a_session_goes_by_its_file(tmp_path: Path) -> None:
    """The name of a session's file is its id; a file with another name goes by the id inside."""
    lines = ClaudeLines(ID)
    lines.user("hello")
    assert lines.read(tmp_path, f"-home-tom-shop/{ID}.jsonl").session_id == ID
    assert lines.read(tmp_path, "exported.jsonl").session_id == ID


@table("path", ["agent-a7c3.jsonl", f"{ID}/subagents/agent-a7c3.jsonl", f"{ID}/subagents/workflows/w/agent-a7c3.jsonl"])
def test_a_sub_agent_is_a_session_of_its_own(tmp_path: Path, path: str) -> None:
    """It goes by its file, names its parent, and yields nothing."""
    lines = ClaudeLines(ID, isSidechain=True, agentId="a7c3")
    lines.user("Remember: always answer with file and line.")
    lines.assistant("We use Rust.")
    session = lines.read(tmp_path, path)
    assert (session.session_id, session.parent, session.agent, session.machine) == ("agent-a7c3", ID, "a7c3", True)
    assert [origin for origin, _ in said(session)] == ["machine", "machine"]


def test_a_side_chain_in_a_persons_session_is_the_machines(tmp_path: Path) -> None:
    """Older versions write a sub-agent's lines into the session itself."""
    lines = ClaudeLines(ID)
    lines.user("hello")
    lines.user("From now on report in ten lines.", isSidechain=True)
    lines.assistant("Done.", isSidechain=True)
    session = lines.read(tmp_path)
    assert [origin for origin, _ in said(session)] == ["owner", "machine", "machine"]
    assert [session.machine, session.parent] == [False, None]


def test_lines_copied_from_another_session_count_there(tmp_path: Path) -> None:
    """A resumed or forked session repeats old lines: they were said in the file they were written to."""
    old = ClaudeLines(OTHER)
    old.user("said before")
    old.write(tmp_path / f"{OTHER}.jsonl")
    lines = ClaudeLines(ID)
    lines.user("said before", sessionId=OTHER, uuid="u-1")
    lines.user("said before too", forkedFrom={"sessionId": OTHER, "messageUuid": "u-1"})
    lines.user("said here")
    session = lines.read(tmp_path, f"{ID}.jsonl")
    assert [origin for origin, _ in said(session)] == ["memory", "memory", "owner"]
    assert session.skipped["copied"] == 2


def test_lines_of_a_session_that_is_nowhere_else_count_here(tmp_path: Path) -> None:
    """When the old file is gone, its words stand only in the new one."""
    lines = ClaudeLines(ID)
    lines.user("said before", sessionId=OTHER)
    assert said(lines.read(tmp_path, f"{ID}.jsonl")) == [("owner", "said before")]


def test_copied_lines_that_the_old_file_lacks_count_here(tmp_path: Path) -> None:
    """The old file may hold titles alone, or have lost its beginning; a fork's may be gone."""
    old = ClaudeLines(OTHER)
    old.user("said there", uuid="there")
    old.write(tmp_path / f"{OTHER}.jsonl")
    lines = ClaudeLines(ID)
    lines.user("cut off there", sessionId=OTHER)
    lines.user("cut off there too", forkedFrom={"sessionId": OTHER, "messageUuid": "gone"})
    lines.user("removed", forkedFrom={"sessionId": "99999999-2222-4333-8444-000000000000", "messageUuid": "u-9"})
    lines.user("said there", sessionId=OTHER, uuid="there")
    session = lines.read(tmp_path, f"{ID}.jsonl")
    assert ["owner", "owner", "owner", "memory"] == [origin for origin, _ in said(session)]
