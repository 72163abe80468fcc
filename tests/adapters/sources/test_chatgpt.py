"""ChatGPT's exports hold to the contract, and who speaks in them is known."""

from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.sources import chatgpt
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.claude_lines import said
from tests.support.builders.exported_chats import ChatGptConversation, written
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source
from tests.support.tables import table

ANY = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.none(), max_size=2)


source = partial(opened_source, chatgpt)


def read(root: Path, conversation: ChatGptConversation) -> Session:
    """The session that a conversation gives."""
    written(root / "conversations.json", [conversation.value])
    (session,) = source(root).read("conversations.json/8f1c2d")
    return session


class TestChatGptSource(SourceContract):
    """The contract, over an unpacked export and a zip."""

    def source(self, root: Path) -> TranscriptSource:
        """Three conversations in two exports."""
        conversations = []
        for session_id in ("one", "two", "three"):
            conversation = ChatGptConversation(session_id)
            conversation.add("user", OWNER)
            conversation.add("assistant", ASSISTANT)
            conversation.add("user", "żółć \ud83d 好")
            conversations.append(conversation.value)
        written(root / "a/conversations.json", conversations[:2])
        written(root / "b.zip", conversations[2:])
        return source(root)


def test_nobody_knows_where_exports_are(tmp_path: Path) -> None:
    """A person chooses the folder."""
    assert () == chatgpt.KIND.roots(tmp_path, {})


def test_the_branch_that_was_shown_last_is_read(tmp_path: Path) -> None:
    """An answer that was made again, and a question that was edited, are branches; children need not be listed."""
    conversation = ChatGptConversation()
    first = conversation.add("user", "one queue")
    conversation.add("assistant", "Two?")
    conversation.add("assistant", "One.", parent=first)
    assert [("owner", "one queue"), ("assistant", "One.")] == said(read(tmp_path, conversation))


def test_without_a_current_message_the_last_one_counts(tmp_path: Path) -> None:
    """Old exports lack it."""
    conversation = ChatGptConversation()
    conversation.add("user", "one queue")
    del conversation.value["current_node"]
    assert [("owner", "one queue")] == said(read(tmp_path, conversation))


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    """Each message counts once."""
    conversation = ChatGptConversation()
    conversation.add("user", "one queue")
    conversation.value["mapping"]["root"]["parent"] = "m1"
    assert [("owner", "one queue")] == said(read(tmp_path, conversation))


def test_a_message_without_a_time_has_that_of_the_one_before(tmp_path: Path) -> None:
    """Or of the conversation's start. Times are seconds in UTC."""
    conversation = ChatGptConversation()
    conversation.add("user", "one", create_time=None)
    conversation.add("assistant", "two", create_time=1770023000.25)
    conversation.add("user", "three", create_time=None)
    assert ["2026-02-02T09:00:00+00:00", "2026-02-02T09:03:20.250000+00:00", "2026-02-02T09:03:20.250000+00:00"] == [
        message.time.isoformat() for message in read(tmp_path, conversation).messages
    ]


def test_what_a_person_did_not_type_is_not_the_owners(tmp_path: Path) -> None:
    """Hidden messages, instructions and memories stand in the same tree."""
    conversation = ChatGptConversation()
    conversation.add("system", "Be brief.")
    conversation.add("user", "hidden", metadata={"is_visually_hidden_from_conversation": True})
    conversation.add("user", "profile", metadata={"is_user_system_message": True})
    conversation.add("user", {"content_type": "user_editable_context", "text": "profile"})
    conversation.add("assistant", {"content_type": "model_editable_context", "text": "memory"})
    conversation.add("assistant", "search(queues)", recipient="browser")
    conversation.add("user", "one queue")
    assert ["machine", "machine", "machine", "machine", "memory", "machine", "owner"] == [
        origin for origin, _ in said(read(tmp_path, conversation))
    ]


def test_results_of_tools_are_known_by_the_tools_name(tmp_path: Path) -> None:
    """A page of the web and a memory are no output of a program."""
    conversation = ChatGptConversation()
    conversation.add("tool", {"content_type": "tether_quote", "text": "page"}, name="myfiles_browser")
    conversation.add("tool", "page", name="web.run")
    conversation.add("tool", "noted", name="bio")
    conversation.add("tool", {"content_type": "execution_output", "text": "5"}, name="python")
    assert [("web", "page"), ("web", "page"), ("memory", "noted"), ("tool", "5")] == said(read(tmp_path, conversation))


def test_spoken_words_and_words_beside_images_are_read(tmp_path: Path) -> None:
    """A part may be a text, a transcript of speech, or an image."""
    parts = ["look", {"content_type": "image_asset_pointer"}, {"content_type": "audio_transcription", "text": "here"}]
    conversation = ChatGptConversation()
    conversation.add("user", {"content_type": "multimodal_text", "parts": parts})
    assert [("owner", "look\nhere")] == said(read(tmp_path, conversation))


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """Thoughts and code for a tool are no conversation."""
    conversation = ChatGptConversation()
    conversation.add("assistant", {"content_type": "thoughts", "thoughts": []})
    conversation.add("assistant", {"content_type": "code", "text": "1"})
    conversation.add("assistant", {"content_type": "hologram"})
    conversation.add("critic", "no")
    assert {"no_conversation": 2, "unknown_block:hologram": 1, "unknown_role:critic": 1} == read(
        tmp_path, conversation
    ).skipped


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(value=ANY, place=st.sampled_from(["author", "content", "create_time", "recipient", "metadata", "id"]))
def test_any_value_at_any_place_of_a_message(tmp_path: Path, value: object, place: str) -> None:
    """A message of any shape is lived with."""
    conversation = ChatGptConversation()
    conversation.add("user", "one queue")
    conversation.value["mapping"]["m1"]["message"][place] = value
    read(tmp_path, conversation).model_dump_json().encode()


@table("key", ["mapping", "current_node", "create_time", "update_time"])
@table("value", [None, 5, -1e300, "x", [], {"m1": 5}, {"m1": {"parent": [], "message": 5}}])
def test_any_value_at_any_place_of_a_conversation(tmp_path: Path, key: str, value: object) -> None:
    """A conversation of any shape is lived with."""
    conversation = ChatGptConversation()
    conversation.add("user", "one queue")
    conversation.value[key] = value
    written(tmp_path / "conversations.json", [conversation.value, None, 5, "x", []])
    opened = source(tmp_path)
    for file in opened.files():
        for session in opened.read(file.path):
            session.model_dump_json().encode()


def test_other_persons_are_not_the_owner(tmp_path: Path) -> None:
    """In a group they have names; a chat that goes on from a shared one begins with the words of another."""
    conversation = ChatGptConversation()
    conversation.add("user", "shared", metadata={"shared_conversation_id": "5f1c"})
    conversation.add("user", "hi", name="Ann")
    conversation.add("user", "one queue")
    assert [("other", "shared"), ("other", "hi"), ("owner", "one queue")] == said(read(tmp_path, conversation))


def test_a_conversation_with_the_name_of_an_export_is_read(tmp_path: Path) -> None:
    """Any id may stand in an export."""
    conversation = ChatGptConversation("a.zip")
    conversation.add("user", "one queue")
    written(tmp_path / "b.zip", [conversation.value])
    chats = source(tmp_path)
    assert ["b.zip/a.zip"] == [file.path for file in chats.files()]
    (session,) = chats.read("b.zip/a.zip")
    assert [("owner", "one queue")] == said(session)
