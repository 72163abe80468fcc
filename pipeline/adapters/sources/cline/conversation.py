"""The conversation of one task, as Cline and Roo Code keep it: messages in the shape of Anthropic's API."""

from collections.abc import Iterator

from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import Record, blocks, mapping, moment, one_line, texts, word
from pipeline.adapters.sources.speakers import cline as marks
from pipeline.adapters.sources.speakers.owner import tool_origin
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin, Role

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
        """Reads the messages of a task in their order."""
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
            self._tools |= {word(call.get("id")): one_line(call.get("name")) for call in _of_kind(content, "tool_use")}
            self.assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        elif role == "user":
            self.assembly.add(self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, said), content))
        else:
            self.assembly.pass_over("unknown_role", role)

    def _user(self, draft: DraftMessage, content: object) -> DraftMessage:
        results = list(_of_kind(content, "tool_result"))
        words = [answer for result in results for answer in self._answers(result)] + marks.typed(draft.parts)
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
        return [words for text in texts(result.get("content")) for words in marks.typed([text], tool)]

    def _tool(self, result: Record) -> str:
        return self._tools.get(word(result.get("tool_use_id")), "")


def messages_of(value: object) -> list[object] | None:
    """The messages in a whole file: a list of them, or an object that has one; `None` when it is another program's."""
    messages = value if isinstance(value, list) else mapping(value).get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    first = mapping(messages[0])
    return messages if "content" in first and first.get("role") in ("user", "assistant") else None


def _of_kind(content: object, kind: str) -> Iterator[Record]:
    return (block for block in blocks(content) if block.get("type") == kind)
