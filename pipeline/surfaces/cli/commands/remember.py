"""`memory remember`."""

import click

from pipeline.app.agents import agent_meant, change_request, request_change
from pipeline.errors.service import NoPersonThere
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.surfaces.cli.terminal.person import answer
from pipeline.surfaces.cli.terminal.workspace import opened_to_run
from schemas import exit_codes
from schemas.memory_change import SECTIONS, ChangeWord, Operation

_WORD = "remember"
_KINDS = [operation.value.lower() for operation in SECTIONS]
_EXIT = {"refused": exit_codes.UNUSABLE, "kept": exit_codes.HELD}


@click.command("remember")
@click.argument("text")
@click.option("--agent", default="", metavar="NAME", help="Whose memory; else the only agent's.")
@click.option("--kind", type=click.Choice(_KINDS), default=_KINDS[0], show_default=True, help="What sort of thing.")
@options.as_json
@options.workspace
def command(text: str, workspace: str | None, *, agent: str, kind: str, as_json: bool) -> int:
    """Write TEXT into the memory of an agent.

    It is the word of the person who types it: the terminal asks for the word `remember`. Without a terminal, or where
    an agent runs this, it is a suggestion, because a command is nobody's word. The journal says what was written and by
    whom; `memory undo` takes it back.
    """
    with opened_to_run(workspace) as engine:
        name = agent_meant(engine, agent)
        wanted = change_request(engine, Operation(kind.upper()), text, over="shell")
        try:
            typed = answer(f'Type {_WORD} to write "{wanted.text}" into the memory of {name}: ')
        except NoPersonThere as error:
            print_message(f"{error} It is suggested.")
        else:
            if typed != _WORD:
                print_message("nothing was written.")
                raise click.Abort
            wanted = wanted.model_copy(
                update={"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal", "importance": 5}
            )
        result = request_change(engine, name, wanted)
    if as_json:
        print_json(result)
    else:
        click.echo(printable(result.message))
    return _EXIT.get(result.result, exit_codes.WELL)
