"""The conversations in an export of Claude's web page and apps."""

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.exports import ExportSource
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, blocks, identifier, moment, nanoseconds, texts, word
from pipeline.adapters.sources.reading.stores import StoredSession
from pipeline.adapters.sources.speakers.typed import own_words
from schemas.transcript import Origin, Role, Session

_SPEAKERS = {
    "human": (Role.USER, Origin.OWNER),
    "user": (Role.USER, Origin.OWNER),
    "assistant": (Role.ASSISTANT, Origin.ASSISTANT),
}
_BLOCKS = frozenset({"text", "thinking", "redacted_thinking", "tool_use", "tool_result", "token_budget", "voice_note"})
KIND = SourceKind("claude_ai", lambda place: ExportSource(place, _ClaudeExport()))


class _ClaudeExport:
    def read_listing(self, conversation: Record) -> StoredSession | None:
        session_id, messages = identifier(conversation.get("uuid")), _messages(conversation)
        if not session_id or messages is None:
            return None
        return StoredSession(session_id, len(messages), nanoseconds(conversation.get("updated_at")))

    def parse(self, place: SourcePlace, path: str, conversation: Record) -> Session | None:
        session_id = identifier(conversation.get("uuid"))
        messages = _messages(conversation)
        if not session_id or messages is None:
            return None
        assembly = Assembly(clock=moment(conversation.get("created_at")))
        shown = _ids_on_branch(messages, word(conversation.get("current_leaf_message_uuid")))
        for number, message in enumerate(messages, start=1):
            if shown is None or word(message.get("uuid")) in shown:
                time = message.get("created_at") or message.get("updated_at")
                entry_id = assembly.admit(number, {**message, "timestamp": time}, "uuid")
                speaker = word(message.get("sender")) or word(message.get("role"))
                content = message.get("content")
                assembly.check(content, _BLOCKS)
                if speaker not in _SPEAKERS:
                    assembly.pass_over("unknown_role", speaker)
                elif entry_id:
                    role, origin = _SPEAKERS[speaker]
                    # Its blocks have the words, and in some exports only its text; files that came with it have none.
                    said = texts(content) or texts(message.get("text"))
                    assembly.add(own_words(DraftMessage(number, [entry_id], role, origin, said)))
            else:
                assembly.skipped["other_branch"] += 1
        return place.session(path, session_id, assembly)


def _messages(conversation: Record) -> list[Record] | None:
    messages = conversation.get("chat_messages", conversation.get("messages"))
    return blocks(messages) if isinstance(messages, list) else None


def _ids_on_branch(messages: list[Record], leaf: str) -> set[str] | None:
    """The ids on the way from the first message to the current one, or to the last; `None` when none is recorded."""
    above = {word(message.get("uuid")): word(message.get("parent_message_uuid")) for message in messages}
    if not any(above.values()):
        return None
    message_id, way = leaf if leaf in above else next(reversed(above), ""), set[str]()
    while message_id in above and message_id not in way:
        way.add(message_id)
        message_id = above[message_id]
    return way
