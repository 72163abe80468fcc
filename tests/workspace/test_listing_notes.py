"""The files of agents' notes that are listed."""

from pathlib import Path

import pytest

from pipeline.workspace.files import Workspace
from pipeline.workspace.listing import LARGEST_NOTE, NOT_A_NOTE, OURS, Listing, list_files
from schemas.index_settings import ExtraPath, IndexSettings, NotePath
from schemas.tier import Tier


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of this test alone."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def _listed(home: Path, *extra: ExtraPath) -> Listing:
    return list_files(Workspace(home / "memory-workspace"), IndexSettings(extra_paths=extra))


def _write(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"the words of {path}\n", encoding="utf-8")


def _whys(listing: Listing) -> dict[str, str]:
    return {file.path: file.why for file in listing.unreadable}


def test_patterns_name_the_notes_in_a_project(home: Path) -> None:
    """Also in hidden folders that they name; all else in the project is passed over."""
    patterns = ("CLAUDE.md", "AGENTS.md", ".cursor/rules/*.mdc", ".cursorrules")
    _write(home / "code/shop", "CLAUDE.md", ".cursor/rules/style.mdc", ".cursor/mcp.md", ".cursorrules", "README.md")
    listing = _listed(home, NotePath(path="~/code/shop", name="shop", patterns=patterns))
    expected = ["shop:.cursor/rules/style.mdc", "shop:.cursorrules", "shop:CLAUDE.md"]
    assert (expected, {Tier.COLD}) == ([one.path for one in listing.files], {one.tier for one in listing.files})
    assert not listing.unreadable


def test_folders_that_hold_no_notes_are_not_entered(home: Path) -> None:
    """Of a store with thousands of sessions only the folders are looked into that a pattern leads through."""
    _write(home / "projects", "shop/memory/MEMORY.md", "shop/session/memory.md", "shop/memory/old/a.md")
    (home / "projects/shop/tool-results").mkdir(mode=0)
    listing = _listed(home, NotePath(path="~/projects", name="claude", patterns=("*/memory/*.md",)))
    assert ["claude:shop/memory/MEMORY.md"] == [one.path for one in listing.files]
    assert not listing.unreadable


def test_a_single_file_is_a_source(home: Path) -> None:
    """Whatever its name ends with."""
    _write(home, ".windsurfrules")
    listing = _listed(home, NotePath(path="~/.windsurfrules", name="windsurf"))
    assert ["windsurf:.windsurfrules"] == [one.path for one in listing.files]


@pytest.mark.parametrize(
    ("target", "followed"),
    [
        ("dotfiles/CLAUDE.md", True),
        (".ssh/id_ed25519", False),
        ("../elsewhere.md", False),
        ("memory-workspace/memory/2026-02-10.md", False),
    ],
)
def test_a_link_leads_to_a_text_of_the_home_folder_alone(home: Path, target: str, *, followed: bool) -> None:
    """A cloned repository may bring a link to a key, or out of the home; a file of ours is no note either."""
    _write(home, target)
    (home / "repo").mkdir()
    (home / "repo/CLAUDE.md").symlink_to(home / target)
    listing = _listed(home, NotePath(path="~/repo", name="repo", patterns=("CLAUDE.md",)))
    notes = [one.path for one in listing.files if one.path.startswith("repo:")]
    assert (["repo:CLAUDE.md"] if followed else []) == notes
    assert ({} if followed else {"repo:CLAUDE.md": NOT_A_NOTE}) == _whys(listing)


def test_a_folder_that_is_a_link_leads_nowhere(home: Path) -> None:
    """The folder of a pattern may be a link that a repository brought."""
    _write(home, ".ssh/rules/a.mdc")
    (home / "repo").mkdir()
    (home / "repo/.cursor").symlink_to(home / ".ssh")
    listing = _listed(home, NotePath(path="~/repo", name="repo", patterns=(".cursor/rules/*.mdc",)))
    assert ([], {"repo:.cursor/rules": NOT_A_NOTE}) == (list(listing.files), _whys(listing))


def test_what_cannot_be_a_note_is_passed_over_with_a_sentence(home: Path) -> None:
    """One that is too large, and nothing at all; a folder in the place of a note is none."""
    _write(home / "notes", "a.md")
    (home / "notes/large.md").write_bytes(b"x" * LARGEST_NOTE)
    (home / "notes/folder.md").mkdir()
    listing = _listed(home, NotePath(path="~/notes", name="notes"), NotePath(path="~/gone", name="gone"))
    assert ["notes:a.md"] == [one.path for one in listing.files]
    assert {
        "notes:large.md": "has 2 MB; notes of 2 MB and more are not indexed",
        "~/gone": "is not there, or is a link that leads nowhere",
    } == _whys(listing)


def test_our_own_workspace_holds_no_notes(home: Path) -> None:
    """Neither where a source is over it, nor where it is a part of it."""
    _write(home, "memory-workspace/memory/2026-02-10.md", "memory-workspace/README.md", "a.md")
    listing = _listed(
        home, NotePath(path="~", name="all"), NotePath(path="~/memory-workspace", name="ours", patterns=("*.md",))
    )
    assert ["all:a.md", "memory/2026-02-10.md"] == [one.path for one in listing.files]
    assert {"~/memory-workspace": OURS} == _whys(listing)


def test_a_path_that_a_person_named_as_theirs_stays_theirs(home: Path) -> None:
    """A source of notes over it changes nothing about it."""
    _write(home / "notes", "a.md")
    listing = _listed(home, NotePath(path="~/notes", name="a-notes"), ExtraPath(path="~/notes", name="mine"))
    assert ["mine:a.md"] == [one.path for one in listing.files]
