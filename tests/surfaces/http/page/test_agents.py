"""Agents on the page: what each knows and gets, pinning, forgetting a line."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.memory_change import Operation
from tests.support.tables import table
from tests.support.workspaces.agent_memory import new_agent_memory, remember
from tests.support.workspaces.page_reader import PageReader, ReadDocument, SentForm
from tests.support.workspaces.served_demo import served
from tests.support.workspaces.suggested import suggest

HOSTILE = '<script>alert(1)</script> <img src=x onerror=alert(2)> "> \u05d0\u05d1'
LONG = "long" * 75


@pytest.fixture
def jaskier(tmp_path: Path) -> Iterator[PageReader]:
    """A reader of a workspace in which `jaskier` knows four lines, and `zoe` nothing."""
    with served(new_agent_memory(tmp_path)) as workspace:
        yield PageReader(workspace)


def _pins(document: ReadDocument, operation: str = "PIN") -> list[SentForm]:
    return [form for form in document.forms if form.fields.get("operation") == operation]


def test_an_agent(reader: PageReader) -> None:
    """What it always knows with its tokens, what it gets first, and its sessions."""
    assert "/agents/main" in reader.get("/agents").links
    assert "2, additions are written" in reader.get("/agents").text
    document = reader.get("/agents/main")
    for words in (
        "of 500 tokens",
        "What it gets first",
        "2026-03-14_001.md",
        "L1_002.md",
        "openclaw:main",
        "message 11",
    ):
        assert words in document.text
    assert (404, True) == ((late := reader.get("/agents/nobody")).status, "<html" in late.html)


def test_a_line_that_was_replaced(reader: PageReader) -> None:
    """It is no longer what the agent knows, so nothing is marked; what took its place is."""
    document = reader.get("/agents/main")
    assert ("back to 20 percent deposit" in document.text, "Replaced by:" in document.text) == (True, False)


def test_what_is_asked_before_a_line_is_forgotten(reader: PageReader) -> None:
    """Its words, and the entry of ours that stays, which nobody else wrote."""
    root = reader.workspace.root
    (line,) = re.findall(r"- the assistant drafts.*<!--[jp]:(\w+)", (root / "agents/main/memory/brain.md").read_text())
    document = reader.get(f"/forget/j-{line}")
    assert f"the assistant drafts, Hania checks the facts on site, the owner publishes. j-{line}" in document.text
    assert "Entries of ours with these words" in document.text
    assert "What people wrote" not in document.text
    assert any(link.startswith("/entries/RULE-20260313") for link in document.links)


def test_what_was_written_of_sessions(reader: PageReader) -> None:
    """The newest first, ten in a document; the text stands as it is, without the marks of its lines."""
    sessions = reader.get("/agents/main/sessions")
    assert ("2026-03-14_001.md" in sessions.text, "2026-03-02_001.md" in sessions.text) == (True, False)
    assert "2026-03-02_001.md" in reader.get("/agents/main/sessions?page=2").text
    assert "<!--m:" not in sessions.text
    assert "L1_001.md" in reader.get("/agents/main/summaries").text
    assert (404, 422) == (reader.get("/agents/nobody/sessions").status, reader.get("/agents/main/secrets").status)


def test_pinning(jaskier: PageReader) -> None:
    """A line stands first then, and back."""
    form = _pins(jaskier.get("/agents/jaskier"))[0]
    pinned = jaskier.post(form)
    assert "It stands first in its section" in pinned.text
    (unpin,) = _pins(pinned, "UNPIN")
    assert form.fields["line"] == unpin.fields["line"]
    assert "Not pinned any more" in jaskier.post(unpin).text


def test_two_tabs(jaskier: PageReader) -> None:
    """What one tab has pinned, the other one cannot pin again; nor is a line of an old page, or of another agent."""
    form = _pins(jaskier.get("/agents/jaskier"))[0]
    jaskier.post(form)
    assert 409 == jaskier.post(form).status
    assert 409 == jaskier.post(form, seen="0").status
    assert 404 == jaskier.post(form, line="j-00000000").status
    assert 422 == jaskier.post(form, line="").status
    assert 404 == jaskier.post(SentForm("/agents/zoe/pin", form.fields)).status
    assert 1 == len(_pins(jaskier.get("/agents/jaskier"), "UNPIN"))


def test_what_the_words_of_a_line_may_be(jaskier: PageReader) -> None:
    """Nothing is markup, however long or whatever its direction; also in the files of the agent."""
    root = jaskier.workspace.root
    remember(root, HOSTILE, LONG)
    (root / "agents" / "jaskier" / "identity.md").write_text(f"I am {HOSTILE}")
    written = root / "agents" / "jaskier" / "memory" / "sessions" / "2026-03-02_001.md"
    written.parent.mkdir(parents=True)
    written.write_text(HOSTILE)
    for path in ("/agents/jaskier", "/agents/jaskier/sessions", "/agents"):
        document = jaskier.get(path)
        assert 200 == document.status
        assert "<script>alert" not in document.html
        assert "<img src=x" not in document.html
    assert LONG in jaskier.get("/agents/jaskier").text


def test_changes_that_wait(jaskier: PageReader) -> None:
    """The agent's page leads to them alone."""
    suggest(jaskier.workspace.root, "jaskier", Operation.CORE, "The mill is closed on Mondays")
    document = jaskier.get("/agents/jaskier")
    assert "/inbox?agent=jaskier" in document.links
    assert "The mill is closed on Mondays" in jaskier.get("/inbox?agent=jaskier").text


def test_forgetting_a_line(jaskier: PageReader) -> None:
    """It leaves the memory of the agent, after the word; the receipt says from where, an old form does nothing."""
    link = next(link for link in jaskier.get("/agents/jaskier").links if link.startswith("/forget/j-"))
    form = jaskier.get(link).form("/forget/")
    assert 422 == jaskier.post(form, typed="yes").status
    assert 409 == jaskier.post(form, typed="forget", seen="0").status
    receipt = jaskier.post(form, typed="forget")
    assert ("It is gone" in receipt.text, "agents/jaskier/memory/brain.md" in receipt.text) == (True, True)
    assert link not in jaskier.get("/agents/jaskier").links
    assert "Kuba runs a bakery" not in jaskier.get("/agents/jaskier").text
    assert 404 == jaskier.post(form, typed="forget").status


def test_an_agent_that_knows_nothing(jaskier: PageReader) -> None:
    """It says so of its journal and its pages; it begins with what the workspace knows."""
    document = jaskier.get("/agents/zoe")
    for words in ("MEMORY.md", "Its journal has no line yet", "None was written yet"):
        assert words in document.text


@table("language", ["en", "pl", "zh"])
def test_no_agent_has_a_memory(tmp_path: Path, language: str) -> None:
    """It says what has to be read first, and leads there."""
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    with served(tmp_path) as workspace:
        document = PageReader(workspace, language).get("/agents")
    assert "/settings" in document.links
