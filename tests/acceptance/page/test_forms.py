"""Forms in a real browser: few clicks, the place that is kept, and Back and Reload behind each."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline.surfaces.http.page.texts import texts_of
from tests.support.processes.chromium import tab
from tests.support.workspaces.browsing import sign_in
from tests.support.workspaces.served_demo import ServedWorkspace, served

LINE = "photos with guests' children"


@pytest.fixture(scope="module")
def shared(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWorkspace]:
    """A copy of the demo, which the tests of this file change one after the other."""
    root = tmp_path_factory.mktemp("forms") / "work"
    shutil.copytree(demo, root)
    with served(root) as workspace:
        yield workspace


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_a_line_off_the_page_in_two_clicks(shared: ServedWorkspace, browser: Browser, language: str) -> None:
    """One click to the page, one on the line; the reader stands where it was, and Undo brings the line back."""
    texts, file = texts_of(language), shared.root / "MEMORY.md"
    with tab(browser, base_url=shared.address, locale=language) as page:
        sign_in(page, shared)
        before = file.read_bytes()
        page.locator("header nav a[href='/memory']").click()
        line = page.locator(".hotline", has_text=LINE)
        line.scroll_into_view_if_needed()
        place = page.evaluate("scrollY")
        line.get_by_role("button", name=texts["hot.edits.take_off"]).click()
        expect(page.locator(".hotline", has_text=LINE)).to_have_count(0)
        assert LINE not in file.read_text()
        assert abs(page.evaluate("scrollY") - place) < page.viewport_size["height"] if page.viewport_size else False
        page.get_by_role("button", name=texts["page.undo"]).click()
        expect(page.locator(".hotline", has_text=LINE)).to_have_count(1)
        assert before == file.read_bytes()


def _decline(page: Page) -> None:
    page.goto("/inbox")
    page.locator("button[value='decline']").first.click()


def _take_off(page: Page) -> None:
    page.goto("/memory")
    page.locator("button[value='take_off']").first.click()


def _pin(page: Page) -> None:
    page.goto("/agents/main")
    page.locator("form[action='/agents/main/pin'] button").first.click()


def _set_zone(page: Page) -> None:
    page.goto("/settings/change?change=zone&timezone=Asia/Tokyo")
    page.locator("main form button").click()


def _undo_a_run(page: Page) -> None:
    page.goto("/runs?job=weekly_plan")
    page.goto(page.locator("tbody a[href^='/runs/2']").first.get_attribute("href") or "")
    page.locator("a[href$='/undo']").click()
    page.locator("main form button").click()


def _forget(page: Page) -> None:
    page.goto("/entries?words=staging")
    page.locator("main a[href^='/entries/R']").first.click()
    page.locator("a[href^='/forget/']").click()
    page.get_by_label("To do it, type: forget").fill("forget")
    page.locator("form[action^='/forget/'] button").click()


@pytest.mark.parametrize("send", [_decline, _take_off, _pin, _undo_a_run, _forget, _set_zone])
def test_back_and_reload_behind_a_form(shared: ServedWorkspace, browser: Browser, send: Callable[[Page], None]) -> None:
    """Nothing is done twice, and no document is an error: not after Reload, Back, nor another language."""
    with tab(browser, base_url=shared.address) as page:
        sign_in(page, shared)
        answers = list[int]()
        page.on("response", lambda answer: answers.append(answer.status))
        send(page)
        page.wait_for_load_state()
        after = _files(shared.root)
        page.reload()
        page.get_by_label("Language").select_option("pl")
        expect(page.locator("html")).to_have_attribute("lang", "pl")
        page.locator("#language").select_option("en")
        expect(page.locator("html")).to_have_attribute("lang", "en")
        page.go_back()
        page.go_back()
        expect(page.locator("h1")).not_to_contain_text("did not work")
        assert not [status for status in answers if status >= 400]
        assert after == _files(shared.root)


def _files(root: Path) -> dict[str, bytes]:
    """The Markdown files and the settings."""
    files = [*root.rglob("*.md"), root / "memory.toml"]
    return {str(file): file.read_bytes() for file in files if ".memory" not in file.parts}


def test_print_and_zoom(shared: ServedWorkspace, browser: Browser) -> None:
    """On paper the navigation is left out; at 200 % of a laptop nothing is wider than the screen."""
    with tab(browser, base_url=shared.address, viewport={"width": 640, "height": 400}) as page:
        sign_in(page, shared)
        for path in ("/", "/inbox", "/memory", "/agents", "/grid", "/health"):
            page.goto(path)
            assert 640 >= page.evaluate("document.documentElement.scrollWidth"), path
            page.emulate_media(media="print")
            expect(page.locator("header nav")).to_be_hidden()
            expect(page.locator("main")).to_be_visible()
            page.emulate_media(media="screen")
