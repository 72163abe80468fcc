"""`memory forget` and `memory forget about`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import click

from pipeline.app.corrections import forget_in_index
from pipeline.corrections.forget import forget, forgetting_traces
from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_topic import (
    forget_topic,
    forget_words,
    line_topic,
    line_traces,
    other_cases,
    topic,
    traces,
)
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import explain, is_line
from pipeline.reports.facts import is_fact
from pipeline.reports.occurrences import OccurrenceKind
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import count, print_json, printable
from pipeline.surfaces.cli.terminal.person import confirm, refuse_agents, require_word
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from pipeline.workspace.forgotten import PATH
from schemas.reports.corrections import Forgotten, ForgottenWords, TopicTraces, TracedLine
from schemas.reports.entries import EntryHistory, GoneEntry

_LEFT = (
    "It is still named, or some of its words still stand, in a person's lines, in other entries, or in lines of ours "
    "about something else. Take out by hand what you mean as well; a line of ours stays out then:"
)

_MOST_PLACES = 50  # that are shown of one sort
_INDEX = {
    "none": "There is no index that it could be found by.",
    "rebuilt": "The index was built anew without it.",
    "left": "The index still has its words: run `memory doctor reindex --full`.",
}
"""The sentence about the index, by what became of it."""
_SHOWN = {
    OccurrenceKind.MENTION.value: "its name only: ",
    OccurrenceKind.EDITED.value: "stays, a person changed it: ",
    OccurrenceKind.LINE.value: "stays, a person wrote it: ",
}


@click.command("forget")
@click.argument("entry_id", metavar="ID", shell_complete=options.names_of("entries"))
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would go, and change nothing.")
@options.as_json
@options.workspace
def command(entry_id: str, workspace: str | None, *, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Remove an entry, a fact or a line, for good.

    A line is one of an agent's memory. It goes out of the daily files, MEMORY.md, the plans and the wrap-ups, the
    ledger, the cached answers, the index and the conversations of the store, and is never extracted again; only its
    kind, its day and a hash are kept, in memory/forgotten.md. What a person wrote or edited stays, and is named. There
    is no undo. The beginning of ID is enough when no other entry begins so. With an ID that `memory agents know` shows,
    the line leaves the agent's memory, with the message that it quotes. With that of a fact, f-..., what says the same
    of the same goes too, and so does what it replaced. No agent may run this.

    With --json: `removed`, `reworded` (they name the `stand_in` now) and `mentioned_in` (left as they are), each a list
    of places as `path:line`; `files`, `said_by`, how many stored `changes`, `answers` and `suggestions` held it, the
    `logs` in which it was overwritten, the `messages` of conversations in the store in which its words were masked, as
    `SESSION#NUMBER`, and how many `summaries` of them went; `index` is `rebuilt`, `none`, or `left` when it could not
    be. With --dry-run: what `memory show story` prints, with the `messages`, and of a fact or a line the `lines` that
    would go.
    """
    if not dry_run:
        refuse_agents()
    if is_line(entry_id) or is_fact(entry_id):
        return _forget_line(entry_id, workspace, yes=yes, dry_run=dry_run, as_json=as_json)
    with open_for_reading(workspace) as engine:
        if dry_run:
            _show(forgetting_traces(engine, entry_id), as_json=as_json)
            return 0
        story = explain(engine, entry_id)
        if not yes:
            confirm(f"Forget {story.id} ({_description(story)}) for good?", "forget it")
        elif story.id != entry_id:  # the beginning of an id was enough
            print_message(f"forgetting {story.id} ({_description(story)}).")
        receipt = forget(engine, story.id)
    return _finish(receipt, workspace, _print_receipt, as_json=as_json)


def _forget_line(line_id: str, workspace: str | None, *, yes: bool, dry_run: bool, as_json: bool) -> int:
    with open_for_reading(workspace) as engine:
        subject = fact_topic(engine, line_id) if is_fact(line_id) else line_topic(engine, line_id)
        seen = line_traces(engine, subject)
        if dry_run and as_json:
            print_json(seen)
        else:
            _print_traces(seen, err=as_json)
        if dry_run:
            return 0
        if not yes:
            confirm(f"Forget the {'fact' if is_fact(line_id) else 'line'} {line_id} for good?", "forget it")
        receipt = forget_words(engine, subject)
    return _finish(receipt, workspace, _print_forgotten_words, as_json=as_json)


def _show(story: EntryHistory | GoneEntry, *, as_json: bool) -> None:
    """Print the files from which the entry would go, or in which it would lose its name."""
    if as_json:
        print_json(story)
        return
    click.echo(f"{story.id} ({_description(story)}) would go, from:")
    for place in story.places:
        click.echo(f"  {place.path}:{place.line}  {_SHOWN.get(place.what, '')}{printable(place.text)}")
    for message in story.messages:
        click.echo(f"  {printable(message)}  a message of a conversation: its words would be masked")


def _description(story: EntryHistory | GoneEntry) -> str:
    if isinstance(story, EntryHistory):
        return f"{printable(story.title)}, {story.path}"
    rest = f"told of in {count(len(story.places), 'place')}" if story.places else "a run may write it again"
    return f"gone from the daily files, and {rest}"


def _print_receipt(receipt: Forgotten) -> None:
    click.echo(f"Forgot {receipt.entry_id}. It was removed from:")
    for place in receipt.removed:
        click.echo(f"  {place}")
    for key in receipt.details:
        click.echo(f"  the store: {key}")
    _print_masked(receipt)
    click.echo(f"  the ledger: {count(receipt.changes, 'stored change')}, {count(receipt.answers, 'cached answer')}")
    click.echo(f"In {PATH} it is {receipt.stand_in}, without its words, so that it does not come back.")
    if receipt.logs:
        click.echo(f"Its words were overwritten in {', '.join(receipt.logs)}.")
    if receipt.reworded:
        click.echo(f"Its id gave way to that name in {', '.join(receipt.reworded)}.")
    if receipt.mentioned_in:
        click.echo(_LEFT)
        for place in receipt.mentioned_in:
            click.echo(f"  {place}")
    if receipt.said_by:
        click.echo(f"The same was said again in {', '.join(receipt.said_by)}; forget that too if you mean the words.")
    click.echo("Out of our reach, if it stands there too:")
    for place in receipt.out_of_reach:
        click.echo(f"  {place}")


def _print_masked(receipt: Forgotten) -> None:
    if receipt.said:
        click.echo(f"  said in transcripts, where no search finds it now: {', '.join(map(printable, receipt.said))}")
    if receipt.messages:
        click.echo(f"  conversations, where it is masked: {', '.join(map(printable, receipt.messages))}")
    if receipt.summaries:
        click.echo(f"  {count(receipt.summaries, 'summary', 'summaries')} of conversations, to be made anew")


@click.command("about")
@click.argument("names", metavar="TOPIC...", nargs=-1, required=True)
@click.option("--exact", is_flag=True, help="Leave out the other cases of a name, such as Olę for Ola.")
@options.as_json
@options.workspace
def forget_about_command(names: tuple[str, ...], workspace: str | None, *, exact: bool, as_json: bool) -> int:
    """Remove all that names TOPIC, for good.

    TOPIC is a name, or some words in a row; several are several names of it. First it is shown what would go: entries,
    lines of ours in every page and in every agent's memory, and messages of conversations in the store, which are
    masked. Then the terminal asks for the word `forget`; no agent may type it. What was said about TOPIC until now is
    read by no job any more, and what people wrote stays and is named. There is no undo. Only whole words count. Polish
    cases of a capitalized name that stand in the files count too, with a capital, where no other entity has that name:
    they are shown first, with their numbers of places. Other forms of a word are listed, to be named as well.

    With --json: `entries` by their ids, `removed`, `reworded` and `kept` as places `path:line`, how many stored
    `changes`, `answers` and `suggestions` held it, the `logs` in which it was overwritten, the `details` that went, by
    their keys, the `messages` that were masked, as `SESSION#NUMBER`, how many `summaries` of conversations went, and
    the `index`, which is `rebuilt`, `none`, or `left` when it could not be.
    """
    with open_for_reading(workspace) as engine:
        subject = topic(names)
        cases = {} if exact else other_cases(engine, subject)
        subject = replace(subject, cases=tuple(cases))
        seen = traces(engine, subject)
        counted = ", ".join(f"{word} ({count(number, 'place')})" for word, number in cases.items())
        if cases:
            click.echo(f"These count too, as other cases of it; --exact leaves them: {counted}", err=as_json)
        _print_traces(seen, err=as_json)
        # In the question too: the person at the terminal may see nothing of the rest, which goes where it is sent.
        purpose = f"to remove all of this for good{f', also of {counted}' if cases else ''}"
        require_word("forget", purpose, "nothing was forgotten.")
        receipt = forget_topic(engine, subject)
    return _finish(receipt, workspace, _print_forgotten_words, as_json=as_json)


def _print_traces(seen: TopicTraces, *, err: bool) -> None:
    """Print the entries and lines that would go, and the lines that would stay."""
    if seen.entries:
        click.echo(f"{count(len(seen.entries), 'entry', 'entries')} would go:", err=err)
    for entry in seen.entries:
        click.echo(f"  {entry.where}  {printable(entry.title)}", err=err)
    _print_lines(f"{count(len(seen.lines), 'line')} of ours would go:", seen.lines, err=err)
    if seen.waiting:
        click.echo(f"{count(seen.waiting, 'suggestion')} would go.", err=err)
    _print_places(f"{count(len(seen.details), 'stored output')} would go:", seen.details, err=err)
    _print_places(f"{count(len(seen.messages), 'place')} of conversations would be masked:", seen.messages, err=err)
    _print_places(f"{count(len(seen.said), 'message')} of transcripts would be found no more:", seen.said, err=err)
    _print_lines(
        "Lines that stay, because people wrote or changed them, or they say something else:", seen.kept, err=err
    )
    if seen.alike:
        click.echo(f"Not meant, unless you name them too: {', '.join(map(printable, seen.alike))}", err=err)


def _print_places(head: str, places: Sequence[str], *, err: bool) -> None:
    if not places:
        return
    click.echo(head, err=err)
    for place in places[:_MOST_PLACES]:
        click.echo(f"  {printable(place)}", err=err)
    if len(places) > _MOST_PLACES:
        click.echo(f"  and {len(places) - _MOST_PLACES} more", err=err)


def _print_lines(head: str, lines: Sequence[TracedLine], *, err: bool) -> None:
    if lines:
        click.echo(head, err=err)
    for line in lines:
        click.echo(f"  {line.where}  {printable(line.text)}", err=err)


_Receipt = TypeVar("_Receipt", Forgotten, ForgottenWords)


def _finish(
    receipt: _Receipt, workspace: str | None, print_receipt: Callable[[_Receipt], None], *, as_json: bool
) -> int:
    """Take forgotten words out of the index and print the receipt; the exit code. By now all files are without them."""
    indexed, error = forget_in_index(root_of(workspace), ProcessContext(environment()))
    if error:
        click.echo(str(error), err=True)
    if as_json:
        print_json(replace(receipt, index=indexed))
    else:
        print_receipt(receipt)
        click.echo(_INDEX[indexed])
    return error.exit_code if error else 0


def _print_forgotten_words(receipt: ForgottenWords) -> None:
    click.echo(f"Forgot {count(len(receipt.entries), 'entry', 'entries')}, {count(len(receipt.removed), 'place')}.")
    ledger = f"{count(receipt.changes, 'stored change')}, {count(receipt.answers, 'cached answer')}"
    click.echo(f"Out of the ledger: {ledger}, {count(receipt.suggestions, 'suggestion')}.")
    if receipt.summaries:
        click.echo(f"{count(receipt.summaries, 'summary', 'summaries')} of conversations went, to be made anew.")
    click.echo(f"In {PATH} stand hashes alone, so that it does not come back.")
    for head, places in (
        ("In other words now:", receipt.reworded),
        ("Overwritten in:", receipt.logs),
        ("Stored outputs that went:", receipt.details),
        ("Places of conversations that were masked:", tuple(map(printable, receipt.messages))),
        ("Messages of transcripts that no search finds any more:", tuple(map(printable, receipt.said))),
        (
            "It still stands in lines of people, or about something else; take out by hand what you mean as well:",
            receipt.kept,
        ),
        ("Out of our reach, if it stands there too:", receipt.out_of_reach),
    ):
        for line in (head, *(f"  {place}" for place in places)) if places else ():
            click.echo(line)
