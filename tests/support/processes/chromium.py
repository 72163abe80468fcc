"""A real browser, where one is installed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_PATIENCE = 60_000  # milliseconds, so that no test hangs
_SIZE = {"width": 1280, "height": 800}


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser while it runs; a test that needs it says "skipped" where there is none."""
    program = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    # Chromium refuses its sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        expect.set_options(timeout=_PATIENCE)
        browser = playwright.chromium.launch(executable_path=program, args=arguments, timeout=_PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def tab(browser: Browser, **options: object) -> Iterator[Page]:
    """A tab with cookies of its own. What the document's scripts complain of fails the test."""
    context = browser.new_context(**{"viewport": _SIZE, "locale": "en-GB", **options})  # type: ignore[arg-type]  # as given
    page = context.new_page()
    errors = list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if "Content Security" in message.text else None)
    page.set_default_timeout(_PATIENCE)
    try:
        yield page
        assert [] == errors
    finally:
        context.close()


def keep_picture(page: Page, folder: Path, name: str) -> None:
    """Keep what the tab shows, as evidence of a failure."""
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)
