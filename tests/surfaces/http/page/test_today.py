"""The first document: what was settled, what waits, what was done."""

from tests.support.workspaces.page_reader import PageReader


def test_it_shows_the_last_day(reader: PageReader) -> None:
    """Today nothing was settled in the demo: its last day is shown, what waits, and the last runs."""
    document = reader.get("/")
    assert 200 == document.status
    for words in ("Nothing was settled today", "2026-03-14", "lake road", "Suggestions that wait", "weekly_compound"):
        assert words in document.text
    assert any(link.startswith("/entries/") for link in document.links)
    assert any(link.startswith("/runs/") for link in document.links)


def test_what_renews_itself(reader: PageReader) -> None:
    """That part can be asked for alone; where nothing runs it asks seldom, to tell that the service is there."""
    part = reader.get("/today/now")
    assert "<html" not in part.html
    assert 'hx-get="/today/now" hx-trigger="every 15s"' in part.html
