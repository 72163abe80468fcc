"""Whose word each entry of an OpenClaw session is."""

import re
from datetime import timedelta
from pathlib import Path

from pipeline.entries.provenance import earlier_id
from tests.support.builders.openclaw_lines import START, OpenClawLines, said
from tests.support.tables import table

POLL = "[OpenClaw heartbeat poll]"
READ = "Read HEARTBEAT.md if it exists (workspace context). If nothing needs attention, reply HEARTBEAT_OK."


def test_a_heartbeat_in_a_persons_session_is_left_out_as_a_turn(tmp_path: Path) -> None:
    """The poll, what is injected after it and every answer up to the next person are the machine's."""
    lines = OpenClawLines()
    lines.user("hello")
    lines.user(POLL)
    lines.add({"type": "custom_message", "customType": "openclaw.runtime-context", "content": READ, "display": False})
    lines.assistant("Looking.")
    lines.result("exec", "backup ok")
    lines.assistant("The backup is fine.")
    lines.user("thanks")
    lines.assistant("You're welcome.")
    session = lines.read(tmp_path)
    assert [origin for origin, _ in said(session)] == [
        "owner",
        "machine",
        "machine",
        "machine",
        "tool",
        "machine",
        "owner",
        "assistant",
    ]
    assert [message.number for message in session.messages] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert not session.machine


@table(
    "text",
    [
        POLL,
        READ,
        "[cron:4c1f report] Always write eight lines.\nCurrent time: Wednesday",
        "Look around. When nothing is wrong, reply with HEARTBEAT_OK",
        "[Mon 2026-02-02 09:00 UTC] [cron:4c1f report] Write.",
        "System (untrusted): [2026-02-02 09:00 UTC] Failed\n\nAn async command you ran earlier has completed.",
        "System: [2026-02-02 09:00:00 UTC] Stand up\n\nA scheduled reminder has been triggered. Relay it.",
        "[Inter-session message] sourceSession=agent:x isUser=false\nWe decided to use Rust.",
        "[Subagent Context] You are running as a subagent (depth 1/1).\n\nFix it.",
        "SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED source.",
        "Task: Gmail\n<<<EXTERNAL_UNTRUSTED_CONTENT>>>\nremember me",
        "A new session was started via /new or /reset. Greet the user.",
    ],
)
def test_what_a_machine_asks_is_no_persons_word(tmp_path: Path, text: str) -> None:
    """A turn that a scheduler, a hook or another agent starts is told by its first words; its answer goes with it."""
    lines = OpenClawLines()
    lines.user(text)
    lines.assistant("Done.")
    session = lines.read(tmp_path)
    assert [origin for origin, _ in said(session)] == ["machine", "machine"]
    assert session.machine


@table("kind", ["inter_session", "internal_system"])
def test_an_entry_that_another_session_sent_says_so(tmp_path: Path, kind: str) -> None:
    """The mark in the entry counts, whatever its text looks like."""
    lines = OpenClawLines()
    lines.user("from now on use Rust", provenance={"kind": kind})
    assert [origin for origin, _ in said(lines.read(tmp_path))] == ["machine"]


def test_the_answer_to_a_restart_notice_still_answers_the_person(tmp_path: Path) -> None:
    """A notice between two turns is the machine's, the interrupted answer after it the assistant's."""
    lines = OpenClawLines()
    lines.user("which one?")
    lines.user("[Thu 2026-02-12 19:28 UTC] [System] Your previous turn was interrupted by a gateway restart. Continue.")
    lines.assistant("The second one.")
    assert [origin for origin, _ in said(lines.read(tmp_path))] == ["owner", "machine", "assistant"]


@table("text", ["/new", "/status", "/model opus", "/think high", "/compact", "/my-skill"])
def test_a_command_to_the_gateway_is_no_word(tmp_path: Path, text: str) -> None:
    """A command alone says nothing to the assistant."""
    lines = OpenClawLines()
    lines.user(f"[Mon 2026-02-02 09:00 UTC] {text}")
    assert [("machine", text)] == said(lines.read(tmp_path))


@table(
    ("text", "words"),
    [
        ("/home/tom is full", "/home/tom is full"),
        ("/new we start over with Postgres", "we start over with Postgres"),
        ("/remember the shop closes at five", "/remember the shop closes at five"),
    ],
)
def test_words_after_a_slash_are_kept(tmp_path: Path, text: str, words: str) -> None:
    """A path is no command, and what follows a reset or a skill's name is the person's."""
    lines = OpenClawLines()
    lines.user(text)
    assert [("owner", words)] == said(lines.read(tmp_path))


@table(
    ("text", "fields"),
    [
        ("[assistant turn failed before producing content]", {"stopReason": "error"}),
        ("⚠️ Something went wrong while processing your request.", {"provider": "openclaw"}),
        ("We use Rust.", {"provider": "openclaw", "model": "delivery-mirror"}),
        ("We use Rust.", {"model": "gateway-injected"}),
        ("HEARTBEAT_OK", {}),
        ("**HEARTBEAT_OK**", {}),
        ("NO_REPLY", {}),
    ],
)
def test_what_is_no_answer_is_the_machines(tmp_path: Path, text: str, fields: dict[str, str]) -> None:
    """Failed turns, delivery mirrors and silent tokens are not said by the assistant."""
    lines = OpenClawLines()
    lines.user("hello")
    lines.assistant(text, **fields)
    assert [("owner", "hello"), ("machine", text)] == said(lines.read(tmp_path))


def test_tags_and_tokens_are_taken_off_an_answer(tmp_path: Path) -> None:
    """How a channel should deliver an answer is no part of it."""
    lines = OpenClawLines()
    lines.user("hello")
    lines.assistant("[[reply_to_current]] Yes.\n[media attached: /tmp/a.png (image/png)]")
    lines.assistant("I'll keep quiet.\n\nNO_REPLY")
    assert said(lines.read(tmp_path))[1:] == [("assistant", "Yes."), ("assistant", "I'll keep quiet.")]


def test_tools_pages_and_memories_are_distinguished(tmp_path: Path) -> None:
    """A tool's result is a tool's; a fetched page is a page; what a memory search found is memory."""
    lines = OpenClawLines()
    for tool in ("exec", "web_fetch", "web_search", "browser", "memory_search", "git_fetcher"):
        lines.result(tool, "always use Rust")
    assert [origin for origin, _ in said(lines.read(tmp_path))] == ["tool", "web", "web", "web", "memory", "web"]


def test_summaries_are_nobodys_words(tmp_path: Path) -> None:
    """A compaction's summary repeats old words; what sums up a branch that was left tells again what was taken back."""
    lines = OpenClawLines()
    lines.user("Rust")
    lines.add(
        {"type": "compaction", "summary": "## Key Decisions\n- Rust", "firstKeptEntryId": "e1", "tokensBefore": 9}
    )
    lines.add({"type": "branch_summary", "summary": "We tried Go.", "fromId": "e1"})
    assert [origin for origin, _ in said(lines.read(tmp_path))] == ["owner", "summary", "memory"]


def test_conversation_is_never_cut_and_all_else_is(tmp_path: Path) -> None:
    """Long words of people stay whole; a tool's output keeps its first 200 characters."""
    lines = OpenClawLines()
    lines.user("a" * 5_000)
    lines.result("exec", "b" * 5_000)
    assert [len(text) for _, text in said(lines.read(tmp_path))] == [5_000, 200]


def test_thinking_and_images_are_dropped(tmp_path: Path) -> None:
    """Of an answer only the text is kept; an answer with none is counted."""
    lines = OpenClawLines()
    thinking = {"type": "thinking", "thinking": "hm", "thinkingSignature": "A" * 99}
    lines.user([{"type": "image", "data": "AAAA"}, {"type": "text", "text": "look"}])
    lines.assistant([thinking, {"type": "text", "text": "one"}, {"type": "text", "text": "two"}])
    lines.assistant([thinking, {"type": "toolCall", "id": "t", "name": "exec", "arguments": {}}])
    session = lines.read(tmp_path)
    assert said(session) == [("owner", "look"), ("assistant", "one\ntwo")]
    assert session.skipped["no_text"] == 1


def test_what_is_unknown_is_counted(tmp_path: Path) -> None:
    """New kinds of records, blocks and roles never fail."""
    lines = OpenClawLines()
    lines.user([{"type": "hologram"}, {"type": "text", "text": "hello"}])
    lines.message("oracle", "it will rain")
    lines.add({"type": "compact", "note": "it will rain on us today"})
    lines.add({"type": "model_change", "modelId": "m-2"})
    lines.user(None)
    session = lines.read(tmp_path)
    expected = {"unknown_block:hologram": 1, "unknown_record:compact": 1}
    assert expected | {"no_conversation": 2, "no_text": 1} == session.skipped
    assert said(session) == [("owner", "hello")]


def test_a_record_without_a_time_takes_the_one_before(tmp_path: Path) -> None:
    """A time that is missing, or that nobody lives in, is counted."""
    lines = OpenClawLines()
    lines.user("one")
    lines.add({"type": "message", "message": {"role": "user", "content": "two"}, "timestamp": "9999-12-31T23:59:59Z"})
    lines.add({"type": "message", "message": {"role": "user", "content": "three"}, "timestamp": None})
    session = lines.read(tmp_path)
    assert [START + timedelta(minutes=2)] * 3 == [message.time for message in session.messages]
    assert session.skipped["no_time"] == 2


def test_the_outer_time_counts(tmp_path: Path) -> None:
    """The time inside an answer is when it was asked for; the order of the file follows the outer one."""
    lines = OpenClawLines()
    lines.assistant("yes", timestamp=1_000)
    assert [START + timedelta(minutes=2)] == [message.time for message in lines.read(tmp_path).messages]


def test_ids_that_cannot_stand_in_a_list_are_replaced(tmp_path: Path) -> None:
    """An entry without a usable id goes by its number and a hash of what it holds."""
    lines = OpenClawLines()
    lines.add({"type": "message", "id": "a, b", "message": {"role": "user", "content": "one"}})
    lines.add({"type": "message", "id": 7, "message": {"role": "user", "content": "two"}})
    ids = [entry_id for message in lines.read(tmp_path).messages for entry_id in message.entry_ids]
    assert all(re.fullmatch(rf"line{number}-[0-9a-f]{{12}}", text) for number, text in enumerate(ids, start=2))
    assert [earlier_id(text) for text in ids] == ["line2", "line3"]
