"""What a workspace finds in its folders."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.errors import ReadFailed
from pipeline.job import Target
from pipeline.workspace.families import Parsed, TargetFiles
from pipeline.workspace.files import Workspace

TARGET = Target(family="memory/{day}.md", overflow="memory/recent/{day}-{volume}.md", append=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with two files and a folder in `memory`."""
    (tmp_path / "memory" / "2026-03-04.md").mkdir(parents=True)
    for name in ("2026-03-03.md", "2026-03-02.md"):
        (tmp_path / "memory" / name).write_text(name, encoding="utf-8")
    return Workspace(tmp_path)


def test_files_are_listed_sorted_and_folders_are_not(workspace: Workspace) -> None:
    """A folder that is named like a file is none; what is found is sorted by name."""
    assert workspace.select("memory/*.md") == ["memory/2026-03-02.md", "memory/2026-03-03.md"]


def test_a_pattern_without_a_folder_means_the_root(workspace: Workspace) -> None:
    """`MEMORY.md` is looked for in the workspace's own folder."""
    (workspace.root / "MEMORY.md").touch()
    assert workspace.select("*.md") == ["MEMORY.md"]


def test_a_folder_that_is_not_there_holds_nothing(workspace: Workspace) -> None:
    """Neither a missing folder nor a file in its place is an error."""
    (workspace.root / "second-brain").touch()
    assert ([], []) == (workspace.select("nowhere/*.md"), workspace.select("second-brain/*.md"))


def test_a_link_is_what_it_leads_to(workspace: Workspace) -> None:
    """A link to a file is a file, of that file's size; links to nowhere and in a circle are none."""
    folder = workspace.root / "memory"
    (folder / "a.md").symlink_to("2026-03-02.md")
    (folder / "b.md").symlink_to("nowhere")
    (folder / "c.md").symlink_to("c.md")
    (folder / "d.md").symlink_to("d" * 300)
    result = workspace.look("memory/?.md")
    assert {"memory/a.md": len("2026-03-02.md")} == {path: status.st_size for path, status in result.items()}


def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    """A folder that is a link in a circle is named; it might hold everything."""
    (tmp_path / "memory").symlink_to("memory")
    with pytest.raises(ReadFailed, match="memory"):
        Workspace(tmp_path).select("memory/*.md")


def test_a_family_is_identified_by_day_and_volume(workspace: Workspace) -> None:
    """The tenth volume follows the ninth, and what stands in a file is read anew when it has grown."""
    (workspace.root / "memory" / "2026-03-04.md").rmdir()
    recent = workspace.root / "memory" / "recent"
    recent.mkdir()
    for volume in (10, 9, 2):
        (recent / f"2026-03-02-{volume}.md").touch()
    family = TargetFiles(workspace, TARGET)
    volumes = [f"memory/recent/2026-03-02-{volume}.md" for volume in (2, 9, 10)]
    assert ["memory/2026-03-02.md", *volumes, "memory/2026-03-03.md"] == family.paths()
    before = family.files()
    with (recent / "2026-03-02-9.md").open("a", encoding="utf-8") as file:
        file.write("more\n")
    assert [old is new for old, new in zip(before, family.files(), strict=True)] == [True, True, False, True, True]
    assert family.day_of(volumes[0]) == date(2026, 3, 2)


def test_families_share_what_was_parsed(workspace: Workspace) -> None:
    """A file is parsed once for all readers of it, and again by the first that finds it changed."""
    (workspace.root / "memory" / "2026-03-04.md").rmdir()
    parsed: Parsed = {}
    first, second = (TargetFiles(workspace, TARGET, parsed) for _ in range(2))
    assert all(one is other for one, other in zip(first.files(), second.files(), strict=True))
    (workspace.root / "memory" / "2026-03-03.md").write_text("longer than before", encoding="utf-8")
    before, after = dict(parsed), second.files()
    assert [True, False] == [before[file.path, False][1] is file for file in after]
    assert all(one is other for one, other in zip(after, first.files(), strict=True))
