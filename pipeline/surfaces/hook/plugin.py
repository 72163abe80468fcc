"""`memory-hook plugin KIND PART [WORKSPACE]`: the call of a plugin of ours that a client has installed by itself.

Such a plugin cannot know the paths of this installation, nor whether `memory agents connect` has connected the client
already. Both at once would show everything twice, so then the plugin does nothing but say so.
"""

import os
import sys

REPLACE, PROMPT, NOTICE, WAKE, SERVER, CHECK = "replace", "prompt", "notice", "wake", "mcp", "check"
"""The parts: the three hooks, the page at the start of a session, our server, and the sentence about both at once."""
_WORKSPACE = "MEMORY_WORKSPACE"
_UNSET = "${"
"""Stands in a word that the client has left as it is, because the option is not set."""
_TWICE = (
    "The plugin memory does nothing: `memory agents connect {kind}` has connected {workspace} already. Keep one of "
    "them: `{uninstall}`, or `memory agents connect {kind} --remove`."
)
_UNINSTALL = {
    "claude-code": "claude plugin uninstall memory@agent-memory",
    "gemini-cli": "gemini extensions uninstall memory",
}
_NO_WORKSPACE = "The plugin memory has no workspace: set its option, or MEMORY_WORKSPACE."


def hook_words(words: list[str]) -> list[str]:
    """The words of the hook that a part stands for; empty where the part is done.

    The part `wake` and the server become `memory` itself and do not come back.

    Raises:
        OSError: the command `memory` is not there.
    """
    kind, part, *rest = words
    given = "".join(word for word in rest if _UNSET not in word) or os.environ.get(_WORKSPACE, "")
    if not given:
        return _say(part, _NO_WORKSPACE)
    workspace = os.path.expanduser(given)
    if is_connected(kind, workspace):
        return _say(part, _TWICE.format(kind=kind, workspace=workspace, uninstall=_UNINSTALL[kind]))
    if part in {WAKE, SERVER}:
        program = f"{sys.executable.rpartition('/')[0]}/memory"
        os.execvp(program if os.access(program, os.X_OK) else "memory", ["memory", part, "--workspace", workspace])  # noqa: S606 - ours
    hooks = {NOTICE: [NOTICE, workspace], PROMPT: [PROMPT, kind, workspace, "", ""], REPLACE: [kind, workspace, "", ""]}
    return hooks.get(part, [])


def is_connected(kind: str, workspace: str) -> bool:
    """Whether `memory agents connect` has connected the client with this workspace: by a hook in one of its files."""
    workspace, home = os.path.realpath(workspace), os.environ.get("HOME", "")
    if kind == "gemini-cli":
        return _has_hook(f"{home}/.gemini/settings.json", workspace)
    folder = os.environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    return any(_has_hook(f"{folder}/{file}", workspace) for file in ("settings.json", "skills/memory/hooks/hooks.json"))


def _has_hook(file: str, workspace: str) -> bool:
    try:
        with open(file, encoding="utf-8") as opened:  # noqa: PTH123 - `pathlib` loads much
            calls = opened.read().split("memory-hook")[1:]
    except (OSError, ValueError):
        return False
    if not workspace.isascii() and not any(workspace in call for call in calls):
        import json

        workspace = json.dumps(workspace)[1:-1]
    return any(f" {workspace} " in call.partition('"')[0].replace("'", " ") + " " for call in calls)


def _say(part: str, sentence: str) -> list[str]:
    """Tell the person a sentence where a session begins, and the client where it starts the server."""
    if part in {WAKE, CHECK}:
        import json

        sys.stdout.write(json.dumps({"systemMessage": sentence}))
    elif part == SERVER:
        sys.stderr.write(f"{sentence}\n")
        sys.exit(1)
    return []
