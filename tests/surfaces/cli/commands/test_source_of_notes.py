"""Notes of agents beside the transcripts that show, or do not show, who wrote them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.app.recalling import recall_passages
from pipeline.process.context import ProcessContext
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.processes.command_line import Said
from tests.support.workspaces.two_projects import run

RULE = "We always deploy the shop on a Thursday morning, after the backup."
SETTINGS = """timezone = "UTC"
start = 2026-02-01T00:00:00Z

[[sources]]
kind = "claude_code"
path = "sessions"

[[sources]]
kind = "notes"
path = "repo"
name = "shop-notes"
patterns = ["CLAUDE.md", "AGENTS.md"]

[embedder]
kind = "none"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace beside a repository with two notes that say what the owner says; a session wrote one of them."""
    folder = tmp_path / "w"
    repository = tmp_path / "code/shop"
    (repository / ".git").mkdir(parents=True)
    for name in ("CLAUDE.md", "AGENTS.md"):
        (repository / name).write_text(f"- {RULE}\n", encoding="utf-8")
    spoken = ClaudeLines(cwd=str(repository))
    spoken.user(f"{RULE} And note that, please.")
    arguments = {"file_path": str(repository / "CLAUDE.md"), "content": "..."}
    spoken.assistant([{"type": "tool_use", "id": "toolu_1", "name": "Write", "input": arguments}])
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File created", "is_error": False}
    spoken.user([result], toolUseResult={"type": "create"})
    spoken.write(folder / "sessions/shop/8f1c2d.jsonl")
    (folder / "memory.toml").write_text(SETTINGS.replace('"repo"', f'"{repository}"'), encoding="utf-8")
    run(folder)
    return folder


def test_a_note_is_an_agents_where_a_transcript_shows_its_writing(root: Path, call: Callable[..., Said]) -> None:
    """A file of the same repository that says the owner's words and was not written there gains no trust by them."""
    shown = {
        name: call("show", "lines", f"shop-notes:{name}#L1", "--json", "--workspace", root).records[0]["trust"]
        for name in ("CLAUDE.md", "AGENTS.md")
    }
    assert {"CLAUDE.md": "agent's note", "AGENTS.md": "unattributed"} == shown


def test_a_note_makes_nothing_by_itself(root: Path, call: Callable[..., Said]) -> None:
    """Whatever is suggested stands on the message of the owner, and no entry or suggestion names a note."""
    for command in ("entries", "suggestions"):
        said = call(command, "--json", "--workspace", root).out
        assert ("shop-notes" in said, "AGENTS.md" in said) == (False, False)


def test_no_model_is_shown_a_note(root: Path, call: Callable[..., Said]) -> None:
    """What a context recalls is the workspace's own, whatever a note says about the question."""
    (root / "memory/projects").mkdir(parents=True, exist_ok=True)
    (root / "memory/projects/shop.md").write_text("The shop is deployed from the branch main.\n", encoding="utf-8")
    question = "when do we deploy the shop, on which morning, and from which branch?"
    assert "shop-notes:" in call("search", question, "--tier", "all", "--workspace", root).out
    places = [passage.place for passage in recall_passages(root, ProcessContext({}), question, (9, 0.0))]
    assert "memory/projects/shop.md#L1" in places
    assert not [place for place in places if place.startswith("shop-notes:")]


def test_the_settings_are_checked_with_the_notes(root: Path, call: Callable[..., Said]) -> None:
    """Their number, and each that is passed over with the reason."""
    repository = root.parent / "code/shop"
    (repository / "AGENTS.md").unlink()
    (repository / "AGENTS.md").symlink_to("/etc/hostname")
    said = call("config", "check", "--workspace", root)
    assert "source shop-notes: 1 note\n" in said.out
    assert "shop-notes:AGENTS.md is a link that leads out of its folder" in said.out


def test_a_source_without_search_is_in_no_answer(root: Path, call: Callable[..., Said]) -> None:
    """The next answer has none of it."""
    assert "shop-notes:CLAUDE.md" in call("search", "deploy Thursday morning backup", "--workspace", root).out
    settings = root / "memory.toml"
    changed = settings.read_text(encoding="utf-8").replace('name = "shop-notes"', 'name = "shop-notes"\nsearch = false')
    settings.write_text(changed, encoding="utf-8")
    assert "shop-notes" not in call("search", "deploy Thursday morning backup", "--workspace", root).out
