"""Codex as a model, tried with version 0.171.0."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.adapters.model.openai import strict
from pipeline.adapters.model.programs.program import (
    Login,
    ProgramOutput,
    ProgramQuestion,
    ProgramRefused,
    ProgramReply,
    count_in,
    objects_in,
)
from pipeline.workspace.regular_files import replace_private

_LOGIN = "auth.json"
_CATALOG, _CATALOG_OF = "models.json", "models.of"
_INSTRUCTIONS, _SCHEMA = "instructions.md", "schema.json"
_CATALOG_SECONDS = 30
_OFF = (
    "apps",
    "browser_use",
    "computer_use",
    "goals",
    "hooks",
    "image_generation",
    "memories",
    "multi_agent",
    "plugins",
    "shell_tool",
    "skill_search",
    "tool_suggest",
    "unified_exec",
    "view_image",
)
_SETTINGS = (
    'web_search="disabled"',
    "project_doc_max_bytes=0",
    "include_environment_context=false",
    "include_permissions_instructions=false",
    "include_collaboration_mode_instructions=false",
    "skills.bundled.enabled=false",
    "skills.include_instructions=false",
)
# The catalog gives each model its tools, whatever the settings say.
_WITHOUT_TOOLS: dict[str, Any] = {
    "shell_type": "disabled",
    "tool_mode": None,
    "multi_agent_version": None,
    "apply_patch_tool_type": None,
    "experimental_supported_tools": [],
    "supports_search_tool": False,
    "input_modalities": ["text"],
    "model_messages": None,
}
_SIGNED_OUT = re.compile(r"\b(?:401|403)\b|\b(?:log|sign)(?:ged)? in\b", re.IGNORECASE)
_UNTIL = re.compile(r"try again (?:at|in) (?P<time>[\w:, ]{1,40})")


class Codex:
    """`codex exec`: one question, one answer, in a home of ours that holds nothing but a link to the login.

    So no session, setting, server, hook, skill or memory file of the owner's is read, and none is left there.
    """

    name = "codex"
    small = ""
    variables = frozenset({"CODEX_HOME"})
    status = ("login", "status")

    def login(self, environment: Mapping[str, str]) -> Path:
        """The file of its login, in its own home."""
        return Path(environment.get("CODEX_HOME") or Path(environment.get("HOME", "")) / ".codex") / _LOGIN

    def prepare(self, folder: Path, environment: Mapping[str, str], executable: Path) -> dict[str, str]:
        """Make the home, with a catalog of its models without tools.

        Raises:
            ProgramRefused: it does not list its models.
            OSError: the system refuses.
        """
        home = folder / "home"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        theirs = self.login(environment)
        if not (home / _LOGIN).is_symlink() or (home / _LOGIN).readlink() != theirs:
            (home / _LOGIN).unlink(missing_ok=True)
            (home / _LOGIN).symlink_to(theirs)
        variables = {"CODEX_HOME": str(home)}
        _make_catalog(folder, executable, {**environment, **variables})
        return variables

    def arguments(self, asked: ProgramQuestion) -> list[str]:
        """The arguments; instructions and schema are files.

        Raises:
            OSError: they cannot be written.
        """
        instructions, schema = asked.folder / _INSTRUCTIONS, asked.folder / _SCHEMA
        replace_private(instructions, asked.question.instructions.encode())
        replace_private(schema, json.dumps(strict(asked.question.schema)).encode())
        files = (f"model_instructions_file={instructions}", f"model_catalog_json={asked.folder / _CATALOG}")
        words = ["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--ignore-user-config"]
        words += [f"--disable={feature}" for feature in _OFF]
        words += [f"--config={setting}" for setting in (*_SETTINGS, *files)]
        words += ["--sandbox=read-only", f"--output-schema={schema}"]
        return [*words, *([f"--model={asked.model}"] if asked.model else []), "-"]

    def read_status(self, ended: ProgramOutput) -> Login:
        """The login that it reports."""
        return Login(ended.code == 0, "API key" in ended.out + ended.err)

    def read(self, ended: ProgramOutput) -> ProgramReply | None:
        """The reply in its events: the last message, the usage, or the failure."""
        events = list(objects_in(ended.out))
        failures = [event for event in events if event.get("type") == "turn.failed"]
        if failures:
            error = failures[-1].get("error")
            message = error.get("message") if isinstance(error, dict) else ""
            return _problem(message if isinstance(message, str) else "")
        usage = next((event.get("usage") for event in events[::-1] if event.get("type") == "turn.completed"), None)
        if usage is None:
            return None
        items = [event.get("item") for event in events if event.get("type") == "item.completed"]
        said = [item.get("text") for item in items if isinstance(item, dict) and item.get("type") == "agent_message"]
        text = next((text for text in said[::-1] if isinstance(text, str) and text.strip()), "")
        return ProgramReply(
            text,
            count_in(usage, "input_tokens"),
            count_in(usage, "output_tokens"),
            count_in(usage, "cached_input_tokens"),
            problem="" if text else "its answer is empty",
        )


def _make_catalog(folder: Path, executable: Path, environment: Mapping[str, str]) -> None:
    """Write the catalog of this version's models, if it is not there."""
    status = executable.stat()
    version = f"{executable.resolve()} {status.st_mtime_ns} {status.st_size}".encode()
    with suppress(FileNotFoundError):
        if (folder / _CATALOG_OF).read_bytes() == version and (folder / _CATALOG).exists():
            return
    try:
        listed = subprocess.run(  # noqa: S603 - the program that the owner named
            [executable, "debug", "models", "--bundled"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_CATALOG_SECONDS,
        )
        models = json.loads(listed.stdout)["models"]
        plain = [{**model, **_WITHOUT_TOOLS} for model in models]
    except (subprocess.SubprocessError, ValueError, LookupError, TypeError) as error:
        why = "this version does not list its models, and keeps its tools; update it"
        raise ProgramRefused(why) from error
    replace_private(folder / _CATALOG, json.dumps({"models": plain}).encode())
    replace_private(folder / _CATALOG_OF, os.fsencode(version))


def _problem(message: str) -> ProgramReply:
    """The failure in our words: its own may repeat the text."""
    if "usage limit" in message:
        until = _UNTIL.search(message)
        return ProgramReply(
            problem=f"its account has reached a limit{' until ' + until['time'].strip() if until else ''}", waits=True
        )
    if _SIGNED_OUT.search(message):
        return ProgramReply(problem="it is not signed in; run `codex login`", waits=True)
    if "context window" in message:
        return ProgramReply(problem="a question is too long for it", too_long=True)
    if "429" in message or "high demand" in message:
        return ProgramReply(problem="its server is too busy, or fails", busy=True)
    return ProgramReply(problem="it fails without a reason that we know")
