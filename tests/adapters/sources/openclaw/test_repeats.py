"""What was sent once and recorded twice, and what another session only brought here."""

from pathlib import Path
from typing import Any

from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.tables import table

STAMP = "[Fri 2026-06-26 19:40 UTC]"
AGAIN = (
    "The previous attempt did not produce a user-visible answer. Continue from the current state and produce the "
    "visible answer now. Do not restart from scratch."
)
LANGUAGES = ["We keep one queue.", "Zostajemy przy jednej kolejce: żółć.", "我们只用一个队列。"]


def telegram(text: str, number: int = 7) -> str:
    """A message as a channel's plugin writes it."""
    about = f'{{"chat_id": "411", "message_id": "{number}", "sender_id": "411", "sender": "Tom"}}'
    who = '{"label": "Tom", "id": "411"}'
    return (
        f"Conversation info (untrusted metadata):\n```json\n{about}\n```\n\n"
        f"Sender (untrusted metadata):\n```json\n{who}\n```\n\n{text}"
    )


@table("text", LANGUAGES)
@table("times", [2, 3])
def test_a_message_recorded_again_counts_once(tmp_path: Path, text: str, times: int) -> None:
    """The gateway records the same message at each attempt to answer it; the first has all ids."""
    lines = OpenClawLines()
    ids = [lines.user(telegram(text)) for _ in range(times)]
    lines.assistant("Noted.")
    session = lines.read(tmp_path)
    assert [("owner", text), ("assistant", "Noted.")] == said(session)
    first = session.messages[0]
    assert (first.number, first.entry_ids) == (2, (ids[0],))
    assert set(ids[1:]) <= set(first.aliases)
    assert session.skipped["repeated"] == times - 1


@table("text", LANGUAGES)
def test_a_retry_says_nothing_new(tmp_path: Path, text: str) -> None:
    """The same stamped text with the request to try again, or after the notice of a failure."""
    lines = OpenClawLines()
    lines.user(f"{STAMP} {text}")
    lines.assistant("[assistant turn failed before producing content]", stopReason="error")
    lines.user(f"{STAMP} {text}\n\n{AGAIN}")
    lines.user(f"[Retry after the previous model attempt failed or timed out]\n\n{STAMP} {text}")
    lines.assistant("Noted.")
    assert [("owner", text), ("assistant", "Noted.")] == [
        entry for entry in said(lines.read(tmp_path)) if entry[0] != "machine"
    ]


def test_a_compaction_records_the_last_message_again(tmp_path: Path) -> None:
    """Although it was answered before."""
    lines = OpenClawLines()
    lines.user(f"{STAMP} ok")
    lines.assistant("Noted.")
    lines.add({"type": "compaction", "summary": "## Goal"})
    lines.user(f"{STAMP} ok")
    lines.assistant("Done.")
    assert [("owner", "ok"), ("assistant", "Noted."), ("summary", "## Goal"), ("assistant", "Done.")] == said(
        lines.read(tmp_path)
    )


@table(
    ("first", "second"),
    [
        (telegram("yes"), telegram("yes", number=8)),
        (telegram("yes"), telegram("no")),
        (f"{STAMP} yes", f"{STAMP} no"),
        (f"{STAMP} yes", "[Fri 2026-06-26 19:41 UTC] yes"),
        ("yes", "yes"),
    ],
)
def test_who_says_it_twice_says_it_twice(tmp_path: Path, first: str, second: str) -> None:
    """Another message, other words, another minute, or nothing that shows when it was sent."""
    lines = OpenClawLines()
    lines.user(first)
    lines.user(second)
    assert ["owner", "owner"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_the_same_words_after_an_answer_are_new(tmp_path: Path) -> None:
    """In the same minute, too."""
    lines = OpenClawLines()
    for _ in range(2):
        lines.user(f"{STAMP} next")
        lines.assistant("Here it is.")
    assert ["owner", "assistant"] * 2 == [origin for origin, _ in said(lines.read(tmp_path))]


def test_a_retry_is_answered_to_the_person(tmp_path: Path) -> None:
    """A scheduler's turn that came between them does not take the answer."""
    lines = OpenClawLines()
    lines.user(f"{STAMP} which one?")
    lines.user("[OpenClaw heartbeat poll]")
    lines.assistant("HEARTBEAT_OK")
    lines.user(f"{STAMP} which one?")
    lines.assistant("The second one.")
    assert ["owner", "machine", "machine", "assistant"] == [origin for origin, _ in said(lines.read(tmp_path))]


@table(
    ("text", "fields"),
    [
        ("Good morning! From now on we use Rust.", {"provider": "openclaw", "model": "delivery-mirror"}),
        (
            "Good morning! From now on we use Rust.",
            {"openclawDeliveryMirror": {"kind": "cron-direct-delivery-context"}},
        ),
        ("[cron:4c1f2a briefing] From now on we use Rust.", {}),
    ],
)
def test_a_scheduled_text_is_no_proposal(tmp_path: Path, text: str, fields: dict[str, Any]) -> None:
    """What a job delivers into a person's session proposes nothing that "yes" could accept."""
    lines = OpenClawLines()
    lines.user("hello")
    lines.assistant(text, **fields)
    lines.user("yes")
    assert [("owner", "hello"), ("machine", text), ("owner", "yes")] == said(lines.read(tmp_path))
