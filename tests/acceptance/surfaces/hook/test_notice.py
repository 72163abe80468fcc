"""At the end of a session the hook tells the service of new records, and does nothing else."""

import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.process.context import ProcessContext
from pipeline.service.socket.http_request import NOTICE, request
from pipeline.workspace.asking import ASKING, ASKING_FOLDER
from pipeline.workspace.service_files import ServiceFolder
from tests.support.processes.command_line import bare_environment
from tests.support.processes.serving_process import ADDRESS, serving_process
from tests.support.processes.waiting import soon
from tests.support.tables import table

HOOK = (sys.executable, "-m", "pipeline.surfaces.hook.main", NOTICE)
SETTINGS = 'timezone = "UTC"\n[embedder]\nkind = "none"\n[[sources]]\nkind = "claude_code"\npath = "{path}"\n'


def workspace(folder: Path) -> Path:
    """One that reads the sessions of Claude Code in `folder/projects`."""
    root = folder / "w"
    (folder / "projects" / "-home-x").mkdir(parents=True)
    root.mkdir()
    (root / "memory.toml").write_text(SETTINGS.format(path=folder / "projects"))
    return root


def end_a_session(folder: Path, name: str) -> None:
    """A session of Claude Code that has just ended."""
    about = {"sessionId": name, "cwd": "/home/x", "version": "2.1.0", "isSidechain": False, "userType": "external"}
    now = datetime.now(UTC) - timedelta(seconds=2)  # as the service's own clock has it
    said = {"type": "user", "uuid": f"{name}-1", "parentUuid": None, "timestamp": now.isoformat(), **about}
    said["message"] = {"role": "user", "content": "We sail on Friday."}
    (folder / "projects" / "-home-x" / f"{name}.jsonl").write_text(json.dumps(said) + "\n")


def hook(folder: Path, root: Path, cwd: Path | None = None, asks: str = "") -> tuple[int, bytes, bytes]:
    """How the hook ends, and what it prints. Its input stays open: it must not wait for it."""
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [*HOOK, str(root)],
            stdin=reading,
            capture_output=True,
            check=False,
            cwd=cwd or folder,
            env=bare_environment(folder) | ({ASKING: asks} if asks else {}),
        )
    finally:
        os.close(reading)
        os.close(writing)
    return done.returncode, done.stdout, done.stderr


def known_sessions(root: Path) -> set[str | None]:
    """The sessions that the ledger has."""
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        return {record.session for record in engine.catalog.listing()}


def test_the_service_reads_the_new_records_at_once(tmp_path: Path) -> None:
    """Hours before the next tick; a question of ours that ends tells nothing, by its variable and by its folder."""
    root = workspace(tmp_path)
    asking = tmp_path / ASKING_FOLDER
    asking.mkdir()
    with serving_process(root, tmp_path):
        folder = ServiceFolder(root)
        assert soon(lambda: json.loads(folder.state.read_bytes())["child"] is None)
        end_a_session(tmp_path, "one")
        before = len([*folder.logs.iterdir()])
        assert (0, b"", b"") == hook(tmp_path, root, asks="1")
        assert (0, b"", b"") == hook(tmp_path, root, cwd=asking)
        assert set() == known_sessions(root)
        assert (0, b"", b"") == hook(tmp_path, root)
        assert soon(lambda: known_sessions(root) == {"one"})
        assert before + 1 == len([*folder.logs.iterdir()])


def test_without_a_service_it_ends_well(tmp_path: Path) -> None:
    """Where none ever ran, where one has died or starts anew, and where no workspace is, or none is named."""
    root = workspace(tmp_path)
    assert (0, b"", b"") == hook(tmp_path, root)
    address = root / ADDRESS
    address.parent.mkdir(parents=True)
    address.write_text(f"{tmp_path / 'gone'}\n")
    assert (0, b"", b"") == hook(tmp_path, root)
    with socket.socket(socket.AF_UNIX) as left:  # bound by one that was killed: nobody listens
        left.bind(os.fspath(tmp_path / "gone"))
        assert (0, b"", b"") == hook(tmp_path, root)
    assert (0, b"", b"") == hook(tmp_path, tmp_path / "no-such-folder")
    assert (0, b"", b"") == hook(tmp_path, Path())


@table("full", [False, True])
def test_it_waits_for_nobody(tmp_path: Path, *, full: bool) -> None:
    """A service that takes no request, or takes it and never answers, holds up no agent; it gets one, once."""
    root, place = workspace(tmp_path), tmp_path / "s"
    (root / ADDRESS).parent.mkdir(parents=True)
    (root / ADDRESS).write_text(f"{place}\n")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as first:
        listener.bind(os.fspath(place))
        listener.listen(0)
        if full:
            first.connect(os.fspath(place))
        assert (0, b"", b"") == hook(tmp_path, root)
        if not full:
            line, _ = listener.accept()
            with line, line.makefile("rb") as lines:
                assert request(NOTICE) == lines.read()
