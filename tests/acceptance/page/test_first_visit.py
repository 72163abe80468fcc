"""The first visit: a workspace in which nothing has happened yet."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from pipeline.clock import SystemClock
from pipeline.workspace.tokens import SignInCodes
from tests.support.processes.chromium import tab
from tests.support.processes.command_line import CommandLine
from tests.support.workspaces.browsing import PLACES
from tests.support.workspaces.served_demo import served


def test_an_empty_workspace_says_what_to_do(tmp_path: Path, browser: Browser) -> None:
    """Nobody is signed in: the command is there to copy. Then every place says what it is for, and what comes next."""
    assert 0 == CommandLine(tmp_path)("init", "work", HOME=str(tmp_path)).code
    with served(tmp_path / "work") as workspace, tab(browser, base_url=workspace.address) as page:
        page.goto("/")
        expect(page.locator("code")).to_contain_text("memory open")
        page.goto(f"/sign-in?code={SignInCodes(workspace.root).make(SystemClock().now())}")
        expect(page.locator("main")).to_contain_text("Begin here")
        for path in PLACES[1:]:
            page.goto(path)
            expect(page.locator("header nav a[aria-current]")).to_have_count(1)
            expect(page.locator("h1")).to_have_count(1)
