"""From the messages of Gemini CLI to a session: the speaker of each.

The owner's answers in the program's dialogue of questions stand in the call of its own tool. The program writes down
the name under which it shows a tool; for a server's tool that is another one.
"""

from pipeline.adapters.sources.evidence.calls import CallResult
from pipeline.adapters.sources.evidence.readings import short
from pipeline.adapters.sources.gemini_cli.conversation import StoredConversation, StoredMessage
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.parts import is_result, part_texts, result_texts, unknown_parts
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    decoded,
    identifier,
    mapping,
    word,
)
from pipeline.adapters.sources.speakers.gemini import typed_parts
from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role

_SILENT = frozenset({"info", "error", "warning"})
_OUTCOMES = {"success": True, "error": False, "cancelled": False}
HARNESS = "gemini_cli"
"""Its name in the table of tools."""
_DIALOGUE = ("ask_user", "Ask User")


def assembled(conversation: StoredConversation) -> Assembly:
    """The session that the messages make, in the order of their numbers.

    An answer of the owner's in a dialogue is a message of its own, with the next number.
    """
    assembly = Assembly(skipped=conversation.skipped, clock=conversation.started)
    said, added = set[str](), 0
    for message in sorted(conversation.messages.values(), key=lambda stored: stored.number):
        message.number += added
        if entry_id := assembly.admit(message.number, message.record, "id"):
            _add(assembly, message, entry_id, said)
            if not message.restated:
                _note_calls(assembly, message)
                added += _add_answers(assembly, message)
    return assembly


def _add(assembly: Assembly, message: StoredMessage, entry_id: str, said: set[str]) -> None:
    draft = _draft(assembly, message, entry_id)
    if draft is None:
        return
    text = "\n".join(draft.parts)
    if message.restated:
        if text in said:
            assembly.skipped["repeated"] += 1
            return
        if draft.origin is not Origin.SUMMARY:  # what the program puts in front of a history that it wrote anew
            draft.origin = Origin.MEMORY
    said.add(text)
    assembly.add(draft)


def _add_answers(assembly: Assembly, message: StoredMessage) -> int:
    """Adds the owner's answers to the questions of a message; gives the number of messages that they are."""
    number, time = message.number, message.record.get("timestamp")
    for call in blocks(message.record.get("toolCalls")):
        given = _answers(call)
        if (said := answer_text(choice for _, choice in given)) and (
            entry_id := assembly.admit(number + 1, {"id": identifier(call.get("id")), "timestamp": time}, "id")
        ):
            number += 1
            assembly.add(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))
            for question, choice in given:
                assembly.calls.stated(EvidenceKind.ANSWER, assembly.place(number), short(choice), short(question))
    return number - message.number


def _draft(assembly: Assembly, message: StoredMessage, entry_id: str) -> DraftMessage | None:
    record, kind = message.record, word(message.record.get("type"))
    content = record.get("content") or record.get("parts")
    for name in unknown_parts(content):
        assembly.pass_over("unknown_block", name)
    draft = DraftMessage(message.number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, part_texts(content))
    if kind == "user":
        _speak(draft, record)
    elif kind in ("gemini", "model"):
        _answer(draft, blocks(record.get("toolCalls")))
    elif kind in _SILENT:
        assembly.skipped["no_conversation"] += 1
        return None
    else:
        assembly.pass_over("unknown_record", kind, record)
        return None
    return draft


def _speak(draft: DraftMessage, record: Record) -> None:
    """A person's message. What was shown of it is what was typed; the content also has the files it refers to."""
    content = record.get("content") or record.get("parts")
    if is_result(content):
        draft.role, draft.origin, draft.parts = Role.TOOL, Origin.TOOL, [*result_texts(content), *draft.parts]
        return
    draft.role = Role.USER
    draft.origin, parts = typed_parts(draft.parts)
    shown = part_texts(record.get("displayContent"))
    draft.parts = shown if shown and draft.origin is Origin.OWNER else parts


def _answer(draft: DraftMessage, calls: list[Record]) -> None:
    """An answer, with what it asks in a dialogue; one without words is what its tools gave back."""
    draft.parts += [question for call in calls for question in _questions(call)]
    if draft.parts or not calls:
        return
    origins = [tool_origin(call.get("name")) for call in calls]
    draft.role = Role.TOOL
    draft.origin = next((origin for origin in origins if origin is not Origin.TOOL), Origin.TOOL)
    draft.parts = [text for call in calls for text in result_texts(call.get("result"))]


def _questions(call: Record) -> list[str]:
    asked = blocks(mapping(call.get("args")).get("questions")) if _is_dialogue(call) else []
    return [clean(text) for question in asked if (text := word(question.get("question"))).strip()]


def _answers(call: Record) -> list[tuple[str, str]]:
    """The answers behind the questions of a call; none when the dialogue was closed, or sent empty."""
    results = result_texts(call.get("result")) if _is_dialogue(call) and call.get("status") == "success" else []
    given = [mapping(mapping(decoded(text)).get("answers")) for text in results]
    asked = {str(place): question for place, question in enumerate(_questions(call))}
    said = [(asked.get(place, ""), word(answer).strip()) for answers in given for place, answer in answers.items()]
    return [(question, answer) for question, answer in said if answer]


def _note_calls(assembly: Assembly, message: StoredMessage) -> None:
    """Takes the calls of a message with their results, which stand beside them."""
    for call in blocks(message.record.get("toolCalls")):
        name, call_id = word(call.get("name")), call.get("id")
        assembly.calls.called(HARNESS, name, call_id, call.get("args"), assembly.place(message.number))
        assembly.calls.returned(call_id, CallResult(_OUTCOMES.get(word(call.get("status")))))


def _is_dialogue(call: Record) -> bool:
    return (call.get("name"), call.get("displayName")) == _DIALOGUE
