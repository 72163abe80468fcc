"""A disk that fills up in the middle of a write: a sentence, an exit code, and nothing torn."""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.support.marks import at_length
from tests.support.processes.command_line import Said
from tests.support.processes.commands import unlike
from tests.support.processes.preparation import largest_file
from tests.support.workspaces.four_days import BY_HAND, FourDays, build_four_days

PERSONS_TEXT = 2_000_000  # bytes, more than the ledger and its log grow to in a day
PAGE = 4096  # bytes, the least that such a disk gives


def assert_clear(ended: Said, *names: str) -> None:
    """One of the documented exit codes and a sentence that names one of the files; never a traceback."""
    assert (ended.code in {1, 3}, "Traceback" in ended.err) == (True, False), (ended.code, ended.shown)
    assert "Cannot write " in ended.shown
    assert any(name in ended.shown for name in names), ended.shown


@pytest.fixture
def longer_days(four_days: FourDays) -> FourDays:
    """A workspace where a person has written so much into the first day's file that it is by far the largest of all."""
    line = b"A line of what a person wrote down that day, which nobody will ever read again.\n"
    four_days.daily(0).write_bytes(line * (PERSONS_TEXT // len(line)))
    return four_days


@pytest.mark.parametrize("room", [300, *at_length(1, 1500)])
def test_the_daily_file_is_full(room: int, longer_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """What fits is whole, what does not is not begun; once there is room, one run gives what was to be."""
    by_hand, day = longer_days.daily(0).read_bytes(), str(longer_days.days[0])
    before = largest_file(len(by_hand) + room)
    ended = longer_days.memory.memory("backfill", "micro_sync", "--from", day, "--to", day, before=before)
    assert_clear(ended, f"memory/{day}.md")
    assert longer_days.memory.torn() == []
    assert longer_days.daily(0).read_bytes()[: len(by_hand)] == by_hand
    assert longer_days.memory.memory("run").code == 0
    name = f"memory/{day}.md"
    written = undisturbed[name].partition(b"\n")[2]
    assert unlike(undisturbed | {name: by_hand + written}, longer_days.memory.pages()) == []


@pytest.mark.parametrize("size", [0, 120_000, *at_length(100, 30_000)])
def test_the_ledger_is_full(size: int, four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """No file may grow at all, or not far: the ledger is hit first."""
    ended = four_days.memory.memory(*four_days.backfill, before=largest_file(size))
    assert_clear(ended, "state.db", "memory/.locks", "temporary folder")
    assert four_days.memory.torn() == []
    assert four_days.daily(1).read_bytes() == BY_HAND
    assert four_days.memory.memory(*four_days.backfill).code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes in memory, where the machine lets us have one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this process may not mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("pages_left", [4, *at_length(0, 16)])
def test_a_real_full_disk(pages_left: int, small_disk: Path, first_day: date, undisturbed: dict[str, bytes]) -> None:
    """Whatever meets the end of the disk first, it is told, and nothing is torn."""
    four_days = build_four_days(small_disk, first_day)
    assert four_days.memory.memory("show", "entries").code == 0  # there is a ledger
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        while shutil.disk_usage(small_disk).free > pages_left * PAGE:
            file.write(bytes(PAGE))
            file.flush()
    ended = four_days.memory.memory(*four_days.backfill)
    assert_clear(ended, "state.db", "memory/")
    assert four_days.memory.torn() == []
    assert four_days.daily(1).read_bytes()[: len(BY_HAND)] == BY_HAND
    filler.unlink()
    assert four_days.memory.memory(*four_days.backfill).code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []


def test_the_doctor_tells_of_a_disk_that_was_always_full(small_disk: Path, first_day: date) -> None:
    """There is no ledger and there can be none; that the disk is full is told."""
    four_days = build_four_days(small_disk, first_day)
    with pytest.raises(OSError, match="No space left"):
        (small_disk / "filler").write_bytes(bytes(2 * shutil.disk_usage(small_disk).total))
    ended = four_days.memory.memory("doctor")
    assert (ended.code, "Traceback" in ended.err) == (1, False), ended.shown
    assert "fail  ledger: " in ended.out
    assert "fail  disk: 0 MB are free" in ended.out
