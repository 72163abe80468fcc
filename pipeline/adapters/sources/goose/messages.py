"""The messages of one Goose session, from a store or from a file."""

from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import Record, blocks, mapping, one_line, seconds_or_milliseconds, texts
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role

_BLOCKS = frozenset(
    {
        "text", "image", "toolRequest", "toolResponse", "toolConfirmationRequest", "frontendToolRequest", "thinking",
        "redactedThinking", "reasoning", "contextLengthExceeded", "summarizationRequested", "conversationCompacted",
        "systemNotification", "actionRequired",
    }
)  # fmt: skip


class GooseProgress:
    """The state of a session after the messages read so far."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self._tools: dict[str, str] = {}

    def take(self, number: int, record: Record) -> None:
        """Adds a message: `id`, `role`, `created` in seconds, `content` in blocks, and `metadata` on who sees it."""
        timed = record | {"timestamp": seconds_or_milliseconds(record.get("created"))}
        timed.pop("metadata", None)  # it changes when a conversation is compacted
        entry_id = self.assembly.admit(number, timed, "id")
        if not entry_id:
            return
        content, role = record.get("content"), record.get("role")
        self.assembly.check(content, _BLOCKS)
        hidden = mapping(record.get("metadata")).get("userVisible") is False
        if role == "user":
            draft = DraftMessage(number, [entry_id], Role.USER, Origin.MEMORY if hidden else Origin.OWNER, [])
            self.assembly.add(self._user(draft, content))
        elif role == "assistant":
            self._note_tools(content)
            origin = Origin.MEMORY if hidden else Origin.ASSISTANT
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, origin, texts(content)))
        else:
            self.assembly.pass_over("unknown_role", role)

    def _user(self, draft: DraftMessage, content: object) -> DraftMessage:
        """What only the agent sees is a summary, or a copy made for it."""
        draft.parts = texts(content)
        answers = [block for block in blocks(content) if block.get("type") == "toolResponse"]
        if draft.origin is Origin.MEMORY:
            return draft
        if answers:  # nobody types into the answer of a tool
            draft.role = Role.TOOL
            draft.origin = tool_origin(self._tools.get(one_line(answers[0].get("id"))))
            draft.parts = [text for answer in answers for text in texts(_result(answer))] + draft.parts
        else:
            draft.origin, draft.parts = typed_words(draft.parts)
        return draft

    def _note_tools(self, content: object) -> None:
        for block in blocks(content):
            if block.get("type") == "toolRequest":
                name = mapping(mapping(block.get("toolCall")).get("value")).get("name")
                self._tools[one_line(block.get("id"))] = one_line(name).rpartition("__")[2]


def _result(answer: Record) -> object:
    """The blocks of a tool's result; in older versions they are the value itself."""
    value = mapping(answer.get("toolResult")).get("value")
    return value.get("content") if isinstance(value, dict) else value
