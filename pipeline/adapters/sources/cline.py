"""The sessions of Cline: tasks of the extension for VS Code, and sessions of the newer program for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.adapters.sources.kind import SourceKind, mac_folders, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    companion,
    decode_json,
    document,
    identifier,
    mapping,
    moment,
    one_line,
    texts,
    word,
)
from pipeline.adapters.sources.speakers import cline as marks
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import typed_words
from pipeline.workspace.regular_files import read_regular
from schemas.transcript import Origin, Role, Session

_BLOCKS = frozenset(
    {"text", "image", "document", "tool_use", "tool_result", "thinking", "redacted_thinking", "reasoning", "file"}
)


class ClineProgress:
    """The state of a task after the messages read so far.

    `tagged`: a person's words stand in tags of the program; else an untagged text is the person's as well. `delegated`:
    the first words are of the task that began this one.
    """

    def __init__(self, start: object, *, tagged: bool, delegated: bool = False) -> None:
        self.assembly = Assembly(clock=moment(start))
        self._tagged = tagged
        self._delegated = delegated
        self._tools: dict[str, str] = {}

    def take_all(self, messages: list[object]) -> None:
        """Read the messages of a task in their order."""
        for number, message in enumerate(messages, start=1):
            if isinstance(message, dict):
                self._take(number, message)
            else:
                self.assembly.skipped["bad_record"] += 1
        self.assembly.skipped.pop("no_time", None)  # in many versions only the environment tells one

    def _take(self, number: int, message: Record) -> None:
        content, role = message.get("content"), message.get("role")
        said = texts(content)
        noted = marks.noted_at(said[-1]) if said and role == "user" else None
        stamp = message.get("ts") or (noted.isoformat() if noted else None)
        entry_id = self.assembly.admit(number, message | {"timestamp": stamp}, "id")
        if not entry_id:
            return
        self.assembly.check(content, _BLOCKS)
        if message.get("isSummary"):
            self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.SUMMARY, said))
        elif role == "assistant":
            self._tools |= {
                word(call.get("id")): one_line(call.get("name")) for call in _blocks_of(content, "tool_use")
            }
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        elif role == "user":
            self.assembly.add(self._request(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, said), content))
        else:
            self.assembly.pass_over("unknown_role", role)

    def _request(self, draft: DraftMessage, content: object) -> DraftMessage:
        results = list(_blocks_of(content, "tool_result"))
        words = [answer for result in results for answer in self._answers(result)] + marks.extract_typed_words(
            draft.parts
        )
        if not words and not results and not self._tagged:
            words = draft.parts
        origin, parts = typed_words(words)
        if parts and origin is Origin.OWNER:
            draft.parts = parts
            draft.origin = Origin.MACHINE if self._delegated else origin
            self._delegated = False
        elif results:
            draft.role, draft.origin = Role.TOOL, tool_origin(self._tool(results[0]))
            draft.parts = [text for result in results for text in texts(result.get("content"))]
        else:
            is_result = any(map(marks.is_result, draft.parts))
            draft.role, draft.origin = (Role.TOOL, Origin.TOOL) if is_result else (Role.USER, Origin.MACHINE)
        return draft

    def _answers(self, result: Record) -> list[str]:
        tool = self._tool(result)
        if not marks.asks(tool):
            return []
        return [words for text in texts(result.get("content")) for words in marks.extract_typed_words([text], tool)]

    def _tool(self, result: Record) -> str:
        return self._tools.get(word(result.get("tool_use_id")), "")


def messages_of(value: object) -> list[object] | None:
    """The messages in a whole file: a list of them, or an object that has one; `None` when it is another program's."""
    messages = value if isinstance(value, list) else mapping(value).get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    first = mapping(messages[0])
    return messages if "content" in first and first.get("role") in ("user", "assistant") else None


def _blocks_of(content: object, kind: str) -> Iterator[Record]:
    return (block for block in blocks(content) if block.get("type") == kind)


CONVERSATION = "api_conversation_history.json"
ASIDE = frozenset({"checkpoints", "cache", "node_modules", ".git"})

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")


def storage_roots(home: Path, environment: Mapping[str, str], extension: str) -> tuple[Path, ...]:
    """The folders in which editors keep what an extension stores, whether they are there or not."""
    config = named_folder(environment, "XDG_CONFIG_HOME", home / ".config")
    bases = [config, *mac_folders(home)]
    users = [base / editor / "User" for base in bases for editor in _EDITORS]
    users += [home / server / "data" / "User" for server in _SERVERS]
    return tuple(user / "globalStorage" / extension for user in users)


def parse_task(file: SourceFile) -> Sequence[Session]:
    """The task of an open conversation; a task has the milliseconds of its start as its name."""
    messages = messages_of(document(file.stream, b'"role"'))
    if messages is None:
        return ()
    task = file.location.parent.name
    about = companion(file.location.parent / "history_item.json") or _task_in_list(file.location, task)
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


def _task_in_list(conversation: Path, task: str) -> Record:
    """The record of a task in the list of tasks; Cline keeps one list of all."""
    if len(conversation.parents) <= 2:  # noqa: PLR2004 - the task, `tasks`, and the extension's own folder
        return {}
    try:
        listed = decode_json(read_regular(conversation.parents[2] / "state" / "taskHistory.json"))
    except OSError:
        return {}
    return next((item for item in blocks(listed) if item.get("id") == task), {})


_MESSAGES = ".messages.json"


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    folder = named_folder(environment, "CLINE_DIR", home / ".cline")
    data = named_folder(environment, "CLINE_DATA_DIR", folder / "data")
    sessions = named_folder(environment, "CLINE_SESSION_DATA_DIR", data / "sessions")
    return (sessions, *storage_roots(home, environment, "saoudrizwan.claude-dev"))


KIND = SourceKind(
    "cline",
    lambda place: FileSource(place, lambda name: name == CONVERSATION or name.endswith(_MESSAGES), _parse, ASIDE),
    _roots,
)


def _parse(file: SourceFile) -> Sequence[Session]:
    return parse_task(file) if file.location.name == CONVERSATION else _parse_session(file)


def _parse_session(file: SourceFile) -> Sequence[Session]:
    """A session of the newer program, with a file on it beside the messages."""
    value = mapping(document(file.stream, b'"messages"'))
    messages = messages_of(value)
    if messages is None:
        return ()
    name = file.location.name.removesuffix(_MESSAGES)
    about = companion(file.location.with_name(f"{name}.json"))
    reading = ClineProgress(about.get("created_at"), tagged=False)
    reading.take_all(messages)
    agent = one_line(value.get("agent"))
    session = file.place.session(
        file.path,
        identifier(value.get("sessionId")) or identifier(name) or "session",
        reading.assembly,
        agent=agent,
        project=one_line(about.get("cwd") or about.get("workspace_root")),
        machine=agent not in ("", "lead"),
    )
    return (session,)
