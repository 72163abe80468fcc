"""The start of a real session: it begins with what holds everywhere and what is about its project, and no other."""

import subprocess
from pathlib import Path

import pytest

from pipeline.app.opening import open_for_reading
from pipeline.process.context import ProcessContext
from tests.clients.owners import Owner
from tests.support.processes.command_line import CommandLine, bare_environment
from tests.support.servers.provider_server import ProviderServer

pytestmark = pytest.mark.clients

WORDS = "the heron stands in the reeds"
SETTINGS = 'timezone = "UTC"\n[embedder]\nkind = "none"\n[[sources]]\nkind = "claude_code"\npath = "{path}"\n'
EVERYWHERE, OF_SHOP, OF_BLOG = "Never push on a Friday.", "The queue is in the database.", "Drafts lie in letters."
PAGE = f"- {EVERYWHERE}\n\n## Project `~/code/blog`\n- {OF_BLOG}\n\n## Project `~/code/shop`\n- {OF_SHOP}\n"


@pytest.fixture
def root(owner: Owner) -> Path:
    """A workspace with a page of two projects."""
    if owner.name != "claude":
        pytest.skip("Claude Code alone is connected here")
    root = owner.folder / "w"
    root.mkdir()
    (root / "memory.toml").write_text(SETTINGS.format(path=owner.home / ".claude" / "projects"))
    (root / "MEMORY.md").write_text(PAGE)
    return root


def shown(owner: Owner, root: Path, *options: str) -> set[str]:
    """The lines of the page that the model gets in a session in the shop, connected with these options."""
    said = CommandLine(owner.home)(
        "agents", "connect", "claude-code", "--apply", "--yes", *options, "--workspace", root
    )
    assert 0 == said.code, said.err
    folder = owner.home / "code" / "shop"
    folder.mkdir(parents=True, exist_ok=True)
    with ProviderServer(lambda _said: "fine") as provider:
        keys = {"ANTHROPIC_BASE_URL": provider.address, "ANTHROPIC_API_KEY": "none", "DISABLE_AUTOUPDATER": "1"}
        done = subprocess.run(
            [owner.program, "-p", WORDS],
            env=bare_environment(owner.home, **keys),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=600,
        )
    assert (0, b"fine\n") == (done.returncode, done.stdout), done.stderr
    return {line for line in (EVERYWHERE, OF_SHOP, OF_BLOG) if any(line in asked.words for asked in provider.asked)}


def test_a_session_begins_with_the_page_of_its_project(owner: Owner, root: Path) -> None:
    """Without an agent's name; and what it is shown is not taken for the owner's words."""
    assert {EVERYWHERE, OF_SHOP} == shown(owner, root)
    with open_for_reading(root, ProcessContext({"HOME": str(owner.home)})) as engine:
        [record] = engine.catalog.listing()
        session = engine.catalog.session(record.session or "")
        assert session is not None
        assert {"~/code/shop"} == {session.project_of(message) for message in session.messages}
        assert [] == [message.text for message in session.conversation if EVERYWHERE in message.text]


def test_without_the_page_nothing_is_shown(owner: Owner, root: Path) -> None:
    """`--without page` turns it off, also in a connection that had it."""
    assert shown(owner, root)
    assert set() == shown(owner, root, "--without", "page")
