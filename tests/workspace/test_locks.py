"""Locks between real processes."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from datetime import UTC, datetime
from fcntl import LOCK_SH, LOCK_UN, flock
from pathlib import Path

import pytest

from pipeline.errors import Held, Interrupted, OwnedElsewhere, WriteFailed
from pipeline.workspace.locks import Latch, Locks, Waiting
from tests.support.tables import table

OPEN_FILES = Path("/proc/self/fd")
DEADLINE = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOLD = """
import pathlib, sys
from datetime import UTC, datetime
from pipeline.workspace.locks import Locks, Waiting
with Locks(pathlib.Path(sys.argv[1]), "here").hold(sys.argv[2:], "run-7", datetime(2026, 3, 4, 12, tzinfo=UTC)):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(folder: Path, *names: str) -> Iterator["subprocess.Popen[str]"]:
    """A process of its own that holds locks until its input closes."""
    command = [sys.executable, "-c", HOLD, str(folder), *names]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "held\n" == process.stdout.readline()
        yield process
        process.communicate()


def test_another_process_learns_who_holds(tmp_path: Path) -> None:
    """The message names process, host, run and deadline; exit code 75."""
    mine = Locks(tmp_path, "here").hold(["micro_sync"], "run-8", DEADLINE)
    with holder(tmp_path, "micro_sync") as other, pytest.raises(Held) as caught, mine:
        pass
    for part in ("micro_sync is at work", f"process {other.pid} on here", "run run-7", "2026-03-04T12:00"):
        assert part in str(caught.value)
    assert 75 == caught.value.exit_code


@table("killed", [True, False])
def test_a_holder_that_did_not_write_its_name_is_not_taken_for_another(tmp_path: Path, killed: bool) -> None:  # noqa: FBT001 - a case of the test
    """Something else may hold the file: who stands in it is gone, or nobody does. `memory doctor` finds who it is."""
    locks, file = Locks(tmp_path, "here"), tmp_path / "micro_sync.lock"
    with holder(tmp_path, "micro_sync") as other:
        other.kill()
        other.wait()
    if not killed:
        file.write_text("")
    with Latch(file).hold(0), pytest.raises(Held) as caught, locks.hold(["micro_sync"], "run-8", DEADLINE):
        pass
    assert f"process {other.pid}" not in str(caught.value)
    for part in ("a process that did not write its name into micro_sync.lock", "`memory doctor` tells how to find it"):
        assert part in str(caught.value)


@table("taken", ["lock", "latch"])
def test_who_looks_is_in_nobodys_way(tmp_path: Path, taken: str) -> None:
    """However long a look takes on a busy machine: who takes the lock waits for its end, others look as well."""
    file = tmp_path / "micro_sync.lock"
    file.touch()

    def take() -> None:
        with Latch(file).hold(0) if taken == "latch" else Locks(tmp_path).hold(["micro_sync"], "run-8", DEADLINE):
            pass

    with file.open() as looking, ThreadPoolExecutor() as pool:
        flock(looking, LOCK_SH)
        assert not Latch(file).is_held
        taking = pool.submit(take)
        assert not wait([taking], 0.1).done
        flock(looking, LOCK_UN)
        taking.result(60)


def test_a_lock_is_free_after_its_holder(tmp_path: Path) -> None:
    """An ordinary end frees it, and the file stays for the next."""
    locks = Locks(tmp_path, "here")
    with holder(tmp_path, "a"):
        pass
    with locks.hold(["a"], "run-8", DEADLINE):
        assert "run-8" == json.loads((tmp_path / "a.lock").read_text())["run"]
    assert (tmp_path / "a.lock").exists()


def test_a_killed_holder_frees_its_lock(tmp_path: Path) -> None:
    """The kernel does it: no stale lock, whatever the file still says."""
    with holder(tmp_path, "a") as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        with Locks(tmp_path, "here").hold(["a"], "run-8", DEADLINE):
            pass


def test_waiting_gets_it_when_it_is_free(tmp_path: Path) -> None:
    """With `--wait`, the lock is taken as soon as the other is gone; until then it is looked at again and again."""
    with holder(tmp_path, "a") as other:

        def end() -> None:
            other.kill()

        with Locks(tmp_path, "here").hold(["a"], "run-8", DEADLINE, Waiting(30, between=end)):
            assert other.wait() != 0


def test_waiting_can_be_given_up(tmp_path: Path) -> None:
    """Who asks to stop need not wait for the lock's holder."""

    def stop() -> None:
        raise Interrupted(15)

    waiting = Waiting(600, between=stop)
    locks = Locks(tmp_path, "here")
    with holder(tmp_path, "a"), pytest.raises(Interrupted), locks.hold(["a"], "run-8", DEADLINE, waiting):
        pass


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="the system does not show which files are open")
def test_a_latch_is_not_taken_on_a_file_that_is_gone(tmp_path: Path) -> None:
    """Somebody removes its file while one waits for it: what others will find is taken, and no file without a name."""
    path = tmp_path / "update.lock"

    def second() -> bool:
        with Latch(path).hold(30):
            return path.exists()

    with ThreadPoolExecutor() as pool:
        with Latch(path).hold(0):
            waiting = pool.submit(second)
            while sum(file.resolve() == path.resolve() for file in OPEN_FILES.iterdir()) < 2:
                assert not waiting.done()
            path.unlink()
        assert waiting.result()


def test_one_name_held_holds_all(tmp_path: Path) -> None:
    """Of several names all are held or none: the ones taken before the refusal are given back."""
    locks = Locks(tmp_path, "here")
    with holder(tmp_path, "b"), pytest.raises(Held, match=r"^b is at work"), locks.hold(["a", "b"], "r", DEADLINE):
        pass
    with locks.hold(["b", "a", "a"], "r", DEADLINE):
        pass


def test_locks_are_taken_in_sorted_order(tmp_path: Path) -> None:
    """Whatever order they are named in, so that two holders cannot wait for each other."""
    mine = Locks(tmp_path, "here").hold(["z", "a"], "r", DEADLINE)
    with holder(tmp_path, "a", "z"), pytest.raises(Held, match=r"^a is at work"), mine:
        pass


def test_another_host_is_refused(tmp_path: Path) -> None:
    """Locks do not reach across hosts: the owner is named, with the way to take over."""
    with Locks(tmp_path, "desk").hold(["a"], "r", DEADLINE):
        pass
    laptop = Locks(tmp_path, "laptop")
    with (
        pytest.raises(OwnedElsewhere, match=r"host desk, and this is laptop.*--take-over"),
        laptop.hold(["a"], "r", DEADLINE),
    ):
        pass
    laptop.take_over()
    with laptop.hold(["a"], "r", DEADLINE):
        assert "laptop" == laptop.owner
    with pytest.raises(OwnedElsewhere), Locks(tmp_path, "desk").hold(["a"], "r", DEADLINE):
        pass


@table("content", ["", "{", "[]", '"x"', "null"])
def test_a_lock_file_may_hold_anything(tmp_path: Path, content: str) -> None:
    """What stands inside is for messages only; it is never trusted, and never stands in the way."""
    (tmp_path / "a.lock").write_text(content)
    (tmp_path / "owner.json").write_text(content)
    locks = Locks(tmp_path, "here")
    assert locks.holder("a").startswith("a process that did not write its name into a.lock")
    with locks.hold(["a"], "r", DEADLINE):
        assert "here" == locks.owner


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file in the way of the lock folder."""
    (tmp_path / "memory").write_text("in the way")
    with pytest.raises(WriteFailed), Locks(tmp_path / "memory" / ".locks", "here").hold(["a"], "r", DEADLINE):
        pass


def test_a_machine_is_known_by_its_id_whatever_its_name(tmp_path: Path) -> None:
    """A lock file of before a change of name is this machine's; that of another owner is not, nor one of no host."""
    Locks(tmp_path, "desk").take_over()
    text = json.loads((tmp_path / "owner.json").read_text())
    (tmp_path / "owner.json").write_text(json.dumps(text | {"host": "desk-at-home"}))
    desk, laptop = Locks(tmp_path, "desk"), Locks(tmp_path, "laptop")
    assert ("", True, True, False) == (desk.other_host, *map(desk.is_here, ("desk", "desk-at-home", None)))
    assert ("desk-at-home", True, False) == (laptop.other_host, *map(laptop.is_here, ("laptop", "desk-at-home")))


def test_the_advice_fits_the_lock(tmp_path: Path) -> None:
    """`--wait` is named where it helps, and nowhere else."""
    locks = Locks(tmp_path, "here")
    with holder(tmp_path, "forget"):
        with pytest.raises(Held, match=r"can --wait\.$"), locks.hold(["forget"], "r", DEADLINE):
            pass
        inside = Waiting(advice="Run it again in a moment.")
        with (
            pytest.raises(Held, match=r"\. Run it again in a moment\.$"),
            locks.hold(["forget"], "r", DEADLINE, inside),
        ):
            pass
