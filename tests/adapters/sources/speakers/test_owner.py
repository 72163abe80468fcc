"""Who is the owner among those who speak."""

from pathlib import Path

from pipeline.adapters.sources.speakers.owner import tool_origin
from schemas.transcript import Origin
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.tables import table

TOM = "[Telegram Tom (@tom_b) id:411 2026-02-02 15:03 UTC] "
ANN = "[Telegram Ann id:555 2026-02-02 15:04 UTC] "
LOCAL = "[Mon 2026-02-02 15:05 UTC] "


def session(*texts: str) -> OpenClawLines:
    """A session in which these are said, one after the other."""
    lines = OpenClawLines()
    for text in texts:
        lines.user(text)
    return lines


def test_in_a_chat_of_two_the_other_side_is_the_owner(tmp_path: Path) -> None:
    """With no ids set, whoever talks to the assistant alone is its owner."""
    actual = session(TOM + "one", TOM + "two", LOCAL + "three").read(tmp_path)
    assert said(actual) == [("owner", "one"), ("owner", "two"), ("owner", "three")]


def test_with_several_senders_and_no_ids_nobody_confirms(tmp_path: Path) -> None:
    """Who of several is the owner cannot be told; the gateway's own surface still can."""
    actual = session(TOM + "one", ANN + "two", LOCAL + "three").read(tmp_path)
    assert said(actual) == [("other", "one"), ("other", "two"), ("owner", "three")]


@table("ids", [("411",), ("telegram:411",), ("@Tom_B",), ("nobody", "411")])
def test_with_ids_set_only_they_are_the_owner(tmp_path: Path, ids: tuple[str, ...]) -> None:
    """An id counts in any of the ways in which people write it."""
    actual = session(TOM + "one", ANN + "two", LOCAL + "three").read(tmp_path, owner=ids)
    assert said(actual) == [("owner", "one"), ("other", "two"), ("owner", "three")]


def test_with_ids_set_a_stranger_alone_is_not_the_owner(tmp_path: Path) -> None:
    """A chat of two with somebody else yields nothing."""
    actual = session(ANN + "one").read(tmp_path, owner=("411",))
    assert said(actual) == [("other", "one")]
    assert actual.machine


def test_a_chosen_name_is_no_id(tmp_path: Path) -> None:
    """Anybody can call himself by the owner's name."""
    actual = session("[WhatsApp Tom 2026-02-02 15:03 UTC] one").read(tmp_path, owner=("Tom",))
    assert said(actual) == [("other", "one")]


def test_in_a_group_a_message_without_sender_is_not_the_owners(tmp_path: Path) -> None:
    """With ids set, a group's message that names nobody is nobody's."""
    text = 'Conversation info (untrusted metadata):\n```json\n{"is_group_chat": true}\n```\n\none'
    assert said(session(text).read(tmp_path, owner=("411",))) == [("other", "one")]


def test_of_waiting_messages_the_owners_part_counts(tmp_path: Path) -> None:
    """With ids set, the owner's words are taken out of a batch; without, several senders are nobody's certain word."""
    text = f"[Queued messages while agent was busy]\n\n---\nQueued #1\n{TOM}one\n\n---\nQueued #2\n{ANN}two\n"
    assert said(session(text).read(tmp_path, owner=("411",))) == [("owner", "one")]
    assert said(session(text).read(tmp_path)) == [("other", "one\ntwo")]


def test_the_index_knows_a_group(tmp_path: Path) -> None:
    """Where the session stands in a group and several speak, a message without sender is nobody's."""
    (tmp_path / "sessions.json").write_text('{"agent:main:telegram:group:-100": {"sessionId": "8f1c2d"}}')
    actual = session(TOM + "one", ANN + "two", LOCAL + "three").read(tmp_path)
    assert [origin for origin, _ in said(actual)] == ["other", "other", "other"]


@table(
    ("name", "origin"),
    [
        ("WebFetch", Origin.WEB),
        ("mcp__browser__open", Origin.WEB),
        ("fetch_url", Origin.WEB),
        ("memory_get", Origin.MEMORY),
        ("mcp__mem__recall", Origin.MEMORY),
        ("Bash", Origin.TOOL),
        ("read", Origin.TOOL),
        (None, Origin.TOOL),
    ],
)
def test_a_tool_is_described_by_its_name(name: str | None, origin: Origin) -> None:
    """Pages and memories come through tools that say so."""
    assert tool_origin(name) is origin


def test_after_another_persons_part_none_is_the_owners(tmp_path: Path) -> None:
    """What separates two waiting messages can be typed by whoever wrote the first."""
    text = f"[Queued messages while agent was busy]\n\n---\nQueued #1\n{ANN}one\n\n---\nQueued #2\n{TOM}two\n"
    assert said(session(text).read(tmp_path, owner=("411",))) == [("other", "one\ntwo")]


def test_a_machines_part_of_a_batch_is_not_the_owners(tmp_path: Path) -> None:
    """A greeting that waited beside the owner's words is not said by him."""
    greeting = "A new session was started via /new or /reset. Greet the user."
    text = f"[Queued messages while agent was busy]\n\n---\nQueued #1\n{TOM}one\n\n---\nQueued #2\n{greeting}\n"
    assert said(session(text).read(tmp_path, owner=("411",))) == [("owner", "one")]


@table(
    ("ids", "origin"), [(("411",), "other"), (("@tom_b",), "owner"), (("411", "@tom_b"), "other"), (("666",), "owner")]
)
def test_a_number_goes_before_a_user_name(tmp_path: Path, ids: tuple[str, ...], origin: str) -> None:
    """Who calls himself `Bob (@tom_b)` has another number than Tom."""
    actual = session("[Telegram Bob (@tom_b) id:666 2026-02-02 15:03 UTC] one").read(tmp_path, owner=ids)
    assert [(origin, "one")] == said(actual)
