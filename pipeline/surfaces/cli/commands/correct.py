"""`memory correct` and `memory correct unlink`."""

from typing import TextIO

import click

from pipeline.corrections.correct import correct, corrected_report, correction
from pipeline.corrections.links import unlink
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import print_json, printable
from pipeline.surfaces.cli.terminal.person import require_word
from pipeline.surfaces.cli.terminal.workspace import opened_to_correct, opened_to_decide
from pipeline.workspace.unlinked import PATH
from schemas.outcome import EXIT_CODES
from schemas.reports.corrections import CorrectedLink, LinksReport


def _words(ctx: click.Context, _: click.Parameter, words: str) -> str:
    """The words as they were typed, or those of the file, which was looked at first."""
    file: TextIO | None = ctx.params.pop("from_file")
    if file and words:
        message = "Give the words, or a file with them, not both."
        raise click.UsageError(message)
    return file.read() if file else words


@click.command("correct")
@click.argument("entry_id", metavar="ID", shell_complete=options.names_of("entries"))
@click.argument("words", default="", metavar="[WORDS]", callback=_words)
@click.option("--title", default="", metavar="TEXT", help="The title; without, it is made of the words.")
@click.option(
    "--from-file",
    type=click.File(encoding="utf-8", errors="replace"),
    is_eager=True,
    metavar="FILE",
    help="Take the words from a file; - is the input.",
)
@options.as_json
@options.workspace
def command(entry_id: str, words: str, title: str, workspace: str | None, *, as_json: bool) -> int:
    """Give an entry other words, which hold everywhere.

    In its daily file, MEMORY.md, what agents get, later pages and every search. The old words stay as history, for
    `memory show story`; what else the entry said, and what says the same, gives way with them. WORDS are one thing, on
    one line. With --title alone only the title changes. The beginning of ID is enough when no other entry begins so.
    `memory undo` brings the old words back. The terminal asks for the word `correct`, and no agent may run this.
    """
    with opened_to_decide(workspace) as engine:
        wanted = correction(engine, entry_id, words, title)
        old, new = wanted.entry.conclusion, wanted.conclusion
        if wanted.changes_title_alone:
            old, new = wanted.entry.title, wanted.title
        for lead, text in (("", wanted.entry.id), ("  - ", old), ("  + ", new)):
            click.echo(f"{lead}{printable(text)}", err=as_json)
        require_word("correct", "to give it the new words", "nothing was corrected.")
        outcomes = correct(engine, wanted)
        report = corrected_report(wanted, outcomes)
    if as_json:
        print_json(report)
    elif report.left:
        why = outcomes[0].warning or "another process is at work"
        print_message(f"{why}; what you said is kept, and the next run writes it.")
    else:
        click.echo(f"{report.id} holds in place of {report.corrects}: {', '.join(report.paths)}.")
        click.echo(f"To take it back: {report.undo}")
    return EXIT_CODES[outcomes[0].ending]


@click.command("unlink")
@click.argument("one", metavar="A", shell_complete=options.names_of("entries"))
@click.argument("other", metavar="B", shell_complete=options.names_of("entries"))
@options.as_json
@options.workspace
def unlink_command(one: str, other: str, workspace: str | None, *, as_json: bool) -> None:
    """Take the link between two entries apart, for good.

    For a link that is wrong: A does not replace B, nor repeat it, nor the other way round. What was replaced holds
    again, in the daily files and for the next plan. The pair stands in memory/unlinked.md, and no run links it again;
    take its line out there to allow it. `memory undo` takes it all back. The beginning of an id is enough when no
    other entry begins so; `memory show story ID` shows what a link rests on.
    """
    with opened_to_correct(workspace) as engine:
        done = unlink(engine, one, other)
    if as_json:
        removed, made = (
            tuple(CorrectedLink(link.carrier, link.kind, link.target, link.grounds) for link in links)
            for links in (done.removed, done.made)
        )
        undo = f"memory undo {done.run_id}"
        print_json(LinksReport(run_id=done.run_id, undo=undo, removed=removed, made=made, paths=done.paths))
        return
    for link in done.removed:
        click.echo(f"{link.carrier} no longer has {link.target} in its line `{link.kind}`.")
    click.echo(f"No run links them again: {PATH} lists them. To take it back: memory undo {done.run_id}")
