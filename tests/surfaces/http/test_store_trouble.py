"""A store that cannot be used: what a request is told, and what watches the service."""

import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from pipeline.app.status import store_standing
from pipeline.clock import stopwatch
from pipeline.errors import PipelineError
from pipeline.errors.store import (
    DetailGone,
    StoreBusy,
    StoreDamaged,
    StoreDriverMissing,
    StoreFull,
    StoreNewer,
    StoreRefused,
    StoreUnavailable,
    UnknownDetail,
)
from pipeline.store.database import open_database
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.problems import problem_of
from schemas.store_settings import StoreSettings
from tests.support.servers.postgresql import PostgresServer
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace, served

AWAY = "postgresql://nobody:hidden-word@/none?host=/nonexistent"


@pytest.fixture(scope="module")
def away(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWorkspace]:
    """A workspace whose store is a server that is away."""
    root = tmp_path_factory.mktemp("away") / "work"
    shutil.copytree(demo, root)
    settings = root / "memory.toml"
    settings.write_text(f'{settings.read_text()}\n[store]\nurl = "{AWAY}"\nworkspace = "w"\n')
    with served(root) as workspace:
        yield workspace


@table("path", ["/api/v1/memories", "/api/v1/sessions", "/api/v1/sessions/s1"])
def test_a_store_that_is_away(away: ServedWorkspace, path: str) -> None:
    """It is no conflict: nothing in the request is wrong. The address is as the settings write it, less its secret."""
    answer = away.ask(path)
    assert (503, "StoreUnavailable") == (answer.status, answer.value["type"])
    assert "postgresql://nobody:***@/none" in answer.value["detail"]


def test_readiness_and_metrics_know(away: ServedWorkspace) -> None:
    """The reason names no server, for anybody may read it."""
    ready, metrics = away.ask("/health/ready"), away.ask("/metrics").body.decode()
    assert (503, ["the store cannot be used: `memory store list` says why"]) == (ready.status, ready.value["reasons"])
    assert ["memory_store_up 0.0"] == [line for line in metrics.splitlines() if line.startswith("memory_store")]


def test_a_store_that_is_well(tmp_path: Path) -> None:
    """It stands with its size; where nothing was ever stored there is none, and none is made."""
    store = WorkspaceStore(tmp_path, StoreSettings())
    assert store_standing(store) is None
    open_database(tmp_path, StoreSettings()).close()
    standing = store_standing(store)
    assert standing
    assert ("", True) == (standing.error, bool(standing.size))


@table(
    ("error", "status"),
    [
        (StoreUnavailable("x", "gone"), 503),
        (StoreBusy("x"), 503),
        (StoreDamaged("x", "torn"), 503),
        (StoreNewer("x", "9"), 503),
        (StoreDriverMissing(), 503),
        (StoreFull("x"), 507),
        (StoreRefused("x"), 422),
        (UnknownDetail("x"), 404),
        (DetailGone("x"), 410),
    ],
)
def test_the_status_of_an_error(error: PipelineError, status: int) -> None:
    """What is the store's trouble is the server's, and says so."""
    assert status == problem_of(error).status


@pytest.mark.soak
def test_a_server_that_never_answers(tmp_path: Path) -> None:
    """Nobody who watches waits for longer than two seconds."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = SecretStr(f"postgresql://anna@127.0.0.1:{mute.getsockname()[1]}/memory")
        began = stopwatch()
        standing = store_standing(WorkspaceStore(tmp_path, StoreSettings(url=url, workspace="w")))
        assert standing
        assert ("cannot be reached" in standing.error, True) == (True, stopwatch() - began < 4)


@table(
    "path",
    [
        "memories?words=%00",
        "sessions/%00",
        "sessions/a%0Ab",
        "sessions?user_id=%00",
        "graph?user_id=a%1Bb",
        "search?%00",
    ],
)
def test_control_characters_in_an_address(away: ServedWorkspace, path: str) -> None:
    """Refused before the store is asked, whichever it is."""
    answer = away.ask(f"/api/v1/{path}")
    assert (422, True) == (answer.status, "Leave it out." in answer.value["detail"])


def test_words_may_have_lines(reading: ServedWorkspace) -> None:
    """They name nothing."""
    assert 200 == reading.ask("/api/v1/search?query=guest%0Anames").status


def test_a_zero_byte_in_a_text(postgres: PostgresServer, tmp_path: Path) -> None:
    """PostgreSQL does not take it, and it is the value's fault, not the server's."""
    settings = StoreSettings(url=SecretStr(postgres.url), workspace="zero")
    with closing(WorkspaceStore(tmp_path, settings)) as store, pytest.raises(StoreRefused, match="NUL") as refused:
        store.details.find("a\0b")
    assert 422 == problem_of(refused.value).status
