"""Links to a workspace from outside of it: units of systemd, and the connections of agents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class UninstallReport:
    """The links to a workspace that are taken out: the `removed` files, or parts of files, and what is `kept`.

    The workspace's `folder` stays. `uninstalled` are the commands by which clients take our plugins away, and
    `commands` are left for the person to run.
    """

    folder: str
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    uninstalled: tuple[str, ...]
    commands: tuple[str, ...]
    done: bool = False


@dataclass(frozen=True)
class UnitFile:
    """A unit of systemd: `shown`, `written`, `unchanged` or `removed`; `needless` beside those that were chosen."""

    path: str
    state: str
    text: str


@dataclass(frozen=True)
class UnitsReport:
    """The units of a workspace. `commands` are for the person to run."""

    units: tuple[UnitFile, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True)
class ConfigurationFile:
    """A file of an agent's configuration, and the `text` for it: a unified diff where it is, or was, to be changed."""

    path: str
    text: str


@dataclass(frozen=True)
class ConnectionReport:
    """A connection of an agent with a workspace, as the MCP `server` of that name; without `done` nothing was changed.

    `kept` says which parts stay, because a person changed them. `commands` of the agent do the same as the text.
    """

    agent: str
    server: str
    workspace: str
    files: tuple[ConfigurationFile, ...]
    kept: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    done: bool = False
