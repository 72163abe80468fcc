"""The list of a person's workspaces."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from pathlib import Path

import pytest

from pipeline.errors import WriteFailed
from pipeline.errors.workspaces import ListDamaged, NoListPlace, UnknownWorkspace, WorkspaceAway, WorkspaceNameTaken
from pipeline.settings.locate import configuration_folder, find_workspace
from pipeline.settings.workspaces import (
    PLACE,
    KnownWorkspaces,
    WorkspaceList,
    listed_folder,
    moved_from,
    note_place,
    own_list,
    register,
)
from tests.support.tables import table


def made(folder: Path) -> Path:
    """A workspace in a folder."""
    (folder / ".memory").mkdir(parents=True)
    (folder / "memory.toml").write_text("")
    return folder


@pytest.fixture
def workspaces(tmp_path: Path) -> WorkspaceList:
    """An empty list."""
    return WorkspaceList(tmp_path / "home" / ".config" / "memory")


def test_names_come_from_folders_and_the_first_is_the_default(tmp_path: Path, workspaces: WorkspaceList) -> None:
    """A second folder of the same name gets a number; a name that is given is kept; again changes nothing."""
    folders = ("a/memory", "b/memory", "b/Praca w domu", "b/记忆")
    assert ["memory", "memory-2", "praca-w-domu", "workspace"] == [workspaces.add(tmp_path / one) for one in folders]
    before = workspaces.file.read_bytes()
    assert "memory-2" == workspaces.add(tmp_path / "b/memory")
    assert (before, 0o600, 0o700) == (
        workspaces.file.read_bytes(),
        workspaces.file.stat().st_mode & 0o777,
        workspaces.file.parent.stat().st_mode & 0o777,
    )
    assert "home" == workspaces.add(tmp_path / "b/memory", "home")
    with pytest.raises(WorkspaceNameTaken, match="a/memory"):
        workspaces.add(tmp_path / "c", "memory")
    listed = workspaces.read()
    assert ("memory", str(tmp_path / "b/memory")) == (listed.default, listed.folder_of("home"))
    assert ["home", "memory", "praca-w-domu", "workspace"] == list(listed.folders)


def test_rename_default_and_remove(tmp_path: Path, workspaces: WorkspaceList) -> None:
    """The default follows its new name; when it goes, the single workspace that is left takes its place."""
    for name in ("one", "two", "three"):
        workspaces.add(tmp_path / name)
    workspaces.rename("one", "first")
    assert "first" == workspaces.read().default
    workspaces.set_default("two")
    workspaces.remove("two")
    assert ("", 2) == (workspaces.read().default, len(workspaces.read().folders))
    workspaces.remove("three")
    workspaces.set_default("first")
    workspaces.remove("first")
    assert KnownWorkspaces() == workspaces.read()
    for refused in (workspaces.remove, workspaces.set_default):
        with pytest.raises(UnknownWorkspace, match="'two'"):
            refused("two")
    assert not workspaces.file.parent.exists()


def test_many_at_once(tmp_path: Path, workspaces: WorkspaceList) -> None:
    """Each is on the list in the end."""
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(workspaces.add, [tmp_path / str(number) / "memory" for number in range(16)]))
    assert sorted(names) == list(workspaces.read().folders)


@table("text", ["workspaces = []", "[workspaces]\nmemory = 1", '[workspaces]\n"a b" = "/x"', "\0"])
def test_a_file_of_other_make_is_refused(text: str, tmp_path: Path) -> None:
    """It is left as it is, and its path is named."""
    (tmp_path / "workspaces.toml").write_text(text)
    with pytest.raises(ListDamaged, match="workspaces add"):
        WorkspaceList(tmp_path).add(tmp_path)
    assert text == (tmp_path / "workspaces.toml").read_text()


def test_where_it_is() -> None:
    """Where the person's configuration is; a relative folder is none."""
    places = {"/c": {"XDG_CONFIG_HOME": "/c"}, "/h/.config": {"HOME": "/h", "XDG_CONFIG_HOME": "c"}}
    assert [Path(place) / "memory" for place in places] == [configuration_folder(one) for one in places.values()]
    with pytest.raises(NoListPlace):
        own_list({})
    assert "" == listed_folder("", {})


def test_without_a_list_all_else_works(tmp_path: Path) -> None:
    """In a home that is a file nothing is listed, and nothing is refused."""
    (tmp_path / "home").write_text("")
    root = made(tmp_path / "w")
    assert "" == register(root, {"HOME": str(tmp_path / "home")})
    with pytest.raises(WriteFailed):
        own_list({"HOME": str(tmp_path / "home")}).add(root)


def test_a_name_or_the_default_leads_to_a_workspace(tmp_path: Path) -> None:
    """A name wins over a folder here, and what stands upward over the default; what is gone is said."""
    variables = {"HOME": str(tmp_path)}
    one, two = made(tmp_path / "one"), made(tmp_path / "two")
    for root in (one, two):
        register(root, variables)

    def locate(named: str | None, here: Path, **more: str) -> Path:
        return find_workspace(named, variables | more, here, lambda name: listed_folder(name, variables))

    assert [two, one, two] == [locate("two", one), locate(None, tmp_path), locate(None, two)]
    assert two == locate(None, tmp_path, MEMORY_WORKSPACE="two")
    other, lone = made(one / "two"), made(one / "lone")
    with chdir(one):
        assert [two, other, lone, one] == [locate(named, one) for named in ("two", "./two", "lone", ".")]
    two.rename(tmp_path / "moved")
    with pytest.raises(WorkspaceAway, match="doctor --fix"):
        locate("two", one)


def test_a_workspace_knows_that_it_was_moved(tmp_path: Path) -> None:
    """A copy beside the original was not moved, nor was a workspace that has noted nothing."""
    variables = {"HOME": str(tmp_path)}
    root = made(tmp_path / "w")
    assert "" == moved_from(root)
    note_place(root, variables)
    moved = root.rename(tmp_path / "m")
    assert str(root) == moved_from(moved)
    made(root)
    assert "" == moved_from(moved)


def test_a_link_in_the_place_of_the_note_leads_nowhere(tmp_path: Path) -> None:
    """The file of the owner to which it leads stays as it is."""
    root, owned = made(tmp_path / "w"), tmp_path / "owned"
    owned.write_text("mine")
    (root / PLACE).symlink_to(owned)
    note_place(root, {"HOME": str(tmp_path)})
    assert ("mine", False) == (owned.read_text(), (root / PLACE).is_symlink())
