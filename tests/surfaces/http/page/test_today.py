"""The first document: what is new since the last visit, what waits, and what needs a person."""

import re
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.surfaces.http.page.routes.today import visits_cookie
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served


def test_it_shows_the_news(reader: PageReader) -> None:
    """On a first visit the sentences that were written today, the wrap-up, what waits, and the figures."""
    document = reader.get("/")
    assert 200 == document.status
    for words in (
        "Written since",
        "lake road",
        "Wrap-up of 2026-03-14",
        "Waits for you",
        "Entries written 15",
        "15 sentences",
    ):
        assert words in document.text
    assert any(link.startswith("/entries/") for link in document.links)
    assert "since=2026-03-14&amp;until=2026-03-14" in document.html


def test_it_is_there_without_the_memory_page(changer: PageReader) -> None:
    """A folder in the place of `MEMORY.md` is a matter of the doctor."""
    page = changer.workspace.root / "MEMORY.md"
    page.unlink()
    page.mkdir()
    assert 200 == changer.get("/").status


def test_a_change_shows_the_words_before(reader: PageReader) -> None:
    """The sentence that was replaced stands struck through below the one that holds."""
    after = reader.get("/").html.partition("from now on back to 20 percent deposit")[2]
    assert "the deposit goes up to 30 percent" in after.partition("</li>")[0].partition('class="old"')[2]


def test_a_later_visit_shows_what_came_since(changer: PageReader) -> None:
    """The visit is a cookie alone. With nothing new the reason is said; a longer time can be asked for."""
    now = int(SystemClock().now().timestamp())
    changer.cookies[visits_cookie(changer.workspace.root)] = f"{now}.{now}"
    text = changer.get("/").text
    assert "New since your last visit" in text
    assert "Your agents wrote no message since then." in text
    assert "Learnt last" in text
    assert "lake road" in changer.get("/?since=week").text.partition("Wrap-up")[0]


@table("cookie", ["", "x", "1.x", "-5.-3", "0.99999999999", "9" * 400, "5", "999999999999999.1"])
def test_a_visit_that_cannot_be(cookie: str, changer: PageReader) -> None:
    """A cookie that a person changed, or of a clock that was wrong, is a first visit."""
    changer.cookies[visits_cookie(changer.workspace.root)] = cookie
    assert "Written since" in changer.get("/").text


def test_the_visits_of_another_workspace(changer: PageReader, tmp_path: Path) -> None:
    """A browser sends them too where both pages are served on one host: each workspace has a cookie of its own."""
    now = int(SystemClock().now().timestamp())
    changer.cookies[visits_cookie(tmp_path / "another")] = f"{now}.{now}"
    document = changer.get("/")
    assert "Written since" in document.text
    assert document.headers["set-cookie"].startswith(f"{visits_cookie(changer.workspace.root)}=0.")


def test_a_line_that_left_the_page(changer: PageReader) -> None:
    """What a run took off MEMORY.md is said."""
    assert "Gone from MEMORY.md" not in changer.get("/").text
    run = next(link for link in changer.get("/runs?job=weekly_plan").links if link.startswith("/runs/2"))
    changer.post(changer.get(f"{run}/undo").form(f"{run}/undo"))
    assert "Gone from MEMORY.md" in changer.get("/").text


def test_before_a_source_is_named(tmp_path: Path) -> None:
    """What is missing is the first that a person needs, with lines to paste; nothing useless is offered."""
    (tmp_path / "memory.toml").write_text('timezone = "UTC"\n')
    with served(tmp_path) as workspace:
        reader = PageReader(workspace)
        today, grid = reader.get("/"), reader.get("/grid")
    assert "there is nothing to read" in today.text
    needed = today.text.partition("Begin here")[2]
    assert '[[sources]] kind = "' in needed
    assert str(tmp_path / "memory.toml") in needed
    assert "Read them now" not in needed
    assert "earlier days" not in grid.text
    assert "No transcripts are named yet" in grid.text


def test_a_source_that_has_gone(changer: PageReader) -> None:
    """A folder that is not there any more is said at once, on Today and in Health, before anybody has looked again."""
    Path(changer.workspace.root, "sessions", "claude-code").rename(changer.workspace.root / "elsewhere")
    assert "claude_code cannot be read since" in changer.get("/").text
    assert re.search("claude_code (cannot be read|sick)", changer.get("/health").text)


def test_what_renews_itself(reader: PageReader) -> None:
    """That part can be asked for alone; where nothing runs it asks seldom, to tell that the service is there."""
    part = reader.get("/today/now")
    assert "<html" not in part.html
    assert 'hx-get="/today/now" hx-trigger="every 15s"' in part.html
