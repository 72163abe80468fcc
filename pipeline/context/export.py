"""A conversation as text to take away: Markdown for people, and lines of JSON that give the same conversation back."""

import json
from dataclasses import dataclass

from pydantic import ValidationError

from pipeline.errors.store import ConversationUnreadable
from schemas.base import Value
from schemas.conversation import ConversationMessage, ConversationRecord, ConversationSummary

FORMAT = "memory-conversation-1"


@dataclass(frozen=True)
class ExportedConversation:
    """A conversation with all that belongs to it; of its summaries the last one."""

    conversation: ConversationRecord
    messages: tuple[ConversationMessage, ...]
    summary: ConversationSummary | None = None


def as_lines(exported: ExportedConversation) -> bytes:
    """Lines of JSON: the conversation, its messages in order, its summary. The same conversation is the same bytes."""
    values: list[tuple[str, Value]] = [("conversation", exported.conversation)]
    values += [("message", message) for message in exported.messages]
    values += [("summary", exported.summary)] if exported.summary else []
    records = ({"format": FORMAT, name: value.model_dump(mode="json", exclude={"id"})} for name, value in values)
    lines = (json.dumps(record, ensure_ascii=False, sort_keys=True) for record in records)
    return "".join(f"{line}\n" for line in lines).encode()


def from_lines(content: bytes, name: str) -> ExportedConversation:
    """The conversation in exported lines; `name` becomes its id.

    Raises:
        ConversationUnreadable: the lines are not as they were exported.
    """
    head: ConversationRecord | None = None
    messages, summary = list[ConversationMessage](), None
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        record = _parse_record(number, line)
        try:
            if head is None:
                head = ConversationRecord.model_validate({**_field_of(record, "conversation"), "id": name})
            elif "message" in record:
                messages.append(ConversationMessage.model_validate(record["message"]))
            else:
                summary = ConversationSummary.model_validate(_field_of(record, "summary"))
        except (ValidationError, KeyError) as error:
            raise ConversationUnreadable(number, "a field is missing, unknown or of the wrong kind") from error
        if messages:
            last, before = messages[-1].number, messages[-2].number if len(messages) > 1 else 0
            # Of a session that a laptop has sent, messages may have gone with a new version of its file.
            if not (last > before if head.transcript else last == before + 1):
                raise ConversationUnreadable(number, f"message {before + 1} is missing, or stands elsewhere")
    if head is None:
        raise ConversationUnreadable(1, "it is empty")
    return ExportedConversation(head, tuple(messages), summary)


def _field_of(record: dict[str, object], name: str) -> dict[str, object]:
    value = record[name]
    if not isinstance(value, dict):
        raise KeyError(name)
    return value


def _parse_record(number: int, line: bytes) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConversationUnreadable(number, "it is no JSON") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ConversationUnreadable(number, f"it does not have the format {FORMAT}")
    return record


def as_markdown(exported: ExportedConversation) -> bytes:
    """A page for people. Every line of a message is quoted, so that no message can look like another one."""
    head = exported.conversation
    lines = [f"# {head.session_id}", "", f"Begun {head.created_at.isoformat()}"]
    if exported.summary and exported.summary.prose:
        covers = f"{exported.summary.first_number} to {exported.summary.last_number}"
        lines += ["", f"## Summary of messages {covers}", "", *_quote(exported.summary.prose)]
    for message in exported.messages:
        cleared = ", cleared" if message.cleared else ""
        lines += ["", f"## {message.number}, {message.role.value}, {message.created_at.isoformat()}{cleared}", ""]
        lines += _quote(message.text)
        attached = [(name.removesuffix("s"), value) for name, values in message.extra_context for value in values]
        lines += [line for name, value in attached for line in ("", f"Attached {name}:", "", *_quote(value))]
    return "\n".join([*lines, ""]).encode()


def _quote(text: str) -> list[str]:
    return [f"> {line}".rstrip() for line in text.splitlines()] or [">"]
