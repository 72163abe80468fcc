"""`kill -9` at every step of a back-up and of a restore: what was good stays good, and the same command finishes it."""

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from pipeline.app.backups import make_backup
from pipeline.app.restoring import Restoring, prepare_restore
from pipeline.backup.key import key_file
from pipeline.backup.make import BackupWishes
from pipeline.backup.merge import Side
from pipeline.process.context import ProcessContext
from tests.support.marks import at_length
from tests.support.processes.kills import killed_in
from tests.support.workspaces.commanded import filled_once

__all__ = ["filled_once"]
DAY = "memory/2026-02-02.md"
STEP = [23, *at_length(1)]
"""Every so many steps there is a kill."""


def back_up(home: Path, root: Path) -> None:
    """Make a back-up of a workspace, of which two generations are kept."""
    make_backup(root, home / "saved", ProcessContext({"HOME": str(home)}), "1", BackupWishes(kept=2))


def restore(home: Path, target: Path) -> None:
    """Restore the newest generation into a folder, new or not."""
    environment = {"HOME": str(home)}
    keys = key_file(environment)
    opened, manifest = prepare_restore(home / "saved", keys.read(), keys, None, accept_older=False)
    into_new = not (target / "memory.toml").exists()
    Restoring(opened, manifest, target, into_new, ProcessContext(environment), Side.BACKUP).done()


def texts(root: Path) -> dict[str, bytes]:
    """The files of a workspace, without what is derived and what names hosts."""
    files = (file for file in root.rglob("*") if file.is_file() and ".locks" not in file.parts)
    inside = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
    return {path: data for path, data in inside.items() if not path.startswith((".memory/", "sessions/"))}


def kill_at_steps(step: int, begin: Callable[[], tuple[object, ...]], after: Callable[[], None]) -> int:
    """Kill the work that `begin` gives, at every so many steps until it ends by itself; how many kills there were."""
    for number in count():
        work, *arguments = begin()
        assert callable(work)
        killed = killed_in(number * step, work, *arguments)
        after()
        if not killed:
            return number
    raise AssertionError


@pytest.mark.parametrize("step", STEP)
def test_kills_of_a_back_up(step: int, filled_once: Path, tmp_path: Path) -> None:
    """Whatever is there can be restored, as it was before or as it is now; the next back-up leaves nothing behind."""
    root, saved = shutil.copytree(filled_once, tmp_path / "w"), tmp_path / "saved"
    back_up(tmp_path, root)
    before = texts(root)
    for name in ("saved", ".config"):  # the home has not seen the new generation either
        shutil.copytree(tmp_path / name, tmp_path / "first" / name)
    (root / DAY).write_text(f"{(root / DAY).read_text()}more\n")
    (root / "memory/projects").mkdir()
    (root / "memory/projects/boat.md").write_text("the boat\n")

    def begin() -> tuple[object, ...]:
        for name in ("saved", ".config"):
            shutil.rmtree(tmp_path / name)
            shutil.copytree(tmp_path / "first" / name, tmp_path / name)
        return back_up, tmp_path, root

    def after() -> None:
        assert {file.name for file in saved.iterdir()} <= {"generations", "lock", "pieces"}
        restore(tmp_path, tmp_path / "new")
        assert texts(tmp_path / "new") in (before, texts(root))
        back_up(tmp_path, root)
        assert not list(saved.rglob("*.new"))
        assert not list((root / ".memory").glob("backup.db*"))
        shutil.rmtree(tmp_path / "new")

    assert kill_at_steps(step, begin, after)


@pytest.mark.parametrize("step", STEP)
def test_kills_of_a_restore(step: int, filled_once: Path, tmp_path: Path) -> None:
    """A new folder is whole or not there; a merge that was killed is finished by the same command."""
    root, other, new = shutil.copytree(filled_once, tmp_path / "w"), tmp_path / "other", tmp_path / "new"
    back_up(tmp_path, root)
    restore(tmp_path, other)
    for number in range(4):
        (other / f"memory/note-{number}.md").write_text("from there\n")
    (other / DAY).write_text(f"{(other / DAY).read_text()}from there\n")
    back_up(tmp_path, other)
    shutil.copytree(root, tmp_path / "first")
    (tmp_path / "first" / DAY).write_text(f"from here\n{(root / DAY).read_text()}")

    def begin_merge() -> tuple[object, ...]:
        shutil.rmtree(root)
        shutil.copytree(tmp_path / "first", root)
        return restore, tmp_path, root

    def finish() -> None:
        restore(tmp_path, root)
        wanted = texts(other) | {DAY: b"from here\n" + texts(other)[DAY]}
        assert wanted == texts(root)

    def begin_new() -> tuple[object, ...]:
        shutil.rmtree(new, ignore_errors=True)
        return restore, tmp_path, new

    def look() -> None:
        assert not new.exists() or texts(other) == texts(new)

    assert kill_at_steps(step, begin_merge, finish)
    assert kill_at_steps(step, begin_new, look)
    assert not list(tmp_path.glob(".new*"))
