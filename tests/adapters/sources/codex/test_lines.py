"""Whose the words in a rollout are, and that each counts once."""

import json
from pathlib import Path

from pipeline.adapters.sources import codex
from pipeline.adapters.sources.reading.assembly import Assembly
from schemas.transcript import Role
from tests.support.builders.claude_lines import said
from tests.support.builders.codex_lines import CodexLines
from tests.support.sources import opened_source
from tests.support.tables import table


def test_a_text_counts_once(tmp_path: Path) -> None:
    """A text stands in two or three records: it is one message, at the first, with the ids of all."""
    lines = CodexLines()
    lines.user("one queue")
    lines.event(
        "item_completed",
        item={"type": "AgentMessage", "id": "i", "content": [{"type": "Text", "text": "Then one."}]},
    )
    lines.assistant("Then one.")
    session = lines.read(tmp_path)
    assert [("owner", "one queue"), ("assistant", "Then one.")] == said(session)
    assert [2, 4] == [message.number for message in session.messages]
    assert [2, 3] == [len(message.entry_ids) for message in session.messages]


def test_a_text_said_twice_counts_twice(tmp_path: Path) -> None:
    """A person may say the same again."""
    lines = CodexLines()
    for _ in range(2):
        lines.user("go on")
        lines.assistant("Done.")
    assert [("owner", "go on"), ("assistant", "Done.")] * 2 == said(lines.read(tmp_path))


def test_every_kind_of_record_alone_is_enough(tmp_path: Path) -> None:
    """Versions differ in which of the records they write."""
    lines = CodexLines()
    lines.item("user", "as an item")
    lines.event("agent_message", message="answer")
    lines.event("user_message", message="as an event")
    lines.item("assistant", "answer of an item")
    lines.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "as a turn"}]})
    assert ["as an item", "answer", "as an event", "answer of an item", "as a turn"] == [
        text for _, text in said(lines.read(tmp_path))
    ]


def test_context_that_codex_injects_is_a_machines(tmp_path: Path) -> None:
    """Codex puts files and notices in a person's place, most of them in tags."""
    injected = [
        "<environment_context>\n  <cwd>/home/tom</cwd>\n</environment_context>",
        "<user_instructions>\n\nUse tabs.\n\n</user_instructions>",
        "# AGENTS.md instructions for /home/tom/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
        "<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>",
        "<plugins_of_tomorrow>\nx\n</plugins_of_tomorrow>",
    ]
    lines = CodexLines()
    for text in injected:
        lines.item("user", text)
    lines.user("we keep one queue")
    assert [("machine", text) for text in injected] + [("owner", "we keep one queue")] == said(lines.read(tmp_path))


def test_what_stands_right_before_a_persons_input_is_a_machines(tmp_path: Path) -> None:
    """An injected text without a mark has no record of its own that says it was typed."""
    lines = CodexLines()
    lines.item("user", "Always answer in Polish.")
    lines.user("we keep one queue")
    assert [("machine", "Always answer in Polish."), ("owner", "we keep one queue")] == said(lines.read(tmp_path))


def test_words_typed_while_the_agent_was_busy_are_the_owners(tmp_path: Path) -> None:
    """Early versions wrote no event for them."""
    lines = CodexLines()
    lines.user("clean up")
    lines.result("shell", "ok")
    lines.item("user", "but keep the queue")
    lines.assistant("Yes.")
    lines.user("thanks")
    owners = [text for origin, text in said(lines.read(tmp_path)) if origin == "owner"]
    assert ["clean up", "but keep the queue", "thanks"] == owners


def test_a_person_may_begin_with_a_tag(tmp_path: Path) -> None:
    """The event tells that it was typed."""
    lines = CodexLines()
    lines.user("<b>bold</b> is what we want")
    assert [("owner", "<b>bold</b> is what we want")] == said(lines.read(tmp_path))


def test_the_context_of_an_editor_is_cut(tmp_path: Path) -> None:
    """The request follows after the list of open files."""
    lines = CodexLines()
    lines.user(
        "# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py\n\n## My request for Codex:\nuse one queue\n"
    )
    lines.user("# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py\n")
    assert ["owner", "machine"] == [origin for origin, _ in said(lines.read(tmp_path))]
    assert "use one queue" == said(lines.read(tmp_path))[0][1]


def test_an_event_may_have_the_request_alone(tmp_path: Path) -> None:
    """It is one message with the item that has the context around it, too."""
    lines = CodexLines()
    lines.item("user", "# Files mentioned by the user:\n\n## a.png: a.png\n\n## My request for Codex:\nuse one queue\n")
    lines.event("user_message", message="use one queue")
    (message,) = lines.read(tmp_path).messages
    assert ("use one queue", 2, 2) == (message.text, message.number, len(message.entry_ids))


def test_marks_around_images_are_no_words(tmp_path: Path) -> None:
    """The model's input has a mark before and after an image, the event has not."""
    lines = CodexLines()
    lines.item("user", "<image name=[Image #1]>", "</image>", "like this")
    lines.event("user_message", message="like this", images=["data:..."])
    assert [("owner", "like this")] == said(lines.read(tmp_path))


def test_turns_that_were_rolled_back_are_gone(tmp_path: Path) -> None:
    """A person took them back; the turns before keep their numbers."""
    lines = CodexLines()
    lines.user("one queue")
    lines.assistant("One.")
    lines.user("no, two queues")
    lines.assistant("Two.")
    before = lines.read(tmp_path)
    lines.event("thread_rolled_back", num_turns=1)
    lines.user("three queues")
    after = lines.read(tmp_path)
    assert ["one queue", "One.", "three queues"] == [text for _, text in said(after)]
    assert before.messages[:2] == after.messages[:2]
    assert 2 == after.skipped["rolled_back"]


def test_an_interrupted_turn_stays(tmp_path: Path) -> None:
    """Who stops the agent has said what was said."""
    lines = CodexLines()
    lines.user("one queue")
    lines.event("turn_aborted", reason="interrupted")
    assert [("owner", "one queue")] == said(lines.read(tmp_path))


def test_a_compacted_history_is_not_said_again(tmp_path: Path) -> None:
    """The line repeats older messages; its summary counts where no record of its own has it."""
    lines = CodexLines()
    lines.user("one queue")
    repeated = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one queue"}]}
    lines.add("compacted", {"message": "They keep one queue.", "replacement_history": [repeated]})
    lines.event("context_compacted")
    summary = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Two queues."}]}
    lines.user("two queues")
    lines.add("response_item", summary, metadata={"compaction_output": True})
    lines.add("compacted", {"message": "They keep: Two queues.", "replacement_history": [repeated]})
    lines.add("compacted", {"message": "", "replacement_history": [repeated]})
    assert [
        ("owner", "one queue"),
        ("summary", "They keep one queue."),
        ("owner", "two queues"),
        ("summary", "Two queues."),
    ] == said(lines.read(tmp_path))


def test_results_of_tools_are_known_by_the_tools_name(tmp_path: Path) -> None:
    """A page of the web and a memory are no output of a command."""
    lines = CodexLines()
    lines.user("look")
    lines.result("shell", "a.txt")
    lines.result("mcp__exa__web_search", [{"type": "input_text", "text": "a page"}])
    lines.result("mcp__notes__memory_search", {"content": "a note"})
    lines.event("web_search_end", query="queues", results=[{"snippet": "another page"}])
    session = lines.read(tmp_path)
    assert [("tool", "a.txt"), ("web", "a page"), ("memory", "a note"), ("web", "another page")] == said(session)[1:]
    assert {Role.TOOL} == {message.role for message in session.messages[1:]}


def test_what_agents_and_developers_say_is_a_machines(tmp_path: Path) -> None:
    """Nobody typed it."""
    lines = CodexLines()
    lines.item("developer", "Be brief.")
    content = [{"type": "input_text", "text": "done, boss"}]
    lines.add("response_item", {"type": "agent_message", "author": "a", "recipient": "b", "content": content})
    assert [("machine", "Be brief."), ("machine", "done, boss")] == said(lines.read(tmp_path))


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """A new version is noticed, and fails nothing."""
    lines = CodexLines()
    lines.user("hello")
    lines.add("hologram", {"type": "x", "text": "it will rain"})
    lines.event("hologram_shown", message="it will rain soon")
    lines.add("response_item", {"type": "hologram_said", "content": "it is raining"})
    lines.add("response_item", {"type": "message", "role": "critic", "content": [{"type": "hologram"}]})
    skipped = lines.read(tmp_path).skipped
    assert {
        "unknown_record:hologram": 1,
        "unknown_record:event_msg.hologram_shown": 1,
        "unknown_record:hologram_said": 1,
        "no_conversation": 1,
        "unknown_block:hologram": 1,
    } == skipped


def test_flat_lines_of_mid_2025_are_read(tmp_path: Path) -> None:
    """They have no payload, and no time but the first line's."""
    lines = CodexLines()
    lines.lines = [
        json.dumps(record).encode() + b"\n"
        for record in [
            {"id": "5f", "timestamp": "2025-06-01T09:00:00Z", "instructions": None},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one queue"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One."}]},
            {"created_at": "2025-06-01T10:00:00Z", "role": "user", "message": "and one worker"},
        ]
    ]
    session = lines.read(tmp_path)
    assert "5f" == session.session_id
    assert [("owner", "one queue"), ("assistant", "One."), ("owner", "and one worker")] == said(session)
    assert [9, 9, 10] == [message.time.hour for message in session.messages]


def test_a_summary_of_a_compaction_is_no_answer(tmp_path: Path) -> None:
    """The record says what it is."""
    lines = CodexLines()
    lines.user("hello")
    summary = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "We ship on Mondays."}],
    }
    lines.add("response_item", summary, metadata={"compaction_output": True})
    lines.assistant("Hello.")
    assert [("owner", "hello"), ("summary", "We ship on Mondays."), ("assistant", "Hello.")] == said(
        lines.read(tmp_path)
    )


def test_what_the_program_put_into_a_persons_place_is_its_own(tmp_path: Path) -> None:
    """Newer versions record who wrote each part of a text."""
    lines = CodexLines()
    for writer in ("harness", "user"):
        marks = {"content_item_metadata": [{"provenance": {"type": writer}}]}
        content = [{"type": "input_text", "text": f"Written by the {writer}."}]
        item = {"type": "message", "role": "user", "content": content}
        lines.add("response_item", item | {"internal_chat_message_metadata_passthrough": marks})
    assert [("machine", "Written by the harness."), ("owner", "Written by the user.")] == said(lines.read(tmp_path))


def test_equal_short_answers_of_a_copied_history_are_two(tmp_path: Path) -> None:
    """All copied lines have the time of the copying, so nothing else tells two equal ones apart."""
    lines = CodexLines()
    at_once = lines.lines[0]
    time = json.loads(at_once)["timestamp"]
    for _ in range(2):
        lines.add("event_msg", {"type": "user_message", "message": "yes"}, timestamp=time)
        lines.add("event_msg", {"type": "agent_message", "message": "Done."}, timestamp=time)
    lines.user("Now the roof.")
    assert [*[("memory", "yes"), ("memory", "Done.")] * 2, ("owner", "Now the roof.")] == said(lines.read(tmp_path))


def test_a_message_keeps_its_id_however_soon_it_follows_the_header(tmp_path: Path) -> None:
    """Entries cite it: the id is that of any line without one, by its number, its time and its contents."""
    lines = CodexLines()
    at_once = json.loads(lines.lines[0])["timestamp"]
    lines.add("event_msg", {"type": "user_message", "message": "yes"}, timestamp=at_once)
    lines.assistant("Done.")
    record = json.loads(lines.lines[1])
    expected = Assembly().admit_line(2, record, record["timestamp"])
    assert (expected,) == lines.read(tmp_path).messages[0].entry_ids


@table("header", [{"source": "exec"}, {"originator": "codex_exec"}])
def test_a_headless_session_is_a_machines_unless_the_source_says_otherwise(
    tmp_path: Path, header: dict[str, str]
) -> None:
    """`codex exec` runs in scripts; a sub-agent of such a session stays a machine's."""
    for more, machine in (({}, False), ({"parent_thread_id": "p-1"}, True)):
        lines = CodexLines(**header, **more)
        lines.user("hello")
        lines.write(tmp_path / "rollout-s.jsonl")
        read = [
            opened_source(codex, tmp_path, headless=headless).read("rollout-s.jsonl")[0] for headless in (False, True)
        ]
        assert [True, machine] == [session.machine for session in read]


def test_a_message_has_the_folder_of_its_turn(tmp_path: Path) -> None:
    """The folder of the header is the session's, until a turn says where it is at work."""
    lines = CodexLines()
    lines.user("one")
    lines.add("turn_context", {"cwd": "/home/tom/blog"})
    lines.user("two")
    lines.add("turn_context", {"model": "m-1"})
    lines.assistant("Done.")
    session = lines.read(tmp_path)
    folders = ["/home/tom/shop", "/home/tom/blog", "/home/tom/blog"]
    assert folders == [session.project_of(message) for message in session.messages]
