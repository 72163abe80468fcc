"""What the service is made of: what it imports before anybody asks, and its parts, that follow the settings."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import pytest

from pipeline.clock import stopwatch
from pipeline.errors import SettingsInvalid
from pipeline.errors.service import CannotListen, PartsLost
from pipeline.process.context import ProcessContext
from pipeline.service.parts import Applications, LoopView, Parts
from pipeline.service.socket.client import ask
from pipeline.surfaces.http.application import open_application
from pipeline.surfaces.http.local import make_local
from pipeline.workspace.service_files import ServiceFolder
from schemas.service_settings import PingSettings, ServiceSettings
from schemas.service_state import ServiceState
from schemas.settings import Settings
from tests.support.servers.ping_server import PingServer

HEAVY = (
    "numpy",
    "tantivy",
    "qdrant_edge",
    "qdrant_client",
    "openai",
    "detect_secrets",
    "prometheus_client",
    "onnxruntime",
)
"""What an index, an embedder, a model, a redactor and metrics need."""
MOMENT = datetime(2026, 3, 2, 12, tzinfo=UTC)
STATE = ServiceState(pid=1, host="here", version="1", started=MOMENT, alive=MOMENT)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace whose settings are all as they are by default."""
    (tmp_path / "memory.toml").touch()
    return tmp_path


def shown(http: str = "127.0.0.1:0") -> Settings:
    """Settings with an address where health is shown."""
    return Settings(service=ServiceSettings(http=http))


def parts(root: Path, settings: Settings) -> Parts:
    """The parts of a service whose loop turns, not yet opened."""
    loop = LoopView(lambda: STATE, stopwatch)
    return Parts(
        root, ProcessContext({}), settings, loop, Applications(make_local, lambda made: open_application(made, "1"))
    )


def test_it_imports_nothing_heavy() -> None:
    """What is not needed to wait is loaded when it is."""
    code = f"import sys, pipeline.service.serve; print(*(name for name in {HEAVY} if name in sys.modules))"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [] == completed.stdout.split()


def test_the_parts_are_there_while_they_are_entered(root: Path) -> None:
    """The socket answers, and health is shown; both are gone afterwards."""
    with parts(root, shown()) as opened:
        assert ask(root, "start_page", {}) is not None
        with urlopen(f"{opened.address}/health/live", timeout=60) as answer:  # noqa: S310 - it is our own
            assert "ok" == json.load(answer)["status"]
    assert ("", None) == (opened.address, ask(root, "start_page", {}))


def test_other_settings_are_taken_over(root: Path) -> None:
    """Parts that are no longer wanted go, and others come."""
    with parts(root, Settings()) as opened:
        assert "" == opened.address
        opened.renew(shown())
        assert opened.address.startswith("http://127.0.0.1:")
        opened.renew(Settings())
        assert ("", True) == (opened.address, ask(root, "start_page", {}) is not None)


def test_settings_that_cannot_be_used_change_nothing(root: Path) -> None:
    """An address that is none, and one that somebody else has: what was in use goes on."""
    with PingServer() as taken, parts(root, shown()) as opened:
        with pytest.raises(CannotListen):
            opened.renew(shown(taken.address.removeprefix("http://")))
        with pytest.raises(SettingsInvalid, match=r"pings\.url"):
            opened.renew(Settings.model_validate({"pings": PingSettings.model_validate({"url": "nowhere"})}))
        assert "127.0.0.1:0" == opened.settings.service.http
        with urlopen(f"{opened.address}/health/live", timeout=60) as answer:  # noqa: S310 - it is our own
            assert 200 == answer.status
        assert ask(root, "start_page", {}) is not None


def test_parts_that_no_settings_open_are_lost(root: Path) -> None:
    """When the old ones cannot be opened again either, that is an error of its own: nothing goes on."""
    with parts(root, Settings()) as opened:
        (ServiceFolder(root).path / "socket.new" / "x").mkdir(parents=True)  # where the address is written
        with pytest.raises(PartsLost, match="Nor could the service go on with the old ones: Cannot write"):
            opened.renew(shown())
        assert ask(root, "start_page", {}) is None


def test_nothing_is_opened_by_halves(root: Path) -> None:
    """When one part cannot be opened, none is."""
    with PingServer() as taken:
        with pytest.raises(CannotListen), parts(root, shown(taken.address.removeprefix("http://"))):
            pass
        assert ask(root, "start_page", {}) is None
