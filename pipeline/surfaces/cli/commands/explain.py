"""`memory explain`."""

import click

from pipeline.reports.entries import PlacedEntry, TracedEntry
from pipeline.reports.history import explained, history, is_forgotten
from pipeline.reports.occurrences import OccurrenceKind
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import local, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import opened
from pipeline.workspace.tombstones import PATH
from schemas.entry import NOT_STATED, Entry, Trust
from schemas.reports.entries import ForgottenEntry

_LEADS = {
    OccurrenceKind.ENTRY: "the entry",
    OccurrenceKind.ITEM: "",
    OccurrenceKind.MENTION: "named in: ",
    OccurrenceKind.EDITED: "edited by a person: ",
    OccurrenceKind.LINE: "a person's line: ",
}

_DOUBTS = {
    Trust.QUOTED: ": only the quote is known to be yours",
    Trust.UNVERIFIED: ": its words are not known to be yours",
}


@click.command("explain")
@click.argument("entry_id", metavar="ID")
@options.as_json
@options.workspace
def command(entry_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Tell the story of one entry.

    From which words it comes and whether they are still there, which run wrote it, what it replaced and what replaced
    it, what each weekly plan said about it, and every place where it stands now. The beginning of ID is enough when no
    other entry begins so.

    With --json: the entry with its `run_id`, `quote_stands`, `quote_said` (by you, not only pasted), `source_exists`,
    `words` and links; `verdicts` of plans, each with `week`, `ruling`, `reason`, `path` and `line`; `places`, each with
    `path`, `line`, `text` and `what`: the `entry` itself, an `item` about it, a `mention` in an item about something
    else, an item that a person has `edited`, or a person's own `line`. An entry that is in no daily file any more is
    `gone`.
    """
    with opened(workspace) as engine:
        story = explained(engine, entry_id)
        zone = engine.zone
        forgotten = isinstance(story, ForgottenEntry) or (story.place is None and is_forgotten(engine, entry_id))
    if isinstance(story, ForgottenEntry):
        if as_json:
            print_json(story)
        else:
            click.echo(f"{entry_id} was deleted by a person. It is listed in {PATH} and is not extracted again.")
    elif as_json:
        print_json(history(story, forgotten=forgotten))
    else:
        show_story(story, zone)
        if forgotten:
            click.echo(f"\nA person deleted it. It is listed in {PATH} and is not extracted again.")


def show_story(story: TracedEntry, zone: str) -> None:
    """The story of one entry for a person."""
    if story.place:
        _show_entry(story, story.place, zone)
    else:
        consequence = "these places still tell of it" if story.occurrences else "a run may write it again"
        click.echo(f"{story.entry_id}\n\n  gone           from the daily files; {consequence}")
    _show_places(story)
    if story.place:
        _show_words(story, zone)


def _show_entry(story: TracedEntry, place: PlacedEntry, zone: str) -> None:
    entry = place.entry
    click.echo(f"{printable(entry.title)}\n")
    standing = _DOUBTS.get(entry.trust, "")
    lines = [
        ("entry", f"{entry.id} ({place.path}:{place.line})"),
        ("kind", f"{entry.kind}, {place.status}, trust {entry.trust}, confidence {entry.confidence:.2f}{standing}"),
        ("said", f"{entry.date:%Y-%m-%d %H:%M %z} in session {entry.source.session_id}"),
        ("source", "{}, messages {}-{}".format(entry.source.session_path, *entry.source.message_range)),
        ("quote", printable(entry.quote)),
        ("concluded", printable(entry.conclusion)),
        *((name, printable(text)) for name, text in _stated(entry)),
        ("written", _writer(story, place, zone)),
        *((name, ", ".join(ids)) for name, ids in _links(story, place).items() if ids),
    ]
    if place.adopted:
        lines.append(("adopted", "a person changed it; it is never rewritten"))
    lines += [("in doubt", f"{fault.entry_id} -> {fault.target}: {fault.doubt}") for fault in story.findings]
    for name, text in lines:
        click.echo(f"  {name:<13}  {text}")


def _show_places(story: TracedEntry) -> None:
    if story.rulings:
        click.echo("\nWhat the weekly plans said:")
    for ruling in story.rulings:
        click.echo(f"  {ruling.week}  {printable(ruling.ruling)} ({ruling.path}:{ruling.line})")
        if ruling.reason:
            click.echo(f"            {printable(ruling.reason)}")
    if not story.rulings and story.place:
        click.echo("\nNo weekly plan has judged it yet.")
    if story.occurrences:
        click.echo("\nWhere it stands now:")
    for occurrence in story.occurrences:
        text = "" if occurrence.what is OccurrenceKind.ENTRY else printable(occurrence.first_line)
        click.echo(f"  {occurrence.where}  {_LEADS[occurrence.what]}{text}")


def _writer(story: TracedEntry, place: PlacedEntry, zone: str) -> str:
    if story.run:
        return f"by run {story.run.run_id} at {local(story.run.began, zone)}"
    return "by a run unknown" if place.verified else "by nobody that the ledger knows"


def _stated(entry: Entry) -> list[tuple[str, str]]:
    given = [("why", entry.why), ("finding", entry.finding), ("impact", entry.impact)]
    return [(name, text) for name, text in given if text != NOT_STATED]


def _show_words(story: TracedEntry, zone: str) -> None:
    if story.source is None:
        notice = "The transcript cannot be read now (gone, or no right to read it). What was written stays."
        click.echo(f"\n{notice}")
        return
    if story.quote_stands is False:
        click.echo("\nThe quote is not found in the transcript as it is now.")
    elif story.quote_said is False:
        click.echo("\nThe quote stands in text from elsewhere, such as a forwarded mail: it is nobody's word.")
    click.echo("\nFrom these words:" if story.source else "\nThe session is there, but the words are not in it.")
    for message in story.source:
        click.echo(f"\n  #{message.number} {local(message.time, zone)} {message.origin}")
        for line in message.text.splitlines():
            click.echo(f"    {printable(line)}")


def _links(story: TracedEntry, place: PlacedEntry) -> dict[str, tuple[str, ...]]:
    return {
        "supersedes": place.entry.supersedes,
        "superseded_by": story.superseded_by,
        "reinforces": place.entry.reinforces,
        "reinforced_by": story.reinforced_by,
    }
