"""The part of the tour about an agent's own memory: it wakes up, remembers, is corrected, and forgets.

What changes, changes in a copy of the workspace: so the demo is the same however often it is run.
"""

import click

from pipeline.app.agents import change_request, request_change
from pipeline.app.opening import opened_copy
from pipeline.corrections.decide import accept
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.process.context import ProcessContext
from pipeline.reports.agents import AgentFolder
from pipeline.surfaces.cli.terminal.format import head, printable
from schemas.memory_change import ChangeWord, Operation
from schemas.suggestion import ProposedChange

AGENT = "main"
_ASKED, _CORRECTED = "The owner likes short answers", "The owner likes answers of one sentence"


def show_agent(engine: Engine) -> None:
    """Show the agent `main`, and what it may do."""
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, AGENT)
    head("What an agent knows when it wakes up")
    for part in folder.wake().parts:
        click.echo(f"{printable(part.name)}, {part.tokens} tokens:")
        for text in part.text.splitlines():
            click.echo(f"  {printable(text)}")
    with opened_copy(engine.workspace.root, ProcessContext({})) as copy:
        _show_changes(copy, AgentFolder(copy.settings.agents, copy.workspace, copy.ledger, AGENT))


def _show_changes(engine: Engine, folder: AgentFolder) -> None:
    head("What it may change, and who decides (tried in a copy)")
    asked = change_request(engine, Operation.PREFERENCE, _ASKED, asked_by=AGENT, over="mcp")
    click.echo(f'It asks for "{_ASKED}". {request_change(engine, AGENT, asked).message}')
    line = folder.standings().saying(_ASKED)
    if line is None:  # somebody has declined it in this workspace
        return
    other = change_request(engine, Operation.UPDATE, _CORRECTED, line=line.id, asked_by=AGENT, over="mcp")
    click.echo(f'It asks for "{_CORRECTED}" in its place. {request_change(engine, AGENT, other).message}')
    about = [(one, one.about) for one in waiting(engine)]
    accept(engine, [one for one, change in about if isinstance(change, ProposedChange) and change.agent == AGENT])
    newer = folder.standings().saying(_CORRECTED)
    click.echo("You accept that, at your terminal: " + (f"it stands, {newer.word.value}." if newer else "it waits."))
    if newer:
        gone = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"}
        forget = change_request(engine, Operation.DELETE, "", line=newer.id).model_copy(update=gone)
        request_change(engine, AGENT, forget)
        click.echo("You have it forgotten: it is gone, and its journal says who decided what.")
