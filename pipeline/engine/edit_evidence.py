"""Whether an agent may have changed a file: by the tools that it called since the file was last known to be ours.

An agent that was manipulated can change files, so a change counts as the owner's only where nothing speaks for another
hand. What is not known speaks for one.
"""

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.engine.context import Engine
from pipeline.ledger.files import FileRecord
from pipeline.transcripts.tool_calls import ToolCall, calls_in

_READING = frozenset(
    {
        *("read", "read_file", "view", "glob", "grep", "search", "ls", "list", "list_dir", "websearch", "webfetch"),
        *("web_search", "web_fetch", "memory_search", "memory_get", "todowrite", "todoread", "update_plan"),
    }
)
"""Tools that write no file of the owner's."""
_WRITING = frozenset(
    {
        *("write", "write_file", "edit", "edit_file", "multiedit", "notebookedit", "str_replace", "apply_patch"),
        *("str_replace_editor", "str_replace_based_edit_tool", "create_file", "replace"),
    }
)
"""Tools that write the files that their arguments name, and no others."""
_SHELLS = frozenset(
    {
        *("bash", "shell", "exec", "exec_command", "shell_command", "run_shell_command", "run_command", "terminal"),
        *("execute_command", "local_shell", "container.exec"),
    }
)
_PATHS = ("file_path", "path", "notebook_path", "filename", "file", "target_file", "filePath")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)
_COMMANDS = frozenset(
    {
        *("cat", "head", "tail", "ls", "pwd", "echo", "grep", "wc", "stat", "du", "df", "which", "whoami", "true"),
        *("cd", "diff", "cmp", "sha256sum", "md5sum", "realpath", "basename", "dirname"),
    }
)
"""Commands that only read, whatever their arguments are."""
_MAY_WRITE = re.compile(r"[>`\n\r]|\$\(|<\(|(?<!&)&(?!&)|\b[A-Za-z_]\w*=")
_JOINED = frozenset({"|", "||", "&&", ";"})
_AGENTS_OWN = ("SOUL.md", "IDENTITY.md")
"""Files that OpenClaw keeps in the workspace of an agent."""


@dataclass(frozen=True)
class EditEvidence:
    """What is known of the time since the files were last looked at; `since` is `None` where that is not known."""

    engine: Engine
    since: datetime | None

    def by_owner(self, path: str) -> bool:
        """Whether nothing speaks for another hand than the owner's in the change of a file of the workspace."""
        if self.since is None or self._is_agents_own():
            return False
        file = self.engine.workspace.locate(path)
        return not any(self._may_have_written(record, file) for record in self._records())

    def _is_agents_own(self) -> bool:
        """Whether the folder is the workspace of an agent, in which it writes as it likes."""
        root = self.engine.workspace.root.resolve()
        return ".openclaw" in root.parts or any((root / name).exists() for name in _AGENTS_OWN)

    def _records(self) -> Iterator[FileRecord | None]:
        """The transcript files with anything since then; `None` for what cannot be read."""
        since = self.since.timestamp() if self.since else 0
        if self.engine.ledger.unreadable.sources():
            yield None
        for record in self.engine.catalog.all_files():
            last = record.last.timestamp() if record.last else 0
            if max(last, record.file.mtime_ns / 1e9) >= since:
                yield record

    def _may_have_written(self, record: FileRecord | None, file: Path) -> bool:
        folder = self._folder(record.source) if record else None
        calls = calls_in(folder / record.file.path) if folder and record else None
        if calls is None or self.since is None:
            return True
        since, root = self.since, self.engine.workspace.root.resolve()
        recent = [call for call in calls if call.at is None or call.at >= since]
        return any(_inside(call.folder, root) or _may_write(call, file) for call in recent)

    def _folder(self, source: str) -> Path | None:
        given = next((one.path for one in self.engine.settings.transcript_sources if one.root_name == source), "")
        return self.engine.workspace.root / Path(given).expanduser() if given else None


def _inside(folder: str, root: Path) -> bool:
    """Whether an agent works in the workspace."""
    if not folder:
        return False
    there = Path(os.path.realpath(folder))
    return there == root or root in there.parents


def _may_write(call: ToolCall, file: Path) -> bool:
    """Whether a call may have changed a file."""
    name = call.name.casefold()
    if name in _SHELLS:
        return not reads_only(_command(call.arguments))
    if name in _WRITING:
        return any(_same(path, call.folder, file) for path in _written(call.arguments)) or not _written(call.arguments)
    return name not in _READING


def _command(arguments: Any) -> str:  # noqa: ANN401 - any JSON
    """The command of a shell; what cannot be told is a line that may write."""
    given = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, dict) else arguments
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        shell = given[:1] and Path(given[0]).name in {"bash", "sh", "zsh"} and given[1:2] in (["-c"], ["-lc"])
        return given[2] if shell and given[2:] else shlex.join(given)
    return given if isinstance(given, str) else ">"


def reads_only(command: str) -> bool:
    """Whether a line of a shell surely writes nothing: reading commands alone, no redirection and no substitution."""
    if _MAY_WRITE.search(command):
        return False
    try:
        words = list(shlex.shlex(command, posix=True, punctuation_chars="|&;"))
    except ValueError:
        return False
    firsts = [word for before, word in zip(["|", *words], words, strict=False) if before in _JOINED]
    return bool(words) and all(word in _COMMANDS for word in firsts)


def _written(arguments: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """The paths that a writing tool names."""
    if isinstance(arguments, str):
        return [one or other for one, other in _PATCHED.findall(arguments)]
    if not isinstance(arguments, dict):
        return []
    named = [arguments[key] for key in _PATHS if isinstance(arguments.get(key), str)]
    patches = [value for value in arguments.values() if isinstance(value, str) and "*** " in value]
    return named + [path for patch in patches for path in _written(patch)]


def _same(path: str, folder: str, file: Path) -> bool:
    """Whether a path leads to a file, links resolved; of one from an unknown folder the name is enough."""
    there = Path(folder or "/") / Path(path).expanduser()
    if not folder and not Path(path).is_absolute():
        return Path(path).name == file.name
    try:
        return there.samefile(file)
    except OSError:  # it is gone since: then its name decides
        return os.path.realpath(there) == os.path.realpath(file) or there.name == file.name
