"""Claude Code as a model, tried with version 2.1.332."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.adapters.model.programs.program import (
    Login,
    ProgramOutput,
    ProgramQuestion,
    ProgramReply,
    count_in,
    objects_in,
)

# `--bare` would keep more out, but never reads the login of a subscription.
_ALONE = (
    "--safe-mode",
    "--setting-sources=",
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--tools=",
    "--no-session-persistence",
)
_RESETS = re.compile(r"\bresets (?P<time>[\w:, ]{1,30}(?:\([\w/+-]{1,40}\))?)")
_SIGNED_OUT = ("Not logged in", "Please run /login", "/login", "Invalid API key", "OAuth token")
_BY_KEY = re.compile(r'"authMethod": "api_key"|"apiProvider": "(?!firstParty")')
_REFUSES = (401, 403)
_LIMIT = 429
_BUSY = (408, 500, 502, 503, 504, 529)

_FAILURES = {
    "prompt_too_long": ProgramReply(problem="a question is too long for it", too_long=True),
    "error_max_structured_output_retries": ProgramReply(problem="several times its answer did not fit the schema"),
}


class ClaudeCode:
    """`claude -p`: one question, one answer, without tools, memory, settings, servers or a session."""

    name = "claude"
    small = "haiku"
    variables = frozenset({"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"})
    status = ("auth", "status")

    def login(self, environment: Mapping[str, str]) -> Path:
        """The file of its login, in its own folder."""
        own = Path(environment.get("HOME", "")) / ".claude"
        return Path(environment.get("CLAUDE_CONFIG_DIR") or own) / ".credentials.json"

    def prepare(self, folder: Path, environment: Mapping[str, str], executable: Path) -> dict[str, str]:
        """Make nothing: all is said by arguments and variables."""
        del folder, environment, executable
        return {
            # Else it asks again and again for a minute before it says that it is signed out.
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def arguments(self, asked: ProgramQuestion) -> list[str]:
        """The arguments; the schema is enforced by a tool of the program's own."""
        schema = json.dumps(asked.question.schema, ensure_ascii=False)
        words = ["-p", "--output-format=json", "--system-prompt", asked.question.instructions, "--json-schema", schema]
        return [*words, *_ALONE, *(["--model", asked.model] if asked.model else [])]

    def read_status(self, ended: ProgramOutput) -> Login:
        """The login that it reports; a cloud pays as a key does."""
        return Login(ended.code == 0, bool(_BY_KEY.search(ended.out)))

    def read(self, ended: ProgramOutput) -> ProgramReply | None:
        """The reply in its last object of type `result`.

        An error comes with exit code 0 and `subtype: success` at times, and an answer without `structured_output`.
        """
        results = [value for value in objects_in(ended.out) if value.get("type") == "result"]
        if not results:
            return None
        result = results[-1]
        said = result.get("result")
        words = said if isinstance(said, str) else ""
        if result.get("is_error") is True or result.get("api_error_status") or result.get("subtype") != "success":
            reply = _problem(result, words)
        else:
            structured = result.get("structured_output")
            text = json.dumps(structured, ensure_ascii=False) if isinstance(structured, dict) else words
            reply = ProgramReply(
                text, problem="" if isinstance(structured, dict) or words.strip() else "its answer is empty"
            )
        usage = result.get("usage")
        cached = count_in(usage, "cache_read_input_tokens")
        return replace(
            reply,
            input_tokens=cached + count_in(usage, "input_tokens", "cache_creation_input_tokens"),
            output_tokens=count_in(usage, "output_tokens"),
            cached_tokens=cached,
        )


def _problem(result: dict[str, Any], words: str) -> ProgramReply:
    """The failure in our words: its own may repeat the text."""
    status = result.get("api_error_status")
    resets = _RESETS.search(words)
    if resets or result.get("api_error") == "usage_limit_reached":
        until = f" until {resets['time'].strip()}" if resets else ""
        return ProgramReply(problem=f"its account has reached a limit{until}", waits=True)
    if status in _REFUSES or (status is None and any(sign in words for sign in _SIGNED_OUT)):
        return ProgramReply(problem="it is not signed in; run `claude` and sign in with /login", waits=True)
    if status == _LIMIT or status in _BUSY:
        return ProgramReply(problem=f"its server is too busy, or fails ({status})", busy=True)
    named = [result.get(name) for name in ("terminal_reason", "subtype")]
    known = [_FAILURES[name] for name in named if isinstance(name, str) and name in _FAILURES]
    reason = next((name for name in (status, *named) if name and name != "success"), "no reason")
    return known[0] if known else ProgramReply(problem=f"it fails ({reason})")
