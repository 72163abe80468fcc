"""`memory unlink`."""

import click

from pipeline.corrections.links import LinksCorrected, TakenLink, unlink
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.terminal.workspace import opened_to_correct
from pipeline.workspace.unlinked import PATH
from schemas.reports.corrections import CorrectedLink, LinksReport


@click.command("unlink")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@options.as_json
@options.workspace
def command(one: str, other: str, workspace: str | None, *, as_json: bool) -> None:
    """Take the link between two entries apart, for good.

    For a link that is wrong: A does not replace B, nor repeat it, nor the other way round. What was replaced holds
    again, in the daily files and for the next plan. The pair stands in memory/unlinked.md, and no run links it again;
    take its line out there to allow it. `memory undo` takes it all back. The beginning of an id is enough when no
    other entry begins so; `memory explain ID` shows what a link rests on.
    """
    with opened_to_correct(workspace) as engine:
        done = unlink(engine, one, other)
    if as_json:
        print_json(links_report(done))
        return
    for link in done.removed:
        click.echo(f"{link.carrier} no longer has {link.target} in its line `{link.kind}`.")
    click.echo(f"No run links them again: {PATH} lists them. To take it back: memory undo {done.run_id}")


def links_report(done: LinksCorrected) -> LinksReport:
    """A correction of links as programs get it."""
    return LinksReport(
        run_id=done.run_id,
        undo=f"memory undo {done.run_id}",
        removed=tuple(map(_link, done.removed)),
        made=tuple(map(_link, done.made)),
        paths=done.paths,
    )


def _link(link: TakenLink) -> CorrectedLink:
    return CorrectedLink(link.carrier, link.kind, link.target, link.grounds)
