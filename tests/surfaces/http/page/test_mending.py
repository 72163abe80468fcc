"""What the doctor finds and the page mends, by a form for each finding."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.clock import SystemClock
from pipeline.surfaces.http.page.reading import visible
from pipeline.workspace.locks import Locks
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served

DAY = "memory/2026-03-14.md"


@pytest.fixture
def copied(demo: Path, tmp_path: Path) -> Path:
    """A copy of the demo's workspace that nobody serves yet."""
    return Path(shutil.copytree(demo, tmp_path / "work"))


def test_a_broken_entry_is_made_whole(copied: Path) -> None:
    """What mends it works with the ledger; the same form again does nothing."""
    whole = (copied / DAY).read_bytes()
    (copied / DAY).write_bytes(whole[: whole.rindex(b"- id:") + 100])
    with served(copied) as workspace:
        reader = PageReader(workspace)
        findings = reader.get("/health/findings")
        assert "breaks off at line 5" in findings.text
        assert f"stands in {DAY} as it was written" in reader.post(findings.form("/health/mend")).text
        assert whole == (copied / DAY).read_bytes()
        assert "not so any more" in reader.post(findings.form("/health/mend")).text


def test_a_damaged_index_is_taken_away(copied: Path) -> None:
    """Health says that it cannot be used; its form removes it, and the next look finds none or a new one."""
    for file in (copied / ".memory" / "index" / "words").rglob("meta.json"):
        file.write_bytes(b"\0" * 50)
    with served(copied) as workspace:
        reader = PageReader(workspace)
        assert "Index of the files cannot be used" in reader.get("/health/stores").text
        form = reader.get("/health/findings").form("/health/mend")
        assert "removed the damaged index" in reader.post(form).text
        assert "Index of the files cannot be used" not in reader.get("/health/stores").text


def test_what_cannot_be_mended_now(copied: Path) -> None:
    """While the job that writes the file is at work, its form says so, and changes nothing."""
    torn = (copied / DAY).read_bytes()[:-200]
    (copied / DAY).write_bytes(torn)
    with served(copied) as workspace:
        reader = PageReader(workspace)
        form = reader.get("/health/findings").form("/health/mend")
        now = SystemClock().now()
        with Locks(copied / "memory" / ".locks").hold(["micro_sync"], "r-1", now + timedelta(minutes=1)):
            document = reader.post(form)
    assert all(words in document.text for words in ("Not mended:", "micro_sync is at work elsewhere"))
    assert torn == (copied / DAY).read_bytes()


def test_a_damaged_ledger(copied: Path) -> None:
    """Health is still there, says so in a sentence, and looks at all else; Settings say where it is mended."""
    for file in (copied / ".memory").glob("state.db*"):
        file.unlink()
    (copied / ".memory" / "state.db").write_bytes(b"no database" * 1000)
    with served(copied) as workspace:
        reader = PageReader(workspace)
        document = reader.get("/health")
        assert (200, True) == (document.status, "state.db" in document.text)
        assert "Ledger: what was done cannot be used" in reader.get("/health/stores").text
        assert "could not be looked at without the ledger" in reader.get("/health/findings").text
        settings = reader.get("/settings")
        assert (409, True) == (settings.status, "Health says how to mend it" in settings.text)


def test_no_source_at_all(copied: Path) -> None:
    """It says what to do; so do the findings."""
    settings = copied / "memory.toml"
    settings.write_text(settings.read_text().partition("[[sources]]")[0])
    with served(copied) as workspace:
        reader = PageReader(workspace)
        assert "No transcripts are read yet. `memory init`" in reader.get("/health").text
        assert "there is nothing to read" in reader.get("/health/findings").text


def test_hostile_names(copied: Path) -> None:
    """A path with HTML, marks of direction and 200 letters is text, and stands alone."""
    name = "sessions/<img src=x>\u202egnp.\u200f" + "a" * 180
    settings = copied / "memory.toml"
    settings.write_text(settings.read_text() + f'\n[[sources]]\nkind = "openclaw"\nname = "odd"\npath = "{name}"\n')
    with served(copied) as workspace:
        reader = PageReader(workspace)
        for path in ("/health/findings", "/health", "/health/sources"):
            html = reader.get(path).html
            assert "<img src=x>" not in html
            assert f"<bdi>{visible(name).replace('<', '&lt;').replace('>', '&gt;')}" in html
