"""`memory suggestions`."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

import click

from pipeline.backfill.plan import exit_code
from pipeline.corrections.correction import KEEPING
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.corrections.entities import NAMINGS
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.errors.agents import NothingToChange
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import SHOWN, SuggestionFilter, chosen, may_edit, rank_suggestions, short_ids
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import count, fit, print_json, printable
from pipeline.surfaces.cli.terminal.person import answer, require_word
from pipeline.surfaces.cli.terminal.workspace import open_for_reading, opened_to_decide
from pipeline.surfaces.cli.views.progress import outcome_line
from pipeline.workspace.declined import PATH
from pipeline.workspace.layout import short_of
from schemas.entry import Kind
from schemas.outcome import Ending, Outcome
from schemas.suggestion import StandingEntry, StandingLink, Suggestion

_SAID_NOWHERE = ("change", "fact", "alias")
DECIDE = "memory suggestions decide"
"""The command to begin with."""
ACCEPT, DECLINE, EDIT, STOP = "accept", "decline", "edit", "stop"
_TITLED = {"change", "correction", "fact"}
"""The forms of suggestions whose title would be written; their text has more."""


def _filters(command: Callable[..., int | None]) -> Callable[..., int | None]:
    for option in (
        click.option("--session", metavar="ID", help="Only of this session; its beginning is enough."),
        click.option("--reason", metavar="REASON", help="Only with this reason, such as `routine`."),
        click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only of this kind."),
    ):
        command = option(command)
    return options.project(command)


@click.command("suggestions")
@_filters
@click.option("--all", "everything", is_flag=True, help=f"All of them, not the best {SHOWN}; --json always has them.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, everything: bool, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters
    """List what waits for a person, or decide about it.

    The best come first. A suggestion is what was not sure enough to be written by itself. It stands in the ledger alone
    until a person accepts it. Or it is an entry or a link that stands in a file, and that `memory suggestions review`
    doubts. The `reason` is `below_the_line` when its confidence is too low, `unsaid_value` when a model gave it a value
    that nobody said, `perhaps_taken_back` when later words seem to take it back, `not_understood` when it is clearly
    meant to last, `which_project` when it is about one project and nobody knows which, `perhaps_of_others` when
    somebody else may have said it, and `routine` when it was said in a session that a schedule may have begun; `firm`
    is a belief that came up again and again, and was contradicted. The beginning of an ID is enough where no other id
    begins so.
    """
    with open_for_reading(workspace, looking=False) as engine:
        known = waiting(engine)
        meant = rank_suggestions(chosen(known, (), _filter_of(engine, wanted)))
    if as_json:
        for suggestion in meant:
            print_json(suggestion.shown)
    else:
        print_suggestions(meant, known, len(meant) if everything else SHOWN)


@click.command(ACCEPT)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_filters
@options.as_json
@options.workspace
def accept_command(ids: tuple[str, ...], workspace: str | None, *, as_json: bool, **wanted: Any) -> int:  # noqa: ANN401 - the filters
    """Write suggestions into the day of their words.

    Name them, or say with --kind, --reason, --session or --project which are meant. What stands in a file already is
    kept, and is not reviewed again. `memory undo` takes an accepted one back; it waits again then. The terminal asks
    for the word `accept`.
    """
    with opened_to_decide(workspace) as engine:
        meant = _choose_suggestions(engine, ids, _filter_of(engine, wanted))
        _ask_for(ACCEPT, meant, as_json=as_json)
        return _accept(engine, meant, as_json=as_json)


@click.command(DECLINE)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_filters
@options.as_json
@options.workspace
def decline_command(ids: tuple[str, ...], workspace: str | None, *, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters
    """Turn suggestions down for good.

    Name them, or say with --kind, --reason, --session or --project which are meant. They do not come back, also not in
    the same words of another session. An entry that stands leaves its file, and a link is taken apart, by a run that
    `memory undo` takes back. A line of memory/declined.md stands for a declined one; take it out within a day, and it
    waits again.
    The terminal asks for the word `decline`.
    """
    with opened_to_decide(workspace) as engine:
        meant = _choose_suggestions(engine, ids, _filter_of(engine, wanted))
        _ask_for(DECLINE, meant, as_json=as_json)
        _decline(engine, meant, as_json=as_json)


@click.command("edit")
@click.argument("suggestion_id", metavar="ID")
@click.option("--text", default="", metavar="TEXT", help="The words, in place of an editor.")
@options.as_json
@options.workspace
def edit_command(suggestion_id: str, text: str, workspace: str | None, *, as_json: bool) -> int:
    """Accept a suggestion in words of your own.

    The quote stays as it was said. Without --text your editor is opened; where the streams are no terminal and no
    editor is named, the terminal asks for the words. Then it asks for the word `accept`.
    """
    from pipeline.app.corrections import own_words

    with opened_to_decide(workspace) as engine:
        [meant] = _choose_suggestions(engine, (suggestion_id,), SuggestionFilter())
        if not may_edit(meant):
            message = "This has no words of its own: accept it, decline it, or edit the lines that it is about."
            raise click.UsageError(message)
        words = own_words(engine, meant, text or _words_of_person(meant))
        _ask_for(ACCEPT, [meant], words, as_json=as_json)
        return _accept(engine, [meant], words, as_json=as_json)


def _words_of_person(suggestion: KeptSuggestion) -> str:
    """The words that a person gives in an editor; where that has no terminal, at the one that controls us."""
    variables, streams = environment(), (sys.stdin, sys.stdout)
    if not (variables.get("VISUAL") or variables.get("EDITOR") or all(stream.isatty() for stream in streams)):
        print_suggestion(suggestion, beside=True)
        return answer("In your words, or nothing to leave it: ")
    about = suggestion.about
    return click.edit(suggestion.shown.title if about.form in _TITLED else about.text) or ""


@click.command("decide")
@_filters
@options.as_json
@options.workspace
def decide_command(workspace: str | None, *, as_json: bool, **wanted: Any) -> int:  # noqa: ANN401 - the filters
    """Go through suggestions one by one, the best first.

    The terminal shows each and asks for a word, or its first letter: `accept`, `decline`, `edit` for words of your own,
    nothing to leave it, `stop` to end; another answer is asked for again. What was decided is done at the end, also
    after Ctrl+C.
    """
    from pipeline.app.corrections import own_words

    with opened_to_decide(workspace) as engine:
        decided: dict[str, list[KeptSuggestion]] = {ACCEPT: [], DECLINE: []}
        edited = list[tuple[KeptSuggestion, str]]()
        with suppress(KeyboardInterrupt):  # what was said until then holds
            for suggestion in rank_suggestions(chosen(waiting(engine), (), _filter_of(engine, wanted))):
                print_suggestion(suggestion, beside=as_json)
                word = _decision(may_edit(suggestion))
                if word == STOP:
                    break
                if word == EDIT and (words := answer("In your words, or nothing to leave it: ")):
                    try:
                        edited.append((suggestion, own_words(engine, suggestion, words)))
                    except NothingToChange as error:  # it waits on; what was decided before is done all the same
                        print_message(str(error))
                decided.get(word, []).append(suggestion)
        if decided[DECLINE]:
            _decline(engine, decided[DECLINE], as_json=as_json)
        codes = [_accept(engine, [suggestion], words, as_json=as_json) for suggestion, words in edited]
        if decided[ACCEPT]:
            codes.append(_accept(engine, decided[ACCEPT], as_json=as_json))
        return max(codes, default=0)


def _decision(editable: bool) -> str:  # noqa: FBT001 - what may be answered
    """The word that a person answers with; empty to leave the suggestion. Any other answer is asked for again."""
    words = (ACCEPT, DECLINE, *((EDIT,) if editable else ()), STOP)
    while given := answer(f"{', '.join(words)}, or nothing to leave it: ").lower():
        if meant := next((word for word in words if given in {word, word[0]}), ""):
            return meant
        print_message(f"{given!r} is no answer; type {', '.join(words)}, or Enter alone.")
    return ""


def _filter_of(engine: Engine, wanted: Mapping[str, Any]) -> SuggestionFilter:
    """The filter that options name."""
    return SuggestionFilter(**{**wanted, "project": engine.catalog.project_named(wanted["project"])})


def _choose_suggestions(engine: Engine, ids: Sequence[str], wanted: SuggestionFilter) -> list[KeptSuggestion]:
    if bool(ids) == bool(wanted):
        message = (
            "Name the suggestions by their ids, or say which are meant with --kind, --reason, --session or --project."
        )
        raise click.UsageError(message)
    if meant := chosen(waiting(engine), ids, wanted):
        return meant
    message = "No suggestion that waits fits these options."
    raise click.UsageError(message)


def _ask_for(word: str, meant: Sequence[KeptSuggestion], text: str = "", *, as_json: bool) -> None:
    """Show the suggestions, beside the output of JSON, and let the person type the word."""
    for suggestion in meant:
        print_suggestion(suggestion, text, beside=as_json)
    require_word(word, f"to {word} {count(len(meant), 'suggestion')}", "nothing was decided.")


def _accept(engine: Engine, meant: Sequence[KeptSuggestion], text: str = "", *, as_json: bool = False) -> int:
    outcomes = accept(engine, meant, text) if meant else []
    if as_json:
        print_json(accepted_report(meant, outcomes))
    for line in () if as_json else decision_lines(outcomes, engine.zone):
        click.echo(line)
    if any(outcome.ending is Ending.LOCKED for outcome in outcomes):
        print_message("another process is at work; what was accepted is kept, and the next run writes the rest.")
    return exit_code([outcome.ending for outcome in outcomes])


def _decline(engine: Engine, meant: Sequence[KeptSuggestion], *, as_json: bool = False) -> None:
    if not meant:
        return
    runs = decline(engine, meant)
    if as_json:
        print_json(declined_report(meant, runs))
        return
    click.echo(f"{count(len(meant), 'suggestion')} declined; {PATH} keeps them away.")
    for run_id in runs:
        click.echo(f"What stood was taken out by run {run_id}; to take that back: memory undo {run_id}")


def show_suggestion(name: str, workspace: str | None, *, as_json: bool) -> None:
    """Show a suggestion that waits, by its id or the beginning of it."""
    with open_for_reading(workspace, looking=False) as engine:
        [meant] = chosen(waiting(engine), (name,), SuggestionFilter())
    if as_json:
        print_json(meant.shown)
    else:
        print_suggestion(meant)
        click.echo(f"\nA suggestion, which waits for you: `memory suggestions {ACCEPT}|{DECLINE}|{EDIT} {name}`.")


def print_suggestions(meant: Sequence[KeptSuggestion], known: Sequence[KeptSuggestion], most: int) -> None:
    """Print a list of the first so many; `known` are all that wait, by which ids are shortened."""
    names, shown = short_ids(known), meant[:most]
    for (kind, where), group in groupby(shown, key=_group_name):
        click.echo(f"{style(kind, bold=True)}, {printable(where)}")
        for suggestion in group:
            standing = "" if suggestion.about.is_new else f"{_describe_subject(suggestion)}, "
            line = f"  {names[suggestion.id]}  {suggestion.shown.date:%Y-%m-%d}  {printable(suggestion.about.text)}"
            click.echo(fit(line, f"  ({standing}{_describe_reason(suggestion)})"))
    if len(shown) < len(meant):
        click.echo(f"The best {len(shown)} of {len(meant)} are shown; --all lists all.")
    if meant:
        click.echo(f"`{DECIDE}` goes through them; accept, decline and edit take ids, --kind or --reason.")
    else:
        click.echo("No suggestion waits." if not known else "No suggestion that waits fits these options.")


def print_suggestion(suggestion: KeptSuggestion, text: str = "", *, beside: bool = False) -> None:
    """Print all that a person needs to decide; `text` is their own wording. On stderr where it stands `beside` JSON."""
    shown = suggestion.shown
    words = printable(text or shown.text)
    click.echo(f"\n{style(_describe_subject(suggestion), bold=True)}  {words}", err=beside)
    if shown.quote:
        click.echo(f'  said "{printable(shown.quote)}"', err=beside)
    why = _describe_reason(suggestion)
    click.echo(f"  {shown.date:%Y-%m-%d}, {printable(_describe_place(shown))}, {why}", err=beside)


def decision_lines(outcomes: Sequence[Outcome], zone: str) -> Iterator[str]:
    """The lines about accepted suggestions, one for each run, with the id that undo takes."""
    for outcome in outcomes:
        if outcome.job in NAMINGS:
            yield f"made it another name in {', '.join(outcome.paths)}, by run {outcome.run_id}"
        elif outcome.job == KEEPING:
            yield f"kept what stands, by run {outcome.run_id}"
        elif outcome.written:
            yield f"wrote {', '.join(outcome.written)} to {', '.join(outcome.paths)}, by run {outcome.run_id}"
        elif not outcome.is_silent:
            yield outcome_line(outcome, zone)


def _group_name(suggestion: KeptSuggestion) -> tuple[str, str]:
    return suggestion.shown.kind, _describe_place(suggestion.shown)


def _describe_place(shown: Suggestion) -> str:
    """The session of the words, with its project; of what a tool asked for, who asked and how; of a fact its file."""
    session = shown.source.session_id
    where = session if shown.form in _SAID_NOWHERE and not shown.quote else f"session {short_of(session)}"
    return f"{where}, {shown.project}" if shown.project else where


def _describe_subject(suggestion: KeptSuggestion) -> str:
    """The kind of a new entry; else what stands: an entry, or a link."""
    forms = {StandingEntry: "stands in its file", StandingLink: "link"}
    return forms.get(type(suggestion.about), suggestion.shown.kind)


def _describe_reason(suggestion: KeptSuggestion) -> str:
    sure = suggestion.shown.confidence
    return suggestion.reason if sure is None else f"{suggestion.reason}, {sure:.2f}"
