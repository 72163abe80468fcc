"""The part of the tour about large outputs: one is stored, and a line of it comes back by its placeholder."""

import click

from pipeline.app.details.keep import KeepRequest, KeptText
from pipeline.app.details.opened import opened_details
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal.format import head, printable
from schemas.detail import Detail, DetailPage, DetailScope, PageRequest, Placement

_COMMAND, _WANTED = "npm install", "ERESOLVE"
_LINES = 600
_SHOWN, _TOKENS = 8, 100


def show_stored(engine: Engine) -> None:
    """Store the output of a command that failed, and look into it."""
    head("What stays outside of the context")
    with opened_details(engine.workspace.root, ProcessContext({})) as details:
        # For all sessions: it does not expire, so a second tour changes nothing.
        place = Placement(scope=DetailScope.GLOBAL)
        kept = details.keep(KeepRequest(_output(), command=_COMMAND, exit_code=1, placement=place))
        if kept.detail:
            page = details.retrieve(kept.detail.key, PageRequest(query=_WANTED, tokens=_TOKENS))
            _show(kept, kept.detail, page)


def _show(kept: KeptText, detail: Detail, page: DetailPage) -> None:
    click.echo(
        f"`memory exec -- {_COMMAND}` prints {detail.lines} lines, {detail.tokens} tokens. The agent gets this:\n"
    )
    for line in kept.placeholder.splitlines()[:_SHOWN]:
        click.echo(f"  {printable(line)}")
    click.echo(f"\n  memory store show {detail.key} --query {_WANTED}\n")
    for line in page.text.splitlines()[:_SHOWN]:
        click.echo(f"  {printable(line)}")


def _output() -> str:
    lines = [f"npm http fetch GET 200 https://registry.example/package-{number} 4ms" for number in range(_LINES)]
    lines[_LINES // 2] = "npm error code ERESOLVE: could not resolve the peer react@18 of booking-calendar@4.2.0"
    return "\n".join(lines) + "\n"
