"""`memory forget-about`."""

import click

from pipeline.corrections.forget_topic import forget_topic, topic, traces
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.person import answer
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.surfaces.cli.views.forgetting import finish_forgetting, print_traces

_WORD = "forget"


@click.command("forget-about")
@click.argument("names", metavar="TOPIC...", nargs=-1, required=True)
@options.as_json
@options.workspace
def command(names: tuple[str, ...], workspace: str | None, *, as_json: bool) -> int:
    """Remove all that names TOPIC, for good.

    TOPIC is a name, or some words in a row; several are several names of it. First it is shown what would go: entries,
    lines of ours in every page and in every agent's memory, and messages of conversations in the store, which are
    masked. Then the terminal asks for the word `forget`; no agent may type it. What was said about TOPIC until now is
    read by no job any more, and what people wrote stays and is named. There is no undo. Only whole words count; other
    forms of a word are listed, to be named as well.

    With --json: `entries` by their ids, `removed`, `reworded` and `kept` as places `path:line`, how many stored
    `changes`, `answers` and `suggestions` held it, the `logs` in which it was overwritten, the `details` that went, by
    their keys, the `messages` that were masked, as `SESSION#NUMBER`, how many `summaries` of conversations went, and
    the `index`, which is `rebuilt`, `none`, or `left` when it could not be.
    """
    with opened(workspace) as engine:
        subject = topic(names)
        print_traces(traces(engine, subject), err=as_json)
        if answer(f"Type {_WORD} to remove all of this for good: ") != _WORD:
            print_message("nothing was forgotten.")
            raise click.Abort
        receipt = forget_topic(engine, subject)
    return finish_forgetting(receipt, workspace, as_json=as_json)
