"""The conversations in an export of ChatGPT: trees of messages, of which the branch that was shown last is read."""

from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.exports import ExportSource
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import (
    Record,
    clean,
    identifier,
    mapping,
    moment,
    nanoseconds,
    since_epoch,
    word,
)
from pipeline.adapters.sources.reading.stores import StoredSession
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import own_words
from schemas.transcript import Origin, Role, Session

_WORDS = frozenset({"text", "multimodal_text"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_ASIDE = frozenset({"user_editable_context", "model_editable_context", "system_error", "app_pairing_content"})
_OUTPUT = frozenset({"code", "execution_output", "computer_output", "citable_code_output", "super_widget"})
_PAGES = "tether_"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
_MEMORY_TOOL = "bio"
KIND = SourceKind("chatgpt", lambda place: ExportSource(place, _ChatGptExport()))


class _ChatGptExport:
    def read_listing(self, conversation: Record) -> StoredSession | None:
        session_id, nodes = _session_id(conversation), conversation.get("mapping")
        if not session_id or not isinstance(nodes, dict):
            return None
        return StoredSession(session_id, len(nodes), nanoseconds(since_epoch(conversation.get("update_time"))))

    def parse(self, place: SourcePlace, path: str, conversation: Record) -> Session | None:
        session_id = _session_id(conversation)
        if not session_id:
            return None
        assembly = Assembly(clock=moment(since_epoch(conversation.get("create_time"))))
        for number, (node_id, node) in enumerate(_branch(conversation), start=1):
            _take(assembly, number, node_id, mapping(node.get("message")))
        return place.session(path, session_id, assembly)


def _session_id(conversation: Record) -> str:
    return identifier(conversation.get("conversation_id")) or identifier(conversation.get("id"))


def _branch(conversation: Record) -> list[tuple[str, Record]]:
    """The nodes from the root to the current one, by their parents: lists of children can be wrong."""
    nodes = mapping(conversation.get("mapping"))
    node_id = word(conversation.get("current_node"))
    if node_id not in nodes:
        node_id = next(reversed(nodes), "")
    way: dict[str, Record] = {}
    while node_id in nodes and node_id not in way:
        way[node_id] = mapping(nodes[node_id])
        node_id = word(way[node_id].get("parent"))
    return [*way.items()][::-1]


def _take(assembly: Assembly, number: int, node_id: str, message: Record) -> None:
    if not message:
        return
    content = mapping(message.get("content"))
    role, kind = _ROLES.get(word(mapping(message.get("author")).get("role"))), word(content.get("content_type"))
    record = {"id": message.get("id") or node_id, "timestamp": since_epoch(message.get("create_time")), "of": content}
    entry_id = assembly.admit(number, record, "id")
    if role is None:
        assembly.pass_over("unknown_role", mapping(message.get("author")).get("role"))
    elif kind in _THOUGHTS or (role is Role.ASSISTANT and kind in _OUTPUT):
        assembly.skipped["no_conversation"] += 1
    elif not (kind in _WORDS | _ASIDE | _OUTPUT or kind.startswith(_PAGES)):
        assembly.pass_over("unknown_block", kind)
    elif entry_id:
        draft = DraftMessage(number, [entry_id], role, _origin(role, kind, message), _texts(content))
        assembly.add(own_words(draft))


def _origin(role: Role, kind: str, message: Record) -> Origin:
    """The speaker. What is hidden or not shown as words is no person's, and what is sent to a tool no answer.

    A person with a name is one of several in a group. A chat that goes on from a shared one begins with the words of
    whoever shared it.
    """
    name, data = word(mapping(message.get("author")).get("name")), mapping(message.get("metadata"))
    if role is Role.TOOL:
        if kind.startswith(_PAGES):
            return Origin.WEB
        return Origin.MEMORY if name == _MEMORY_TOOL else tool_origin(name)
    shown = not data.get("is_visually_hidden_from_conversation") and not data.get("is_user_system_message")
    if kind in _WORDS and shown and message.get("recipient") in (None, "", "all"):
        person = Origin.OTHER if name or data.get("shared_conversation_id") else Origin.OWNER
        return {Role.USER: person, Role.ASSISTANT: Origin.ASSISTANT}.get(role, Origin.MACHINE)
    return Origin.MEMORY if kind == "model_editable_context" else Origin.MACHINE


def _texts(content: Record) -> list[str]:
    """The texts of a content: its parts, some of which are transcripts of speech, or one text."""
    parts = content.get("parts")
    pieces = parts if isinstance(parts, list) else [content.get("text") or content.get("result")]
    said = [mapping(piece).get("text") if isinstance(piece, dict) else piece for piece in pieces]
    return [clean(text) for text in said if isinstance(text, str) and text and not text.isspace()]
