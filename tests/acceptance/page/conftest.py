"""A browser, and workspaces that it looks at. Of a test that fails a picture stays in `screenshots/`."""

import re
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.processes.chromium import chromium, keep_picture, tab
from tests.support.workspaces.browsing import sign_in
from tests.support.workspaces.served_demo import ServedWorkspace, served

PICTURES = Path(__file__).parents[3] / "screenshots"
_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether a test failed, for the fixture that keeps a picture."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of a file of tests: while it is open, its library holds the event loop of this thread."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def workspace(demo: Path, tmp_path: Path) -> Iterator[ServedWorkspace]:
    """A copy of the demo, served."""
    shutil.copytree(demo, tmp_path / "work")
    with served(tmp_path / "work") as workspace:
        yield workspace


@pytest.fixture
def page(workspace: ServedWorkspace, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab that shows the first document, signed in."""
    with tab(browser, base_url=workspace.address) as opened:
        sign_in(opened, workspace)
        yield opened
        if request.node.stash.get(_FAILED, False):
            keep_picture(opened, PICTURES, re.sub(r"\W+", "-", request.node.name))
