"""Where OpenClaw's sessions are, whatever folder the settings name."""

from contextlib import closing
from pathlib import Path

import pytest

from pipeline.adapters.sources import openclaw
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.builders.openclaw_store import NAME, OpenClawStoreFile


def chat(session_id: str) -> OpenClawLines:
    """A session with a message of the owner."""
    lines = OpenClawLines(session_id)
    lines.user(f"said in {session_id}")
    return lines


def source(root: Path) -> TranscriptSource:
    """The source over `root`, as the application opens it."""
    return openclaw.KIND.source(SourcePlace(SourceSettings(kind="openclaw", path=str(root)), root.resolve(), "UTC"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder in which the agent has moved to its store, and has left a file."""
    agent = tmp_path / ".openclaw/agents/main"
    made = OpenClawStoreFile(agent)
    with closing(made.agent):
        made.put(chat("new"))
    chat("old").write(agent / "sessions/old.jsonl")
    chat("copy").write(agent / "session-sqlite-import-archive/copy.jsonl")
    chat("tool").write(tmp_path / ".openclaw/tools/node_modules/tool.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    "named",
    [
        ".openclaw",
        ".openclaw/agents",
        ".openclaw/agents/main",
        ".openclaw/agents/main/sessions",
        ".clawdbot",
        ".clawdbot/agents/main/sessions",
    ],
)
@pytest.mark.parametrize("linked", [True, False])
def test_settings_of_before_lead_to_the_store(home: Path, named: str, *, linked: bool) -> None:
    """Any folder that a person has named; `.clawdbot` was moved, and may be a link now."""
    if linked:
        (home / ".clawdbot").symlink_to(home / ".openclaw")
    opened = source(home / named)
    paths = [file.path for file in opened.files()]
    read = [session for path in paths for session in opened.read(path)]
    assert {("new", "main"), ("old", "main")} == {(session.session_id, session.agent) for session in read}
    assert ["said in new", "said in old"] == sorted(text for session in read for _, text in said(session))
    assert sorted(set(paths)) == paths
    assert any(path.endswith(f"agent/{NAME}/new") for path in paths)


def test_a_folder_that_was_not_moved_is_read(tmp_path: Path) -> None:
    """As long as the old one is there, it is the one that the settings mean."""
    chat("old").write(tmp_path / ".clawdbot/agents/main/sessions/old.jsonl")
    (tmp_path / ".openclaw").mkdir()
    assert ["agents/main/sessions/old.jsonl"] == [file.path for file in source(tmp_path / ".clawdbot").files()]


def test_no_default_root_is_inside_another(tmp_path: Path) -> None:
    """Else its sessions would be listed twice; of two names of a folder the first stands."""
    state, openclaw_home, pi = tmp_path / "state", tmp_path / ".openclaw", tmp_path / ".pi/agent/sessions"
    openclaw_home.mkdir()
    (tmp_path / ".clawdbot").symlink_to(openclaw_home)
    expected = {
        "": (openclaw_home, pi),
        str(state): (state, openclaw_home, pi),
        str(openclaw_home): (openclaw_home, pi),
        str(openclaw_home / "profiles/a"): (openclaw_home, pi),
        str(tmp_path): (tmp_path,),
    }
    assert expected == {
        named: openclaw.KIND.roots(tmp_path, {"OPENCLAW_STATE_DIR": named} if named else {}) for named in expected
    }
