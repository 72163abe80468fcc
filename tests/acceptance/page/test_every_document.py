"""What holds for every document of the page, in a real browser."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.support.marks import at_length
from tests.support.processes.chromium import tab
from tests.support.workspaces.browsing import PLACES, documents, sign_in
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("dark", 390),
        pytest.param("light", 768, marks=pytest.mark.soak),
        pytest.param("light", 1440, marks=pytest.mark.soak),
    ],
)
def test_axe_has_nothing_to_say(workspace: ServedWorkspace, browser: Browser, scheme: str, width: int) -> None:
    """No violation of WCAG 2.2 AA or of good practice, in each colour scheme, on a phone, a tablet and a laptop."""
    wrong = dict[str, list[str]]()
    size = {"width": width, "height": 900}
    with tab(browser, base_url=workspace.address, color_scheme=scheme, viewport=size) as page:
        sign_in(page, workspace)
        for path in documents(page):
            rules = Axe().run(page).response["violations"]
            if rules:
                wrong[path] = [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in rules]
    assert {} == wrong


@pytest.mark.parametrize("language", ["pl-PL", *at_length("en-GB", "zh-CN")])
def test_it_fits_a_narrow_screen(workspace: ServedWorkspace, browser: Browser, language: str) -> None:
    """At 320 px nothing but what says so scrolls sideways, in any language."""
    wide = list[str]()
    size = {"width": 320, "height": 640}
    with tab(browser, base_url=workspace.address, viewport=size, locale=language) as page:
        sign_in(page, workspace)
        for path in documents(page):
            if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
                wide.append(path)
    assert [] == wide


def test_a_long_entry_fits(workspace: ServedWorkspace, browser: Browser) -> None:
    """5,000 letters without a space, written from right to left, stay inside a phone; days are the workspace's own."""
    day = workspace.root / "memory" / "2026-03-14.md"
    text = day.read_text()
    title, rest = text[text.index("## Remember") :].split("\n", 1)
    [name] = re.findall("^- id: (REMEMBER-.*)$", rest, re.MULTILINE)
    long = rest.replace(name, f"{name}-2").replace("- why: ", f"- why: {'שלום' * 1_250} ")
    day.write_text(f"{text}\n{title} {'x' * 5_000}\n{long}")
    size = {"width": 390, "height": 844}
    with tab(browser, base_url=workspace.address, viewport=size, timezone_id="Pacific/Auckland") as page:
        sign_in(page, workspace)
        for path in ("/entries", f"/entries/{name}-2", "/files/memory/2026-03-14.md"):
            page.goto(path)
            assert "2026-03-14" in page.locator("main").inner_text()
            assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, size["width"])


def test_it_works_without_a_script(workspace: ServedWorkspace, browser: Browser) -> None:
    """Every document says the same, and its forms send, in a browser that runs none."""
    with tab(browser, base_url=workspace.address, java_script_enabled=False) as page:
        sign_in(page, workspace)
        for path in PLACES:
            page.goto(path)
            assert page.locator("h1").inner_text()
        page.get_by_label("Language").select_option("pl")
        page.get_by_role("button", name="Choose").click()
        assert "pl" == page.locator("html").get_attribute("lang")


def test_keys_lead_everywhere(page: Page) -> None:
    """A slash goes to the search, g and a letter to a page; in a field they are letters, and they can be left off."""
    page.keyboard.type("gm")  # in one, for the second one counts for a while only
    page.wait_for_url("**/memory")
    page.keyboard.press("/")
    page.keyboard.type("gm")
    assert "gm" == page.locator("#find").input_value()
    page.get_by_text("Keyboard", exact=True).click()
    page.get_by_label("Use these keys").uncheck()
    page.locator("h1").click()
    page.keyboard.type("gt")
    assert page.url.endswith("/memory")


def test_a_reader_without_a_mouse(page: Page) -> None:
    """The first stop leads past the navigation, and what has the focus shows it."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_the_same_words_by_a_reader_of_html(workspace: ServedWorkspace) -> None:
    """Every place of the navigation answers with a document that has one heading of the first rank."""
    for path in PLACES:
        document = PageReader(workspace).get(path)
        assert (200, 1) == (document.status, document.html.count("<h1")), path
