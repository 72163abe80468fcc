"""`memory serve` when its log cannot be written: it goes on, for the log is not its work."""

import signal
from pathlib import Path

import pytest

from pipeline.service.socket.client import ask
from tests.support.marks import at_length
from tests.support.processes.command_line import CommandLine, Said, end_of
from tests.support.processes.commands import redirected
from tests.support.processes.serving_process import serving_process
from tests.support.processes.waiting import awaited


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with nothing to do."""
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "memory.toml").write_text('timezone = "UTC"\n\n[embedder]\nkind = "none"\n')
    return folder


@pytest.mark.parametrize("redirection", [">&- 2>&- <&-", ">/dev/full 2>&1", *at_length("2>/dev/full", "2>&-")])
def test_the_service_goes_on_without_its_log(redirection: str, root: Path, tmp_path: Path) -> None:
    """It begins, answers and stops as ever, and the state that it leaves says that it was stopped."""
    with serving_process(root, tmp_path, before=redirected(redirection)) as service:
        service.send_signal(signal.SIGHUP)  # it reads the settings anew, and would log that
        assert awaited(lambda: ask(root, "search", {"query": "anything"}))  # none while it opens its parts anew
        service.terminate()
        said = end_of(service)
    assert Said(0, "", "") == said
    standing = CommandLine(tmp_path)("status", "--json", "--workspace", root).records
    assert ["stopped"] == [record["service"] for record in standing if "service" in record]
