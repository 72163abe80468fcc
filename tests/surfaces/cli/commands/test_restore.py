"""`memory restore`."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from pipeline.app.restoring import missing_paths
from pipeline.backup.key import key_file
from pipeline.workspace.locks import Locks
from tests.support.processes.command_line import Said
from tests.support.workspaces.commanded import write_workspace

Call = Callable[..., Said]
DAY = "memory/2026-02-02.md"
MIGRATION = "from now on give every migration a downgrade that was actually run"


def ids(call: Call, root: Path) -> list[str]:
    """The ids of all entries."""
    return [record["id"] for record in call("show", "entries", "--json", "--workspace", root).records]


def everything(root: Path) -> bytes:
    """All bytes in a folder."""
    return b"".join(file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file())


def words_of(home: Path) -> str:
    """The words of the key in a home."""
    key = key_file({"HOME": str(home)}).read()
    assert key
    return key.words


def test_the_same_memory_in_a_new_folder(filled: Path, tmp_path: Path, call: Call) -> None:
    """With the trust of its entries, and no token; this machine runs it, and jobs find nothing to do again."""
    assert 0 == call("backup", tmp_path / "saved", "--workspace", filled).code
    asked = [("entries", "--json"), ("runs", "--json"), ("search", "migration", "--json")]
    before = [call(*words, "--workspace", filled).out for words in asked]
    filled.rename(tmp_path / "gone")
    said = call("restore", tmp_path / "saved", "--into", filled, "--yes", "--json")
    assert 0 == said.code, said.shown
    assert (False, True) == (said.records[0]["merged"], said.records[0]["signed"])
    assert before[:2] == [call(*words, "--workspace", filled).out for words in asked[:2]]
    assert not (filled / ".memory" / "tokens.json").exists()
    assert (filled / "memory/.locks/owner.json").exists()
    assert 0 == call("backup", tmp_path / "saved", "--workspace", filled).code


def test_what_stands_in_the_way(filled: Path, tmp_path: Path, call: Call) -> None:
    """A folder with other things is left alone; an empty one is taken; without --yes somebody has to be there."""
    call("backup", tmp_path / "saved", "--workspace", filled)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "photo").touch()
    assert 2 == call("restore", tmp_path / "saved", "--into", tmp_path / "mine", "--yes").code
    assert 2 == call("restore", tmp_path / "saved", "--into", filled, "--yes").code  # --workspace merges
    (tmp_path / "empty").mkdir()
    assert 2 == call("restore", tmp_path / "saved", "--into", tmp_path / "empty").code
    assert [] == list((tmp_path / "empty").iterdir())
    assert 0 == call("restore", tmp_path / "saved", "--into", tmp_path / "empty", "--yes").code
    assert 2 == call("restore", tmp_path / "saved", "--generation", 7, "--into", tmp_path / "new", "--yes").code
    assert 77 == call("restore", tmp_path / "saved", "--into", tmp_path / "new", "--yes", CLAUDECODE="1").code


def test_words_on_another_machine(filled: Path, tmp_path: Path, home: Path, call: Call) -> None:
    """Without the key its words are asked for; with them it is kept, so that back-ups go on."""
    call("backup", tmp_path / "saved", "--workspace", filled)
    words, key = words_of(home), home / ".config/memory/backup-key.json"
    key.unlink()
    restore = ("restore", tmp_path / "saved", "--yes", "--into")
    assert 77 == call(*restore, tmp_path / "new").code
    for wrong in ("twelve words", " ".join(reversed(words.split())), " ".join(["abandon"] * 11 + ["about"])):
        said = call(*restore, tmp_path / "new", MEMORY_BACKUP_WORDS=wrong)
        assert (2, True) == (said.code, "are not those" in said.err)
    assert not (tmp_path / "new").exists()
    (tmp_path / "words").write_text(words.upper())
    assert 0 == call(*restore, tmp_path / "new", "--words-file", tmp_path / "words").code
    assert words == words_of(home)
    assert 0 == call("backup", tmp_path / "saved", "--workspace", tmp_path / "new").code
    key.unlink()
    said = call(*restore, tmp_path / "newer", "--trust-whoever-wrote-it")
    assert (0, True) == (said.code, "Nobody has checked" in said.out)
    assert not key.exists()


def test_forged_back_ups(filled: Path, tmp_path: Path, call: Call) -> None:
    """Whatever is changed, cut off, swapped, missing or put back is noticed before anything is written."""
    for number in range(3):
        (filled / DAY).write_text(f"{(filled / DAY).read_text()}{number}\n")
        call("backup", tmp_path / "saved", "--workspace", filled)
    pieces = sorted((tmp_path / "saved" / "pieces").glob("*/*"))

    def refuses(change: Callable[[Path], object]) -> None:
        folder = tmp_path / "forged"
        shutil.copytree(tmp_path / "saved", folder)
        change(folder)
        said = call("restore", folder, "--into", tmp_path / "new", "--yes")
        assert said.code in {1, 2}, said.shown
        assert not (tmp_path / "new").exists()
        shutil.rmtree(folder)

    def put(number: int, data: bytes) -> Callable[[Path], object]:
        return lambda folder: (folder / f"generations/{number:06}").write_bytes(data)

    states = [(tmp_path / f"saved/generations/{number:06}").read_bytes() for number in (1, 2, 3)]
    refuses(put(3, states[2].replace(b'"count":', b'"count":1')))
    refuses(put(3, states[1]))
    refuses(put(2, states[0]))
    refuses(put(3, states[2][:40]))
    refuses(put(3, b""))
    refuses(lambda folder: (folder / "generations/000002").unlink())
    refuses(lambda folder: (folder / "generations/000003").unlink())  # this home has seen it
    refuses(lambda folder: shutil.rmtree(folder / "pieces"))
    newest = [
        piece.relative_to(tmp_path / "saved") for piece in sorted(pieces, key=lambda piece: piece.stat().st_mtime)
    ]
    refuses(lambda folder: (folder / newest[-1]).write_bytes((folder / newest[0]).read_bytes()))
    refuses(lambda folder: (folder / newest[-1]).unlink())
    older = tmp_path / "older"
    shutil.copytree(tmp_path / "saved", older)
    (older / "generations/000003").unlink()
    assert 0 == call("restore", older, "--into", tmp_path / "new", "--yes", "--accept-older").code


def test_what_was_forgotten_since(filled: Path, tmp_path: Path, call: Call) -> None:
    """It stays forgotten in an earlier generation: in the files, the ledger and the index."""
    save = ("backup", tmp_path / "saved", "--workspace", filled)
    call(*save)
    gone, other = ids(call, filled)
    assert 0 == call("forget", gone, "--yes", "--workspace", filled).code
    call(*save)
    said = call("restore", tmp_path / "saved", "--generation", 1, "--into", tmp_path / "new", "--yes", "--json")
    assert (0, 1) == (said.code, said.records[0]["forgotten"]), said.shown
    assert [other] == ids(call, tmp_path / "new")
    assert MIGRATION.encode() not in everything(tmp_path / "new")
    lists = [(root / "memory/forgotten.md").read_bytes() for root in (filled, tmp_path / "new")]
    assert lists[0] == lists[1]


def test_what_another_machine_has_forgotten(filled: Path, tmp_path: Path, call: Call) -> None:
    """It stays forgotten in a merge of an earlier generation, and beside a copy of the original that is behind."""
    save, other = ("backup", tmp_path / "saved", "--workspace", filled), tmp_path / "other"
    call(*save)
    call("restore", tmp_path / "saved", "--into", other, "--yes")
    (filled / "memory/more.md").write_text("more\n")
    call(*save)
    gone, kept = ids(call, filled)
    (filled / "memory/forgotten.md").write_text("# Forgotten\n")
    shutil.copytree(filled, tmp_path / "behind")
    assert 0 == call("forget", gone, "--yes", "--workspace", filled).code
    call(*save)
    filled.rename(tmp_path / "away")
    (tmp_path / "behind").rename(filled)
    earlier = ("restore", tmp_path / "saved", "--generation", 2, "--yes")
    (other / DAY).unlink()
    for target in (("--workspace", other), ("--into", tmp_path / "new")):
        said = call(*earlier, *target)
        assert 0 == said.code, said.shown
        assert [kept] == ids(call, Path(target[1]))
        assert MIGRATION.encode() not in everything(Path(target[1]) / "memory")


def test_what_is_allowed_again(filled: Path, tmp_path: Path, call: Call) -> None:
    """A line that a person took out of the list since the last generation does not come back with a merge."""
    call("forget", ids(call, filled)[0], "--yes", "--workspace", filled)
    call("backup", tmp_path / "saved", "--workspace", filled)
    (filled / "memory/forgotten.md").write_text("# Forgotten\n")
    assert 0 == call("restore", tmp_path / "saved", "--yes", "--workspace", filled).code
    assert "# Forgotten\n" == (filled / "memory/forgotten.md").read_text()


def test_merged_into_the_workspace(filled: Path, tmp_path: Path, call: Call) -> None:
    """What another machine changed comes here, and what was changed here stays; a missing file comes back."""
    call("backup", tmp_path / "saved", "--workspace", filled)
    other = tmp_path / "other"
    call("restore", tmp_path / "saved", "--into", other, "--yes")
    (other / DAY).write_text(f"{(other / DAY).read_text()}from there\n")
    (other / "memory/projects").mkdir()
    (other / "memory/projects/boat.md").write_text("the boat\n")
    assert 0 == call("backup", tmp_path / "saved", "--workspace", other).code
    (filled / DAY).write_text(f"from here\n{(filled / DAY).read_text()}")
    said = call("restore", tmp_path / "saved", "--yes", "--json", "--workspace", filled)
    assert (0, True) == (said.code, said.records[0]["merged"]), said.shown
    assert [DAY, "memory/projects/boat.md"] == [path for path in said.records[0]["files"] if path.endswith(".md")]
    text = (filled / DAY).read_text()
    assert (True, True) == (text.startswith("from here\n"), text.endswith("from there\n"))
    (filled / "memory/projects/boat.md").unlink()
    assert 0 == call("restore", tmp_path / "saved", "--yes", "--workspace", filled).code
    assert (filled / "memory/projects/boat.md").exists()
    assert "edited" not in {
        entry["trust"] for entry in call("show", "entries", "--json", "--workspace", filled).records
    }


def test_work_of_another_machine(filled: Path, tmp_path: Path, call: Call) -> None:
    """The ledger comes with the files where a person decided there alone, and not where both sides did."""
    save = ("backup", tmp_path / "saved", "--workspace")
    call(*save, filled)
    other, third = tmp_path / "other", tmp_path / "third"
    for target in (other, third):
        call("restore", tmp_path / "saved", "--into", target, "--yes")
    gone, kept = ids(call, other)
    assert 0 == call("forget", gone, "--yes", "--workspace", other).code
    assert 0 == call(*save, other).code
    said = call("restore", tmp_path / "saved", "--yes", "--json", "--workspace", filled)
    assert (0, True) == (said.code, ".memory/state.db" in said.records[0]["files"]), said.shown
    assert [kept] == ids(call, filled)
    assert {"owner"} == {entry["trust"] for entry in call("show", "entries", "--json", "--workspace", filled).records}
    assert MIGRATION.encode() not in b"".join(file.read_bytes() for file in (filled / "memory").glob("*.md"))
    assert 0 == call("forget", kept, "--yes", "--workspace", third).code
    before = everything(third / "memory")
    said = call("restore", tmp_path / "saved", "--yes", "--workspace", third)
    assert (2, True) == (said.code, "here and in the back-up too" in said.err), said.shown
    assert before == everything(third / "memory")


def test_a_restore_that_has_not_ended(filled: Path, tmp_path: Path, call: Call) -> None:
    """Until the same command finishes it nobody runs jobs there."""
    call("backup", tmp_path / "saved", "--workspace", filled)
    Locks(filled / "memory" / ".locks", "(a restore that has not ended)").take_over()
    assert 75 == call("run", "--workspace", filled).code
    assert 0 == call("restore", tmp_path / "saved", "--yes", "--workspace", filled).code
    assert 0 == call("run", "--workspace", filled).code


def test_changes_of_one_line(filled: Path, tmp_path: Path, call: Call) -> None:
    """They are shown, and nothing is written until a person says which holds."""
    page = "memory/projects/boat.md"
    (filled / "memory/projects").mkdir()
    (filled / page).write_text("the boat\nis red\n")
    call("backup", tmp_path / "saved", "--workspace", filled)
    other = tmp_path / "other"
    call("restore", tmp_path / "saved", "--into", other, "--yes")
    (other / page).write_text("the boat\nis blue\n")
    call("backup", tmp_path / "saved", "--workspace", other)
    (filled / page).write_text("the boat\nis green\n")
    said = call("restore", tmp_path / "saved", "--yes", "--workspace", filled)
    assert (1, True, True) == (said.code, "is blue" in said.err, "is green" in said.err)
    assert "the boat\nis green\n" == (filled / page).read_text()
    assert 0 == call("restore", tmp_path / "saved", "--yes", "--prefer", "backup", "--workspace", filled).code
    assert "the boat\nis blue\n" == (filled / page).read_text()


def test_without_a_common_state(filled: Path, tmp_path: Path, call: Call) -> None:
    """Another workspace, one that has had a later state, and one whose common state is not kept, are refused."""
    save = ("backup", tmp_path / "saved", "--keep", "1", "--workspace")
    call(*save, filled)
    shutil.copytree(filled, tmp_path / "behind")
    assert 2 == call("restore", tmp_path / "saved", "--yes", "--workspace", write_workspace(tmp_path / "second")).code
    (filled / DAY).write_text("other\n")
    call(*save, filled)
    said = call("restore", tmp_path / "saved", "--yes", "--workspace", tmp_path / "behind")
    assert (2, True) == (said.code, "not kept any more" in said.err)
    (filled / ".memory/backups.json").write_text(json.dumps({}))
    assert 2 == call("restore", tmp_path / "saved", "--yes", "--workspace", filled).code


def test_paths_that_are_not_here(tmp_path: Path) -> None:
    """Each is named, also where the system refuses a look."""
    path = f"/{'x' * 300}"
    (tmp_path / "memory.toml").write_text(f'[[sources]]\nkind = "codex"\npath = "{path}"\n')
    assert [f"sources.codex: {path}"] == list(missing_paths(tmp_path, {}))
