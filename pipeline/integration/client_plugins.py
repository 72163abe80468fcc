"""Our plugins that a client has installed by itself, with a command of its own: whether, and for which workspace."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors.service import HomeMissing
from pipeline.integration.known_agents import AGENTS, Connection, home_of, mapping_of, read_configuration
from pipeline.workspace.regular_files import read_regular

CLAUDE_PLUGIN = "memory@agent-memory"
"""Our plugin, as Claude Code names it."""
_ASSIGNED = "MEMORY_WORKSPACE="


@dataclass(frozen=True)
class ClientPlugin:
    """A plugin of ours in a client: the way in which people name it, and the command that takes it away."""

    title: str
    removal: str


_PLUGINS = {
    "claude-code": ClientPlugin(f"the plugin {CLAUDE_PLUGIN}", f"claude plugin uninstall {CLAUDE_PLUGIN}"),
    "gemini-cli": ClientPlugin("the extension memory", "gemini extensions uninstall memory"),
}


def installed_plugin(kind: str, folder: Path, workspace: Path) -> ClientPlugin | None:
    """The plugin that the client of this kind has for a workspace; `None` without it. `folder` is the client's."""
    named = ""
    if kind == "claude-code":
        named = _claude_workspace(folder)
    elif kind == "gemini-cli":
        named = _gemini_workspace(folder)
    return _PLUGINS[kind] if named and os.path.realpath(named) == os.path.realpath(workspace) else None


def plugins_of(workspace: Path, variables: Mapping[str, str]) -> list[tuple[str, ClientPlugin]]:
    """The plugins that clients of this person have for a workspace, by the kind of the client."""
    try:
        connection = Connection("memory", str(workspace), "", home_of(variables), variables)
    except HomeMissing:
        return []
    plugins = ((name, installed_plugin(name, agent.folder(connection), workspace)) for name, agent in AGENTS.items())
    return [(name, plugin) for name, plugin in plugins if plugin]


def _claude_workspace(folder: Path) -> str:
    """The workspace in the option of the plugin, where it is enabled."""
    settings = read_configuration(folder / "settings.json")
    if mapping_of(settings.get("enabledPlugins")).get(CLAUDE_PLUGIN) is not True:
        return ""
    configured = mapping_of(mapping_of(settings.get("pluginConfigs")).get(CLAUDE_PLUGIN))
    return str(mapping_of(configured.get("options")).get("workspace", ""))


def _gemini_workspace(folder: Path) -> str:
    """The workspace in the setting of the extension, which the client keeps as a variable."""
    try:
        lines = read_regular(folder / "extensions" / "memory" / ".env").decode().splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    values = [line.removeprefix(_ASSIGNED).strip().strip("\"'") for line in lines if line.startswith(_ASSIGNED)]
    return values[-1] if values else ""
