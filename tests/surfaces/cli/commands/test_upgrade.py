"""`memory upgrade`. That it upgrades is tested in `tests/acceptance/test_upgrade.py`."""

from collections.abc import Callable
from pathlib import Path

from tests.support.processes.command_line import Said
from tests.support.tables import table


@table("options", ["", "--yes", "--back --yes", "--back --lose-acts --yes"])
def test_no_agent_upgrades(options: str, filled: Path, call: Callable[..., Said]) -> None:
    """It may look at what would change."""
    words = ("upgrade", "--workspace", filled)
    said = call(*words, *options.split(), CLAUDECODE="1")
    assert (77, True) == (said.code, "CLAUDECODE" in said.err)
    assert 0 == call(*words, "--dry-run", CLAUDECODE="1").code
