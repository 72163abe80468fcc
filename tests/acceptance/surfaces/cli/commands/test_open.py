"""`memory open`, at the service of a workspace, in a process of its own."""

import http.client
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pipeline.workspace.tokens import CODE_FILE
from schemas import exit_codes
from tests.support.processes.command_line import CommandLine
from tests.support.processes.serving_process import serving_process
from tests.support.processes.terminal import at_keyboard
from tests.support.servers.loopback import held_port

SETTINGS = 'timezone = "UTC"\n\n[service]\nhttp = "127.0.0.1:{port}"\n'


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace with nothing in it, while its service runs."""
    root = tmp_path_factory.mktemp("open")
    with held_port() as port:
        (root / "memory.toml").write_text(SETTINGS.format(port=port))
        with serving_process(root, root):
            yield root


def asked(address: str, **headers: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of what comes back."""
    place = urlsplit(address)
    with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)) as connection:
        connection.request("GET", f"{place.path}?{place.query}", headers=headers)
        response = connection.getresponse()
        return response.status, {name.lower(): text for name, text in response.getheaders()}


def test_an_address_for_another_browser(served: Path, memory: CommandLine) -> None:
    """It is all that is printed; it signs in once, and the list of tokens has the browser."""
    said = at_keyboard(memory, "", "open", "--print", "--workspace", served)
    assert (0, 1) == (said.code, len(said.out.splitlines())), said.err
    assert "works once, within 60 seconds" in said.err
    address = said.out.strip()
    status, headers = asked(address, accept="text/html")
    assert (303, "/") == (status, headers["location"])
    assert 200 == asked(address.partition("/sign-in")[0] + "/", cookie=headers["set-cookie"].split(";")[0])[0]
    assert 401 == asked(address, accept="text/html")[0]
    assert "page-" in memory("config", "token", "list", "--workspace", served).out


def test_in_a_browser(served: Path, memory: CommandLine, tmp_path: Path) -> None:
    """The browser of the machine is given the address, and the terminal does not show the code."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/opened\n')
    browser.chmod(0o700)
    said = at_keyboard(memory, "", "open", "--workspace", served, BROWSER=f"{browser} %s")
    address = (tmp_path / "opened").read_text()
    where, _, code = address.partition("/sign-in?code=")
    assert (0, f"The page is open in your browser: {where}/\n") == (said.code, said.out)
    assert code not in said.out + said.err
    assert 303 == asked(address, accept="text/html")[0]


def test_without_a_browser(served: Path, memory: CommandLine) -> None:
    """The address is printed."""
    said = at_keyboard(memory, "", "open", "--workspace", served, BROWSER="/nowhere %s", PATH="/nowhere")
    assert (0, True) == (said.code, "/sign-in?code=" in said.out)


def test_only_a_person_opens_it(served: Path, memory: CommandLine) -> None:
    """Neither under the variable of an agent, nor where there is no terminal; no code is made."""
    (served / CODE_FILE).unlink(missing_ok=True)
    said = at_keyboard(memory, "", "open", "--print", "--workspace", served, CLAUDECODE="1")
    assert (exit_codes.NO_PERSON, True) == (said.code, "the variable CLAUDECODE says" in said.err)
    said = memory("open", "--print", "--workspace", served)
    assert (exit_codes.NO_PERSON, "", True) == (said.code, said.out, "there is no terminal" in said.err)
    assert not (served / CODE_FILE).exists()


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("", "memory.toml names no address for it. Write http ="),
        ("127.0.0.1:0", "port 0 is another one at every start"),
        ("127.0.0.1:9", "no service of this workspace runs. Start `memory serve`"),
    ],
)
def test_where_there_is_no_page(tmp_path: Path, memory: CommandLine, setting: str, sentence: str) -> None:
    """The sentence says what to do, and no code is made."""
    (tmp_path / "memory.toml").write_text(f'[service]\nhttp = "{setting}"\n' if setting else "")
    said = at_keyboard(memory, "", "open", "--workspace", tmp_path)
    assert (2, True) == (said.code, sentence in said.err)
    assert not (tmp_path / CODE_FILE).exists()


def test_the_service_of_another_workspace(served: Path, memory: CommandLine, tmp_path: Path) -> None:
    """It may have the same address: no code is sent to it."""
    shutil.copy(served / "memory.toml", tmp_path)
    said = at_keyboard(memory, "", "open", "--workspace", tmp_path)
    assert (2, True) == (said.code, "no service of this workspace runs" in said.err)


def test_a_service_that_shows_it_elsewhere(served: Path, memory: CommandLine) -> None:
    """A variable of the terminal, which the service has not, names another address: nothing answers there."""
    said = at_keyboard(memory, "", "open", "--workspace", served, MEMORY_SERVICE__HTTP="127.0.0.1:9")
    assert (2, True) == (said.code, "nothing answers at http://127.0.0.1:9" in said.err)
