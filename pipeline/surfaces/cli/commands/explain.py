"""`memory show story`."""

import click

from pipeline.engine.context import Engine
from pipeline.reports.entries import story_of_entry
from pipeline.reports.facts import explained_fact, is_fact
from pipeline.reports.occurrences import OccurrenceKind
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import local, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.surfaces.cli.views.entities import print_fact
from pipeline.workspace.forgotten import PATH
from schemas.entry import NOT_STATED, Entry, Trust
from schemas.reports.entries import EntryHistory, ForgottenEntry, ForgottenTraces, GoneEntry, Traced

_LEADS = {
    OccurrenceKind.ENTRY: "the entry",
    OccurrenceKind.ITEM: "",
    OccurrenceKind.MENTION: "named in: ",
    OccurrenceKind.EDITED: "edited by a person: ",
    OccurrenceKind.LINE: "a person's line: ",
}

_UNKNOWN = "not recorded; `memory doctor` lists the links that today's judgement would not make"

_DOUBTS = {
    Trust.QUOTED: ": only the quote is known to be yours",
    Trust.UNVERIFIED: ": its words are not known to be yours",
}


@click.command("story")
@click.argument("entry_id", metavar="ID", shell_complete=options.names_of("entries"))
@options.as_json
@options.workspace
def command(entry_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Tell the story of one entry, or of one fact.

    From which words it comes and whether they are still there, which run wrote it, what it replaced and what replaced
    it, what these links rest on, what each weekly plan said about it, and every place where it stands now. The
    beginning of ID is enough when no other entry begins so.

    With --json: the entry with its `run_id`, `quote_stands`, `quote_said` (by you, not only pasted), `source_exists`,
    `words` and links; `rests_on`, the grounds of each link from the `later` to the `earlier` entry; `verdicts` of
    plans, each with `week`, `ruling`, `reason`, `path` and `line`; `places`, each with `path`, `line`, `text` and
    `what`: the `entry` itself, an `item` about it, a `mention` in an item about something else, an item that a person
    has `edited`, or a person's own `line`. An entry that is in no daily file any more is `gone`.

    Of a fact, whose id begins with `f-`: how sure it is and why, its source, and what took its place.
    """
    with open_for_reading(workspace) as engine:
        if is_fact(entry_id) and (fact := explained_fact(engine, entry_id)):
            print_json(fact) if as_json else print_fact(fact)
            return
        story = story_of_entry(engine, entry_id)
        if as_json:
            print_json(story)
        elif isinstance(story, ForgottenEntry):
            click.echo(f"{entry_id} was deleted by a person. It is listed in {PATH} and is not extracted again.")
        else:
            show_story(engine, story)
        if isinstance(story, ForgottenTraces) and not as_json:
            click.echo(f"\nA person deleted it. It is listed in {PATH} and is not extracted again.")


def show_story(engine: Engine, story: EntryHistory | GoneEntry) -> None:
    """The story of one entry for a person."""
    if isinstance(story, EntryHistory):
        writer = "by a run unknown" if story.verified else "by nobody that the ledger knows"
        if story.run_id and (run := engine.ledger.runs.find(story.run_id)):
            writer = f"by run {run.run_id} at {local(run.began, engine.zone)}"
        _show_entry(story, writer)
    else:
        consequence = "these places still tell of it" if story.places else "a run may write it again"
        click.echo(f"{story.id}\n\n  gone           from the daily files; {consequence}")
    _show_places(story)
    if not story.gone:
        _show_words(story, engine.zone)


def _show_entry(entry: EntryHistory, writer: str) -> None:
    click.echo(f"{printable(entry.title)}\n")
    standing = _DOUBTS.get(entry.trust, "")
    lines = [
        ("entry", f"{entry.id} ({entry.path}:{entry.line})"),
        ("kind", f"{entry.kind}, {entry.status}, trust {entry.trust}, confidence {entry.confidence:.2f}{standing}"),
        ("said", f"{entry.date:%Y-%m-%d %H:%M %z} in session {entry.source.session_id}"),
        ("source", "{}, messages {}-{}".format(entry.source.session_path, *entry.source.message_range)),
        ("quote", printable(entry.quote)),
        ("concluded", printable(entry.conclusion)),
        *((name, printable(text)) for name, text in _stated_fields(entry)),
        ("written", writer),
    ]
    links = {
        "supersedes": entry.supersedes,
        "replaces part": entry.supersedes_part,
        "superseded_by": entry.superseded_by,
        "part replaced": entry.part_superseded_by,
        "reinforces": entry.reinforces,
        "reinforced_by": entry.reinforced_by,
    }
    lines += [(name, ", ".join(ids)) for name, ids in links.items() if ids]
    lines += [("rests on", f"{link.later}: {printable(link.grounds or _UNKNOWN)}") for link in entry.rests_on]
    lines += [
        ("corrects", f'{correction.id}: "{printable(correction.conclusion)}"') for correction in reversed(entry.before)
    ]
    lines += [("corrected by", f'{correction.id}: "{printable(correction.conclusion)}"') for correction in entry.after]
    if entry.in_review:
        lines.append(("in review", f"{entry.in_review}; it waits for you: `memory suggestions`"))
    if entry.adopted:
        lines.append(("adopted", "a person changed it; it is never rewritten"))
    lines += [("in doubt", f"{link.entry} -> {link.target}: {link.doubt}") for link in entry.findings]
    for name, text in lines:
        click.echo(f"  {name:<13}  {text}")


def _show_places(story: Traced) -> None:
    if story.verdicts:
        click.echo("\nWhat the weekly plans said:")
    for verdict in story.verdicts:
        click.echo(f"  {verdict.week}  {printable(verdict.ruling)} ({verdict.path}:{verdict.line})")
        if verdict.reason:
            click.echo(f"            {printable(verdict.reason)}")
    if not story.verdicts and not story.gone:
        click.echo("\nNo weekly plan has judged it yet.")
    if story.places:
        click.echo("\nWhere it stands now:")
    for place in story.places:
        text = "" if place.what == OccurrenceKind.ENTRY else printable(place.text)
        click.echo(f"  {place.path}:{place.line}  {_LEADS[OccurrenceKind(place.what)]}{text}")


def _stated_fields(entry: Entry) -> list[tuple[str, str]]:
    given = [("why", entry.why), ("finding", entry.finding), ("impact", entry.impact)]
    added = [("until", str(entry.until or "")), ("goal", "yes" if entry.goal else ""), ("project", entry.project)]
    return [(name, text) for name, text in (*given, *added) if text not in {NOT_STATED, ""}]


def _show_words(story: Traced, zone: str) -> None:
    if story.words is None:
        why = "gone, left out by the settings, or no right to read it"
        click.echo(f"\nThe transcript cannot be read now ({why}). What was written stays.")
        return
    if story.quote_stands is False:
        click.echo("\nThe quote is not found in the transcript as it is now.")
    elif story.quote_said is False:
        click.echo("\nThe quote stands in text from elsewhere, such as a forwarded mail: it is nobody's word.")
    click.echo("\nFrom these words:" if story.words else "\nThe session is there, but the words are not in it.")
    for message in story.words:
        click.echo(f"\n  #{message.number} {local(message.time, zone)} {message.origin}")
        for line in message.text.splitlines():
            click.echo(f"    {printable(line)}")
