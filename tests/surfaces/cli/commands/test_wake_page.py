"""`memory wake` without an agent, and for one that is new: `MEMORY.md`, by project."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import Said
from tests.support.workspaces.two_projects import two_projects

PAGE = "- Never push on a Friday.\n\n## Project `~/code/blog`\n- Drafts.\n\n## Project `~/code/shop`\n- Queue.\n"


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    """A workspace with a page of two projects, and an agent that nothing is known of."""
    root = two_projects(tmp_path / "memory", str(home))
    (root / "MEMORY.md").write_text(PAGE)
    with (root / "memory.toml").open("a") as settings:
        settings.write("\n[agents.jaskier]\n")
    return root


@pytest.mark.parametrize(
    ("folder", "shown"), [("code/shop/api", "Queue"), ("code/blog", "Drafts"), ("elsewhere", ""), ("", "")]
)
def test_it_is_what_holds_everywhere_and_the_project(
    root: Path, home: Path, call: Callable[..., Said], folder: str, shown: str
) -> None:
    """A new agent gets it too; of a folder that is gone as well, and a home folder is of no project."""
    (home / "code" / "shop" / ".git").mkdir(parents=True)
    for agent in ((), ("jaskier",)):
        said = call("wake", *agent, "--project", home / folder, "--workspace", root)
        assert (0, True) == (said.code, "- Never push on a Friday." in said.out)
        assert {shown} - {""} == {name for name in ("Queue", "Drafts") if f"- {name}." in said.out}


def test_it_is_the_folder_in_which_it_is_called(root: Path, home: Path) -> None:
    """As a hook is at the start of a session."""
    folder = home / "code" / "shop"
    folder.mkdir(parents=True)
    said = CalledCommand(home, folder=folder)("wake", "--json", "--workspace", root)
    (part,) = said.records[0]["parts"]
    assert ("memory", True, False) == (part["name"], "- Queue." in part["text"], "- Drafts." in part["text"])


def test_without_a_page_a_hook_shows_nothing(root: Path, call: Callable[..., Said]) -> None:
    """A sentence is for the person alone."""
    (root / "MEMORY.md").unlink()
    said = call("wake", "--workspace", root)
    assert (0, "", True) == (said.code, said.out, "nothing in MEMORY.md yet" in said.err)
