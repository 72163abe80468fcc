"""What people do on the page, each from its beginning to its end, in a real browser."""

import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from pipeline.surfaces.http.page.places import place_of
from tests.support.processes.chromium import tab
from tests.support.workspaces.browsing import sign_in
from tests.support.workspaces.served_demo import ServedWorkspace, served


def _go(page: Page, place: str) -> None:
    """Follow links of the navigation, to a place or to a part of a place."""
    path = place_of(place)
    assert path
    page.locator(f"header nav a[href='{path.path}']").click()
    if place != path.path:
        page.locator(f"nav.tabs a[href='{place}']").click()


def test_from_the_grid_to_the_undo_of_a_run(page: Page, workspace: ServedWorkspace) -> None:
    """A cell of the grid leads to its runs, a run shows what it wrote, and taking it back takes it out of the file."""
    day = Path(workspace.root, "memory", "2026-03-14.md")
    assert "lake road" in day.read_text()
    _go(page, "/grid")
    page.locator("a.cell[href*='job=micro_sync'][href*='day=2026-03-14']").click()
    expect(page.locator("h1")).to_contain_text("Runs")
    runs = page.locator("tbody a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    for run in runs:
        page.goto(run)
        if page.locator("pre.diff", has_text="lake road").count():
            break
    expect(page.locator("pre.diff")).to_contain_text("+## Remember")
    page.get_by_role("link", name="Undo this run").click()
    expect(page.locator("main")).to_contain_text("Nothing has been done yet")
    page.get_by_role("button", name="Undo this run").click()
    expect(page.get_by_role("status").first).to_contain_text("was taken back")
    assert not day.exists() or "lake road" not in day.read_text()
    page.get_by_role("link", name="The run", exact=True).click()
    expect(page.locator("main")).to_contain_text("undone on")
    expect(page.get_by_role("link", name="Undo this run")).to_have_count(0)


def test_from_a_search_to_an_entry_to_forgetting_it(page: Page, workspace: ServedWorkspace) -> None:
    """The search finds it by a word, its story has the words it rests on, and the word `forget` takes it away."""
    page.keyboard.press("/")
    page.keyboard.type("lake road")
    page.keyboard.press("Enter")
    page.locator("ol.lines a", has_text="lake").first.click()
    expect(page.locator("main")).to_contain_text("The words it rests on")
    page.get_by_role("link", name="Forget it").click()
    page.get_by_label("To do it, type: forget").fill("forget")
    page.get_by_role("button", name="Forget it for good").click()
    expect(page.locator("h1")).to_have_text("Forgotten")
    files = [path.read_text() for path in Path(workspace.root).rglob("*.md") if "sessions" not in path.parts]
    assert not [text for text in files if "lake road is closed" in text]


def test_a_suggestion_edited_and_approved(page: Page, workspace: ServedWorkspace) -> None:
    """With the words around before them, a person changes the sentence, and it stands in the file like that."""
    page.get_by_role("link", name="Decide about all").click()
    page.locator(".groups a", has_text="150 for the evening").click()
    expect(page.locator(".reader mark")).to_contain_text("they heat it themselves")
    page.get_by_text("All lines, as they are written").click()
    expect(page.locator("pre.diff")).to_contain_text("+- id:")
    page.keyboard.press("e")
    page.get_by_label("This sentence would be written").fill("The sauna is 150 for the evening since March")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("Accepted and written. The sauna is 150")
    assert any("The sauna is 150 for the evening since March" in path.read_text() for path in _days(workspace))
    page.get_by_role("link", name="The run that did it").click()
    expect(page.locator("pre.diff")).to_contain_text("since March")


def test_five_suggestions_by_five_keys(page: Page) -> None:
    """The next one opens by itself, the list stays where it is, and `u` takes the last answer back."""
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.locator("#count")).to_contain_text("23")
    for at, key in enumerate("adada", start=1):
        words = page.locator("#words").input_value()
        page.keyboard.press(key)
        expect(page.locator("#count")).to_contain_text(str(23 - at))
        expect(page.get_by_role("status").first).to_contain_text(words[:100])
    page.keyboard.press("u")
    expect(page.get_by_role("status").first).to_contain_text("It waits again")
    assert words == page.locator("#words").input_value()
    page.keyboard.press("j")
    expect(page.locator(".groups a[aria-current]")).to_be_in_viewport()
    assert words != page.locator("#words").input_value()
    page.keyboard.press("k")
    expect(page.locator("#words")).to_have_value(words)


def test_a_backfill_begun_with_its_estimate_and_stopped(page: Page) -> None:
    """It says what it would take, then it runs before one's eyes, and stops when it is asked to."""
    _begin_backfill(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#work [role=status]")).not_to_contain_text("running")
    expect(page.locator("#work")).not_to_have_attribute("hx-trigger", "every 1s")
    expect(page.locator("#work [role=status]")).to_contain_text("stopped as asked")


def test_from_an_entity_to_what_is_around_it_and_its_beliefs(page: Page) -> None:
    """What is around it comes by itself, and a fact leads to the sum behind its number."""
    page.goto("/entities/Hania")
    expect(page.locator("svg.star")).to_be_visible()
    page.get_by_role("region", name="Over time").scroll_into_view_if_needed()
    page.locator("main a[href^='/entries/f-']").first.click()
    expect(page.locator("main")).to_contain_text("The sum")


def test_a_detail_read_and_pinned(page: Page, workspace: ServedWorkspace) -> None:
    """From the list to its text, to the lines with a word, to a pin that shows in the list."""
    lines = "\n".join(f"step {number} ok" if number != 1_234 else "ERROR disk full" for number in range(5_000))
    assert 200 == workspace.ask("/api/v1/memories", "POST", {"content": lines, "description": "a long build"}).status
    _go(page, "/details")
    page.get_by_role("link", name="a long build").click()
    page.get_by_label("Words in it").fill("disk full")
    page.get_by_role("button", name="Read").click()
    expect(page.locator("main mark").first).to_have_text("disk full")
    page.get_by_role("button", name="Pin").click()
    expect(page.get_by_role("status").first).to_contain_text("never expires")
    _go(page, "/details")
    page.get_by_label("Only what is pinned").check()
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="a long build")).to_be_visible()


def test_a_sick_source_is_shown_and_mended(page: Page, workspace: ServedWorkspace) -> None:
    """A folder that has gone is named with what to do; when it is back, a look says that it is well."""
    sessions = Path(workspace.root, "sessions", "openclaw")
    sessions.rename(sessions.with_name("moved"))
    _go(page, "/health")
    finding = page.locator("#found li.card", has_text="sessions/openclaw")
    expect(finding.first).to_be_visible()
    sessions.with_name("moved").rename(sessions)
    page.get_by_role("link", name="Look again").click()
    expect(finding).to_have_count(0)


def test_the_service_stops_under_it(demo: Path, tmp_path: Path, browser: Browser) -> None:
    """A document that renews itself says that the service does not answer, and what to do."""
    shutil.copytree(demo, tmp_path / "work")
    with tab(browser) as page:
        with served(tmp_path / "work") as workspace:
            sign_in(page, workspace)
            _begin_backfill(page)
        expect(page.locator("#unreachable")).to_contain_text("memory serve")
        expect(page.locator("#unreachable")).to_be_visible()


def test_the_service_stops_under_a_quiet_document(demo: Path, tmp_path: Path, browser: Browser) -> None:
    """Today, where nothing is at work, notices it too, and does not go on saying how the service stands."""
    shutil.copytree(demo, tmp_path / "work")
    with tab(browser) as page:
        page.clock.install()
        with served(tmp_path / "work") as workspace:
            sign_in(page, workspace)
            expect(page.locator("#now .badge")).to_be_visible()
        page.clock.run_for(16_000)
        expect(page.locator("#unreachable")).to_be_visible()
        expect(page.locator("#now .badge")).to_be_hidden()


def _begin_backfill(page: Page) -> None:
    """Begin one of five years, by way of its estimate: it would take longer than anybody who stops it."""
    _go(page, "/grid")
    form = page.locator("form[action='/work/estimate']")
    form.get_by_text("Only some jobs").click()
    form.get_by_label("Decisions and rules").check()
    form.get_by_label("First day").fill("2021-01-01")
    form.get_by_label("Last day").fill("2026-02-28")
    form.get_by_role("button", name="Estimate").click()
    expect(page.locator("main")).to_contain_text("Windows to run")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def _days(workspace: ServedWorkspace) -> list[Path]:
    return sorted(Path(workspace.root, "memory").glob("2026-*.md"))
