"""`memory suggestions review`."""

from itertools import groupby

import click

from pipeline.corrections.review import Reviewed, note_nothing, review, suggest
from pipeline.surfaces.cli.commands.suggestions import DECIDE
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened_to_correct
from schemas.reports.corrections import CorrectedLink, DoubtedEntry, ReviewReport

_APPLY = "memory suggestions review --apply"
_ANSWER = "memory suggestions accept --reason {}"


@click.command("review")
@click.option("--apply", "applying", is_flag=True, help="Make suggestions of what is listed, in one run.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, applying: bool, as_json: bool) -> None:
    """List what today's reading would not write.

    After an update of the product: entries that an earlier version wrote and that this one would not write, in groups
    by the reason, and links that today's judgement would not make. The transcripts are read again, and no model is
    asked. What you have changed, archived or accepted is left out, and no file changes.

    With --apply each of them becomes a suggestion that waits for you, in one run that `memory undo` takes back; then
    one answer decides about a group (`memory suggestions accept --reason below_the_line`), or about each. Until
    you decide, such an entry stays in its file with the status `in_review`; no plan takes it into MEMORY.md, and it
    replaces nothing. `memory suggestions` lists what waits.
    """
    with opened_to_correct(workspace) as engine:
        reviewed = suggest(engine) if applying else review(engine)
        if not (applying or reviewed):
            note_nothing(engine)
    print_json(_report(reviewed)) if as_json else _show(reviewed)


def _show(reviewed: Reviewed) -> None:
    by_reason = sorted(reviewed.entries, key=lambda finding: finding.reason)
    for reason, group in groupby(by_reason, key=lambda finding: finding.reason):
        entries = [finding.entry for finding in group]
        click.echo(f"{style(reason, bold=True)}, {count(len(entries), 'entry', 'entries')}")
        for entry in entries:
            click.echo(f"  {entry.id}\n    {entry.date:%Y-%m-%d}  {printable(entry.conclusion)}")
        if reviewed.run_id:
            click.echo(f"  One answer for all of them: {_ANSWER.format(reason)}, or decline")
    for link in reviewed.links:
        click.echo(f"{style(link.carrier, bold=True)} {link.kind} {link.target}")
    if reviewed.unread:
        stay = "it stays as it is" if reviewed.unread == 1 else "they stay as they are"
        gone = f"{count(reviewed.unread, 'entry', 'entries')} cannot be read again"
        click.echo(f"{gone}, for the source is gone or left out by the settings; {stay}.")
    click.echo(_ending(reviewed))


def _ending(reviewed: Reviewed) -> str:
    """The result of the review, and the command that comes next."""
    if not reviewed:
        return "Nothing to review."
    entries, links = len(reviewed.entries), len(reviewed.links)
    parts = (count(entries, "entry", "entries") if entries else "", count(links, "link") if links else "")
    counts = " and ".join(filter(None, parts))
    if reviewed.run_id:
        wait = "waits" if entries + links == 1 else "wait"
        return f"{counts} {wait} for you: {DECIDE}\nTo take it back: memory undo {reviewed.run_id}"
    return f"{counts} would not be written today. To decide about them: {_APPLY}"


def _report(reviewed: Reviewed) -> ReviewReport:
    return ReviewReport(
        run_id=reviewed.run_id,
        undo=f"memory undo {reviewed.run_id}" if reviewed.run_id else "",
        entries=tuple(
            DoubtedEntry(
                finding.entry.id, finding.entry.date, finding.entry.conclusion, finding.reason, finding.written.path
            )
            for finding in reviewed.entries
        ),
        links=tuple(CorrectedLink(link.carrier, link.kind, link.target, link.grounds) for link in reviewed.links),
        unread=reviewed.unread,
    )
