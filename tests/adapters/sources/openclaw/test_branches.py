"""The branch of a session that counts: what was taken back, and what a rewrite of the history copied."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import zstandard

from schemas.transcript import Session
from tests.support.builders.openclaw_lines import START, OpenClawLines, said
from tests.support.tables import table

LANGUAGES = ["We keep one queue.", "Zostajemy przy jednej kolejce: żółć.", "我们只用一个队列。"]


def turn(lines: OpenClawLines, text: str, **record: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds a person's message with a time of its own, and its answer; gives the id of the answer."""
    asked = spoken(lines, "user", text, **record)
    return spoken(lines, "assistant", f"Noted: {text}", parentId=asked)


def spoken(lines: OpenClawLines, role: str, text: str, **record: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds a message with the time (ms) that it was said at."""
    content = [{"type": "text", "text": text}]
    message = {"role": role, "content": content, "timestamp": 1_770_000_000_000 + len(lines.lines)}
    return lines.add({"type": "message", "message": message} | record)


def copied(lines: OpenClawLines, number: int, **record: Any) -> str:  # noqa: ANN401 - any JSON
    """Adds a copy of the record in a line, from 1, with an id and a time of its own."""
    return lines.add({"type": "message", "message": json.loads(lines.lines[number - 1])["message"]} | record)


def owner(session: Session) -> list[tuple[int, str]]:
    """The numbers and the texts of what the owner said."""
    return [(message.number, message.text) for message in session.messages if message.origin == "owner"]


@table("text", LANGUAGES)
def test_what_a_person_took_back_is_no_conversation(tmp_path: Path, text: str) -> None:
    """The branch that the last entry does not come from is counted, and passed over."""
    lines = OpenClawLines()
    kept = turn(lines, "hello")
    turn(lines, "We use Rust.", parentId=kept)
    turn(lines, text, parentId=kept)
    session = lines.read(tmp_path)
    assert [(2, "hello"), (6, text)] == owner(session)
    assert session.skipped == {"abandoned": 2}


@table("text", LANGUAGES)
def test_a_copy_is_the_message_that_it_repeats(tmp_path: Path, text: str) -> None:
    """A rewrite appends the old messages with new ids: numbers, ids and times stay those of the first records."""
    lines = OpenClawLines()
    root = turn(lines, "hello")
    turn(lines, text, parentId=root)
    before = lines.read(tmp_path)
    copy = copied(lines, 4, parentId=root)
    copy = copied(lines, 5, parentId=copy)
    turn(lines, "and now?", parentId=copy)
    after = lines.read(tmp_path)

    assert said(before) == said(after)[:4]
    places = [[(m.number, m.entry_ids, m.time) for m in session.messages] for session in (before, after)]
    assert places[0] == places[1][:4]
    assert (8, "and now?") == owner(after)[-1]
    assert after.skipped == {"repeated": 2}
    assert "e0000006" in after.messages[2].aliases


def test_a_history_may_be_rewritten_again(tmp_path: Path) -> None:
    """A copy of a copy is the first record's message, which keeps all their ids."""
    lines = OpenClawLines()
    root = turn(lines, "hello")
    spoken(lines, "user", "one queue", parentId=root)
    copied(lines, 4, parentId=root)
    copied(lines, 4, parentId=root)
    session = lines.read(tmp_path)
    assert [(2, "hello"), (4, "one queue")] == owner(session)
    assert {"e0000005", "e0000006"} <= set(session.messages[-1].aliases)
    assert session.skipped == {"repeated": 2}


def test_the_same_words_at_another_time_are_said_again(tmp_path: Path) -> None:
    """A copy says the same at the same time; who went back and says it again, says it now."""
    lines = OpenClawLines()
    root = turn(lines, "hello")
    spoken(lines, "user", "one queue", parentId=root)
    spoken(lines, "user", "one queue", parentId=root)
    session = lines.read(tmp_path)
    assert [(2, "hello"), (5, "one queue")] == owner(session)
    assert session.messages[-1].time == START + timedelta(minutes=5)
    assert session.skipped == {"abandoned": 1}


def test_a_leaf_leads_back(tmp_path: Path) -> None:
    """A `leaf` record makes an earlier entry the last one; what follows goes on from there."""
    lines = OpenClawLines()
    kept = turn(lines, "hello")
    turn(lines, "We use Rust.", parentId=kept)
    leaf = lines.add({"type": "leaf", "targetId": kept})
    assert [(2, "hello")] == owner(lines.read(tmp_path))
    turn(lines, "We use Go.", parentId=leaf)
    assert [(2, "hello"), (7, "We use Go.")] == owner(lines.read(tmp_path))


def test_a_leaf_may_lead_to_the_beginning(tmp_path: Path) -> None:
    """Without a target everything was taken back."""
    lines = OpenClawLines()
    turn(lines, "hello")
    lines.add({"type": "leaf", "targetId": None})
    session = lines.read(tmp_path)
    assert ((), True) == (session.messages, session.machine)


@table("fields", [{}, {"targetId": "nowhere"}, {"targetId": 7}, {"targetId": None, "appendParentId": "x"}])
def test_a_leaf_that_leads_nowhere_changes_nothing(tmp_path: Path, fields: dict[str, Any]) -> None:
    """As the agent reads it."""
    lines = OpenClawLines()
    turn(lines, "hello")
    leaf = lines.add({"type": "leaf"} | fields)
    turn(lines, "again", parentId=leaf)
    assert [(2, "hello"), (5, "again")] == owner(lines.read(tmp_path))


def test_what_stands_aside_ends_no_branch(tmp_path: Path) -> None:
    """Neither an entry appended at the side, nor one of a plugin's kind, is the last of its session."""
    lines = OpenClawLines()
    asked = turn(lines, "hello")
    plugin = lines.add({"type": "plugin_note", "parentId": asked})
    turn(lines, "one", parentId=plugin)
    spoken(lines, "user", "by the way", appendMode="side")
    turn(lines, "two", parentId="e0000006")
    assert ["hello", "one", "by the way", "two"] == [text for _, text in owner(lines.read(tmp_path))]


def test_entries_without_parents_keep_their_order(tmp_path: Path) -> None:
    """Older versions wrote none, and a file may begin with them."""
    lines = OpenClawLines()
    lines.lines.append(b"")
    for number in (1, 2):
        record = {"type": "message", "id": f"a{number}", "timestamp": "2026-02-02T09:00:00Z"}
        lines.lines.append(json.dumps(record | {"message": {"role": "user", "content": f"n{number}"}}).encode() + b"\n")
    kept = turn(lines, "three", parentId="a2")
    turn(lines, "four", parentId=kept)
    turn(lines, "five", parentId=kept)
    assert ["n1", "n2", "three", "five"] == [text for _, text in owner(lines.read(tmp_path))]


def test_a_file_with_lost_parents_is_read_to_its_end(tmp_path: Path) -> None:
    """A damaged line cannot show which branch counts: nothing that was said is lost."""
    lines = OpenClawLines()
    kept = turn(lines, "hello")
    turn(lines, "one", parentId=kept)
    turn(lines, "two", parentId=kept)
    lines.lines[2] = b'{"type": \n'
    copied(lines, 4, parentId=kept)
    session = lines.read(tmp_path)
    assert ["hello", "one", "two"] == [text for _, text in owner(session)]
    assert "abandoned" not in session.skipped
    assert session.skipped["repeated"] == 1


def test_the_machine_that_answers_is_of_the_living_branch(tmp_path: Path) -> None:
    """A scheduler's turn on a dead branch starts nothing on the living one."""
    lines = OpenClawLines()
    asked = spoken(lines, "user", "which one?")
    spoken(lines, "user", "[OpenClaw heartbeat poll]", parentId=asked)
    spoken(lines, "assistant", "The second one.", parentId=asked)
    assert [("owner", "which one?"), ("assistant", "The second one.")] == said(lines.read(tmp_path))


def test_a_rewritten_fork_still_counts_in_its_parent(tmp_path: Path) -> None:
    """A copy of what was copied at the fork is as old as its original."""
    lines = OpenClawLines(parentSession="/old.jsonl", timestamp="2026-02-02T09:02:30Z")
    before = spoken(lines, "user", "said before", parentId=None)
    here = spoken(lines, "user", "said here", parentId=before)
    copied(lines, 2, parentId=None)
    copied(lines, 3)
    session = lines.read(tmp_path)
    assert [("memory", "said before"), ("owner", "said here")] == said(session)
    assert here in session.messages[1].entry_ids


def test_compressed_archives_have_branches_too(tmp_path: Path) -> None:
    """A file that cannot be read backwards is opened again."""
    lines = OpenClawLines("s-one")
    kept = turn(lines, "hello")
    turn(lines, "one", parentId=kept)
    turn(lines, "two", parentId=kept)
    plain = lines.read(tmp_path, path="s-one.jsonl.reset.2026-08-02T10-00-00.000Z")
    lines.lines = [zstandard.compress(b"".join(lines.lines))]
    packed = lines.read(tmp_path, path="s-one.jsonl.reset.2026-08-02T10-00-00.000Z.zst")
    assert (plain.messages, plain.skipped) == (packed.messages, packed.skipped)
    assert [(2, "hello"), (6, "two")] == owner(packed)
