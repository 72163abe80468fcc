"""What the service told of itself, read from outside."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.errors import ReadFailed
from pipeline.ledger.runs import RunRecord
from pipeline.reports.service import log_of, service_standing
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from pipeline.workspace.service_files import LOGS, STATE, ServiceFolder
from schemas.service_state import ServiceState
from schemas.window import Window

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
PRESENT = ServiceState(pid=4711, host="house", version="1", started=NOON, alive=NOON)


def tell(root: Path, state: ServiceState = PRESENT) -> ServiceFolder:
    """Put a state where the service puts it."""
    folder = ServiceFolder(root)
    folder.path.mkdir(parents=True)
    folder.state.write_text(state.model_dump_json())
    return folder


def test_there_has_never_been_one(tmp_path: Path) -> None:
    """Without a state there is no service."""
    assert service_standing(Workspace(tmp_path)) is None


def test_it_runs_as_long_as_its_lock_is_held(tmp_path: Path) -> None:
    """The number of a process may belong to another one by now; the lock cannot."""
    folder = tell(tmp_path)
    folder.address.write_text("/somewhere")
    with Latch(folder.lock).hold(0):
        standing = service_standing(Workspace(tmp_path))
        assert standing is not None
        assert (PRESENT, True, False) == (standing.state, standing.running, standing.abandoned)
    standing = service_standing(Workspace(tmp_path))
    assert standing is not None
    assert (False, True) == (standing.running, standing.abandoned)
    folder.address.unlink()
    standing = service_standing(Workspace(tmp_path))
    assert standing is not None
    assert (False, False) == (standing.running, standing.abandoned)


def test_a_state_that_cannot_be_understood_is_reported(tmp_path: Path) -> None:
    """Of a damaged file, or one of another version, only its path is told."""
    folder = tell(tmp_path)
    folder.state.write_text('{"pid": "many"}')
    with pytest.raises(ReadFailed, match=STATE):
        service_standing(Workspace(tmp_path))
    folder.state.unlink()
    folder.state.mkdir()
    with pytest.raises(ReadFailed, match=STATE):
        service_standing(Workspace(tmp_path))


def test_its_files_are_where_the_service_has_them(tmp_path: Path) -> None:
    """The names are those of `pipeline.workspace.service_files`."""
    folder = ServiceFolder(tmp_path)
    assert (tmp_path / STATE, tmp_path / LOGS) == (folder.state, folder.logs)


def test_the_log_of_a_run_is_the_one_that_names_it(tmp_path: Path) -> None:
    """Begun before it, written after it began, and holding its id: also when another job's process did it."""
    logs = ServiceFolder(tmp_path).logs
    logs.mkdir(parents=True)
    for name, text in (
        ("20260304T115900.000001Z-weekly_plan.log", '{"run":"r-1"}'),
        ("20260304T115800.000001Z-micro_sync.log", '{"run":"r-2"}'),
        ("20260304T120100.000001Z-micro_sync.log", '{"run":"r-1"}'),
    ):
        (logs / name).write_text(text)
    window = Window(start=NOON, end=NOON)
    run = RunRecord("r-1", "daily_wrapup", "k", window, NOON, NOON, None, 0, None)
    assert f"{LOGS}/20260304T115900.000001Z-weekly_plan.log" == log_of(Workspace(tmp_path), run)
    (logs / "20260304T115900.000001Z-weekly_plan.log").unlink()
    assert log_of(Workspace(tmp_path), run) == ""
