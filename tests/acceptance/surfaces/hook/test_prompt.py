"""Before a prompt the hook gives the agent what its memory says about it, or nothing."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.workspace.asking import ASKING
from pipeline.workspace.shown import FOLDER
from tests.support.processes.command_line import CommandLine, bare_environment
from tests.support.processes.serving_process import serving_process
from tests.support.tables import table

PATIENT = "import sys; from pipeline.surfaces.hook.main import main; sys.exit(main(60.0))"
NOTE = "The reed cutter comes on the second Tuesday of each month, and is paid in cash."
ASKED = "when does the reed cutter come?"
EVENTS = {"claude-code": "UserPromptSubmit", "gemini-cli": "BeforeAgent", "openclaw": "before_prompt_build"}


class Hooked:
    """A workspace with one note, and a configuration that has our server."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        """The service looks at the notes when it begins."""
        self.root, self.home = folder / "w", folder / "home"
        (self.root / "memory" / "projects").mkdir(parents=True)
        self.home.mkdir()
        (self.root / "memory.toml").write_text(f'timezone = "UTC"\n{settings}[embedder]\nkind = "none"\n')
        (self.root / "memory" / "projects" / "herons.md").write_text(f"# Herons\n\n{NOTE}\n")
        self.configuration = self.home / "settings.json"
        self.configuration.write_text(json.dumps({"mcpServers": {"memory": {"args": [str(self.root)]}}}))
        assert 0 == CommandLine(self.home)("doctor", "reindex", "--workspace", self.root).code

    def __call__(self, prompt: str, session: str = "s", kind: str = "claude-code", **others: str) -> str:
        """What the agent gets beside a prompt; `others` are further fields of the event, or `ASKING`."""
        name = others.pop("hook_event_name", EVENTS[kind])
        environment = bare_environment(self.home) | ({ASKING: "1"} if others.pop(ASKING, "") else {})
        event = {"session_id": session, "cwd": "/home/x", "hook_event_name": name, "prompt": prompt, **others}
        words = [sys.executable, "-c", PATIENT, "prompt", kind, str(self.root), "", str(self.configuration)]
        sent = json.dumps(event).encode()
        done = subprocess.run(words, input=sent, capture_output=True, env=environment, check=True)
        if not done.stdout:
            return ""
        given: dict[str, Any] = json.loads(done.stdout)["hookSpecificOutput"]
        assert EVENTS[kind] == given["hookEventName"]
        return str(given["additionalContext"])


@pytest.fixture(scope="module")
def hooked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooked]:
    """One with a service."""
    made = Hooked(tmp_path_factory.mktemp("prompts"))
    with serving_process(made.root, made.home):
        yield made


@table("kind", EVENTS)
def test_an_agent_gets_what_answers_its_prompt(hooked: Hooked, kind: str) -> None:
    """With its place, in the form of its program, once in a session; another session gets it again."""
    first, second, other = (hooked(ASKED, session, kind) for session in (f"1{kind}", f"1{kind}", f"2{kind}"))
    assert ("", first) == (second, other)
    assert f"{NOTE} (note, memory/projects/herons.md#L3)" in first
    assert first.startswith("<recalled-memories>\n")
    assert first.endswith("\n</recalled-memories>")


@table(
    ("prompt", "others"),
    [
        ("go on", {}),
        (f"/plan {ASKED}", {}),
        (ASKED, {"hook_event_name": "Stop"}),
        (ASKED, {"session_id": ""}),
        (ASKED, {ASKING: "1"}),
    ],
)
def test_other_prompts_get_nothing(hooked: Hooked, prompt: str, others: dict[str, str]) -> None:
    """Nor do other events, or questions of ours to the agent's program."""
    assert "" == hooked(prompt, "quiet", **others)


def test_nothing_of_a_prompt_is_kept(hooked: Hooked) -> None:
    """What a session was shown is kept as hashes alone, which only the owner may read."""
    hooked(ASKED, "kept")
    kept = [*(hooked.root / FOLDER).iterdir()]
    assert kept
    assert not any(b"reed" in file.read_bytes() or b"kept" in file.name.encode() for file in kept)
    assert [0o600] * len(kept) == [file.stat().st_mode & 0o777 for file in kept]


def test_without_a_service_there_is_nothing(tmp_path: Path) -> None:
    """And nothing is made."""
    alone = Hooked(tmp_path)
    assert "" == alone(ASKED)
    assert not (alone.root / FOLDER).exists()


def test_a_setting_ends_it(tmp_path: Path) -> None:
    """At the next prompt."""
    quiet = Hooked(tmp_path, "[search]\nbefore_prompts = false\n")
    with serving_process(quiet.root, quiet.home):
        assert "" == quiet(ASKED)
        settings = quiet.root / "memory.toml"
        settings.write_text(settings.read_text().replace("false", "true"))
        assert NOTE in quiet(ASKED)
