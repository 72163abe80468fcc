"""`memory agents remember`, `pin` and `unpin`: a person's word about the memory of an agent."""

import click

from pipeline.app.agents import agent_meant, change_request, request_change, standing_line
from pipeline.errors.service import NoPersonThere
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.surfaces.cli.terminal.person import require_word
from pipeline.surfaces.cli.terminal.workspace import opened_to_decide, opened_to_run
from schemas import exit_codes
from schemas.memory_change import SECTIONS, ChangeWord, Operation

_WORD = "remember"
_KINDS = [operation.value.lower() for operation in SECTIONS]
_NOTHING = "nothing was written."
_BY_PERSON = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"}
_EXIT = {"refused": exit_codes.UNUSABLE, "kept": exit_codes.HELD}


@click.command("remember")
@click.argument("text")
@click.option(
    "--agent",
    default="",
    metavar="NAME",
    shell_complete=options.names_of("agents"),
    help="Whose memory; else the only agent's.",
)
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
        wanted = change_request(engine.settings, Operation(kind.upper()), text, over="shell")
        try:
            require_word(_WORD, f'to write "{wanted.text}" into the memory of {name}', _NOTHING)
        except NoPersonThere as error:
            print_message(f"{error} It is suggested.")
        else:
            wanted = wanted.model_copy(update={**_BY_PERSON, "importance": 5})
        result = request_change(engine, name, wanted)
    print_json(result) if as_json else click.echo(printable(result.message))
    return _EXIT.get(result.result, exit_codes.WELL)


@click.command("pin")
@click.argument("line")
@options.as_json
@options.workspace
def pin_command(line: str, workspace: str | None, *, as_json: bool) -> int:
    """Put LINE first in its section of a memory.

    LINE is the id that `memory agents know` shows, such as j-4f1c02aa. A pinned line goes to the archive after all
    others, and no agent replaces or removes it by itself below autonomy 3. What was not confirmed rests on your word
    then. The terminal asks for the word `pin`; no tool can pin. `memory agents unpin` or `memory undo` takes it back.
    """
    return _decide_place(workspace, Operation.PIN, line, as_json=as_json)


@click.command("unpin")
@click.argument("line")
@options.as_json
@options.workspace
def unpin_command(line: str, workspace: str | None, *, as_json: bool) -> int:
    """Let the pinned LINE be a line like the others.

    LINE is the id that `memory agents know` shows. The terminal asks for the word `unpin`.
    """
    return _decide_place(workspace, Operation.UNPIN, line, as_json=as_json)


def _decide_place(workspace: str | None, operation: Operation, line: str, *, as_json: bool) -> int:
    """Ask the person for the word, carry it out, and print what became of it; the exit code."""
    word = operation.value.lower()
    with opened_to_decide(workspace) as engine:
        agent, text = standing_line(engine, line)
        require_word(word, f'to {word} "{text}" in the memory of {agent}', _NOTHING)
        result = request_change(engine, agent, change_request(engine.settings, operation, "", line=line, **_BY_PERSON))
    print_json(result) if as_json else click.echo(printable(result.message))
    return exit_codes.HELD if result.result == "kept" else exit_codes.WELL
