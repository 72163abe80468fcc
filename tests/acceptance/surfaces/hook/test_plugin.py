"""`memory-hook plugin`, as a plugin that a client has installed by itself calls it."""

import json
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pipeline.service.socket.http_request import NOTICE, request
from tests.support.processes.command_line import bare_environment
from tests.support.processes.serving_process import ADDRESS
from tests.support.tables import table

HOOK = (sys.executable, "-m", "pipeline.surfaces.hook.main", "plugin")
FOLDERS = ("w", "with a space", "pamięć 记忆")


class Plugged:
    """A home folder and a workspace with a page."""

    def __init__(self, folder: Path, name: str = "w") -> None:
        self.home, self.root = folder / "home", folder / name
        for path in (self.home, self.root):
            path.mkdir()
        (self.root / "memory.toml").write_text("")
        (self.root / "MEMORY.md").write_text("- Never push on a Friday.\n")

    def __call__(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """What the hook prints."""
        return subprocess.run(
            [*HOOK, *words],
            env=bare_environment(self.home) | variables,
            input="{}",
            capture_output=True,
            text=True,
            check=False,
        )

    def connect(self, file: str, root: Path) -> None:
        """Write the hook of `memory agents connect` into a file of the client."""
        command = shlex.join(["/opt/memory-hook", "notice", str(root)])
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"hooks": {"SessionEnd": [{"hooks": [{"command": command}]}]}}))


@pytest.fixture(params=FOLDERS)
def plugged(request: pytest.FixtureRequest, tmp_path: Path) -> Plugged:
    """One of each name of the workspace."""
    return Plugged(tmp_path, request.param)


def test_a_session_begins_with_the_page(plugged: Plugged) -> None:
    """The workspace is a word, or `MEMORY_WORKSPACE`, also beside an option that is not set."""
    root = str(plugged.root)
    assert "- Never push on a Friday.\n" == plugged("claude-code", "wake", root).stdout
    for words in ([], ["${user_config.workspace}"]):
        assert "- Never push on a Friday.\n" == plugged("claude-code", "wake", *words, MEMORY_WORKSPACE=root).stdout


def test_the_notice_reaches_the_service(tmp_path: Path) -> None:
    """As the hook's own; the home folder may be written as `~`."""
    plugged = Plugged(tmp_path)
    (plugged.root / ADDRESS).parent.mkdir(parents=True)
    with TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listener:  # the system takes short paths only
        (plugged.root / ADDRESS).write_text(f"{short}/s\n")
        listener.bind(f"{short}/s")
        listener.listen()
        listener.settimeout(0.0)  # what a hook that has ended sent is there
        for workspace in (str(plugged.root), f"~/../{plugged.root.name}"):
            assert 0 == plugged("gemini-cli", "notice", MEMORY_WORKSPACE=workspace).returncode
            line, _ = listener.accept()
            line.settimeout(None)
            with line, line.makefile("rb") as lines:
                assert request(NOTICE) == lines.read(len(request(NOTICE)))


@pytest.mark.parametrize(
    ("kind", "file", "part"),
    [
        ("claude-code", ".claude/settings.json", "wake"),
        ("claude-code", ".claude/skills/memory/hooks/hooks.json", "wake"),
        ("gemini-cli", ".gemini/settings.json", "check"),
    ],
)
def test_beside_another_connection_it_only_says_so(plugged: Plugged, kind: str, file: str, part: str) -> None:
    """To the person at the start of a session, and to the client that starts the server; hooks are silent."""
    plugged.connect(file, plugged.root)
    root = str(plugged.root)
    sentence = json.loads(plugged(kind, part, root).stdout)["systemMessage"]
    assert f"`memory agents connect {kind}` has connected {root} already" in sentence
    server = plugged(kind, "mcp", root)
    assert (1, "", f"{sentence}\n") == (server.returncode, server.stdout, server.stderr)
    for hook in ("prompt", "replace", "notice"):
        done = plugged(kind, hook, root)
        assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@table("file", [".claude/settings.json", ".claude/skills/memory/hooks/hooks.json"])
def test_a_connection_with_another_workspace_is_none(file: str, tmp_path: Path) -> None:
    """Also where its name begins as ours."""
    (folder := tmp_path / file.replace("/", "_")).mkdir()
    plugged = Plugged(folder)
    plugged.connect(file, Path(f"{plugged.root}-of-work"))
    assert "- Never push on a Friday.\n" == plugged("claude-code", "wake", str(plugged.root)).stdout


def test_without_a_workspace_it_says_what_to_set(tmp_path: Path) -> None:
    """A client leaves the name of an option that is not set."""
    plugged = Plugged(tmp_path)
    for words in (["claude-code", "wake", "${user_config.workspace}"], ["gemini-cli", "check"]):
        assert "has no workspace" in json.loads(plugged(*words).stdout)["systemMessage"]
    silent = plugged("claude-code", "prompt", "")
    assert (0, "") == (silent.returncode, silent.stdout)
