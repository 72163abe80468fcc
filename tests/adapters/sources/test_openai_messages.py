"""The source of generic messages holds to the contract, and knows who speaks, where and when."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from pipeline.adapters.sources import openai_messages
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.ports.engine import TranscriptSource
from schemas.settings import OwnerSettings, SourceSettings
from schemas.transcript import Session
from tests.support.builders.claude_lines import ClaudeLines, said
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract

WRITTEN = datetime(2026, 3, 4, 21, 30, tzinfo=UTC)


def source(root: Path, zone: str = "UTC", owner: tuple[str, ...] = ()) -> TranscriptSource:
    """The source over `root`."""
    settings = SourceSettings(kind="openai_messages", path=str(root), owner=OwnerSettings(ids=owner))
    return openai_messages.KIND.source(SourcePlace(settings, root, zone))


def read(root: Path, values: object, path: str = "chat.jsonl", **settings: Any) -> list[Session]:  # noqa: ANN401 - as above
    """The sessions in a file: of values one a line, or of one value."""
    lines = [json.dumps(value) for value in values] if isinstance(values, list) else []
    (root / path).write_text("\n".join(lines) if path.endswith("l") else json.dumps(values))
    os.utime(root / path, (WRITTEN.timestamp(), WRITTEN.timestamp()))
    return list(source(root, **settings).read(path))


def message(role: str, content: object, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A message."""
    return {"role": role, "content": content} | fields


CHAT = [message("user", "one queue"), message("assistant", "One.")]
HEARD = [("owner", "one queue"), ("assistant", "One.")]


def _claude_line() -> bytes:
    lines = ClaudeLines()
    lines.user("hello")
    return lines.lines[0]


class TestOpenAiMessages(FileSourceContract):
    """The contract, over files with a message a line."""

    FOREIGN: ClassVar[dict[str, bytes]] = {**FileSourceContract.FOREIGN, "messages": _claude_line()}

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return source(root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        spoken = [("user", OWNER), ("assistant", ASSISTANT), ("user", "żółć \ud83d 好")]
        return [
            json.dumps(message(role, text, timestamp=1_770_000_000 + place, session_id=session_id)).encode() + b"\n"
            for place, (role, text) in enumerate(spoken)
        ]


def test_nobody_knows_where_such_files_are(tmp_path: Path) -> None:
    """A person chooses the folder."""
    assert () == openai_messages.KIND.roots(tmp_path, {})


def test_every_shape_holds_the_same_messages(tmp_path: Path) -> None:
    """A message a line, a conversation a line, and whole files."""
    shapes: list[tuple[str, object]] = [
        ("chat.jsonl", CHAT),
        ("chat.json", CHAT),
        ("chat.json", {"messages": CHAT}),
        ("chat.jsonl", [{"messages": CHAT, "id": "chat"}]),
        ("chat.json", [{"messages": CHAT, "id": "chat"}]),
    ]
    sessions = [session for path, value in shapes for session in read(tmp_path, value, path)]
    assert [HEARD] * 5 == [said(session) for session in sessions]
    assert ["chat"] * 5 == [session.session_id for session in sessions]
    assert [[1, 2]] * 5 == [[message.number for message in session.messages] for session in sessions]


def test_a_file_may_hold_several_sessions(tmp_path: Path) -> None:
    """By the id of each message, or by the conversation."""
    mixed = [message("user", "a", session_id="one"), message("user", "b", conversation_id="two"), message("user", "c")]
    assert {"one": ["a"], "two": ["b"], "chat": ["c"]} == {
        session.session_id: [text for _, text in said(session)] for session in read(tmp_path, mixed)
    }
    unnamed = [{"messages": CHAT}, {"messages": CHAT, "thread_id": "named"}]
    assert ["chat-1", "named"] == [session.session_id for session in read(tmp_path, unnamed)]


def test_times_of_every_kind(tmp_path: Path) -> None:
    """ISO times, seconds and milliseconds, under the usual names."""
    fields: list[dict[str, Any]] = [
        {"timestamp": "2026-02-02T09:00:00Z"},
        {"created_at": 1_770_022_860},
        {"create_time": 1_770_022_920.5},
        {"ts": 1_770_022_980_000},
        {"time": "2026-02-02T10:04:00+01:00"},
    ]
    (session,) = read(tmp_path, [message("user", str(place), **field) for place, field in enumerate(fields)])
    assert [(9, 0), (9, 1), (9, 2), (9, 3), (9, 4)] == [(m.time.hour, m.time.minute) for m in session.messages]


def test_without_times_the_day_in_the_name_counts(tmp_path: Path) -> None:
    """From its beginning where the owner lives: nothing more is known."""
    for name in ("2026-02-03.jsonl", "chat_20260203_v2.jsonl", "a 2026_02_03.json", "2099-99-99 2026.02.03.json"):
        (session,) = read(tmp_path, CHAT, name, zone="Asia/Shanghai")
        assert {"2026-02-02T16:00:00+00:00"} == {m.time.isoformat() for m in session.messages}


def test_without_any_date_the_day_of_writing_counts(tmp_path: Path) -> None:
    """It is the last thing that the file tells."""
    (session,) = read(tmp_path, CHAT, zone="Asia/Shanghai")
    assert {"2026-03-04T16:00:00+00:00"} == {m.time.isoformat() for m in session.messages}


def test_a_message_without_a_time_has_that_of_the_one_before(tmp_path: Path) -> None:
    """Also when the name of the file has a date."""
    spoken = [message("user", "a"), message("user", "b", timestamp="2026-02-02T09:00:00Z"), message("user", "c")]
    (session,) = read(tmp_path, spoken, "2020-01-01.jsonl")
    assert {"2026-02-02T09:00:00+00:00"} == {m.time.isoformat() for m in session.messages}


def test_roles(tmp_path: Path) -> None:
    """Instructions are a machine's; tools are known by their names, or by the call."""
    call = {"id": "c", "type": "function", "function": {"name": "web_search", "arguments": "{}"}}
    (session,) = read(
        tmp_path,
        [
            message("system", "a"),
            message("developer", "b"),
            message("user", [{"type": "text", "text": "c"}, {"type": "image_url", "image_url": {}}]),
            {"role": "assistant", "tool_calls": [call]},
            message("tool", "d", tool_call_id="c"),
            message("function", "e", name="shell"),
            message("assistant", None),
            message("critic", "f"),
            message("user", [{"type": "hologram"}]),
        ],
    )
    assert [("machine", "a"), ("machine", "b"), ("owner", "c"), ("web", "d"), ("tool", "e")] == said(session)
    assert (1, 1, 3) == tuple(
        session.skipped[key] for key in ("unknown_role:critic", "unknown_block:hologram", "no_text")
    )


def test_of_several_named_people_the_owner_has_to_be_known(tmp_path: Path) -> None:
    """One name alone is the owner's."""
    one = [message("user", "a", name="tom")]
    two = [*one, message("user", "b", name="eve"), message("user", "c")]
    assert ["owner"] == [origin for origin, _ in said(read(tmp_path, one)[0])]
    assert ["other", "other", "owner"] == [origin for origin, _ in said(read(tmp_path, two)[0])]
    assert ["owner", "other", "owner"] == [origin for origin, _ in said(read(tmp_path, two, owner=("Tom",))[0])]


def test_injected_memories_are_cut(tmp_path: Path) -> None:
    """Plugins put them into any chat."""
    spoken = "<relevant-memories>two</relevant-memories>\none queue"
    assert [("owner", "one queue")] == said(read(tmp_path, [message("user", spoken)])[0])


def test_ids_of_their_own_are_kept(tmp_path: Path) -> None:
    """A message that stands in two files is one."""
    (session,) = read(tmp_path, [message("user", "a", id="m1"), message("user", "a", id="m1")])
    assert [("m1",)] == [m.entry_ids for m in session.messages]


def test_other_values_are_none(tmp_path: Path) -> None:
    """A folder may hold any JSON."""
    for value in ([], {}, 5, "x", [5, None], {"messages": [5]}, [{"role": 5, "content": "x"}], {"role": "user"}):
        assert [] == read(tmp_path, value, "a.json")
