"""What the files of Gemini CLI hold, in both of their shapes."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.sources import gemini_cli
from pipeline.errors import ReadFailed
from pipeline.transcripts.catalog import merge
from schemas.transcript import Role
from tests.support.builders.claude_lines import said
from tests.support.builders.gemini_lines import GeminiLines
from tests.support.sources import opened_source
from tests.support.tables import table

CHATS = "shop/chats"


source = partial(opened_source, gemini_cli)


def chat(**header: Any) -> GeminiLines:  # noqa: ANN401 - any JSON
    """A session with a question and an answer."""
    lines = GeminiLines(**header)
    lines.user("one queue")
    lines.assistant("Then one.")
    return lines


def test_knows_where_gemini_leaves_its_sessions(tmp_path: Path) -> None:
    """The folder from the environment is a home of its own."""
    assert (Path("/srv/g/.gemini/tmp"), tmp_path / ".gemini/tmp") == gemini_cli.KIND.roots(
        tmp_path, {"GEMINI_CLI_HOME": "/srv/g"}
    )
    assert (tmp_path / ".gemini/tmp",) == gemini_cli.KIND.roots(tmp_path, {})


def test_other_files_of_a_project_are_left_alone(tmp_path: Path) -> None:
    """Checkpoints and logs repeat the words of sessions."""
    for name in ("logs.json", "checkpoint-a.json", f"{CHATS}/session-a.json", f"{CHATS}/session-b.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"{}")
    assert [f"{CHATS}/session-a.json", f"{CHATS}/session-b.jsonl"] == [file.path for file in source(tmp_path).files()]
    assert () == source(tmp_path).read(f"{CHATS}/session-a.json")


def test_both_shapes_hold_the_same_messages(tmp_path: Path) -> None:
    """A file that is rewritten as lines keeps ids, numbers and times."""
    assert chat().read(tmp_path, "session-a.json").messages == chat().read(tmp_path, "session-b.jsonl").messages


def test_a_session_in_both_shapes_counts_once(tmp_path: Path) -> None:
    """A resumed session leaves its old file behind; the new one is cited."""
    old = chat().read(tmp_path, f"{CHATS}/session-a.json")
    assert not old.archived
    lines = chat()
    lines.user("and one worker")
    new = lines.read(tmp_path, f"{CHATS}/session-a.jsonl")
    (old,) = source(tmp_path).read(f"{CHATS}/session-a.json")
    assert old.archived
    whole = merge([old, new])
    assert [("owner", "one queue"), ("assistant", "Then one."), ("owner", "and one worker")] == said(whole)
    assert new.path == whole.path


def test_a_rewritten_file_keeps_its_numbers(tmp_path: Path) -> None:
    """The whole file is written anew after each turn."""
    lines = chat()
    before = lines.read(tmp_path, "session-a.json")
    lines.user("and one worker")
    after = lines.read(tmp_path, "session-a.json")
    assert before.messages == after.messages[:2]
    assert [2, 3, 4] == [message.number for message in after.messages]


@table("length", [60, 200, -1])
def test_a_file_that_is_being_written_is_an_error(tmp_path: Path, length: int) -> None:
    """It is read again later; until then it has not lost its messages."""
    (tmp_path / "session-a.json").write_bytes(chat().whole[:length])
    with pytest.raises(ReadFailed, match="not whole"):
        source(tmp_path).read("session-a.json")


def test_a_message_that_comes_again_keeps_its_number(tmp_path: Path) -> None:
    """Its last record counts: an answer is written before it is complete."""
    lines = GeminiLines()
    lines.user("one queue")
    message = lines.assistant("Then")
    lines.user("yes")
    lines.add(lines.records[2] | {"content": "Then one."})
    session = lines.read(tmp_path)
    assert [(2, "one queue"), (3, "Then one."), (4, "yes")] == [(m.number, m.text) for m in session.messages]
    assert (message,) == session.messages[1].entry_ids


def test_what_was_rewound_between_two_readings_is_gone(tmp_path: Path) -> None:
    """The person took it back; what stands before and after has its numbers."""
    lines = chat()
    undone = lines.user("no, two queues")
    lines.assistant("Two.")
    before = lines.read(tmp_path)
    lines.add({"$rewindTo": undone})
    lines.user("three queues")
    after = lines.read(tmp_path)
    assert [(2, "one queue"), (3, "Then one."), (7, "three queues")] == [(m.number, m.text) for m in after.messages]
    assert before.messages[:2] == after.messages[:2]
    assert 2 == after.skipped["rewound"]


def test_a_rewind_to_nothing_known_takes_all_back(tmp_path: Path) -> None:
    """As the program itself reads it."""
    lines = chat()
    lines.add({"$rewindTo": "m99"})
    lines.user("anew")
    assert [("owner", "anew")] == said(lines.read(tmp_path))


def test_a_session_may_begin_with_all_its_messages(tmp_path: Path) -> None:
    """They come as a patch of the header."""
    lines = GeminiLines()
    lines.add({"$set": {"messages": chat().records[1:], "lastUpdated": "2026-02-02T09:30:00Z"}})
    lines.records.extend([{"$set": {"summary": "queues"}}])
    lines.user("and one worker")
    session = lines.read(tmp_path)
    assert [("owner", "one queue"), ("assistant", "Then one."), ("owner", "and one worker")] == said(session)
    assert [2, 3, 5] == [message.number for message in session.messages]


def test_a_history_that_was_written_anew_is_not_said_again(tmp_path: Path) -> None:
    """A compression puts a summary in front, and may give old messages new ids. What it left out was said."""
    lines = chat()
    summary = {"id": "s", "timestamp": lines.time(), "type": "user", "content": [{"text": "They want one queue."}]}
    lines.add({"$set": {"messages": [summary, lines.records[1] | {"id": "other"}]}})
    lines.user("and one worker")
    assert [
        ("owner", "one queue"),
        ("assistant", "Then one."),
        ("memory", "They want one queue."),
        ("owner", "and one worker"),
    ] == said(lines.read(tmp_path))


def test_what_was_shown_is_what_was_typed(tmp_path: Path) -> None:
    """The content of a message also has the files that it refers to."""
    lines = GeminiLines()
    files = [{"text": "look at @a.md"}, {"text": "\n--- Content from referenced files ---"}, {"text": "delete all"}]
    lines.message("user", files, displayContent="look at @a.md")
    lines.message("user", files)
    assert [("owner", "look at @a.md")] * 2 == said(lines.read(tmp_path))


def test_a_compressed_chat_is_the_programs_note(tmp_path: Path) -> None:
    """It stands in the place of a person."""
    lines = GeminiLines()
    lines.user("one queue")
    lines.user("<state_snapshot>\n<overall_goal>One queue.</overall_goal>\n</state_snapshot>")
    assert ["owner", "summary"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_context_in_a_persons_place_is_a_machines(tmp_path: Path) -> None:
    """The program introduces itself, and sums up."""
    lines = GeminiLines()
    lines.user("<session_context>\nThis is the Gemini CLI.\n</session_context>")
    lines.user("This is the Gemini CLI. We are setting up the context for our chat.")
    lines.user("<state_snapshot>\n<overall_goal>x</overall_goal>\n</state_snapshot>")
    lines.user("<hook_context>x</hook_context>")
    lines.user("<hook_context>x</hook_context>\none queue")
    assert ["machine", "machine", "memory", "machine", "owner"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_an_answer_without_words_is_what_its_tools_gave(tmp_path: Path) -> None:
    """A search of the web is known by the tool's name."""
    lines = chat()
    result = [{"functionResponse": {"id": "c", "name": "x", "response": {"output": "a page"}}}]
    lines.assistant("", toolCalls=[{"id": "c", "name": "google_web_search", "result": result}])
    lines.assistant("", toolCalls=[{"id": "c", "name": "read_file", "result": result}])
    lines.message("user", result)
    session = lines.read(tmp_path)
    assert [("web", "a page"), ("tool", "a page"), ("tool", "a page")] == said(session)[2:]
    assert {Role.TOOL} == {message.role for message in session.messages[2:]}


def test_thoughts_are_no_words(tmp_path: Path) -> None:
    """Neither in a part of their own nor beside the answer."""
    lines = GeminiLines()
    lines.message("gemini", [{"text": "hm", "thought": True}, {"text": "One."}])
    assert [("assistant", "One.")] == said(lines.read(tmp_path))


def test_sub_agents_are_a_machines(tmp_path: Path) -> None:
    """Their files stand in a folder named after the session that started them."""
    session = chat(kind="subagent").read(tmp_path, f"{CHATS}/8f1c2d/worker-1.jsonl")
    assert (True, "8f1c2d") == (session.machine, session.parent)
    main = chat().read(tmp_path, f"{CHATS}/session-a.jsonl")
    assert (False, None) == (main.machine, main.parent)


def test_the_folder_of_a_project_is_known_by_its_file(tmp_path: Path) -> None:
    """Else by its name, unless that is a checksum."""
    assert "shop" == chat().read(tmp_path, "shop/chats/session-a.jsonl").project
    assert "" == chat().read(tmp_path, f"{'5f' * 32}/chats/session-a.jsonl").project
    assert "" == chat().read(tmp_path, "session-a.jsonl").project
    (tmp_path / "shop/.project_root").write_text("/home/tom/shop\n")
    assert "/home/tom/shop" == chat().read(tmp_path, "shop/chats/session-a.jsonl").project
    assert "/home/tom/shop" == chat(kind="subagent").read(tmp_path, "shop/chats/8f/w.jsonl").project


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """A new version is noticed, and fails nothing."""
    lines = chat()
    lines.message("hologram", "it will rain")
    lines.message("info", "Request cancelled.")
    lines.message("user", [{"hologram": "x"}])
    lines.add({"type": "session_metadata"})
    assert {
        "unknown_record:hologram": 1,
        "no_conversation": 1,
        "unknown_block:hologram": 1,
        "no_text": 1,
        "unknown_record:session_metadata": 1,
    } == lines.read(tmp_path).skipped


def test_a_file_without_times_has_that_of_its_start(tmp_path: Path) -> None:
    """No message is left out for it."""
    lines = chat()
    for record in lines.records[1:]:
        del record["timestamp"]
    assert {9} == {message.time.hour for message in lines.read(tmp_path, "session-a.json").messages}


def test_any_object_is_survived(tmp_path: Path) -> None:
    """A whole file may hold anything."""
    values: tuple[object, ...] = ([], [None, 1, "x", [], {}], {}, [{"id": 5, "type": [], "content": {"text": 1}}], None)
    for messages in values:
        content = {"sessionId": "a", "startTime": "2026-02-02T09:00:00Z", "messages": messages}
        (tmp_path / "session-a.json").write_bytes(json.dumps(content).encode())
        assert [()] * len(source(tmp_path).read("session-a.json")) == [
            session.messages for session in source(tmp_path).read("session-a.json")
        ]
    (tmp_path / "session-a.json").write_bytes(b"[" * 100_000)
    assert () == source(tmp_path).read("session-a.json")


def test_a_text_beside_the_result_of_a_tool_is_the_tools(tmp_path: Path) -> None:
    """Some versions put the pages that a tool read behind its result, in a record of the person's side."""
    for response in ({"output": "Tool execution succeeded."}, {}):
        lines = GeminiLines()
        lines.message("user", [{"functionResponse": {"name": "x", "response": response}}, {"text": "I moved to Oslo"}])
        session = lines.read(tmp_path)
        assert (["tool"], True) == ([origin for origin, _ in said(session)], session.machine)
