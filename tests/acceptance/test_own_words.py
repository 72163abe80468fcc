"""Our own words come back: the agent reads the daily file and quotes it. Nothing is remembered twice from that."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.processes.commands import RealWorkspace, unlike
from tests.support.workspaces.transcript_folder import TranscriptFolder

MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)
SETTINGS = 'timezone = "Europe/Warsaw"\n[[sources]]\nkind = "openclaw"\npath = "openclaw"\n'
RULE = "New rule: the deposit is 30 percent for all cabins."
FACT = "Remember that the boat key hangs with Anna."


def test_what_was_written_is_not_extracted_again(tmp_path: Path) -> None:
    """Neither from a tool that reads the file, nor from a recalled memory, nor from the assistant that quotes it."""
    memory = RealWorkspace(tmp_path).configure(SETTINGS)
    folder = TranscriptFolder(tmp_path / "openclaw")
    folder.say("said", [(MONDAY, "user", RULE), (MONDAY + timedelta(minutes=1), "user", FACT)])
    words = ("backfill", "micro_sync", "--from", "2026-03-02", "--to", "2026-03-06")
    assert memory.memory(*words).code == 0
    assert [entry["quote"] for entry in memory.entries()] == [RULE, FACT]
    pages = memory.pages()
    ours = pages["memory/2026-03-02.md"].decode()
    for number, tool in enumerate(("read", "memory_search", "memory_get"), start=1):
        later = MONDAY + timedelta(days=number)
        said = [
            ("user", "what do we have on deposits and keys?"),
            (tool, ours),
            ("assistant", f"In the notes of Monday:\n\n{ours}"),
            ("user", "thanks, that is all"),
            ("user", f"<relevant-memories>\n{ours}\n</relevant-memories>\n\nand the weather?"),
            ("assistant", f"Cloudy. By the way, the rule says: {RULE}"),
            ("user", "good"),
        ]
        turns = [(later + timedelta(minutes=minute), who, text) for minute, (who, text) in enumerate(said)]
        folder.say(f"quoted-{number}", turns)
    ended = memory.memory(*words)
    assert ended.code == 0, ended.shown
    assert unlike(pages, memory.pages()) == []
