"""A person in a browser: signing in, and the documents that the page has."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page

from pipeline.clock import SystemClock
from pipeline.workspace.tokens import SignInCodes
from tests.support.workspaces.served_demo import ServedWorkspace

PLACES = (
    "/",
    "/grid",
    "/memory",
    "/entries",
    "/entities",
    "/inbox",
    "/agents",
    "/conversations",
    "/details",
    "/health",
    "/settings",
    "/files",
    "/beliefs",
)
"""The documents of the navigation."""
_SORT = re.compile(r"/[a-z-]+/")


def sign_in(page: Page, workspace: ServedWorkspace) -> None:
    """Sign in as `memory open` does."""
    page.goto(f"{workspace.address}/sign-in?code={SignInCodes(workspace.root).make(SystemClock().now())}")


def documents(page: Page) -> Iterator[str]:
    """The path of each document of the navigation, and of one of each sort that these lead to; the tab shows it."""
    seen, coming = set[str](), [*PLACES, "/search?query=lake", "/docs"]
    while coming:
        path = coming.pop(0)
        response = page.goto(path)
        assert response
        assert (200, path) == (response.status, path)
        yield path
        for link in page.eval_on_selector_all("main a[href^='/']", "links => links.map(a => a.getAttribute('href'))"):
            sort = _SORT.match(link)
            if sort and sort.group() not in seen and "/export" not in link:
                seen.add(sort.group())
                coming.append(link)
