"""`memory open`."""

import http.client
import webbrowser
from contextlib import closing
from urllib.parse import quote, urlsplit

import click

from pipeline.clock import SystemClock
from pipeline.errors.service import NotOpen
from pipeline.reports.service import service_view
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.person import require_person
from pipeline.workspace.files import Workspace
from pipeline.workspace.tokens import LASTING, SignInCodes
from schemas.service_settings import host_and_port

_EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - who listens everywhere is here too
_SECONDS = 10.0  # a machine at work, on which the service has just begun


@click.command("open")
@click.option("--print", "only_print", is_flag=True, help="Print the address instead, for another browser.")
@options.workspace
def command(workspace: str | None, *, only_print: bool) -> None:
    """Open the page of this workspace in the browser.

    The address works once, within a minute; the browser stays signed in for 30 days, and `memory config token list`
    shows it. The page is where [service] http says, while `memory serve` runs. No agent may open it.
    """
    require_person()
    root = root_of(workspace)
    settings = load_settings(root, environment())
    where = _address(settings.service.http)
    # At its address may be the service of another workspace.
    if service_view(Workspace(root), SystemClock().now(), settings.timezone).state != "running":
        why = "no service of this workspace runs"
        raise NotOpen(why, "Start `memory serve`, or `memory serve install --systemd`.")
    _require_answer(where)
    address = f"{where}/sign-in?code={quote(SignInCodes(root).make(SystemClock().now()))}"
    if only_print or not webbrowser.open(address):
        print_message(f"this address works once, within {LASTING.total_seconds():.0f} seconds:")
        click.echo(address)
    else:
        click.echo(f"The page is open in your browser: {where}/")


def _address(setting: str) -> str:
    """The address of the page."""
    if not setting:
        why = "memory.toml names no address for it"
        raise NotOpen(why, 'Write http = "127.0.0.1:9464" below [service], and start `memory serve`.')
    host, port = host_and_port(setting)
    if not port:
        why = "port 0 is another one at every start"
        raise NotOpen(why, "Write a port of your own into service.http, and start `memory serve` again.")
    host = _EVERY.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _require_answer(where: str) -> None:
    """Raise unless a service answers there."""
    place = urlsplit(where)
    try:
        with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=_SECONDS)) as connection:
            connection.request("GET", "/health/live")
            connection.getresponse().read()
    except (OSError, http.client.HTTPException) as error:
        why = f"nothing answers at {where} ({error})"
        raise NotOpen(why, "The service may have read other settings; start it again, and look at its log.") from error
