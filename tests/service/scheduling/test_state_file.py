"""The state file: whole or not there, private, and written no more often than it says something."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import WriteFailed
from pipeline.service.scheduling.state_file import RENEWED, StateFile
from pipeline.workspace.service_files import ServiceFolder
from schemas.service_state import JobState, Missed, MissedTick, Parked, ServiceState

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
STATE = ServiceState(
    pid=7,
    host="here",
    version="0.1.0",
    started=NOW,
    alive=NOW,
    jobs={"note": JobState(failures=6, parked=Parked(since=NOW, failures=6, reason="no room: ą 好"))},
    missed=(MissedTick(job="note", at=NOW, why=Missed.ASLEEP, noted=NOW),),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is to be; nothing is there yet."""
    (tmp_path / ".memory").mkdir()
    return ServiceFolder(tmp_path).state


def alive(by: timedelta) -> ServiceState:
    """The same, said so much later."""
    return STATE.model_copy(update={"alive": NOW + by})


def test_what_is_written_is_read(path: Path) -> None:
    """By this process and by others; nothing else is left in the folder."""
    StateFile(path).write(STATE)
    assert STATE == StateFile(path).read()
    assert [path] == list(path.parent.iterdir())


def test_only_the_owner_may_read_it(path: Path) -> None:
    """What failed may say more than others should know; whatever the umask is."""
    before = os.umask(0)
    try:
        StateFile(path).write(STATE)
    finally:
        os.umask(before)
    assert (0o600, 0o700) == (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777)


@given(st.binary(max_size=200))
def test_what_cannot_be_understood_is_nothing(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """The service begins anew rather than not at all."""
    path = tmp_path_factory.mktemp("state") / "state.json"
    path.write_bytes(data)
    assert StateFile(path).read() is None


def test_what_is_missing_torn_or_of_another_form_is_nothing(path: Path) -> None:
    """So is a folder in its place."""
    file = StateFile(path)
    assert file.read() is None
    file.write(STATE)
    whole = path.read_text(encoding="utf-8")
    for damaged in (whole[: len(whole) // 2], whole.replace('"pid"', '"pip"'), "null", ""):
        path.write_text(damaged, encoding="utf-8")
        assert file.read() is None
    path.unlink()
    path.mkdir()
    assert file.read() is None


def test_being_alive_is_not_written_at_every_turn(path: Path) -> None:
    """But before the file grows old, and at once when there is something new, or the clock was set."""
    file = StateFile(path)
    file.renew(STATE)
    file.renew(alive(RENEWED - timedelta(seconds=1)))
    assert STATE == file.read()
    file.renew(alive(RENEWED))
    assert alive(RENEWED) == file.read()
    file.renew(alive(-RENEWED))
    assert alive(-RENEWED) == file.read()
    news = alive(-RENEWED).model_copy(update={"missed": ()})
    file.renew(news)
    assert news == file.read()


def test_a_refusal_is_reported(path: Path) -> None:
    """It names the file."""
    path.parent.write_text("in the way", encoding="utf-8")
    with pytest.raises(WriteFailed, match=r"state\.json"):
        StateFile(path).write(STATE)


def test_what_a_crash_left_is_written_over(path: Path) -> None:
    """Half a state beside the file is in nobody's way."""
    file = StateFile(path)
    file.write(STATE)
    path.with_name(f"{path.name}.new").write_text('{"pid', encoding="utf-8")
    assert STATE == file.read()
    file.write(alive(RENEWED))
    assert alive(RENEWED) == file.read()
