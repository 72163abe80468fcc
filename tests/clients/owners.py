"""The owner of an agent's program: a HOME with settings, hooks, servers, skills and memory that each leave a mark."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.adapters.model.programs.model import ProgramModel
from schemas.settings import ModelSettings
from tests.support.servers.provider_server import ProviderServer

MARK = "HERON-IN-THE-REEDS"
"""What the owner's own files hold; none of it may be seen at the provider."""
_SHIM = """#!/bin/sh
test "$1" = exec || exec {program} "$@"
exec {program} "$@" -c 'model_provider="here"' -c 'model_providers.here={{name="here",base_url="{address}/v1",\
wire_api="responses",env_key="OPENAI_API_KEY",request_max_retries=0,stream_max_retries=0}}'
"""


class Owner:
    """An owner of `program`, a file of the name `name`, in a folder."""

    def __init__(self, name: str, program: Path, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.program = program
        self.home = folder / "home"
        self.marks = folder / "marks"
        for path in (self.home, self.marks, folder / "bin"):
            path.mkdir()
        {"claude": self._own_claude, "codex": self._own_codex}[name]()

    @contextmanager
    def model(self, provider: ProviderServer) -> Iterator[ProgramModel]:
        """The program as a model, which asks this provider."""
        with provider:
            shim = self.folder / "bin" / self.name
            shim.unlink(missing_ok=True)
            if self.name == "codex":  # it takes the address of a provider from its settings alone, which we pass over
                shim.write_text(_SHIM.format(program=self.program, address=provider.address))
                shim.chmod(0o755)
            else:
                shim.symlink_to(self.program)
            yield ProgramModel(self._settings, self.folder / "ours", self._environment(provider.address))

    @property
    def _settings(self) -> ModelSettings:
        keys = ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY") if self.name == "claude" else ("OPENAI_API_KEY",)
        return ModelSettings.model_validate({"program": self.name, "environment": keys})

    def _environment(self, address: str) -> dict[str, str]:
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]])
        keys = {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "none", "OPENAI_API_KEY": "none"}
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", **keys}

    def _own_claude(self) -> None:
        own = self.home / ".claude"
        (own / "skills/herons").mkdir(parents=True)
        hook = {"type": "command", "command": f"touch {self.marks}/hook"}
        events = ("SessionStart", "SessionEnd", "Stop", "UserPromptSubmit")
        hooks = {event: [{"hooks": [hook]}] for event in events}
        (own / "settings.json").write_text(json.dumps({"hooks": hooks, "outputStyle": MARK}))
        (own / "CLAUDE.md").write_text(MARK)
        (own / ".credentials.json").write_text("{}")
        (own / "skills/herons/SKILL.md").write_text(f"---\nname: herons\ndescription: {MARK}\n---\n{MARK}\n")
        servers = {"herons": {"command": "touch", "args": [f"{self.marks}/server"]}}
        (self.home / ".claude.json").write_text(json.dumps({"mcpServers": servers, "hasCompletedOnboarding": True}))

    def _own_codex(self) -> None:
        own = self.home / ".codex"
        (own / "skills/herons").mkdir(parents=True)
        (own / "config.toml").write_text(
            f'notify = ["touch", "{self.marks}/notify"]\ndeveloper_instructions = "{MARK}"\n'
            f'[mcp_servers.herons]\ncommand = "touch"\nargs = ["{self.marks}/server"]\n'
        )
        (own / "AGENTS.md").write_text(MARK)
        (own / "auth.json").write_text('{"OPENAI_API_KEY": "none"}')
        (own / "skills/herons/SKILL.md").write_text(f"---\nname: herons\ndescription: {MARK}\n---\n{MARK}\n")
