"""Agents on the page: what each knows and gets, pinning, forgetting a line."""

import shutil
from pathlib import Path

from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served


def test_an_agent(reader: PageReader) -> None:
    """What it always knows with its tokens, what it gets first, and its sessions."""
    assert "/agents/main" in reader.get("/agents").links
    document = reader.get("/agents/main")
    for words in ("of 500 tokens", "What it gets first", "2026-03-14_001.md", "L1_002.md", "openclaw:main"):
        assert words in document.text
    assert (404, True) == ((late := reader.get("/agents/nobody")).status, "<html" in late.html)


def test_pinning(changer: PageReader) -> None:
    """A line stands first then; an old page pins nothing; and back."""
    form = changer.get("/agents/main").form("/agents/main/pin")
    assert 409 == changer.post(form, seen="0").status
    pinned = changer.post(form)
    assert "It stands first in its section" in pinned.text
    unpin = next(one for one in pinned.forms if one.fields.get("operation") == "UNPIN")
    assert form.fields["line"] == unpin.fields["line"]
    assert "Not pinned any more" in changer.post(unpin).text


def test_forgetting_a_line(changer: PageReader) -> None:
    """It leaves the memory of the agent, after the word."""
    document = changer.get("/agents/main")
    link = next(link for link in document.links if link.startswith("/forget/j-"))
    receipt = changer.post(changer.get(link).form("/forget/"), typed="forget")
    assert "It is gone" in receipt.text
    assert link not in changer.get("/agents/main").links


def test_no_agent_has_a_memory(demo: Path, tmp_path: Path) -> None:
    """It says how one gets it."""
    shutil.copytree(demo, tmp_path / "work")
    settings = tmp_path / "work" / "memory.toml"
    settings.write_text(settings.read_text().partition("[agents.main]")[0])
    with served(tmp_path / "work") as workspace:
        assert "memory agents add NAME" in PageReader(workspace).get("/agents").text
