"""What keeps outputs in the service: it is loaded before the first one, where there will be one."""

import subprocess
import sys
from pathlib import Path

from pipeline.app.details.outputs import OutputKeeper, OutputRequest
from pipeline.app.turns import Turns
from pipeline.clock import SystemClock
from pipeline.integration.known_agents import AGENTS, Connection
from pipeline.integration.plan import carry_out, plan_apply
from schemas.settings import Settings
from tests.support.processes.command_line import bare_environment
from tests.support.tables import table

LOADING = """
import sys, threading
from pathlib import Path
from pipeline.clock import SystemClock
from pipeline.app.details.outputs import OutputKeeper
from pipeline.app.turns import Turns
from schemas.settings import Settings
root = Path(sys.argv[1])
settings = Settings(timezone="UTC")
handler = OutputKeeper(root, lambda: settings, SystemClock(), Turns())
handler.load()
for thread in threading.enumerate():
    if thread.name == "details":
        thread.join()
print(*(name for name in ("sqlalchemy", "bpe_openai._bindings", "detect_secrets") if name in sys.modules))
handler.close()
"""


def loaded(root: Path, home: Path) -> list[str]:
    """The libraries that a process has after its preparation: the tests' own has them all."""
    words = (sys.executable, "-c", LOADING, str(root))
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=bare_environment(home))
    return done.stdout.decode().split()


def connected(root: Path, home: Path, name: str) -> None:
    """Connect an agent with a workspace."""
    carry_out(root, plan_apply(root, name, AGENTS[name], Connection("memory", str(root), "", home, {})))


def test_where_no_detail_comes_nothing_is_loaded(tmp_path: Path) -> None:
    """It would take 150 MB. An agent without a hook keeps nothing by it."""
    root, home = tmp_path / "w", tmp_path / "home"
    for path in (root, home):
        path.mkdir()
    connected(root, home, "codex")
    assert [] == loaded(root, home)
    assert not (root / "store").exists()


@table("how", ["hooked", "stored"])
def test_where_details_come_all_is_loaded(tmp_path: Path, how: str) -> None:
    """An agent waits for the first one as for any other. Loading makes no store."""
    root, home = tmp_path / "w", tmp_path / "home"
    for path in (root, home):
        path.mkdir()
    if how == "hooked":
        connected(root, home, "claude-code")
    else:
        settings = Settings(timezone="UTC")
        handler = OutputKeeper(root, lambda: settings, SystemClock(), Turns())
        handler.keep(OutputRequest(content="a line of an output\n" * 200))
        handler.close()
    opened = ["sqlalchemy"] if how == "stored" else []
    assert [*opened, "bpe_openai._bindings", "detect_secrets"] == loaded(root, home)
    assert (how == "stored") == (root / "store" / "memory.db").exists()
