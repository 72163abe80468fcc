"""`memory backup`."""

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.workspace.locks import Latch
from tests.support.processes.command_line import Said
from tests.support.tables import table
from tests.support.workspaces.commanded import write_workspace

Call = Callable[..., Said]
DAY = "memory/2026-02-02.md"


def report(said: Said) -> dict[str, object]:
    """The report of a back-up."""
    [record] = said.records
    return record


def test_every_state_is_a_generation(filled: Path, tmp_path: Path, call: Call) -> None:
    """What has not changed is stored once, and makes no generation; the oldest go."""
    words = ("backup", tmp_path / "saved", "--keep", 2, "--json", "--workspace", filled)
    first, same = report(call(*words)), report(call(*words))
    assert (True, 1, False, 1) == (first["changed"], first["generation"], same["changed"], same["generation"])
    assert 0 == same["written"]
    for number in range(3):
        (filled / DAY).write_text(f"{(filled / DAY).read_text()}{number}\n")
        changed = report(call(*words))
    assert ([3, 4], 2) == (changed["generations"], changed["pieces"])  # the file, and the list of files
    listed = call("backup", tmp_path / "saved", "--list", "--json")
    assert [(3, True, True), (4, True, True)] == [
        (one["generation"], one["whole"], one["signed"]) for one in listed.records
    ]


def test_only_the_owner_may_read_it(filled: Path, tmp_path: Path, home: Path, call: Call) -> None:
    """Folders are of mode 0700 and files 0600, and so is the key; a key is never printed."""
    umask = os.umask(0)
    try:
        said = call("backup", tmp_path / "saved", "--workspace", filled)
    finally:
        os.umask(umask)
    key = home / ".config/memory/backup-key.json"
    modes = {stat.S_IMODE(path.stat().st_mode) for path in [*(tmp_path / "saved").rglob("*"), key] if path.is_file()}
    assert {0o600} == modes
    folders = [tmp_path / "saved", *(path for path in (tmp_path / "saved").rglob("*") if path.is_dir())]
    assert {0o700} == {stat.S_IMODE(path.stat().st_mode) for path in folders}
    assert str(key) in said.err
    assert not any(len(line.split()) == 12 and line.islower() for line in said.shown.splitlines())
    assert 77 == call("backup", "--words").code


def test_folders_that_are_refused(filled: Path, tmp_path: Path, call: Call) -> None:
    """The workspace itself and what is around it, a folder with other things, and that of another workspace."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "photo").touch()
    (tmp_path / "file").touch()
    assert 0 == call("backup", tmp_path / "taken", "--workspace", write_workspace(tmp_path / "second")).code
    for folder, why in {
        filled / "saved": "lie in each other",
        filled.parent: "lie in each other",
        tmp_path / "mine": "such as photo",
        tmp_path / "file": "no folder",
        tmp_path / "taken": "another workspace",
    }.items():
        said = call("backup", folder, "--workspace", filled)
        assert (2, True) == (said.code, why in said.err), said.shown
    assert 2 == call("backup", "--workspace", filled).code
    assert 2 == call("backup", tmp_path / "nothing", "--list").code


@table("place", ["lock", "generations", "pieces", "pieces/id", "pieces/.b", "pieces/00"])
def test_no_link_in_the_folder_is_followed(place: str, filled: Path, tmp_path: Path, call: Call) -> None:
    """Nothing is made or deleted where it leads."""
    mine, saved = tmp_path / "mine", tmp_path / "saved"
    (mine / "00").mkdir(parents=True)
    for name in ("photo", "00/photo", f"00/{'0' * 64}"):
        (mine / name).touch()
    (saved / place).parent.mkdir(parents=True)
    (saved / place).symlink_to(mine / "made" if place == "lock" else mine)
    said = call("backup", saved, "--workspace", filled)
    assert (2, True) == (said.code, f"has a link in it, {place}" in said.err), said.shown
    assert 4 == len(list(mine.rglob("*")))


def test_only_pieces_are_removed(filled: Path, tmp_path: Path, call: Call) -> None:
    """A file beside the pieces that has no name of a piece is not ours."""
    words, piece = ("backup", tmp_path / "saved", "--workspace", filled), "0" * 64
    assert 0 == call(*words).code
    names = ["zz/photo", f"01/{piece}", f"00/{piece}", f"00/{piece}.new"]
    files = [tmp_path / "saved/pieces" / name for name in names]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.touch()
    assert 0 == call(*words).code
    assert files[:2] == [file for file in files if file.exists()]


def test_an_agent_only_goes_on(filled: Path, tmp_path: Path, call: Call) -> None:
    """It may add to a back-up that the owner began; it begins no other, and drops no generations."""
    words = ("--workspace", filled, "--json")
    assert 77 == call("backup", tmp_path / "saved", *words, CLAUDECODE="1").code
    assert not (tmp_path / "saved").exists()
    assert 0 == call("backup", tmp_path / "saved", *words).code
    (filled / DAY).write_text("more\n")
    assert 77 == call("backup", tmp_path / "saved", "--keep", 1, *words, CLAUDECODE="1").code
    assert [1, 2] == report(call("backup", tmp_path / "saved", *words, CLAUDECODE="1"))["generations"]
    for number in range(3, 8):
        (filled / DAY).write_text(f"{number}\n")
        call("backup", tmp_path / "saved", "--keep", 9, *words)
    assert 77 == call("backup", tmp_path / "saved", *words, CLAUDECODE="1").code


def test_a_back_up_that_went_back(filled: Path, tmp_path: Path, call: Call) -> None:
    """Nothing is added to an older state, nor to a folder that has lost its back-up; the newest goes on."""
    words, saved = ("backup", tmp_path / "saved", "--workspace", filled), tmp_path / "saved"
    for number in range(3):
        (filled / DAY).write_text(f"{number}\n")
        assert 0 == call(*words).code
    shutil.copytree(saved, tmp_path / "whole")
    (filled / DAY).write_text("another\n")
    for number in (3, 2):
        (saved / f"generations/00000{number}").unlink()
        said = call(*words)
        assert (2, True) == (said.code, "has seen its generation 3" in said.err), said.shown
    shutil.rmtree(saved)
    said = call(*words)
    assert (2, True) == (said.code, "not there any more" in said.err), said.shown
    shutil.rmtree(saved)
    (tmp_path / "whole").rename(saved)
    assert 4 == report(call(*words, "--json"))["generation"]


def test_two_at_once(filled: Path, tmp_path: Path, call: Call) -> None:
    """The second is told so, and leaves all as it is."""
    (tmp_path / "saved").mkdir()
    with Latch(tmp_path / "saved" / "lock").hold(0):
        said = call("backup", tmp_path / "saved", "--workspace", filled)
    assert (75, True) == (said.code, "under way" in said.err)
    assert 0 == call("backup", tmp_path / "saved", "--workspace", filled).code


def test_a_damaged_piece_is_written_anew(filled: Path, tmp_path: Path, call: Call) -> None:
    """With --verify every piece is read; what only an earlier generation had is lost, and is said to be."""
    words = ("backup", tmp_path / "saved", "--workspace", filled)
    call(*words)
    (filled / DAY).write_text("other\n")
    call(*words)
    for piece in (tmp_path / "saved" / "pieces").glob("*/*"):
        piece.write_bytes(piece.read_bytes()[:-1])
    said = call(*words, "--verify", "--json")
    assert (1, [1]) == (said.code, report(said)["incomplete"])
    assert 0 != report(said)["damaged"]
    assert 0 == call("restore", tmp_path / "saved", "--into", tmp_path / "new", "--yes").code


def test_a_list_of_files_that_comes_back(filled: Path, tmp_path: Path, call: Call) -> None:
    """A disk may fail to give it for a while: nothing that an earlier generation may need is removed meanwhile."""
    words, saved = ("backup", tmp_path / "saved", "--workspace", filled), tmp_path / "saved"
    (filled / DAY).write_text("first\n")
    assert 0 == call(*words).code
    [listed] = json.loads((saved / "generations/000001").read_text().partition("\n")[0])["files"]
    (filled / DAY).write_text("second\n")
    (saved / "pieces" / listed[:2] / listed).rename(tmp_path / "away")
    said = call(*words, "--json")
    assert (1, [1]) == (said.code, report(said)["incomplete"])
    (tmp_path / "away").rename(saved / "pieces" / listed[:2] / listed)
    assert 0 == call("restore", saved, "--generation", 1, "--accept-older", "--into", tmp_path / "new", "--yes").code
    assert "first\n" == (tmp_path / "new" / DAY).read_text()


def test_an_unreadable_file_is_named(filled: Path, tmp_path: Path, call: Call) -> None:
    """All others are in the back-up, which ends with exit code 1."""
    os.mkfifo(filled / "memory" / "pipe.md")
    said = call("backup", tmp_path / "saved", "--json", "--workspace", filled)
    assert (1, 1) == (said.code, report(said)["generation"])
    assert "memory/pipe.md: it is a named pipe" in str(report(said)["unreadable"])


def test_a_damaged_store(filled: Path, tmp_path: Path, call: Call) -> None:
    """It ends the command, and no copy of a database stays behind."""
    (filled / "store").mkdir()
    (filled / "store" / "memory.db").write_bytes(b"no database, but long enough to be read as one" * 99)
    said = call("backup", tmp_path / "saved", "--workspace", filled)
    assert (1, []) == (said.code, list((filled / ".memory").glob("backup.db*"))), said.shown


def test_links_that_lead_out(filled: Path, tmp_path: Path, call: Call) -> None:
    """A cloned workspace could name a key of the owner: only what is indexed is followed, and the rest is named."""
    outside, more = tmp_path / "outside", tmp_path / "more"
    for folder in (outside, more):
        folder.mkdir()
        (folder / "text.md").write_text(f"in {folder.name}\n")
    settings = filled / "memory.toml"
    settings.write_text(f'{settings.read_text()}\n[[index.extra_paths]]\nname = "more"\npath = "{more}"\n')
    links = {"file.md": outside / "text.md", "folder": outside, "state": filled / ".memory", "more": more}
    for name, target in links.items():
        (filled / "memory" / name).symlink_to(target)
    said = call("backup", tmp_path / "saved", "--json", "--workspace", filled)
    named = [text.partition(":")[0] for text in said.records[0]["unreadable"]]
    assert (1, ["memory/file.md", "memory/folder", "memory/state"]) == (said.code, named), said.shown
    call("restore", tmp_path / "saved", "--into", tmp_path / "new", "--yes")
    texts = [file.relative_to(tmp_path / "new/memory").as_posix() for file in (tmp_path / "new").rglob("text.md")]
    assert ["more/text.md"] == texts


def test_links_in_links(filled: Path, tmp_path: Path, call: Call) -> None:
    """Links in links multiply, and a folder has its own path: of ten folders there are ten texts."""
    for number in range(10):
        folder = filled / "memory/maze" / f"z{number}"
        folder.mkdir(parents=True)
        (folder / "text.md").write_text("here\n")
        for name in ("a", "b"):
            (folder / name).symlink_to(f"../z{(number + 1) % 10}")
    assert 0 == call("backup", tmp_path / "saved", "--workspace", filled).code
    call("restore", tmp_path / "saved", "--into", tmp_path / "new", "--yes")
    texts = sorted((tmp_path / "new/memory/maze").rglob("text.md"))
    assert [tmp_path / f"new/memory/maze/z{number}/text.md" for number in range(10)] == texts


def test_a_list_that_nobody_signed(filled: Path, tmp_path: Path, home: Path, call: Call) -> None:
    """The list of generations says so, and calls only what fits together whole."""
    call("backup", tmp_path / "saved", "--workspace", filled)
    (home / ".config/memory/backup-key.json").unlink()
    file, words = tmp_path / "saved/generations/000001", ("backup", tmp_path / "saved", "--list")
    assert "Nobody has checked who wrote them" in call(*words).out
    first = json.loads(file.read_text().partition("\n")[0])
    for change, whole in (
        ({}, True),
        ({"count": first["count"] + 1}, False),
        ({"size": 1}, False),
        ({"files": first["files"] * 1_001}, False),
    ):
        file.write_text(json.dumps(first | change))
        [listed] = call(*words, "--json").records
        assert (whole, False) == (listed["whole"], listed["signed"]), change


@pytest.mark.parametrize("what", ["key", "folder"])
def test_no_room(what: str, filled: Path, tmp_path: Path, home: Path, call: Call) -> None:
    """A home or a folder that refuses to be written to ends the command in a sentence, and nothing is half-done."""
    (home / ".config").write_text("in the way") if what == "key" else (tmp_path / "saved").symlink_to("/proc/sys")
    said = call("backup", tmp_path / "saved", "--workspace", filled)
    assert said.code in {1, 2}, said.shown
    assert 1 == len(said.err.strip().splitlines())


def test_a_store_on_a_server_is_not_in_it(filled: Path, tmp_path: Path, call: Call) -> None:
    """The command says so each time, and how that is saved; the server is not asked."""
    with (filled / "memory.toml").open("a") as settings:
        settings.write('\n[store]\nurl = "postgresql://nobody@127.0.0.1:1/memory"\nworkspace = "w"\n')
    said = call("backup", tmp_path / "saved", "--workspace", filled)
    assert (0, True) == (said.code, "pg_dump" in said.out)
    [record] = call("backup", tmp_path / "saved", "--workspace", filled, "--json").records
    assert record["store_elsewhere"]


def test_a_file_whose_name_is_no_text(filled: Path, tmp_path: Path, call: Call) -> None:
    """It is told, and all else is backed up."""
    (filled / "memory" / os.fsdecode(b"caf\xe9.md")).write_text("a page\n")
    said = call("backup", tmp_path / "saved", "--json", "--workspace", filled)
    assert (1, ["memory/caf\ufffd.md: has a name that is not UTF-8"]) == (said.code, report(said)["unreadable"])
    assert 0 == call("restore", tmp_path / "saved", "--into", tmp_path / "back", "--yes").code
    assert (filled / DAY).read_bytes() == (tmp_path / "back" / DAY).read_bytes()
