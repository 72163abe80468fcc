"""The expected errors of the list of workspaces, and of upgrades."""

import shlex
from collections.abc import Sequence

from pipeline.errors import UnknownName, WorkspaceError
from schemas import exit_codes


class UnknownWorkspace(UnknownName):
    """The list of workspaces has no such name."""

    sort = "workspace"
    advice = "`memory workspaces` lists them, `memory workspaces add DIR` adds one."


class WorkspaceNameTaken(WorkspaceError):
    """Another workspace of the list has the name."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The workspace {folder} is called {name!r} already."
    advice = "Give this one another --name."
    name: str
    folder: str


class WorkspaceAway(WorkspaceError):
    """A workspace of the list is not in its folder any more."""

    exit_code = exit_codes.UNUSABLE
    sentence = "Your list has a workspace in {folder}, which is not there any more."
    advice = (
        "If it was moved, `memory doctor --fix --workspace DIR` mends what names the old folder; if it is gone for "
        "good, `memory workspaces remove NAME` takes it off the list."
    )
    folder: str


class WorkspaceNotListed(WorkspaceError):
    """A workspace that nobody listed or named has settings that lead out of it: it may have come with a clone."""

    exit_code = exit_codes.UNUSABLE
    sentence = (
        "{folder} is not on your list of workspaces, and its memory.toml leads out of it ({named}), so nothing was "
        "sent or read."
    )
    advice = (
        "If it is yours, `memory workspaces add {quoted}` lists it, or name it with --workspace or MEMORY_WORKSPACE; "
        "if somebody else made it, read its memory.toml first."
    )
    folder: str
    named: Sequence[str]

    @property
    def quoted(self) -> str:
        """The folder as a word of a command: a stranger may have named it."""
        return shlex.quote(self.folder)


class ListDamaged(WorkspaceError):
    """The file of the list is not as we write it."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{path} is no list of workspaces."
    advice = "Mend it, or delete it and list your workspaces again: `memory workspaces add DIR` begins it anew."
    path: str


class NoListPlace(WorkspaceError):
    """Nothing says where the person's configuration is."""

    exit_code = exit_codes.UNUSABLE
    sentence = "Neither HOME nor XDG_CONFIG_HOME names a folder, so there is no list of workspaces."
    advice = "Set HOME, or name a workspace by its folder with --workspace."


class NothingToPutBack(WorkspaceError):
    """There is no copy from before an upgrade."""

    exit_code = exit_codes.UNUSABLE
    sentence = "There is no copy from before an upgrade in {path}."
    advice = "A back-up that you made may have the older ledger: `memory restore`."
    path: str


class ActsWouldBeLost(WorkspaceError):
    """The copy from before an upgrade does not know what the owner did since."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The copy of {moment} does not know what you did since: {acts}."
    advice = "Nothing was changed. To go back all the same, say --lose-acts; Markdown files stay as they are."
    moment: str
    acts: str


class DatabaseInUse(WorkspaceError):
    """Another process has a database open that is to be put back."""

    exit_code = exit_codes.HELD
    sentence = "Another process has {path} open."
    advice = "Stop the service and the agents that use this workspace, then try again."
    path: str
