"""`memory open`: the page of a workspace in the browser, signed in."""

import http.client
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.terminal import at_keyboard
from tests.support.workspaces.served_demo import ServedWorkspace, served

NO_BROWSER = {"BROWSER": "false"}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[ServedWorkspace]:
    """An empty workspace that is served where its settings say."""
    root = tmp_path / "work"
    assert 0 == CommandLine(tmp_path)("init", "work").code
    with served(root) as workspace:
        settings = root / "memory.toml"
        place = urlsplit(workspace.address).netloc
        settings.write_text(settings.read_text() + f'\n[service]\nhttp = "{place}"\n')
        yield workspace


def _open(root: Path, *words: str, **variables: str) -> Said:
    return at_keyboard(
        CommandLine(root.parent), "", "open", "--workspace", str(root), *words, **(NO_BROWSER | variables)
    )


def test_it_prints_an_address_that_signs_in(workspace: ServedWorkspace) -> None:
    """For a browser elsewhere; it works once."""
    said = _open(workspace.root, "--print")
    assert 0 == said.code
    address = urlsplit(said.out.strip())
    assert workspace.address == f"http://{address.netloc}"
    assert [303, 401] == [_status(address.netloc, f"{address.path}?{address.query}") for _ in range(2)]


def test_it_starts_the_browser(workspace: ServedWorkspace) -> None:
    """The browser gets the address that signs in; the terminal tells where the page is, and not the code."""
    visited = workspace.root / "visited"
    browser = workspace.root / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {visited}\n')
    browser.chmod(0o755)
    said = _open(workspace.root, BROWSER=str(browser))
    assert (0, f"The page is open in your browser: {workspace.address}/\n") == (said.code, said.out)
    address = urlsplit(visited.read_text())
    assert 303 == _status(address.netloc, f"{address.path}?{address.query}")


def test_no_agent_opens_it(workspace: ServedWorkspace) -> None:
    """Nor anybody without a terminal."""
    assert 77 == _open(workspace.root, "--print", CLAUDECODE="1").code
    assert 77 == CommandLine(workspace.root.parent)("open", "--workspace", str(workspace.root)).code


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("", 'Write http = "127.0.0.1:9464" below [service]'),
        ('[service]\nhttp = "127.0.0.1:0"\n', "Write a port of your own"),
        ('[service]\nhttp = "127.0.0.1:9"\n', "Start `memory serve`"),
    ],
)
def test_what_is_in_the_way(tmp_path: Path, setting: str, words: str) -> None:
    """No address, one that changes, and nobody who answers: each with what to do."""
    assert 0 == CommandLine(tmp_path)("init", "work").code
    settings = tmp_path / "work" / "memory.toml"
    settings.write_text(f"{settings.read_text()}\n{setting}")
    said = _open(tmp_path / "work")
    assert (2, True) == (said.code, words in said.err)


def _status(place: str, path: str) -> int:
    with closing(http.client.HTTPConnection(place, timeout=30)) as connection:
        connection.request("GET", path, headers={"Accept": "text/html"})
        return connection.getresponse().status
