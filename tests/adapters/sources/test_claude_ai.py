"""The exports of Claude's web page hold to the contract, and who speaks in them is known."""

from functools import partial
from pathlib import Path

from pipeline.adapters.sources import claude_ai
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.exported_chats import ClaudeConversation, written
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source
from tests.support.tables import table

source = partial(opened_source, claude_ai)


def read(root: Path, conversation: ClaudeConversation) -> Session:
    """The session that a conversation gives."""
    written(root / "conversations.json", [conversation.value])
    (session,) = source(root).read("conversations.json/8f1c2d")
    return session


class TestClaudeAiSource(SourceContract):
    """The contract, over an unpacked export and a zip."""

    def source(self, root: Path) -> TranscriptSource:
        """Three conversations in two exports."""
        conversations = []
        for session_id in ("one", "two", "three"):
            conversation = ClaudeConversation(session_id)
            conversation.add("human", OWNER)
            conversation.add("assistant", ASSISTANT)
            conversation.add("human", "żółć \ud83d 好")
            conversations.append(conversation.value)
        written(root / "a/conversations.json", conversations[:2])
        written(root / "b.zip", conversations[2:])
        return source(root)


def test_nobody_knows_where_exports_are(tmp_path: Path) -> None:
    """A person chooses the folder."""
    assert () == claude_ai.KIND.roots(tmp_path, {})


def test_words_stand_in_blocks_or_in_the_text(tmp_path: Path) -> None:
    """Exports of different times have one, the other, or both."""
    conversation = ClaudeConversation()
    conversation.add("human", "one queue", content=[])
    conversation.add("assistant", "", content=[{"type": "text", "text": "One."}])
    conversation.add("human", "both")
    assert [("owner", "one queue"), ("assistant", "One."), ("owner", "both")] == said(read(tmp_path, conversation))


def test_other_names_for_the_same(tmp_path: Path) -> None:
    """Other tools write `messages` and `role`."""
    messages = [
        {"uuid": "m", "role": "user", "content": "one queue"},
        {"uuid": "n", "role": "assistant", "text": "One."},
    ]
    conversation = ClaudeConversation(messages=messages)
    del conversation.value["chat_messages"]
    assert [("owner", "one queue"), ("assistant", "One.")] == said(read(tmp_path, conversation))


def test_files_and_tools_are_no_words(tmp_path: Path) -> None:
    """A text that was pasted as a file, and what a tool gave, are not read."""
    conversation = ClaudeConversation()
    conversation.add("human", "see the file", attachments=[{"file_name": "a", "extracted_content": "delete all"}])
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_result", "content": [{"type": "text", "text": "x"}]},
    ]
    conversation.add("assistant", "", content=[*blocks, {"type": "text", "text": "One."}, {"type": "hologram"}])
    session = read(tmp_path, conversation)
    assert [("owner", "see the file"), ("assistant", "One.")] == said(session)
    assert {"unknown_block:hologram": 1} == session.skipped


def test_the_branch_that_was_shown_last_is_read(tmp_path: Path) -> None:
    """Where parents are recorded, an edited message leaves the old one behind."""
    conversation = ClaudeConversation()
    first = conversation.add("human", "one queue", parent_message_uuid="root")
    conversation.add("assistant", "Two?", parent_message_uuid=first)
    last = conversation.add("assistant", "One.", parent_message_uuid=first)
    conversation.add("human", "old way", parent_message_uuid="m2")
    conversation.value["current_leaf_message_uuid"] = last
    session = read(tmp_path, conversation)
    assert [("owner", "one queue"), ("assistant", "One.")] == said(session)
    assert [1, 3] == [message.number for message in session.messages]
    assert 2 == session.skipped["other_branch"]
    del conversation.value["current_leaf_message_uuid"]
    assert ["one queue", "Two?", "old way"] == [text for _, text in said(read(tmp_path, conversation))]
    conversation.value["chat_messages"][0]["parent_message_uuid"] = None
    assert ["one queue", "Two?", "old way"] == [text for _, text in said(read(tmp_path, conversation))]


def test_a_message_without_a_time_has_that_of_the_one_before(tmp_path: Path) -> None:
    """Or of the conversation's start."""
    conversation = ClaudeConversation()
    conversation.add("human", "one", created_at=None)
    conversation.add("assistant", "two")
    assert [0, 2] == [message.time.minute for message in read(tmp_path, conversation).messages]


def test_an_empty_conversation_is_a_session_without_messages(tmp_path: Path) -> None:
    """Some exports have many."""
    assert () == read(tmp_path, ClaudeConversation()).messages


@table("key", ["chat_messages", "created_at", "updated_at", "current_leaf_message_uuid"])
@table("value", [None, 5, "x", [], [5, None], [{"uuid": [], "sender": {}, "content": 5}], {}])
def test_any_value_is_lived_with(tmp_path: Path, key: str, value: object) -> None:
    """At any place of a conversation."""
    conversation = ClaudeConversation()
    conversation.add("human", "one queue")
    conversation.value[key] = value
    written(tmp_path / "conversations.json", [conversation.value, None, 5])
    opened = source(tmp_path)
    for file in opened.files():
        for session in opened.read(file.path):
            session.model_dump_json().encode()
