"""The checks of the service, and of what should have been done at its time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.doctor.service import SILENT_FOR, UNTRIED_FOR, check_units
from pipeline.drafts import Draft
from pipeline.errors import WriteFailed
from pipeline.install import UnitTarget, render_unit, unit_folders
from pipeline.job import Run
from pipeline.reports.sources import FEW
from pipeline.reports.status import job_standings
from pipeline.workspace.locks import Latch
from pipeline.workspace.service_files import ServiceFolder
from schemas.checkup import Health
from schemas.service_settings import CatchUp
from schemas.service_state import JobState, Missed, MissedTick, Parked, ServiceState
from schemas.settings import JobSettings
from tests.support.builders.note_job import JOB
from tests.support.check_results import results_of
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.fold_bench import fold_bench
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
STATE = ServiceState(pid=4711, host="house", version="1", started=NOW - timedelta(days=1), alive=NOW)


def results(bench: Workbench, name: str) -> list[tuple[Health, str]]:
    """What the checks of a name found."""
    return [(check.health, check.message) for check in results_of(bench.engine, name)]


def tell(bench: Workbench, **fields: object) -> ServiceFolder:
    """Put a state where the service puts it."""
    folder = ServiceFolder(bench.root)
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.state.write_text(STATE.model_copy(update=fields).model_dump_json())
    return folder


def test_no_service_is_no_finding(new_bench: NewBench) -> None:
    """Timers or cron need none."""
    ((health, message),) = results(new_bench(), "service")
    assert (Health.OK, True) == (health, message.startswith("no service runs here"))


def test_a_service_at_work(new_bench: NewBench) -> None:
    """It holds its lock and told of itself just now; after a long silence it hangs."""
    bench = new_bench()
    folder = tell(bench)
    with Latch(folder.lock).hold(0):
        assert [(Health.OK, "process 4711 is at work since 2026-03-03 12:00")] == results(bench, "service")
        bench.clock.move(SILENT_FOR + timedelta(seconds=1))
        (check,) = results_of(bench.engine, "service")
        assert (Health.FAIL, True) == (check.health, "since 2026-03-04 12:00: it hangs" in check.message)
        assert "`kill 4711`" in check.advice


def test_a_service_that_is_gone(new_bench: NewBench) -> None:
    """Stopped is well; one that was killed left its address behind."""
    bench = new_bench()
    folder = tell(bench)
    ((health, message),) = results(bench, "service")
    assert (Health.OK, True) == (health, message.startswith("not running since 2026-03-04 12:00"))
    folder.address.write_text("/somewhere")
    ((health, message),) = results(bench, "service")
    assert (Health.WARN, True) == (health, "said no goodbye" in message)


def test_a_state_that_cannot_be_read(new_bench: NewBench) -> None:
    """It is told, and what comes after is looked at."""
    bench = new_bench()
    tell(bench).state.write_text("{")
    ((health, message),) = results(bench, "service")
    assert (Health.WARN, True) == (health, "Cannot read .memory/service/state.json" in message)
    assert [] != results_of(bench.engine, "schedule")


def test_parked_jobs_and_missed_ticks(new_bench: NewBench) -> None:
    """A parked job does not work, and the way out is told; ticks that were missed lately are counted."""
    bench = new_bench()
    parked = JobState(parked=Parked(since=NOW, failures=6, reason="No space left on device"))
    ticks = [(timedelta(hours=3), Missed.DOWN), (timedelta(hours=6), Missed.DOWN), (timedelta(days=30), Missed.CLOCK)]
    missed = tuple(MissedTick(job="note", at=NOW - age, why=why, noted=NOW) for age, why in ticks)
    tell(bench, jobs={"note": parked}, missed=missed)
    actual = results_of(bench.engine, "service")
    (check,) = [finding for finding in actual if finding.health is Health.FAIL]
    assert "note has been parked since 2026-03-04 12:00: No space left on device" == check.message
    assert "`memory run note`" in check.advice
    assert (Health.OK, "ticks missed within 7 days: 2 down") in results(bench, "service")


def test_windows_that_nothing_runs(new_bench: NewBench) -> None:
    """Due for long and never tried: nothing looks after this workspace."""
    bench = new_bench()
    ((health, message),) = results(bench, "schedule")
    assert (Health.WARN, "window(s) of note are due, the oldest of 2026-03-02 00:00" in message) == (health, True)
    bench.run_due()
    assert [] == results(bench, "schedule")
    bench.clock.move(UNTRIED_FOR)
    assert [] == results(bench, "schedule")


def test_windows_behind_one_that_fails_are_reported_elsewhere(new_bench: NewBench) -> None:
    """They are not tried before it, and that it fails is a finding of its own."""

    def run(run: Run) -> list[Draft]:
        raise WriteFailed(DAY, f"no room for {run.key}")

    bench = new_bench(jobs=(replace(JOB, run=run),))
    bench.say(conversation("s1", NOW - timedelta(days=2), [("owner", "note: one")]))
    bench.run_due()
    assert [] == results(bench, "schedule")


def test_windows_that_the_settings_leave_to_a_back_fill(new_bench: NewBench) -> None:
    """Nothing will run them; the command that does is told."""
    bench = new_bench()
    for settings in (JobSettings(catch_up=CatchUp.NONE), JobSettings(max_age=timedelta(hours=3))):
        bench = bench.reopen(settings=bench.settings.model_copy(update={"jobs": {"note": settings}}))
        (check,) = results_of(bench.engine, "schedule")
        assert check.message.endswith("window(s) of note are left to a back-fill by jobs.note.catch_up or max_age")
        assert check.advice.startswith("Run `memory backfill note --from 2026-03-02 --to 2026-03-04`")
    bench.engine.ledger.store.close()


def test_a_fold_that_is_due_is_left_to_nobody(new_bench: NewBench) -> None:
    """The next run takes it: no setting keeps it back, and it is no finding that time goes on meanwhile."""
    bench = fold_bench(new_bench)
    assert [1] == [len(standing.due) for standing in job_standings(bench.engine)]
    assert [] == results_of(bench.engine, "schedule")


def test_capture(new_bench: NewBench) -> None:
    """The ratio is told; silence although people talk is a warning."""
    bench = new_bench()
    assert [] == results(bench, "capture")
    for number in range(FEW):
        bench.say(conversation(f"s{number}", NOW - timedelta(days=1), [("owner", "hello")]))
    bench.run_due()
    ((health, message),) = results(bench, "capture")
    assert (Health.WARN, True) == (health, f"not one of {FEW} sessions" in message)
    bench.say(conversation("s9", NOW - timedelta(days=1), [("owner", "note: one")]))
    bench.run_due()
    assert [(Health.OK, f"1 of {FEW + 1} session(s) of 14 days gave note an entry")] == results(bench, "capture")


def test_an_installed_service_that_does_not_run(new_bench: NewBench, tmp_path: Path) -> None:
    """Of the person or of the system: the unit and the command that starts it are named, until the service runs."""
    bench, variables = new_bench(), {"HOME": str(tmp_path), "SYSTEMD_UNIT_PATH": str(tmp_path / "system")}
    text = (Path(__file__).parents[2] / "systemd" / "memory.service").read_text()
    for manager, folder in unit_folders(str(bench.root), variables).items():
        unit = render_unit(text, UnitTarget("/opt/memory", str(bench.root)))
        folder.write({"memory.service": unit, "other.service": unit.replace(str(bench.root), "/elsewhere")})
        (check, *more) = check_units(bench.engine, variables)
        command = f"`{manager} enable --now memory.service`"
        assert (Health.WARN, str(folder.path / "memory.service"), True, []) == (
            check.health,
            check.message.partition(" ")[0],
            check.advice.startswith(command),
            more,
        )
        with Latch(tell(bench).lock).hold(0):
            assert [] == [*check_units(bench.engine, variables)]
        folder.remove(["memory.service"])
