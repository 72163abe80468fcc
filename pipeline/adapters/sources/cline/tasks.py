"""A task of the extension for VS Code: a folder with the conversation, in the editor's storage for extensions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.adapters.sources.cline.conversation import ClineProgress, messages_of
from pipeline.adapters.sources.reading.documents import companion, document
from pipeline.adapters.sources.reading.files import SourceFile
from pipeline.adapters.sources.reading.listing import named_folder
from pipeline.adapters.sources.reading.records import Record, blocks, decoded, identifier, one_line
from pipeline.workspace.regular_files import read_regular
from schemas.transcript import Session

CONVERSATION = "api_conversation_history.json"
ASIDE = frozenset({"checkpoints", "cache", "node_modules", ".git"})

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")


def storage_roots(home: Path, environment: Mapping[str, str], extension: str) -> list[Path]:
    """Where the editors keep what an extension stores, whether the folders are there or not."""
    config = named_folder(environment, "XDG_CONFIG_HOME", home / ".config")
    bases = [config, home / "Library" / "Application Support"]
    users = [base / editor / "User" for base in bases for editor in _EDITORS]
    users += [home / server / "data" / "User" for server in _SERVERS]
    return [user / "globalStorage" / extension for user in users]


def parse_task(file: SourceFile) -> Sequence[Session]:
    """The task of an open conversation; a task has the milliseconds of its start as its name."""
    messages = messages_of(document(file.stream, b'"role"'))
    if messages is None:
        return ()
    task = file.location.parent.name
    about = companion(file.location.parent / "history_item.json") or _listed(file.location, task)
    parent = identifier(about.get("parentTaskId"))
    start = int(task) if task.isascii() and task.isdigit() and len(task) <= len("9999999999999") else about.get("ts")
    reading = ClineProgress(start, tagged=True, delegated=bool(parent))
    reading.take_all(messages)
    session = file.place.session(
        file.path,
        identifier(task) or "task",
        reading.assembly,
        agent=one_line(about.get("mode")),
        project=one_line(about.get("workspace") or about.get("cwdOnTaskInitialization")),
        parent=parent or None,
    )
    return (session,)


def _listed(conversation: Path, task: str) -> Record:
    """What the list of tasks says of one; Cline keeps one list of all."""
    if len(conversation.parents) <= 2:  # noqa: PLR2004 - the task, `tasks`, and the extension's own folder
        return {}
    try:
        listed = decoded(read_regular(conversation.parents[2] / "state" / "taskHistory.json"))
    except OSError:
        return {}
    return next((item for item in blocks(listed) if item.get("id") == task), {})
