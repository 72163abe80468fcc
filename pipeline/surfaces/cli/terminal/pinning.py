"""A person's decision about the place of a line in an agent's memory, for the commands that pin."""

import click

from pipeline.app.agents import change_request, request_change, standing_line
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.surfaces.cli.terminal.person import answer
from pipeline.surfaces.cli.terminal.workspace import opened_to_decide
from schemas import exit_codes
from schemas.memory_change import ChangeWord, Operation


def decide_place(workspace: str | None, operation: Operation, line: str, *, as_json: bool) -> int:
    """Ask the person for the word, carry it out, and print what became of it; the exit code."""
    word = operation.value.lower()
    with opened_to_decide(workspace) as engine:
        agent, text = standing_line(engine, line)
        if answer(f'Type {word} to {word} "{text}" in the memory of {agent}: ') != word:
            print_message("nothing was written.")
            raise click.Abort
        owner = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "terminal"}
        result = request_change(engine, agent, change_request(engine, operation, "", line=line, **owner))
    print_json(result) if as_json else click.echo(printable(result.message))
    return exit_codes.HELD if result.result == "kept" else exit_codes.WELL
