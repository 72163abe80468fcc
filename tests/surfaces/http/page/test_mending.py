"""What the doctor finds and the page mends, by a form for each finding."""

from pathlib import Path

from tests.support.workspaces.page_reader import PageReader


def test_a_broken_entry_is_made_whole(changer: PageReader) -> None:
    """What mends it works with the ledger; the same form again does nothing."""
    day = Path(changer.workspace.root, "memory", "2026-03-14.md")
    whole = day.read_bytes()
    day.write_bytes(whole[: whole.rindex(b"- id:") + 100])
    form = changer.get("/health/findings").form("/health/mend")
    assert "stands in memory/2026-03-14.md as it was written" in changer.post(form).text
    assert whole == day.read_bytes()
    assert "not so any more" in changer.post(form).text
