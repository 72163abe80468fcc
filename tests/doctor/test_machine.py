"""The checks of the place that a workspace lives in, and what mends what they find."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.backup.note import BackupNote, KnownBackup, write_note
from pipeline.doctor.machine import check_mount
from pipeline.doctor.run_check import NAMED
from pipeline.errors import PipelineError
from pipeline.workspace.locks import Latch, Locks
from schemas.checkup import CheckResult, Health
from tests.support.check_results import results_of
from tests.support.ports.memory_source import conversation
from tests.support.processes.crashes import Crash, CrashingWorkspace, CrashPlan
from tests.support.tables import table
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
PLACE = ("files", "rights", "api_key", "disk", "clock", "host", "locks", "leftovers", "torn writes")
NOBODY = 2**22 + 1  # beyond the largest number of a process
DAY = "memory/2026-03-02.md"


def healths(bench: Workbench, name: str) -> list[Health]:
    """How the checks of a name came out."""
    return [check.health for check in results_of(bench.engine, name)]


def mended(check: CheckResult) -> str:
    """What mending it told."""
    assert check.mend is not None
    return check.mend()


def test_all_is_well(new_bench: NewBench) -> None:
    """In a new place nothing is to be told but that."""
    bench = new_bench()
    bench.engine.workspace.state_folder.chmod(0o700)
    assert {Health.OK} == {check.health for check in results_of(bench.engine, *PLACE)}


def test_a_state_folder_that_others_may_read_is_closed(new_bench: NewBench) -> None:
    """It is ours, and holds what the transcripts hold."""
    bench = new_bench()
    bench.engine.workspace.state_folder.chmod(0o755)
    (check,) = results_of(bench.engine, "rights")
    assert (Health.WARN, True) == (check.health, "chmod 700" in check.advice)
    assert "is open to you alone now" in mended(check)
    assert 0o700 == bench.engine.workspace.state_folder.stat().st_mode & 0o777
    assert [Health.OK] == healths(bench, "rights")


def test_a_clock_behind_the_last_run(new_bench: NewBench) -> None:
    """No new time becomes due then; a few minutes are no finding."""
    bench = new_bench()
    bench.say(conversation("s1", bench.clock.now() - timedelta(days=1), [("owner", "note: one")]))
    bench.run_due()
    bench.clock.move(-timedelta(minutes=2))
    assert [Health.OK] == healths(bench, "clock")
    bench.clock.move(-timedelta(hours=1))
    (check,) = results_of(bench.engine, "clock")
    assert (Health.FAIL, True) == (check.health, "the last run was at 2026-03-04 11:00" in check.message)


def test_messages_of_the_future(new_bench: NewBench) -> None:
    """One of two clocks is wrong."""
    bench = new_bench()
    bench.say(conversation("s1", bench.clock.now() + timedelta(hours=3), [("owner", "note: one")]))
    bench.engine.catalog.refresh()
    (check,) = results_of(bench.engine, "clock")
    assert (Health.WARN, True) == (check.health, "2026-03-04 14:00 UTC" in check.message)


def test_locks_are_reported(new_bench: NewBench) -> None:
    """Held is no finding; held beyond the deadline, or by another than who is named, is."""
    bench = new_bench()
    locks, now = Locks(bench.engine.workspace.lock_folder), bench.clock.now()
    with locks.hold(("note",), "r-1", now + timedelta(minutes=1)):
        assert [(Health.OK, "held: note")] == [
            (finding.health, finding.message) for finding in results_of(bench.engine, "locks")
        ]
    with locks.hold(("note",), "r-1", now - timedelta(minutes=1)):
        (check,) = results_of(bench.engine, "locks")
        assert (Health.WARN, f"`kill {os.getpid()}`" in check.advice) == (check.health, True)
    file = bench.engine.workspace.lock_folder / "note.lock"
    for text in (json.dumps({"pid": NOBODY, "host": bench.host, "run": "r-1"}), ""):
        file.write_text(text)
        with Latch(file).hold(0):
            (check,) = results_of(bench.engine, "locks")
            assert (Health.FAIL, f"`fuser -v {file}`" in check.advice) == (check.health, True)
            assert "note is held by a process that did not write its name into its file" == check.message
    assert [Health.OK] == healths(bench, "locks")


def test_temporary_files_of_killed_runs_are_removed(new_bench: NewBench) -> None:
    """Those of living processes stay, and so does everything that is not ours."""
    bench = new_bench()
    folder = bench.root / "memory"
    folder.mkdir(exist_ok=True)
    dead = [folder / f".2026-03-0{number}.md.{NOBODY}.tmp" for number in range(NAMED + 2)]
    kept = [folder / f".a.md.{os.getpid()}.tmp", folder / ".draft.tmp", folder / ".x.md.mine.tmp"]
    for file in (*dead, *kept):
        file.write_text("x")
    first, *others = results_of(bench.engine, "leftovers")
    assert f"memory/.2026-03-00.md.{NOBODY}.tmp was left by a run that was killed" == first.message
    assert (NAMED, "2 more were left by runs that were killed") == (len(others), others[-1].message)
    assert f"removed {len(dead)} temporary file(s)" == mended(first)
    assert (set(), set(kept)) == ({file for file in dead if file.exists()}, {file for file in kept if file.exists()})
    assert [] == results_of(bench.engine, "leftovers")


def torn(bench: Workbench) -> bytes:
    """Lets a run die in the middle of a write behind a person's text; the bytes that an undisturbed one writes."""
    (bench.root / "memory").mkdir(exist_ok=True)
    (bench.root / DAY).write_bytes(b"# mine\n")
    bench.say(conversation("s1", bench.clock.now() - timedelta(days=2), [("owner", "note: one")]))
    engine = bench.engine
    bench.engine = replace(engine, workspace=CrashingWorkspace(engine.workspace, CrashPlan(0, 0.5)))
    with pytest.raises(Crash):
        bench.run_due()
    bench.engine = engine
    (change,) = engine.ledger.changes.intended_changes()
    return b"# mine\n" + change.after


def test_what_was_half_written_is_completed(new_bench: NewBench) -> None:
    """As the next run would: our block is whole, and the person's text untouched."""
    bench = new_bench()
    whole = torn(bench)
    assert whole != (bench.root / DAY).read_bytes()
    (check,) = results_of(bench.engine, "torn writes")
    assert (Health.WARN, f"a run of note was killed, or refused by the system, while it wrote {DAY}") == (
        check.health,
        check.message,
    )
    assert f"mended {DAY}" == mended(check)
    assert whole == (bench.root / DAY).read_bytes()
    assert [] == results_of(bench.engine, "torn writes")


def test_an_intention_without_a_byte_is_cleared(new_bench: NewBench) -> None:
    """Nothing stands in the file, so nothing is written."""
    bench = new_bench()
    torn(bench)
    (bench.root / DAY).write_bytes(b"# mine\n")
    (check,) = results_of(bench.engine, "torn writes")
    assert "nothing stood half written; the intention is cleared" == mended(check)
    assert (b"# mine\n", []) == ((bench.root / DAY).read_bytes(), bench.engine.ledger.changes.intended_changes())


def test_what_a_run_is_writing_is_left_to_it(new_bench: NewBench) -> None:
    """While the job is at work nothing is said; when it begins meanwhile, nothing is mended."""
    bench = new_bench()
    torn(bench)
    before = (bench.root / DAY).read_bytes()
    (check,) = results_of(bench.engine, "torn writes")
    with bench.engine.locks.hold(("note",), "r-1", bench.clock.now() + timedelta(minutes=1)):
        assert [] == results_of(bench.engine, "torn writes")
        with pytest.raises(PipelineError, match="note is at work elsewhere"):
            mended(check)
    assert before == (bench.root / DAY).read_bytes()


def test_a_check_that_cannot_be_made_does_not_end_the_others(new_bench: NewBench, tmp_path: Path) -> None:
    """It says so, and what comes after it is looked at."""
    bench = new_bench()
    lost = bench.engine.workspace.state_folder.rename(tmp_path / "elsewhere")
    (check,) = results_of(bench.engine, "rights")
    assert (Health.WARN, "cannot be looked at: " in check.message) == (check.health, True)
    assert [Health.OK] == healths(bench, "disk")
    lost.rename(bench.engine.workspace.state_folder)


def test_a_workspace_without_a_back_up(new_bench: NewBench) -> None:
    """A week after its first run the doctor says how one is made; nothing is broken."""
    bench = new_bench()
    bench.run_due()
    assert [Health.OK] == healths(bench, "backup")
    bench.clock.move(timedelta(days=8))
    (result,) = results_of(bench.engine, "backup")
    assert (Health.WARN, True) == (result.health, "memory backup DIR" in result.advice)


def test_a_back_up_that_is_late(new_bench: NewBench) -> None:
    """Only one that a person wants regularly can be late; where none was made, that is no fault."""
    bench = new_bench()
    assert [Health.OK] == healths(bench, "backup")
    for every, expected in ((0, Health.OK), (1, Health.WARN)):
        known = KnownBackup(folder="/saved", number=1, digest="", at=bench.clock.now(), every=every)
        write_note(bench.engine.workspace, BackupNote().having("w", "chain", known))
        assert [Health.OK] == healths(bench, "backup")
        bench.clock.move(timedelta(days=3))
        assert [expected] == healths(bench, "backup")


MOUNTS = """\
/dev/vda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/vda2 /home/anna/disk ext4 rw 0 0
//nas/my\\040things /mnt/my\\040things cifs rw 0 0
anna@host: /mnt/host fuse.sshfs rw 0 0
/dev/sdb1 /mnt/stick fuseblk rw 0 0
server:/old /mnt/two nfs rw 0 0
/dev/vdc1 /mnt/two xfs rw 0 0
broken
"""


@table(
    "folder, expected",
    [
        ("/var/w", ""),
        ("/home/anna/w", "nfs4, mounted at /home,"),
        ("/homes/w", ""),
        ("/home/anna/disk/w", ""),
        ("/mnt/my things/w", "cifs, mounted at /mnt/my things,"),
        ("/mnt/host", "fuse.sshfs, mounted at /mnt/host,"),
        ("/mnt/stick/w", ""),
        ("/mnt/two/w", ""),
    ],
)
def test_a_workspace_on_another_machine_is_warned_of(folder: str, expected: str) -> None:
    """By the file system in which it lies."""
    results = list(check_mount(Path(folder), MOUNTS))
    assert bool(expected) == bool(results)
    assert all(check.health is Health.WARN and expected in check.message for check in results)
