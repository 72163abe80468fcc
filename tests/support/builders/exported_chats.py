"""Exports of chats written by hand."""

import json
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class ChatGptConversation:
    """A conversation of ChatGPT; each message is a minute after the one before, and its child."""

    def __init__(self, session_id: str = "8f1c2d", **fields: Any) -> None:  # noqa: ANN401 - any JSON
        root: dict[str, Any] = {"id": "root", "message": None, "parent": None, "children": []}
        self.value: dict[str, Any] = {
            "title": "Queues",
            "conversation_id": session_id,
            "create_time": START.timestamp(),
            "update_time": START.timestamp(),
            "mapping": {"root": root},
            "current_node": "root",
        } | fields

    def add(self, role: str, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a message; a string becomes a part. Gives its id."""
        nodes = self.value["mapping"]
        message_id, time = f"m{len(nodes)}", START.timestamp() + 60 * len(nodes)
        whole = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
        author = {"role": role, "name": fields.pop("name", None), "metadata": {}}
        message = {"id": message_id, "author": author, "create_time": time, "content": whole, "recipient": "all"}
        parent = fields.pop("parent", self.value["current_node"])
        nodes[message_id] = {"id": message_id, "message": message | fields, "parent": parent, "children": []}
        self.value |= {"current_node": message_id, "update_time": time}
        return message_id


class ClaudeConversation:
    """A conversation of Claude's web page; each message is a minute after the one before."""

    def __init__(self, session_id: str = "8f1c2d", **fields: Any) -> None:  # noqa: ANN401 - any JSON
        time = _iso(0)
        named = {"uuid": session_id, "name": "Queues", "created_at": time, "updated_at": time}
        self.value: dict[str, Any] = named | {"chat_messages": []} | fields

    def add(self, sender: str, text: str, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a message with a block and the same text; gives its id."""
        messages = self.value["chat_messages"]
        time = _iso(len(messages) + 1)
        content = [{"type": "text", "text": text, "citations": []}]
        message = {"uuid": f"m{len(messages) + 1}", "sender": sender, "text": text, "content": content}
        messages.append(message | {"created_at": time, "attachments": [], "files": []} | fields)
        self.value["updated_at"] = time
        return str(messages[-1]["uuid"])


def _iso(minutes: int) -> str:
    return f"{START + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%S.%fZ}"


def written(file: Path, values: Sequence[object]) -> Path:
    """Writes an export with these conversations: a file, or a zip with one."""
    content = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("user.json", "{}")
            archive.writestr("conversations.json", content)
    else:
        file.write_bytes(content)
    return file
