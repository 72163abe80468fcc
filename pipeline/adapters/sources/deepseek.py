"""The sessions of DeepSeek's harness (dsh): a line on the session, and a line an event; as a rule compressed."""

from collections.abc import Sequence

from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile
from pipeline.adapters.sources.reading.records import (
    Record,
    blocks,
    identifier,
    mapping,
    one_line,
    records,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role, Session

_ENDINGS = (".jsonl", ".jsonl.zst", ".jsonl.zstd")
_SILENT = ("agent/", "assistant/", "permission/", "session/", "step/", "text-chunks", "tool/", "turn/", "usage/")
KIND = SourceKind(
    "deepseek",
    lambda place: FileSource(place, lambda name: name.endswith(_ENDINGS), _parse),
    lambda home, environment: (named_folder(environment, "DSH_HOME", home / ".dsh") / "sessions",),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    reading, about = _DeepSeekProgress(), dict[str, object]()
    for number, record in records(file.stream, reading.assembly.skipped):
        if not about:
            if record.get("type") != "session" or "createdAt" not in record:
                return ()
            about = record
        elif record.get("type") == "session":
            reading.assembly.skipped["repeated"] += 1
        else:
            reading.take(number, record)
    if not about:
        return ()
    depth = about.get("delegationDepth")
    session = file.place.session(
        file.path,
        identifier(about.get("id")) or identifier(file.location.parent.name) or "session",
        reading.assembly,
        project=one_line(about.get("cwd")),
        machine=isinstance(depth, int) and depth > 0,
    )
    return (session,)


class _DeepSeekProgress:
    """The state of a session after the events read so far."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self._tools: dict[str, str] = {}

    def take(self, number: int, record: Record) -> None:
        """Read an event."""
        kind, data = word(record.get("type")), mapping(record.get("data"))
        if kind == "tool/call":
            self._tools[word(data.get("callId"))] = one_line(data.get("name"))
        if kind == "user/message":
            self._add(number, record, self._user(data))
        elif kind == "assistant/message":
            said = texts(mapping(data.get("message")).get("content"))
            self._add(number, record, (Role.ASSISTANT, Origin.ASSISTANT, said))
        elif kind == "tool/result":
            self._add(number, record, self._result(mapping(data.get("message"))))
        elif kind.startswith(_SILENT):
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", kind, record)

    def _add(self, number: int, record: Record, spoken: tuple[Role, Origin, list[str]]) -> None:
        entry_id = self.assembly.admit_line(number, record, record.get("time"))
        if entry_id:
            self.assembly.add(DraftMessage(number, [entry_id], *spoken))

    def _user(self, data: Record) -> tuple[Role, Origin, list[str]]:
        """A message in the person's place; one of a plugin names the plugin as its source."""
        said = texts(data.get("content"))
        if mapping(data.get("source")).get("kind") != "user":
            return Role.USER, Origin.MACHINE, said
        return Role.USER, *typed_words(said)

    def _result(self, message: Record) -> tuple[Role, Origin, list[str]]:
        tool = self._tools.get(word(mapping(message.get("source")).get("callId")))
        said = [text for block in blocks(message.get("content")) for text in texts(block.get("content"))]
        return Role.TOOL, tool_origin(tool), said
